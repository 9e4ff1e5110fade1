//! The server's side of a game.

use std::{fmt::Write as _, time::Duration};

use boardgame_core::ByColor;
use boardgame_laws::othello::{HostAction, HostedGame, game_of, lth::hosted};
use boardgame_session::{Cause, GameEvent, SeatFault, Timestamp, Verdict};
use othello_core::{Color, Square};
use othello_proto::{
    lth::{
        ClientRecord, Guest, LimitScope, MAX_EARLY, Player, PlayerOptions, Port, Reception,
        ReceptionAction, ReceptionOptions, ServerSeat, TimeLimit,
    },
    session::{Action, Ending, NoteKind, PlayerSession},
};

use crate::kit::{at, decision, forfeit, note_line};

const DARK_STUCK: &str = "e6f6g6g7d3h6h8f8";
const WIPE_OUT: &str = "e6d6c4f4g4c5c6c7b8";

/// A game with a record of what was said.
struct RecordedGame {
    hosted: HostedGame<ServerSeat>,
    now: Timestamp,
    /// The result that is yet to be kept.
    unkept: Option<Verdict>,
    verdict: Option<Verdict>,
    log: String,
}

/// A guest that has said `early` before its game.
fn guest(color: Color, early: &str, line_delay: Duration) -> Guest {
    let mut reception = Reception::new(ReceptionOptions {
        port: Port::Competition(color),
        line_delay,
        ..ReceptionOptions::default()
    });
    let mut now = at(0);
    reception.start(now);
    reception.receive(format!("id\n{early}").as_bytes(), now);
    loop {
        while let Some(action) = reception.poll() {
            match action {
                ReceptionAction::LookUp(_) => {
                    reception.recall(ClientRecord { wins: 4, color }, now);
                }
                ReceptionAction::Seat(guest) => return guest,
                ReceptionAction::Send(_) | ReceptionAction::Note(_) => {}
                ReceptionAction::Refuse(refusal) => panic!("{refusal:?}"),
            }
        }
        now = reception.deadline().expect("a guest that is never seated");
        reception.tick(now);
    }
}

/// Two guests who have said nothing before their game.
fn two_guests(line_delay: Duration) -> ByColor<Guest> {
    ByColor::new_with(|color| guest(color, "", line_delay))
}

/// The squares of a transcript such as `f5d6`.
fn squares(transcript: &str) -> Vec<Square> {
    let pairs = transcript.as_bytes().chunks(2);
    pairs
        .map(|pair| str::from_utf8(pair).unwrap().parse().unwrap())
        .collect()
}

fn limit(scope: LimitScope) -> TimeLimit {
    TimeLimit {
        length: Duration::from_secs(30),
        scope,
    }
}

impl RecordedGame {
    fn new(hosted: HostedGame<ServerSeat>) -> Self {
        let mut game = Self {
            hosted,
            now: at(1000),
            unkept: None,
            verdict: None,
            log: String::new(),
        };
        game.hosted.start(game.now);
        game.settle();
        game
    }

    /// Two guests, of whom both say nothing.
    fn of_two() -> Self {
        Self::new(hosted(two_guests(Duration::ZERO), limit(LimitScope::Game)))
    }

    /// Two guests, of whom Dark has said this before its game.
    fn of_early_dark(early: &str) -> Self {
        let guests = ByColor {
            black: guest(Color::Black, early, Duration::ZERO),
            white: guest(Color::White, "", Duration::ZERO),
        };
        Self::new(hosted(guests, limit(LimitScope::Game)))
    }

    fn say(&mut self, seat: Color, line: &str) {
        writeln!(self.log, "{seat} < {line}").unwrap();
        self.hosted
            .receive(seat, format!("{line}\n").as_bytes(), self.now);
        self.settle();
    }

    /// Both sides say the moves of a transcript in turn.
    fn play(&mut self, transcript: &str) {
        for square in squares(transcript) {
            let side = self.hosted.position().side_to_move();
            self.say(side, &square.to_string());
        }
        assert_eq!(self.verdict.is_some(), self.hosted.position().is_over());
    }

    fn leave(&mut self, seat: Color) {
        self.hosted.end_of_input(seat, self.now);
        self.settle();
    }

    fn advance(&mut self, to: Timestamp) {
        self.now = to;
        self.hosted.tick(to);
        self.settle();
    }

    /// Lets all happen that needs no event, the keeping of the result included.
    fn settle(&mut self) {
        self.act();
        if self.unkept.take().is_some() {
            self.hosted.kept(self.now);
            self.act();
        }
    }

