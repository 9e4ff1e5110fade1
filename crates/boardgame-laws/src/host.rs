//! Games between the host's sessions of two seats, fed with arbitrary events.

use std::time::Duration;

use boardgame_core::{ByColor, Color, Game, Status};
use boardgame_session::{Cause, GameEvent, SeatSession, Timestamp, Verdict};

use super::{HostAction, HostedGame, Script, player::MAX_ACTIONS};

/// A format's own laws, besides the laws of a host's game.
pub trait HostFormat {
    /// The game.
    type Game: Game;

    /// The session of a seat under test.
    type Seat: SeatSession<Self::Game>;

    /// The maximum number of bytes that the game is fed at once.
    const MAX_CHUNK: usize = usize::MAX;

    /// Returns a message that the program at `seat` might plausibly send now.
    fn speak(
        &mut self,
        script: &mut Script<'_>,
        game: &HostedGame<Self::Game, Self::Seat>,
        seat: Color,
    ) -> Vec<u8>;

    /// Checks an action. `told` is the position after the moves announced before it.
    fn acted(&mut self, told: &Self::Game, action: &HostAction<<Self::Game as Game>::Move>);

    /// Checks everything that one event led to, after its actions.
    fn settled(&mut self) {}
}

/// Feeds a game with events chosen by `data`.
///
/// The laws: every event causes finitely many actions; the announced moves are a legal game by the sides in turn, from
/// the start if the game starts over, and in the end all moves of the game; the culprit of a verdict loses, and a game
/// without one was played to its end and is won by its result; no seat is released before the result is kept, if that
/// is required; nothing follows the end; the game ends once both programs are gone.
pub fn host_game<F: HostFormat>(format: &mut F, game: HostedGame<F::Game, F::Seat>, data: &[u8]) {
    let mut run = HostRun {
        format,
        told: Game::new(game.setup()),
        moves: Vec::new(),
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
    game: HostedGame<F::Game, F::Seat>,
    /// The position after the announced moves.
    told: F::Game,
    moves: Vec<<F::Game as Game>::Move>,
    now: Timestamp,
    gone: ByColor<bool>,
    /// True while a result is still to be kept.
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
                self.tick(self.now + Duration::from_millis(1 << script.pick(21)));
                self.keep();
            }
            3 => {
                self.tick(self.game.deadline().unwrap_or(self.now).max(self.now));
            }
            4 => self.leave(seat, script.pick(2) == 0),
            // The fuzz seeds hold a meaningless byte here.
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
        let mut rest = bytes;
        loop {
            let (chunk, later) = rest.split_at(rest.len().min(F::MAX_CHUNK));
            self.game.receive(seat, chunk, self.now);
            self.settle();
            if later.is_empty() {
                return;
            }
            rest = later;
        }
    }

    fn tick(&mut self, now: Timestamp) {
        self.now = now;
        self.game.tick(now);
    }

    fn leave(&mut self, seat: Color, success: bool) {
        if !std::mem::replace(&mut self.gone[seat], true) {
            self.game.end_of_input(seat, self.now);
            self.settle();
            // A program launched in its place has not ended.
            if self.gone[seat] {
                self.game.exited(seat, success, self.now);
            }
        }
    }

    /// Keeps a waiting result: never at once, as no disk does.
    fn keep(&mut self) {
        if std::mem::take(&mut self.keeping) {
            self.game.kept(self.now);
            self.settle();
        }
    }

    fn settle(&mut self) {
        let polled = std::iter::from_fn(|| self.game.poll());
        let actions: Vec<HostAction<_>> = polled.take(MAX_ACTIONS).collect();
        assert!(
            actions.len() < MAX_ACTIONS,
            "one event causes {MAX_ACTIONS} actions or more"
        );
        for action in actions {
            self.act(&action);
        }
        self.format.settled();
    }

    fn act(&mut self, action: &HostAction<<F::Game as Game>::Move>) {
        assert!(!self.finished, "{action:?} after the end");
        self.format.acted(&self.told, action);
        match action {
            HostAction::Launch(seat) => self.gone[*seat] = false,
            HostAction::Event(GameEvent::Restarted) => {
                self.told = Game::new(self.game.setup());
                self.moves.clear();
            }
            HostAction::Event(GameEvent::Moved(seat, mv, _)) => {
                assert_eq!(self.told.side_to_move(), *seat, "a move out of turn");
                assert!(self.told.play(*mv).is_ok(), "the illegal move {mv}");
                self.moves.push(*mv);
            }
            HostAction::Keep(_) => {
                assert!(!self.keeping, "a second result is to be kept");
                self.keeping = true;
            }
            HostAction::HangUp(_) => assert!(!self.keeping, "a seat is let go too early"),
            HostAction::Finish(verdict) => {
                assert!(!self.keeping, "the end before the result is kept");
                assert_eq!(self.moves, self.game.moves());
                check_verdict(verdict, &self.told);
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
                self.tick(deadline.max(self.now));
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

fn check_verdict<G: Game>(verdict: &Verdict, position: &G) {
    if let Some(culprit) = verdict.cause.culprit() {
        assert_eq!(verdict.winner, Some(!culprit));
        return;
    }
    assert_eq!(verdict.cause, Cause::Played);
    let margin = verdict.margin.expect("a result");
    assert_eq!(verdict.winner, margin.winner());
    match position.status() {
        Status::Playing => panic!("the game goes on"),
        Status::Scored(scored) => assert_eq!(margin, scored),
        Status::Unscored => {}
    }
}
