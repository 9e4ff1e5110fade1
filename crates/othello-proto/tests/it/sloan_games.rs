//! Whole games between our players and our referee, at the level of bytes.

use std::time::Duration;

use othello_core::{Board, Color, Square};
use othello_proto::{
    session::{
        Action, Cause, Decision, Ending, HostAction, HostEvent, HostSession, Note, NoteKind,
        PlayerSession, Task, Timestamp, Verdict,
    },
    sloan::{
        CommentRelay, Comments, Dialect, OPENING_WAIT, OpeningPass, Player, PlayerOptions, Referee,
        RefereeOptions,
    },
};
use proptest::prelude::*;

/// A referee and the two programs that it hosts.
struct HostedGame {
    referee: Referee,
    players: [Player; 2],
    endings: [Option<Ending>; 2],
    verdict: Option<Verdict>,
    faults: Vec<Note>,
    now: Timestamp,
}

impl HostedGame {
    fn new(referee: RefereeOptions, players: [PlayerOptions; 2]) -> Self {
        Self {
            referee: Referee::new(referee),
            players: players.map(Player::new),
            endings: [None, None],
            verdict: None,
            faults: Vec::new(),
            now: Timestamp::ORIGIN,
        }
    }

    /// Plays a game, a task's square being taken from `choices` by turns. Where nothing else happens,
    /// time passes.
    fn play(&mut self, choices: &[usize]) {
        let mut choices = choices.iter().copied().cycle();
        let mut choose = || choices.next().unwrap_or(0);
        self.referee.start(self.now);
        loop {
            while let Some(action) = self.referee.poll() {
                self.act(action, &mut choose);
            }
            if self.verdict.is_some() {
                return;
            }
            let players = self.players.iter().map(PlayerSession::deadline);
            let deadlines = players.chain([self.referee.deadline()]).flatten();
            self.now = deadlines.min().expect("a game that nothing ends");
            self.referee.tick(self.now);
            for seat in Color::ALL {
                self.players[seat as usize].tick(self.now);
                self.answer(seat, &mut choose);
            }
        }
    }

    fn act(&mut self, action: HostAction, choose: &mut dyn FnMut() -> usize) {
        match action {
            HostAction::Send { seat, bytes } => {
                self.players[seat as usize].receive(&bytes, self.now);
                self.answer(seat, choose);
            }
            HostAction::HangUp(seat) => {
                self.players[seat as usize].end_of_input(self.now);
                self.answer(seat, &mut || 0);
            }
            HostAction::Finish(verdict) => self.verdict = Some(verdict),
            HostAction::Note(note) => self.note(note),
            HostAction::Event(HostEvent::Restarted) => panic!("our player misreads"),
            _ => {}
        }
    }

    fn answer(&mut self, seat: Color, choose: &mut dyn FnMut() -> usize) {
        while let Some(action) = self.players[seat as usize].poll() {
            match action {
                Action::Send(bytes) => self.referee.receive(seat, &bytes, self.now),
                Action::Think(task) => {
                    let decision = decision(&task, choose());
                    self.players[seat as usize].decide(decision, self.now);
                }
                Action::Finish(ending) => self.endings[seat as usize] = Some(ending),
                Action::Note(note) => self.note(note),
                Action::Abandon => {}
            }
        }
    }

    fn note(&mut self, note: Note) {
        if note.kind == NoteKind::Fault {
            self.faults.push(note);
        }
    }
}

fn decision(task: &Task, choice: usize) -> Decision {
    let squares: Vec<Square> = task.moves.into_iter().collect();
    Decision {
        task: task.id,
        square: squares[choice % squares.len()],
        assessment: None,
    }
}

fn player() -> impl Strategy<Value = PlayerOptions> {
    let comments = prop::sample::select(vec![Comments::None, Comments::Eval, Comments::Board]);
    let waits = [OPENING_WAIT, Duration::from_millis(100), Duration::ZERO];
    let opening_wait = prop::sample::select(waits.map(Some).to_vec());
    (comments, opening_wait).prop_map(|(comments, opening_wait)| PlayerOptions {
        comments,
        opening_wait,
        ..PlayerOptions::default()
    })
}

fn referee() -> impl Strategy<Value = RefereeOptions> {
    let comments = prop::sample::select(vec![CommentRelay::Filter, CommentRelay::PassOn]);
    let dialect = prop::sample::select(vec![Dialect::Expressions, Dialect::Lines]);
    let passes = [OpeningPass::Auto, OpeningPass::Always, OpeningPass::Never];
    let opening_pass = prop::sample::select(passes.to_vec());
    (comments, dialect, opening_pass, any::<bool>()).prop_map(
        |(comments, dialect, opening_pass, send_play)| RefereeOptions {
            comments,
            dialect,
            opening_pass,
            send_play,
            ..RefereeOptions::default()
        },
    )
}

proptest! {
    #[test]
    fn games_are_played_to_their_end_without_a_complaint(
        referee in referee(),
        players in [player(), player()],
        choices in prop::collection::vec(any::<usize>(), 1..60),
    ) {
        let mut hosted = HostedGame::new(referee, players);
        hosted.play(&choices);
        let verdict = hosted.verdict.expect("no verdict");
        prop_assert_eq!(&hosted.faults, &[]);
        prop_assert_eq!(verdict.cause, Cause::Played);
        prop_assert!(verdict.board.is_over());
        prop_assert_eq!(verdict.winner, verdict.board.leader());
        prop_assert_eq!(hosted.endings, [Some(Ending::Orderly), Some(Ending::Orderly)]);
        for player in &hosted.players {
            for color in Color::ALL {
                prop_assert_eq!(player.board().discs(color), verdict.board.discs(color));
            }
        }
    }
}

#[test]
fn every_game_from_the_last_moves_on_ends_in_agreement() {
    let boards = [
        "-XOOOOOO OOXXXXOO OOOOOOOO OXXOOXOO OXXOOXOO OOOOOOOO XOOOOOOO -OOOOOO- O",
        "XO------ -------- -------- -------- -------- -------- -------- -------- X",
        "OX------ -------- -------- -------- -------- -------- -------- -------- O",
        "XXXXXXXX XXXXXXXX XXXXXXXX XXXXXXXX XXXXXXXX XXXXXXXX XXXXXXXX XXXXXXO- X",
    ];
    for text in boards {
        let start: Board = text.parse().unwrap();
        let referee = RefereeOptions {
            start,
            ..RefereeOptions::default()
        };
        let player = || PlayerOptions {
            start,
            ..PlayerOptions::default()
        };
        let mut hosted = HostedGame::new(referee, [player(), player()]);
        hosted.play(&[0]);
        assert_eq!(hosted.faults, [], "{text}");
        let cause = hosted.verdict.map(|verdict| verdict.cause);
        assert_eq!(cause, Some(Cause::Played), "{text}");
    }
}