    fn act(&mut self) {
        while let Some(action) = self.hosted.poll() {
            assert!(self.verdict.is_none(), "{action:?} after the end");
            match action {
                HostAction::Send { seat, bytes } => {
                    for line in String::from_utf8(bytes).unwrap().lines() {
                        writeln!(self.log, "{seat} > {line}").unwrap();
                    }
                }
                HostAction::Note(note) => writeln!(self.log, ". {}", note_line(&note)).unwrap(),
                HostAction::HangUp(seat) => writeln!(self.log, "{seat} = closed").unwrap(),
                HostAction::Event(GameEvent::Moved(seat, mv, thought)) => {
                    let took = thought.unwrap_or_default().took;
                    writeln!(self.log, ". {seat} {mv} {took:?}").unwrap();
                }
                HostAction::Keep(verdict) => self.unkept = Some(verdict),
                HostAction::Finish(verdict) => self.verdict = Some(verdict),
                HostAction::Event(_) | HostAction::Launch(_) => {}
            }
        }
    }

    /// Returns the lines to this seat from the `since`-th line on.
    fn heard(&self, seat: Color, since: usize) -> Vec<&str> {
        let mark = format!("{seat} > ");
        let lines = self.log.lines().filter_map(|line| line.strip_prefix(&mark));
        lines.skip(since).collect()
    }

    fn cause(&self) -> &Cause {
        &self.verdict.as_ref().expect("a verdict").cause
    }
}

const ILLEGAL: [&str; 2] = ["error", " This move is illegal. Bye!"];

#[test]
fn a_whole_game_of_two_guests() {
    let mut game = RecordedGame::of_two();
    game.play(WIPE_OUT);
    let verdict = game.verdict.clone().unwrap();
    assert_eq!(
        (verdict.winner, verdict.cause),
        (Some(Color::Black), Cause::Played)
    );
    insta::assert_snapshot!(game.log);
}

#[test]
fn the_result_is_told_once_it_is_kept() {
    for line_delay in [Duration::ZERO, Duration::from_millis(50)] {
        let mut game = RecordedGame::new(hosted(two_guests(line_delay), limit(LimitScope::Game)));
        game.hosted.receive(Color::Black, b"a1\n", game.now);
        game.act();
        let verdict = game.unkept.clone().unwrap();
        assert_eq!(verdict.winner, Some(Color::White));
        // Neither time nor the guests change what is decided.
        game.now = at(100_000);
        game.hosted.tick(game.now);
        game.hosted.receive(Color::White, b"f5\n", game.now);
        game.hosted.end_of_input(Color::Black, game.now);
        game.act();
        let heard = Color::ALL.map(|color| game.heard(color, 0).len());
        assert_eq!((heard, game.hosted.deadline()), ([1, 0], None));
        assert!(!game.log.contains("closed"), "{}", game.log);
        game.settle();
        while let Some(deadline) = game.hosted.deadline() {
            game.advance(deadline);
        }
        assert_eq!(game.heard(Color::Black, 1), ILLEGAL);
        assert_eq!(game.heard(Color::White, 3), ["White won"]);
        assert_eq!(game.verdict, Some(verdict));
    }
}

#[test]
fn a_guest_who_is_stuck_is_asked_and_answers_pass() {
    let mut game = RecordedGame::of_two();
    game.play(DARK_STUCK);
    assert_eq!(
        game.heard(Color::Black, 10),
        ["opponent's move", "f8", "your move"]
    );
    let before = game.heard(Color::White, 0).len();
    game.say(Color::Black, "PASS");
    let heard = game.heard(Color::White, before);
    assert_eq!(heard, ["opponent's move", "PASS", "your move"]);
}

#[test]
fn an_illegal_move_loses() {
    for (line, is_format) in [
        ("a1", false),
        ("d4", false),
        ("PASS", false),
        ("zz", true),
        ("f5 e6", true),
    ] {
        let mut game = RecordedGame::of_two();
        game.say(Color::Black, line);
        assert_eq!(game.heard(Color::Black, 1), ILLEGAL);
        let block = ["The game is finished", "White: 2", "Dark: 2", "White won"];
        assert_eq!(game.heard(Color::White, 0), block);
        assert_eq!(
            matches!(
                game.cause(),
                Cause::Forfeit {
                    fault: SeatFault::Format { .. },
                    ..
                }
            ),
            is_format
        );
        assert_eq!(game.cause().culprit(), Some(Color::Black));
    }
}

#[test]
fn a_square_while_stuck_is_illegal() {
    let mut game = RecordedGame::of_two();
    game.play(DARK_STUCK);
    game.say(Color::Black, "a1");
    assert_eq!(game.cause().culprit(), Some(Color::Black));
}

