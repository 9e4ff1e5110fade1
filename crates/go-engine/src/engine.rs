//! The engine.

use std::time::{Duration, Instant};

use go_core::{Move, Position, Random};

use crate::{settings::Settings, strategy};

/// An engine that chooses moves within its [`Settings`] and a game's clock.
#[derive(Clone, Debug)]
pub struct Engine {
    settings: Settings,
    random: Random,
}

/// The time that the engine has. Without any limit, both are `None`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Clock {
    /// The time left for the whole game.
    pub remaining: Option<Duration>,
    /// The limit for this move.
    pub move_limit: Option<Duration>,
}

/// A choice of the engine.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Report {
    /// The move, which is legal.
    pub best: Move,
    /// The time that the choice took.
    pub elapsed: Duration,
}

impl Engine {
    /// Returns an engine with these settings.
    pub fn new(settings: Settings) -> Self {
        Self {
            random: Random::new(settings.seed),
            settings,
        }
    }

    /// Returns the settings.
    pub const fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Chooses a move of the side to move within the settings and `clock`, whose time begins now.
    ///
    /// The move is a pass if nothing sensible is left to play, or if the game is over.
    ///
    /// # Examples
    ///
    /// ```
    /// use go_core::{Position, Setup};
    /// use go_engine::{Clock, Engine, Settings};
    ///
    /// // White's stone at C3 has one liberty.
    /// let setup: Setup = "5x5 black B3 C2 D3 white C3".parse()?;
    /// let report = Engine::new(Settings::default()).choose(&Position::new(&setup), &Clock::default());
    /// assert_eq!(report.best.to_string(), "C4");
    /// # Ok::<(), go_core::ParseSetupError>(())
    /// ```
    pub fn choose(&mut self, position: &Position, clock: &Clock) -> Report {
        let started = Instant::now();
        tracing::debug!(?clock, "thinking");
        let best = strategy::choose(position, &mut self.random);
        let elapsed = started.elapsed();
        tracing::info!(%best, ?elapsed, "thought");
        Report { best, elapsed }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use go_core::{Setup, Size};

    /// The moves of a game of an engine against itself, 200 at most.
    fn game(seed: u64) -> Vec<Move> {
        let mut engine = Engine::new(Settings { seed });
        let mut position = Position::new(&Setup::new(Size::NINE));
        let mut moves = Vec::new();
        while !position.is_over() && moves.len() < 200 {
            let best = engine.choose(&position, &Clock::default()).best;
            position.play(best).unwrap();
            moves.push(best);
        }
        moves
    }

    #[test]
    fn a_seed_gives_a_game() {
        assert_eq!(game(3), game(3));
        assert_ne!(game(3), game(4));
    }

    #[test]
    fn a_game_that_is_over_is_passed() {
        let mut position = Position::new(&Setup::new(Size::NINE));
        for _ in 0..2 {
            position.play(Move::Pass).unwrap();
        }
        let mut engine = Engine::new(Settings::default());
        let report = engine.choose(&position, &Clock::default());
        assert_eq!(report.best, Move::Pass);
    }
}
