//! Keeps the costs of two engines balanced over a match.

use super::{Sample, Samples};
use crate::{
    EngineId, GameId,
    limit::Limit,
    record::{PlayedGame, RecordFormat},
};

/// The number of games between two reviews of the limit.
const REVIEW_INTERVAL: usize = 4;

/// The number of recent games used to estimate the current cost of the engine.
const RECENT_GAMES: usize = 48;

/// The weight of the prior that the current limit is right, in games: the estimated ratio of the costs has
/// exponent 1/2 after this number of games, and approaches 1 after many.
const PRIOR_GAMES: f64 = 16.0;

/// The minimum and maximum number of games that make up for a difference of total costs; between these bounds
/// it is half of the remaining games.
const MIN_HORIZON: usize = 16;
const MAX_HORIZON: usize = 64;

/// The maximum correction in one game, as a share of its cost.
const MAX_CORRECTION: f64 = 0.15;

/// The maximum factor by which the limit changes in one review.
const MAX_CHANGE: f64 = 1.25;

/// The minimum relative change of the limit.
const MIN_CHANGE: f64 = 0.005;

/// A controller that keeps the total CPU times of two engines in a match equal.
///
/// From the recent games it estimates the limit at which a game costs both engines the same, and corrects it
/// so that the remaining games make up for the difference of all games so far. Its state depends on the games
/// alone, so a match continued from its log is balanced like one never interrupted.
#[derive(Debug)]
pub struct Balance {
    engine: EngineId,
    like: EngineId,
    samples: Samples,
}

impl Balance {
    /// Creates a balance before the first game; the limit of `engine` is adjusted to match `like`.
    pub fn new(engine: EngineId, like: EngineId) -> Self {
        Self {
            engine,
            like,
            samples: Samples::default(),
        }
    }

    /// Adds a game.
    pub fn add<F: RecordFormat>(&mut self, played: &PlayedGame) {
        if self.concerns(played.id) {
            self.samples.add::<F>([self.engine, self.like], played);
        }
    }

    /// Returns the engine whose limit changes.
    pub const fn engine(&self) -> EngineId {
        self.engine
    }

    /// Returns true if a game is one between the two engines.
    pub fn concerns(&self, game: GameId) -> bool {
        let both = [game.black, game.white];
        both.contains(&self.engine) && both.contains(&self.like)
    }

    /// Adds a game, and returns the limit of the next games if it changes; `left` returns the number of
    /// remaining games. A game of other engines changes nothing.
    pub fn adjust<F: RecordFormat>(
        &mut self,
        played: &PlayedGame,
        limit: Limit,
        left: impl FnOnce(&Self) -> usize,
    ) -> Option<Limit> {
        let before = self.samples.0.len();
        self.add::<F>(played);
        if self.samples.0.len() == before {
            return None;
        }
        self.review(limit, || left(self))
    }

    fn review(&self, limit: Limit, left: impl FnOnce() -> usize) -> Option<Limit> {
        let games = &self.samples.0;
        if games.is_empty() || !games.len().is_multiple_of(REVIEW_INTERVAL) {
            return None;
        }
        let left = left();
        let aim = games.iter().map(|game| game.aim).sum::<f64>();
        let owed = aim - games.iter().map(|game| game.cost).sum::<f64>();
        let horizon = (left / 2).clamp(MIN_HORIZON, MAX_HORIZON).min(left);
        let correction = owed / (aim / games.len() as f64 * horizon as f64);
        let recent: Vec<Sample> = games[games.len().saturating_sub(RECENT_GAMES)..].to_vec();
        let now = Samples(recent).estimate(limit);
        if left == 0 || !correction.is_finite() || !now.ratio().is_normal() {
            return None;
        }
        let known = now.games as f64;
        let ratio = now.ratio().powf(known / (known + PRIOR_GAMES));
        let wanted = 1.0 + correction.clamp(-MAX_CORRECTION, MAX_CORRECTION);
        let factor = (wanted / ratio).clamp(1.0 / MAX_CHANGE, MAX_CHANGE);
        if (factor - 1.0).abs() < MIN_CHANGE {
            return None;
        }
        limit.scaled(factor).filter(|&changed| changed != limit)
    }
}

#[cfg(test)]
mod tests {
    use rand::{RngExt as _, SeedableRng as _};
    use rand_pcg::Pcg64;

    use super::*;
    use crate::countdown::{BLACK_WINS, Countdown, NINE_MOVES};
    use crate::record::Thought;

    const GAMES: usize = 100;

    fn nodes(nodes: u64) -> Limit {
        Limit {
            nodes: Some(nodes),
            ..Limit::default()
        }
    }

