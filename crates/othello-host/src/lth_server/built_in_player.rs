//! The player that is part of the server.

use boardgame_match::{Choice, Interrupter, LocalPlayer, Turn};
use boardgame_session::Thought;
use othello_core::{Board, Move};
use othello_engine::{Clock, Engine, HashSize, MoveRequest, PlayLevel, Settings};

/// The player that is part of the server. There may be hundreds of games with it at a time.
pub(crate) struct BuiltInPlayer(Engine);

impl BuiltInPlayer {
    /// Returns a player of a level.
    pub(crate) fn new(level: PlayLevel) -> Self {
        Self(Engine::new(Settings {
            strength: level.into(),
            hash: HashSize::MIN,
            ..Settings::default()
        }))
    }
}

impl LocalPlayer<Board> for BuiltInPlayer {
    fn choose(&mut self, turn: &Turn<Board>) -> Choice<Move> {
        let clock = turn.clocks[turn.color];
        let clock = Clock {
            remaining: clock.main(),
            move_limit: clock.control().per_move,
            ..Clock::default()
        };
        let request = MoveRequest {
            started: turn.started,
            ..MoveRequest::new(turn.position, clock)
        };
        let report = self.0.answer(&request, &mut |_| {});
        let mv = report.best.map_or(Move::Pass, Move::from);
        Choice::Move(mv, Thought::default())
    }

    fn interrupter(&self) -> Interrupter {
        let handle = self.0.stop_handle();
        Box::new(move || handle.stop())
    }
}
