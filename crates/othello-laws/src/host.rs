//! Games between the host's sessions of two seats, fed with arbitrary events.

use std::time::Duration;

use boardgame_core::ByColor;
use boardgame_session::{Cause, GameEvent, SeatSession, Timestamp, Verdict};
use othello_core::{Board, Color};

use super::{HostAction, HostedGame, Script, session::MAX_ACTIONS};

/// The laws that a format adds to those of a host's game.
pub trait HostFormat {
    /// The session of a seat under test.
    type Seat: SeatSession<Board>;

    /// The bytes that the game is fed at once, at most.
    const MAX_CHUNK: usize = usize::MAX;

    /// Returns a message that the program at `seat` might plausibly send now.
    fn speak(
        &mut self,
        script: &mut Script<'_>,
        game: &HostedGame<Self::Seat>,
        seat: Color,
    ) -> Vec<u8>;

    /// Checks an action.
    fn acted(&mut self, game: &HostedGame<Self::Seat>, action: &HostAction);

    /// Checks all that one event led to, after its actions.
    fn settled(&mut self) {}
}

/// Feeds a game with the events that `data` spells.
///
/// The laws: every event causes finitely many actions; a move that is told was just added to the game,
/// unless that begins again upon the same event; no seat is let go before the result is kept, where that
/// is asked; nothing follows the end; the game ends once both programs are gone.
pub fn host_game<F: HostFormat>(format: &mut F, game: HostedGame<F::Seat>, data: &[u8]) {
    let mut run = HostRun {
        format,
        game,
        now: Timestamp::ORIGIN,
        gone: ByColor::default(),
        keeping: false,
        finished: false,
    };
    let mut script = Script::new(data);
    run.game.start(run.now);
    run.settle();
    while !script.is_finished() && !run.finished {
        run.step(&mut script);
    }
    run.end();
}

struct HostRun<'f, F: HostFormat> {
    format: &'f mut F,
    game: HostedGame<F::Seat>,
    now: Timestamp,
    gone: ByColor<bool>,
    /// True while a result is yet to be kept.
    keeping: bool,
    finished: bool,
}

impl<F: HostFormat> HostRun<'_, F> {
    fn step(&mut self, script: &mut Script<'_>) {
        let seat = script.choose(&Color::ALL);
        match script.pick(16) {
            0 | 1 if !self.gone[seat] => {
                let bytes = script.bytes(32);
                self.receive(seat, &bytes);
            }
            2 => {
                self.now = self.now + Duration::from_millis(1 << script.pick(21));
                self.game.tick(self.now);
                self.keep();
            }
            3 => {
                self.now = self.game.deadline().unwrap_or(self.now).max(self.now);
                self.game.tick(self.now);
            }
            4 => self.leave(seat, script.pick(2) == 0),
            // The fuzz seeds hold a byte here, which has no meaning.
            5..=8 => _ = script.byte(),
            _ if !self.gone[seat] => {
                let bytes = self.format.speak(script, &self.game, seat);
                self.receive(seat, &bytes);
            }
            _ => {}
        }
        self.settle();
    }

    fn receive(&mut self, seat: Color, bytes: &[u8]) {
        let (chunk, rest) = bytes.split_at(bytes.len().min(F::MAX_CHUNK));
        self.game.receive(seat, chunk, self.now);
        self.settle();
        if !rest.is_empty() {
            self.receive(seat, rest);
        }
    }

    fn leave(&mut self, seat: Color, success: bool) {
        if !std::mem::replace(&mut self.gone[seat], true) {
            self.game.end_of_input(seat, self.now);
            self.settle();
            // A program in its place has not ended.
            if self.gone[seat] {
                self.game.exited(seat, success, self.now);
            }
        }
    }

    /// Keeps a result that is to be kept: never at once, as no disk does.
    fn keep(&mut self) {
        if std::mem::take(&mut self.keeping) {
            self.game.kept(self.now);
            self.settle();
        }
    }

    fn settle(&mut self) {
        let polled = std::iter::from_fn(|| self.game.poll());
        let actions: Vec<HostAction> = polled.take(MAX_ACTIONS).collect();
        assert!(
            actions.len() < MAX_ACTIONS,
            "one event causes {MAX_ACTIONS} actions or more"
        );
        let is_restart = |action: &HostAction| *action == HostAction::Event(GameEvent::Restarted);
        let mut restarts = actions.iter().filter(|action| is_restart(action)).count();
        for action in actions {
            restarts -= usize::from(is_restart(&action));
            self.act(&action, restarts > 0);
        }
        self.format.settled();
    }

    /// Carries out an action. A game that begins again later on is `void`.
    fn act(&mut self, action: &HostAction, void: bool) {
        assert!(!self.finished, "{action:?} after the end");
        self.format.acted(&self.game, action);
        match action {
            HostAction::Launch(seat) => self.gone[*seat] = false,
            HostAction::Event(GameEvent::Moved(_, mv, _)) => {
                assert!(void || self.game.moves().contains(mv));
            }
            HostAction::Keep(_) => {
                assert!(!self.keeping, "a second result is to be kept");
                self.keeping = true;
            }
            HostAction::HangUp(_) => assert!(!self.keeping, "a seat is let go too early"),
            HostAction::Finish(_) => {
                assert!(!self.keeping, "the end before the result is kept");
                self.finished = true;
            }
            _ => {}
        }
    }

    fn end(&mut self) {
        for round in 0..256 {
            if self.finished {
                break;
            }
            self.keep();
            if round % 2 == 0 {
                for seat in Color::ALL {
                    self.leave(seat, true);
                }
            } else if let Some(deadline) = self.game.deadline() {
                self.now = deadline.max(self.now);
                self.game.tick(self.now);
            }
            self.settle();
        }
        assert!(self.finished, "no end after both programs are gone");
        for seat in Color::ALL {
            self.game.receive(seat, b"x", self.now);
        }
        self.game.tick(self.now);
        assert_eq!(self.game.poll(), None, "an action after the end");
    }
}

/// Checks that the culprit of a verdict loses, and that a game without one was played to its end and is
/// won on the board.
pub(super) fn check_verdict(verdict: &Verdict, board: Board) {
    if let Some(culprit) = verdict.cause.culprit() {
        assert_eq!(verdict.winner, Some(!culprit));
    } else {
        assert_eq!(verdict.cause, Cause::Played);
        assert!(board.is_over());
        assert_eq!(verdict.winner, board.leader());
    }
}