#[test]
fn a_line_that_is_too_long_loses() {
    let mut game = RecordedGame::of_two();
    game.say(Color::Black, &"x".repeat(10_000));
    assert!(matches!(
        game.cause(),
        Cause::Forfeit {
            by: Color::Black,
            fault: SeatFault::Format { .. }
        }
    ));
    assert_eq!(game.heard(Color::Black, 1), ILLEGAL);
}

#[test]
fn the_limit_counts_each_sides_own_time() {
    let mut game = RecordedGame::of_two();
    game.now = at(11_000);
    game.say(Color::Black, "f5");
    game.now = at(30_000);
    game.say(Color::White, "d6");
    assert_eq!(game.hosted.deadline(), Some(at(50_000)));
    game.advance(at(49_999));
    assert_eq!(game.verdict, None);
    game.advance(at(50_000));
    assert_eq!(game.cause(), &forfeit(Color::Black, SeatFault::Overtime));
    let end = game.heard(Color::Black, 4);
    assert_eq!(end, ["error", " Time limit exceeded. Bye!"]);
    let block = ["The game is finished", "White: 3", "Dark: 3", "White won"];
    assert_eq!(game.heard(Color::White, 3), block);
}

#[test]
fn the_limit_per_move_begins_anew() {
    let mut game = RecordedGame::new(hosted(two_guests(Duration::ZERO), limit(LimitScope::Move)));
    game.now = at(30_999);
    game.say(Color::Black, "f5");
    game.say(Color::White, "d6");
    assert_eq!(game.hosted.deadline(), Some(at(60_999)));
}

#[test]
fn a_move_that_comes_late_is_late_even_without_a_tick() {
    let mut game = RecordedGame::of_two();
    game.now = at(31_000);
    game.say(Color::Black, "f5");
    assert_eq!(game.cause(), &forfeit(Color::Black, SeatFault::Overtime));
}

#[test]
fn a_guest_who_leaves_loses_whoever_is_to_move() {
    for (leaver, winner) in [(Color::Black, "White won"), (Color::White, "Dark won")] {
        let mut game = RecordedGame::of_two();
        game.leave(leaver);
        assert_eq!(game.cause(), &forfeit(leaver, SeatFault::Left));
        assert_eq!(game.heard(!leaver, 0).last(), Some(&winner));
        assert_eq!(
            game.heard(leaver, 0).last().copied().unwrap_or("your move"),
            "your move"
        );
    }
}

#[test]
fn moves_that_come_early_wait_for_their_question() {
    let mut game = RecordedGame::of_early_dark("e6\nc4\ng4\n");
    game.say(Color::White, "d6");
    game.say(Color::White, "f4");
    assert_eq!(game.hosted.moves().len(), 5);
    assert_eq!(game.verdict, None);
    let mut game = RecordedGame::of_two();
    game.say(Color::White, "d6");
    game.say(Color::Black, "f5");
    assert_eq!(game.hosted.moves().len(), 2);
    assert!(game.log.contains("leniency early-answer"));
}

#[test]
fn a_guest_who_left_its_moves_behind_plays_them_out() {
    let mut game = RecordedGame::of_early_dark("e6\nc4\n");
    game.leave(Color::Black);
    assert_eq!(game.verdict, None);
    game.say(Color::White, "d6");
    assert_eq!(game.cause(), &forfeit(Color::Black, SeatFault::Left));
    assert_eq!(game.hosted.moves().len(), 3);
}

#[test]
fn a_flood_loses() {
    let mut game = RecordedGame::of_two();
    game.say(Color::White, &"d6\n".repeat(MAX_EARLY));
    assert!(matches!(
        game.cause(),
        Cause::Forfeit {
            by: Color::White,
            fault: SeatFault::Format { .. }
        }
    ));
}

#[test]
fn remarks_on_a_flood_are_bounded() {
    let mut game = RecordedGame::of_two();
    for _ in 0..1000 {
        game.hosted.receive(Color::White, b"\n\nx", game.now);
    }
    game.settle();
    assert!(game.log.lines().count() < 300);
    assert_eq!(game.verdict, None);
}

#[test]
fn other_spellings_of_a_move_are_read() {
    let mut game = RecordedGame::of_two();
    game.hosted.receive(Color::Black, b" F5 \r\n", game.now);
    game.settle();
    assert_eq!(
        game.heard(Color::White, 0),
        ["opponent's move", "f5", "your move"]
    );
    for name in ["carriage-return", "spelling"] {
        assert_eq!(game.log.matches(&format!("leniency {name}")).count(), 1);
    }
}

