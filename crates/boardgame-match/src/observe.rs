//! Observers of games while they are played.

use boardgame_core::{ByColor, ClockState, Game, TimeControl, TimeMeasure};
use boardgame_session::GameEvent;

use crate::{GameId, GameSpec, limit::after_move, record::PlayedGame, tally::Tally};

/// An observer of a match while it is played.
///
/// The games call it between their moves and wait until it returns, so it must return quickly.
pub trait MatchObserver<G: Game>: Send + Sync {
    /// Called when the engines of a game are being started. `game` has the time of each side.
    fn game_begins(&self, id: GameId, names: ByColor<&str>, game: &GameSpec<G>);

    /// Called at an event of a game in progress.
    fn game_event(&self, id: GameId, event: &GameEvent<G::Move>);

    /// Called for each game that is over and logged, also for those of earlier runs; `tally` includes it.
    fn game_over(&self, tally: &Tally, played: &PlayedGame);

    /// Takes note of the end of the match; games in progress are called off.
    fn match_over(&self, tally: &Tally);
}

/// The clocks of a game, derived from its events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ObservedClocks {
    start: ByColor<ClockState>,
    clocks: ByColor<ClockState>,
}

impl ObservedClocks {
    /// Returns the clocks before the first move.
    pub fn new(time: ByColor<TimeControl>) -> Self {
        let start = time.map(ClockState::new);
        let clocks = start;
        Self { start, clocks }
    }

    /// Returns the clocks after the last move.
    pub const fn clocks(&self) -> &ByColor<ClockState> {
        &self.clocks
    }

    /// Updates the clocks with an event of the game.
    pub fn update<M>(&mut self, event: &GameEvent<M>) {
        match event {
            GameEvent::Restarted => self.clocks = self.start,
            GameEvent::Moved(color, _, Some(thought)) => {
                let clock = &mut self.clocks[*color];
                let took = match clock.control().measure {
                    TimeMeasure::Wall => thought.took,
                    TimeMeasure::UserCpu => thought.user_cpu.unwrap_or(thought.took),
                };
                *clock = after_move(*clock, took);
            }
            GameEvent::Moved(_, _, None) | GameEvent::Began | GameEvent::Said(..) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use boardgame_core::Color;
    use boardgame_session::Thought;

    use super::*;

    const fn seconds(count: u64) -> Duration {
        Duration::from_secs(count)
    }

    fn moved(color: Color, took: Duration) -> GameEvent<u32> {
        let thought = Thought {
            took,
            ..Thought::default()
        };
        GameEvent::Moved(color, 1, Some(thought))
    }

    #[test]
    fn clocks_follow_the_moves_and_begin_again_with_the_game() {
        let control = TimeControl {
            main: Some(seconds(10)),
            increment: seconds(1),
            ..TimeControl::default()
        };
        let mut observed = ObservedClocks::new(ByColor::new_with(|_| control));
        let left = |observed: &ObservedClocks| observed.clocks().map(|clock| clock.main().unwrap());
        observed.update(&moved(Color::Black, seconds(3)));
        observed.update(&moved(Color::White, seconds(11)));
        let expected = ByColor {
            black: seconds(8),
            white: seconds(1),
        };
        assert_eq!(left(&observed), expected);
        // No clock ran for a move without a question.
        observed.update(&GameEvent::Moved(Color::Black, 0_u32, None));
        assert_eq!(left(&observed), expected);
        observed.update(&GameEvent::<u32>::Restarted);
        assert_eq!(left(&observed), ByColor::new_with(|_| seconds(10)));
    }
}
