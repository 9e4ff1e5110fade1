//! Games of the engine against itself.

use go_core::{Move, Position, Random, Rules, Setup, Size};
use go_search::{Limits, Report, RootExploration, Searcher};
use serde::{Deserialize, Serialize};

/// The settings of self-play games.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Recipe {
    /// The seed of all games.
    pub(crate) seed: u64,
    /// The lines of the board.
    pub(crate) lines: u8,
    /// The maximum number of simulations of each move. A search ends before if no other move can overtake the best one.
    pub(crate) playouts: u32,
    /// A checksum of the weights.
    pub(crate) weights: u32,
}

/// A game with the visits of each search.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct GameRecord {
    /// The number of the game.
    pub(crate) game: u64,
    /// The moves.
    pub(crate) moves: Vec<PlayedMove>,
}

/// A move with the visits of the search that led to it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct PlayedMove(
    /// The name of the move.
    pub String,
    /// The most visited moves by name, with their visits.
    pub Vec<(String, u32)>,
);

/// Moves with fewer visits than the maximum divided by this are not recorded.
const MIN_VISITS_DIVISOR: u32 = 50;

/// The exploration at the root, which tries moves that seem unlikely.
const EXPLORATION: RootExploration = RootExploration {
    temperature: 1.5,
    noise: 0.5,
};

impl Recipe {
    /// Returns the setup of the games: area scoring with a komi of 7.5, so that passes cost nothing.
    pub(crate) fn setup(&self) -> Setup {
        let size = Size::new(self.lines).expect("1 to 25 lines");
        let komi = "7.5".parse().expect("a komi");
        Setup::new(size).with_komi(komi).with_rules(Rules::CHINESE)
    }

    /// Returns the number of moves that are sampled in proportion to their visits, so that games differ.
    fn sampled_moves(&self) -> usize {
        usize::from(self.lines) * usize::from(self.lines) / 10
    }

    /// Returns the number of moves after which a game ends, 0.7 for each point. Later ones decide little, and would be
    /// half of all moves.
    fn max_moves(&self) -> usize {
        7 * usize::from(self.lines) * usize::from(self.lines) / 10
    }
}

/// Plays a game, which depends only on the recipe, its number and the searcher's options and weights.
pub(crate) fn self_play(searcher: &mut Searcher, recipe: &Recipe, game: u64) -> GameRecord {
    let seed = recipe.seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ game;
    searcher.reseed(seed);
    searcher.set_root_exploration(EXPLORATION);
    let mut random = Random::new(!seed);
    let mut position = Position::new(&recipe.setup());
    let mut moves = Vec::new();
    while !position.is_over() && moves.len() < recipe.max_moves() {
        let report = searcher.search(&position, &Limits::playouts(recipe.playouts));
        let mv = if moves.len() < recipe.sampled_moves() {
            sample(&report, &mut random)
        } else {
            report.best
        };
        if position.play(mv).is_err() {
            break;
        }
        moves.push(PlayedMove(mv.to_string(), visits(&report)));
    }
    searcher.set_root_exploration(RootExploration::NONE);
    GameRecord { game, moves }
}

/// Samples a move in proportion to its visits, among those with at least a quarter of the maximum.
fn sample(report: &Report, random: &mut Random) -> Move {
    let most = report.candidates.first().map_or(0, |it| it.visits);
    let often = report.candidates.iter().filter(|it| it.visits * 4 >= most);
    let total: u32 = often.clone().map(|it| it.visits).sum();
    let mut drawn = random.below(total);
    for candidate in often {
        if drawn < candidate.visits {
            return candidate.mv;
        }
        drawn -= candidate.visits;
    }
    report.best
}

fn visits(report: &Report) -> Vec<(String, u32)> {
    let most = report.candidates.first().map_or(0, |it| it.visits);
    let kept = report.candidates.iter();
    kept.filter(|it| it.visits > 0 && it.visits * MIN_VISITS_DIVISOR >= most)
        .map(|it| (it.mv.to_string(), it.visits))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use go_search::Options;

    #[test]
    fn a_game_depends_on_its_number_alone() {
        let recipe = Recipe {
            seed: 1,
            lines: 5,
            playouts: 30,
            weights: 0,
        };
        let mut searcher = Searcher::new(Options::default());
        let first = self_play(&mut searcher, &recipe, 3);
        assert_ne!(self_play(&mut searcher, &recipe, 4).moves, first.moves);
        assert_eq!(self_play(&mut searcher, &recipe, 3), first);
        let PlayedMove(mv, visits) = &first.moves[0];
        assert!(visits.iter().any(|(name, _)| name == mv));
    }
}