#[test]
fn an_empty_line_is_an_answer_to_your_move() {
    let mut game = RecordedGame::of_two();
    game.say(Color::Black, "");
    assert_eq!(game.heard(Color::Black, 1), ILLEGAL);
    let fault = SeatFault::format(r#"expected a square a1-h8 or PASS at offset 0 of """#);
    assert_eq!(*game.cause(), forfeit(Color::Black, fault));
}

#[test]
fn an_empty_line_that_ended_another_one_is_no_answer() {
    let mut game = RecordedGame::of_early_dark("\n");
    game.say(Color::Black, "f5\n");
    game.say(Color::White, "d6\n");
    game.say(Color::Black, "c3\n");
    assert_eq!(game.hosted.moves().len(), 3);
    assert_eq!(game.log.matches("leniency blank-line").count(), 3);
    game.say(Color::White, "");
    assert_eq!(game.verdict.unwrap().winner, Some(Color::Black));
}

#[test]
fn lines_are_at_least_the_delay_apart_and_the_clock_starts_with_the_question() {
    let delay = Duration::from_millis(50);
    let mut game = RecordedGame::new(hosted(two_guests(delay), limit(LimitScope::Game)));
    game.now = at(2000);
    game.say(Color::Black, "f5");
    assert_eq!(game.heard(Color::White, 0), ["opponent's move"]);
    assert_eq!(game.hosted.deadline(), Some(at(2050)));
    game.advance(at(2049));
    assert_eq!(game.heard(Color::White, 1), [""; 0]);
    game.advance(at(2050));
    assert_eq!(game.heard(Color::White, 1), ["f5"]);
    game.advance(at(2100));
    assert_eq!(game.heard(Color::White, 2), ["your move"]);
    assert_eq!(game.hosted.deadline(), Some(at(32_100)));
    game.say(Color::White, "a1");
    assert_eq!(game.verdict, None);
    while let Some(deadline) = game.hosted.deadline() {
        game.advance(deadline);
    }
    assert_eq!(game.heard(Color::Black, 1).len(), 4);
    assert_eq!(game.heard(Color::White, 3), ILLEGAL);
    assert_eq!(game.cause().culprit(), Some(Color::White));
}

/// A client of ours, which chooses the squares of a list.
struct Client {
    player: Player,
    ending: Option<Ending>,
    choices: Vec<Square>,
}

impl Client {
    fn new(color: Color, choices: &str) -> Self {
        let mut player = Player::new(PlayerOptions::new("me".parse().unwrap()));
        player.start(at(0));
        let mut client = Self {
            player,
            ending: None,
            choices: squares(choices),
        };
        let name = match color {
            Color::Black => "dark",
            Color::White => "white",
        };
        client.hear(&format!("you are {name}"));
        client
    }

    /// Lets the server say these lines and returns what the client sends.
    fn hear(&mut self, lines: &str) -> String {
        for line in lines.lines() {
            self.player.receive(format!("{line}\n").as_bytes(), at(0));
        }
        let mut sent = String::new();
        while let Some(action) = self.player.poll() {
            match action {
                Action::Send(bytes) => sent += str::from_utf8(&bytes).unwrap(),
                Action::Think(task) => {
                    let decision = decision(&task, self.choices.remove(0));
                    self.player.decide(decision, at(0));
                }
                Action::Note(note) => assert_eq!(note.kind, NoteKind::Info, "{note:?}"),
                Action::Finish(ending) => self.ending = Some(ending),
                Action::Abandon => panic!("out of time"),
            }
        }
        sent
    }
}

#[test]
fn our_clients_play_a_game_to_its_end() {
    let transcript = "f5f4e3d6c5c4e7f6g5f2d2b6b4";
    let mut clients = ByColor {
        black: Client::new(Color::Black, "f5e3c5e7g5d2b4a7g1"),
        white: Client::new(Color::White, "f4d6c4f6f2b6"),
    };
    let mut game = RecordedGame::of_two();
    let mut read: ByColor<usize> = ByColor::default();
    while game.verdict.is_none() {
        for color in Color::ALL {
            let lines = game.heard(color, read[color]).join("\n");
            read[color] = game.heard(color, 0).len();
            let answer = clients[color].hear(&lines);
            if !answer.is_empty() {
                game.say(color, answer.trim_end());
            }
        }
    }
    assert_eq!(game.cause(), &Cause::Played);
    let board = *game.hosted.position();
    assert!(game.log.contains("White < PASS"));
    assert_eq!(game.hosted.moves()[..13].len() * 2, transcript.len());
    for color in Color::ALL {
        let client = &mut clients[color];
        let lines = game.heard(color, read[color]).join("\n");
        client.hear(&lines);
        assert_eq!(client.ending, Some(Ending::Orderly));
        assert_eq!(client.player.game(), &game_of(&game.hosted));
        assert!(client.player.report().agrees_with(board));
        assert!(client.player.report().is_complete());
        assert_eq!(client.player.board(), board);
    }
}
