//! Whole games between our players and our referee, at the level of bytes.

use std::time::Duration;

use boardgame_core::ByColor;
use boardgame_laws::othello::{HostAction, HostedGame};
use boardgame_session::{Cause, GameEvent, Note, NoteKind, Timestamp, Verdict};
use othello_core::{Board, Color, Square};
use othello_proto::{
    session::{Action, Ending, PlayerSession, Task},
    sloan::{
        Comments, Dialect, OPENING_WAIT, OpeningPass, Player, PlayerOptions, RefereeOptions,
        RefereeSeat,
    },
};
use proptest::prelude::*;

use super::Options;
use crate::kit;

/// A referee and the two programs that it hosts.
struct Programs {
    referee: HostedGame<RefereeSeat>,
    players: ByColor<Player>,
    endings: ByColor<Option<Ending>>,
    verdict: Option<Verdict>,
    faults: Vec<Note>,
    now: Timestamp,
}

impl Programs {
    fn new(options: &Options, players: ByColor<PlayerOptions>) -> Self {
        Self {
            referee: options.hosted(),
            players: players.map(Player::new),
            endings: ByColor::default(),
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
                self.players[seat].tick(self.now);
                self.answer(seat, &mut choose);
            }
        }
    }

    fn act(&mut self, action: HostAction, choose: &mut dyn FnMut() -> usize) {
        match action {
            HostAction::Send { seat, bytes } => {
                self.players[seat].receive(&bytes, self.now);
                self.answer(seat, choose);
            }
            HostAction::HangUp(seat) => {
                self.players[seat].end_of_input(self.now);
                self.answer(seat, &mut || 0);
            }
            HostAction::Finish(verdict) => self.verdict = Some(verdict),
            HostAction::Note(note) => self.note(note),
            HostAction::Event(GameEvent::Restarted) => panic!("our player misreads"),
            _ => {}
        }
    }

    fn answer(&mut self, seat: Color, choose: &mut dyn FnMut() -> usize) {
        while let Some(action) = self.players[seat].poll() {
            match action {
                Action::Send(bytes) => self.referee.receive(seat, &bytes, self.now),
                Action::Think(task) => {
                    let decision = kit::decision(&task, chosen(&task, choose()));
                    self.players[seat].decide(decision, self.now);
                }
                Action::Finish(ending) => self.endings[seat] = Some(ending),
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

fn chosen(task: &Task, choice: usize) -> Square {
    let squares: Vec<Square> = task.question.moves.into_iter().collect();
    squares[choice % squares.len()]
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

fn referee() -> impl Strategy<Value = Options> {
    let dialect = prop::sample::select(vec![Dialect::Expressions, Dialect::Lines]);
    let passes = [OpeningPass::Auto, OpeningPass::Always, OpeningPass::Never];
    let opening_pass = prop::sample::select(passes.to_vec());
    (any::<bool>(), dialect, opening_pass, any::<bool>()).prop_map(
        |(relays_comments, dialect, opening_pass, send_play)| {
            let mut options = Options::from(RefereeOptions {
                dialect,
                opening_pass,
                send_play,
                ..RefereeOptions::default()
            });
            options.game.relays_comments = relays_comments;
            options
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
        let mut hosted = Programs::new(&referee, players.into());
        hosted.play(&choices);
        let verdict = hosted.verdict.expect("no verdict");
        let board = *hosted.referee.position();
        prop_assert_eq!(&hosted.faults, &[]);
        prop_assert_eq!(verdict.cause, Cause::Played);
        prop_assert!(board.is_over());
        prop_assert_eq!(verdict.winner, board.leader());
        prop_assert_eq!(hosted.endings, ByColor::new_with(|_| Some(Ending::Orderly)));
        for player in hosted.players.iter() {
            for color in Color::ALL {
                prop_assert_eq!(player.board().discs(color), board.discs(color));
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
        let mut referee = Options::from(RefereeOptions::default());
        referee.game.setup = start;
        let player = || PlayerOptions {
            start,
            ..PlayerOptions::default()
        };
        let mut hosted = Programs::new(&referee, ByColor::new_with(|_| player()));
        hosted.play(&[0]);
        assert_eq!(hosted.faults, [], "{text}");
        let cause = hosted.verdict.map(|verdict| verdict.cause);
        assert_eq!(cause, Some(Cause::Played), "{text}");
    }
}
