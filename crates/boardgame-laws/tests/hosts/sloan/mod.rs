//! The referee's part of section 6, and the open points as `docs/protocols/sloan.md` settles them.

mod claims;
mod dialects;
mod faults;
mod games;
mod messages;
mod opening;
mod samples;
mod time;

use std::time::Duration;

use boardgame_laws::othello::{
    HostAction, HostedGame, HostedGameOptions, game_of,
    sloan::{game_from, hosted},
};
use boardgame_session::{Cause, GameEvent, NoteKind, Said, SeatFault, Timestamp, Verdict};
use othello_core::{Board, Color, Move, Square};
use othello_proto::sloan::{OpeningPass, RefereeOptions, RefereeSeat};

use crate::kit::forfeit;

/// A position for the second sample: White plays a1 and a8, Black can do nothing, and the game
/// ends with 10 black discs, 53 white ones and h8 empty.
const NEAR_THE_END: &str =
    "-XOOOOOO OOXXXXOO OOOOOOOO OXXOOXOO OXXOOXOO OOOOOOOO XOOOOOOO -OOOOOO- O";

/// Black, to move, wipes White out by c1, with three discs.
const OVER_AFTER_C1: &str =
    "XO------ -------- -------- -------- -------- -------- -------- -------- X";

/// A game at a referee.
#[derive(Clone, Debug)]
struct Options {
    game: HostedGameOptions,
    seat: RefereeOptions,
}

impl Options {
    fn hosted(&self) -> HostedGame<RefereeSeat> {
        hosted(&self.game, &self.seat)
    }

    /// The same game with this time for each side.
    fn timed(mut self, main: Option<Duration>) -> Self {
        for time in self.game.time.iter_mut() {
            time.main = main;
        }
        self
    }

    /// The same game with comments relayed.
    fn relaying_comments(mut self) -> Self {
        self.game.relays_comments = true;
        self
    }
}

impl From<RefereeOptions> for Options {
    /// A game with the document's time from the usual start.
    fn from(seat: RefereeOptions) -> Self {
        let game = game_from(Board::START);
        Self { game, seat }
    }
}

fn at(seconds: u64) -> Timestamp {
    Timestamp::from_origin(Duration::from_secs(seconds))
}

/// A game at a referee with what happened so far, as text.
struct RecordedGame {
    referee: HostedGame<RefereeSeat>,
    transcript: String,
    verdict: Option<Verdict>,
    now: Timestamp,
}

impl RecordedGame {
    fn new(options: impl Into<Options>) -> Self {
        let mut game = Self {
            referee: options.into().hosted(),
            transcript: String::new(),
            verdict: None,
            now: at(0),
        };
        game.referee.start(at(0));
        game.settle();
        game
    }

    /// Feeds each line: `B: text` comes from Black's program, `W: text` from White's, `B!` and
    /// `W!` end them, `+5` lets 5 seconds pass, and `+` passes the time up to the deadline.
    fn feed(mut self, script: &str) -> Self {
        for line in script
            .lines()
            .map(str::trim)
            .filter(|line| !line.is_empty())
        {
            self.transcript += line;
            self.transcript += "\n";
            if let Some(seconds) = line.strip_prefix('+') {
                self.now = match seconds {
                    "" => self.referee.deadline().expect("nothing is waited for"),
                    seconds => self.now + Duration::from_secs(seconds.parse().unwrap()),
                };
                self.referee.tick(self.now);
            } else {
                let (seat, text) = line.split_at(1);
                let seat: Color = seat.parse().unwrap();
                match text.strip_prefix(": ") {
                    Some(text) => {
                        let text = format!("{text}\n");
                        self.referee.receive(seat, text.as_bytes(), self.now);
                    }
                    None => self.leave(seat),
                }
            }
            self.settle();
        }
        self
    }

    /// Ends a program, unless another one takes its place.
    fn leave(&mut self, seat: Color) {
        self.referee.end_of_input(seat, self.now);
        let launches = self.transcript.matches("[launch").count();
        self.settle();
        if self.transcript.matches("[launch").count() == launches {
            self.referee.exited(seat, true, self.now);
        }
    }

    fn settle(&mut self) {
        while let Some(action) = self.referee.poll() {
            let line = match action {
                HostAction::Send { seat, bytes } => {
                    let text = String::from_utf8(bytes).unwrap();
                    format!(">{}: {text}", letter(seat))
                }
                HostAction::Launch(seat) => format!("[launch {seat}]\n"),
                HostAction::HangUp(seat) => format!("[hang up on {seat}]\n"),
                HostAction::Event(GameEvent::Began) => "[began]\n".into(),
                HostAction::Event(GameEvent::Restarted) => "[restarted]\n".into(),
                HostAction::Event(GameEvent::Moved(seat, mv, thought)) => {
                    format!(
                        "[{seat} {mv} after {:?}]\n",
                        thought.unwrap_or_default().took
                    )
                }
                HostAction::Event(GameEvent::Said(seat, Said::Comment(text))) => {
                    format!("[{seat} remarks: {text}]\n")
                }
                HostAction::Event(GameEvent::Said(seat, Said::FalseClaim(margin))) => {
                    format!("[{seat} claims falsely: {margin}]\n")
                }
                HostAction::Note(note) => match note.kind {
                    NoteKind::Info => format!("[info] {}\n", note.text),
                    NoteKind::Leniency(name) => format!("[{name}] {}\n", note.text),
                    NoteKind::Fault => format!("[fault] {}\n", note.text),
                },
                HostAction::Finish(verdict) => {
                    let line = format!("[{:?} wins: {:?}]\n", verdict.winner, verdict.cause);
                    self.verdict = Some(verdict);
                    line
                }
                action => panic!("{action:?}"),
            };
            self.transcript += &line;
        }
    }

    /// Returns the lines that both programs were sent.
    fn sent(&self) -> Vec<&str> {
        let lines = self.transcript.lines();
        lines.filter_map(|line| line.strip_prefix('>')).collect()
    }

    fn notes(&self, leniency: &str) -> bool {
        self.transcript.contains(&format!("[{leniency}]"))
    }
}

fn letter(seat: Color) -> char {
    match seat {
        Color::Black => 'B',
        Color::White => 'W',
    }
}

/// Runs a script after both programs got ready, and checks what is sent after the colours.
fn check(options: impl Into<Options>, script: &str, expect: &[&str]) -> RecordedGame {
    let game = RecordedGame::new(options)
        .feed("B: (R B)\nW: (R W)")
        .feed(script);
    assert_eq!(&game.sent()[2..], expect, "\n{}", game.transcript);
    game
}

fn check_verdict(game: &RecordedGame, winner: Option<Color>, cause: &Cause) {
    let verdict = game.verdict.as_ref().expect("no verdict");
    assert_eq!((verdict.winner, &verdict.cause), (winner, cause));
}

/// The document's: the opening pass comes at once.
fn standard() -> RefereeOptions {
    RefereeOptions {
        opening_pass: OpeningPass::Always,
        ..RefereeOptions::default()
    }
}

/// A game that begins on this board, without an opening pass.
fn from(board: &str) -> Options {
    Options {
        game: game_from(board.parse().unwrap()),
        seat: RefereeOptions {
            opening_pass: OpeningPass::Never,
            ..RefereeOptions::default()
        },
    }
}

#[test]
fn the_game_holds_the_moves() {
    let game = check(standard(), "B: (B d 3)", &["B: (W)", "W: (B d 3)"]);
    assert_eq!(game.referee.moves(), [Move::Place(Square::D3)]);
}