    fn balance(games: &[Sample]) -> Balance {
        Balance {
            samples: Samples(games.to_vec()),
            ..Balance::new(EngineId(0), EngineId(1))
        }
    }

    /// The cost of an engine at a fraction of its match, relative to the calibration.
    type Drift = fn(f64) -> f64;

    /// Returns the cost of a balanced match relative to the other engine's. Both vary by a tenth and more, and a long
    /// game costs both more.
    fn play(seed: u64, drift: Drift) -> f64 {
        let mut random = Pcg64::seed_from_u64(seed);
        let mut around_one = |share: f64| random.random_range(1.0 - share..1.0 + share);
        let mut limit = nodes(100_000);
        let mut games: Vec<Sample> = Vec::new();
        for number in 0..GAMES {
            let length = around_one(0.3);
            let amount = limit.amount().unwrap();
            let cost = drift(number as f64 / GAMES as f64) * amount / 100_000.0;
            games.push(Sample {
                amount,
                cost: length * cost * around_one(0.2),
                aim: length * around_one(0.2),
            });
            let left = GAMES - games.len();
            limit = balance(&games).review(limit, || left).unwrap_or(limit);
        }
        let cost: f64 = games.iter().map(|game| game.cost).sum();
        let aim: f64 = games.iter().map(|game| game.aim).sum();
        cost / aim
    }

    #[test]
    fn a_whole_match_costs_the_same_however_the_engine_drifts() {
        let drifts: [Drift; 6] = [
            |_| 1.0,
            |_| 1.06,
            |_| 1.2,
            |at| 1.0 + 0.15 * at,
            |at| 1.0 - 0.2 * at,
            |at| if at < 0.5 { 1.0 } else { 1.15 },
        ];
        for (number, drift) in drifts.into_iter().enumerate() {
            for seed in 0..50 {
                let ratio = play(seed, drift);
                assert!(
                    (ratio - 1.0).abs() < 0.02,
                    "drift {number}, seed {seed}: {ratio}"
                );
            }
        }
    }

    #[test]
    fn games_that_say_nothing_of_the_two_engines_change_nothing() {
        let thought = |cpu_us| Thought {
            cpu_us: Some(cpu_us),
            ..Thought::default()
        };
        let game = |black, white, limit| PlayedGame {
            game: Some("countdown".into()),
            id: GameId {
                opening: 0,
                black: EngineId(black),
                white: EngineId(white),
            },
            names: ["a".into(), "b".into()],
            limits: [limit, Limit::default()],
            finished: 0,
            setup: None,
            moves: NINE_MOVES.into(),
            opening_plies: 0,
            // Black's moves cost nine times as much as White's.
            thoughts: [9, 1].map(thought).into_iter().cycle().take(9).collect(),
            result: BLACK_WINS,
            faults: Vec::new(),
        };
        let mut balance = balance(&[]);
        let mut adjust =
            |played: &PlayedGame| balance.adjust::<Countdown>(played, nodes(1000), |_| 100);
        let own = game(0, 1, nodes(1000));
        for _ in 1..REVIEW_INTERVAL {
            assert_eq!(adjust(&own), None, "not yet");
        }
        assert_eq!(adjust(&own), Some(nodes(800)));
        for (black, white) in [(0, 2), (2, 1), (2, 3)] {
            assert_eq!(
                adjust(&game(black, white, nodes(1000))),
                None,
                "other pairs"
            );
        }
        assert_eq!(adjust(&game(0, 1, Limit::default())), None, "no amount");
    }

    #[test]
    fn one_game_is_chance_and_many_are_not() {
        let game = |cost| Sample {
            amount: 1000.0,
            cost,
            aim: 1.0,
        };
        let even = vec![game(1.0); 96];
        let review = |games: &[Sample], left| balance(games).review(nodes(1000), || left);
        assert_eq!(review(&[], 100), None);
        assert_eq!(review(&even, 100), None, "no need");
        let mut games = even.clone();
        games.push(game(2.0));
        assert_eq!(review(&games, 100), None, "not yet");
        games.extend([game(1.0); 3]);
        let changed = review(&games, 100).unwrap().nodes.unwrap();
        assert!((950..1000).contains(&changed), "{changed}");
        assert_eq!(
            review(&[even, vec![game(1.1); 4]].concat(), 0),
            None,
            "over"
        );
        let unknown = vec![game(0.0); 4];
        assert_eq!(review(&unknown, 100), None, "no cost is known");
        // However far off, the limit goes in steps.
        assert_eq!(review(&[game(9.0); 4], 100), Some(nodes(800)));
        assert_eq!(review(&[game(0.1); 4], 100), Some(nodes(1250)));
    }
}
