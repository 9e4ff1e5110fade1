//! Self-play: the moves of the game with a number.

use std::sync::Arc;

use anyhow::ensure;
use othello_core::{Position, Square};
use othello_engine::{HashSize, Settings};
use othello_search::{Exactness, Limits, Report, Searcher, StopHandle, eval::Network};

use crate::{random::Dice, record::GameRecord};

/// Settings of self-play.
///
/// A game starts with random moves: the smaller of two draws between [`min_random`](Self::min_random) and
/// [`max_random`](Self::max_random). Then a search to a fixed depth plays both sides, and from
/// [`solve_from`](Self::solve_from) empty squares on play is perfect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Recipe {
    /// The seed of these games, which distinguishes them from others with the same settings.
    pub(crate) seed: u64,
    /// The minimum number of random moves; passes are not counted.
    pub(crate) min_random: u8,
    /// The maximum number of random moves.
    pub(crate) max_random: u8,
    /// The depth of the search in plies; 0 plays at random until the end is solved.
    pub(crate) depth: u8,
    /// The number of empty squares from which the game is solved.
    pub(crate) solve_from: u8,
}

impl Default for Recipe {
    /// 8 to 40 random moves, depth 4, the end solved from 12 empty squares, seed 1.
    fn default() -> Self {
        Self {
            seed: 1,
            min_random: 8,
            max_random: 40,
            depth: 4,
            solve_from: 12,
        }
    }
}

impl Recipe {
    /// The maximum of any number of moves, plies or empty squares of a recipe: the moves of a game.
    pub(crate) const MAX: u8 = 60;

    /// Checks that the numbers are possible in a game.
    pub(crate) fn check(&self) -> anyhow::Result<()> {
        let numbers = [
            ("max_random", self.max_random, Self::MAX),
            ("min_random", self.min_random, self.max_random),
            ("depth", self.depth, Self::MAX),
            ("solve_from", self.solve_from, Self::MAX),
        ];
        for (name, found, max) in numbers {
            ensure!(
                found <= max,
                "expected {name} from 0 to {max}, found {found}"
            );
        }
        Ok(())
    }
}

/// The error of an unfinished game, whose player was stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("stopped before the end of a game")]
pub(crate) struct Stopped;

/// The size of the search's table, one MiB, which affects the games.
const HASH: HashSize = HashSize::MIN;

/// Plays the games of a recipe.
pub(crate) struct Player {
    recipe: Recipe,
    searcher: Searcher,
    stop: StopHandle,
}

impl Player {
    /// Creates a player of a recipe, with the built-in evaluation.
    pub(crate) fn new(recipe: &Recipe) -> Self {
        Self::with_network(recipe, Network::built_in())
    }

    /// A player of a recipe that evaluates with a network.
    pub(crate) fn with_network(recipe: &Recipe, network: Arc<Network>) -> Self {
        let settings = Settings {
            hash: HASH,
            network,
            ..Settings::default()
        };
        let searcher = settings
            .searcher()
            .unwrap_or_else(|error| panic!("{error}"));
        Self {
            recipe: *recipe,
            searcher,
            stop: StopHandle::new(),
        }
    }

    /// Returns a handle that stops the player for good, even in the middle of a game.
    pub(crate) fn stop_handle(&self) -> StopHandle {
        self.stop.clone()
    }

    /// Plays the game with a number, independent of earlier games.
    pub(crate) fn play(&mut self, number: u64) -> Result<GameRecord, Stopped> {
        self.searcher.clear();
        let mut dice = Dice::new(self.recipe.seed, number);
        let random = self.draw_random(&mut dice);
        let mut line = Line::default();
        while line.squares.len() < random && !line.position.is_over() {
            line.play_random(&mut dice);
        }
        let random = line.squares.len() as u8;
        while !line.position.is_over() {
            if self.stop.is_stopped() {
                return Err(Stopped);
            }
            let empties = line.position.empties().count();
            if empties <= u32::from(self.recipe.solve_from) {
                self.solve(&mut line)?;
            } else if self.recipe.depth == 0 {
                line.play_random(&mut dice);
            } else {
                self.search(&mut line)?;
            }
        }
        Ok(GameRecord::new(random, line.squares, line.values))
    }

    /// Returns a number that changes if the games are played differently, as with other weights: a
    /// checksum over games that belong to no shard.
    pub(crate) fn signature(&mut self) -> Result<u32, Stopped> {
        let mut hasher = crc32fast::Hasher::new();
        for number in 0..SIGNATURE_GAMES {
            hasher.update(&self.play(u64::MAX - number)?.pack());
        }
        Ok(hasher.finalize())
    }

    /// Draws the number of random moves.
    fn draw_random(&self, dice: &mut Dice) -> usize {
        let Recipe {
            min_random,
            max_random,
            ..
        } = self.recipe;
        let choices = u32::from(max_random.saturating_sub(min_random)) + 1;
        let draws = [dice.below(choices), dice.below(choices)];
        usize::from(min_random) + draws[0].min(draws[1]) as usize
    }

    fn search(&mut self, line: &mut Line) -> Result<(), Stopped> {
        let report = self.search_to(u32::from(self.recipe.depth), line.position)?;
        if let Some(square) = report.best {
            line.values
                .push((report.score.discs() * 10.0).round() as i16);
            line.play(square);
        }
        Ok(())
    }

    /// Plays the end of the game, perfect on both sides.
    fn solve(&mut self, line: &mut Line) -> Result<(), Stopped> {
        let report = self.search_to(line.position.empties().count(), line.position)?;
        assert_eq!(report.exactness, Exactness::Exact, "labels are exact");
        for square in report.pv.iter().filter_map(|mv| mv.square()) {
            line.play(square);
        }
        Ok(())
    }

    fn search_to(&mut self, depth: u32, position: Position) -> Result<Report, Stopped> {
        let limits = Limits {
            stop: Some(self.stop.clone()),
            ..Limits::depth(depth)
        };
        let report = self.searcher.search(position, &limits);
        if self.stop.is_stopped() {
            return Err(Stopped);
        }
        Ok(report)
    }
}

/// The number of games in a signature.
const SIGNATURE_GAMES: u64 = 8;

/// A game so far: the side to move has a move, or the game is over.
struct Line {
    position: Position,
    squares: Vec<Square>,
    /// The values of the searched moves.
    values: Vec<i16>,
}

impl Default for Line {
    fn default() -> Self {
        Self {
            position: Position::START,
            squares: Vec::with_capacity(60),
            values: Vec::new(),
        }
    }
}

impl Line {
    fn play(&mut self, square: Square) {
        debug_assert!(self.position.legal_moves().contains(square));
        self.position = self.position.play_unchecked(square);
        self.squares.push(square);
        if self.position.must_pass() {
            self.position = self.position.passed();
        }
    }

    fn play_random(&mut self, dice: &mut Dice) {
        let moves = self.position.legal_moves();
        let choice = dice.below(moves.count());
        if let Some(square) = moves.nth(choice) {
            self.play(square);
        }
    }
}

#[cfg(test)]
mod tests {
    use othello_core::{Empties, Score};

    use super::*;
    use crate::record::Sample;

    fn samples(game: &GameRecord) -> Vec<Sample> {
        let mut samples = Vec::new();
        game.samples(&mut samples).unwrap();
        samples
    }

    /// Plain minimax over the rules.
    fn brute_force(position: Position) -> Score {
        if position.is_over() {
            return position.score(Empties::ToWinner);
        }
        if position.must_pass() {
            return -brute_force(position.passed());
        }
        let children = position.legal_moves().into_iter();
        let values = children.map(|square| -brute_force(position.play_unchecked(square)));
        values.max().unwrap()
    }

    #[test]
    fn a_stop_ends_a_game_however_long_it_would_take() {
        let recipe = Recipe {
            solve_from: 60,
            ..Recipe::default()
        };
        let mut player = Player::new(&recipe);
        let stop = player.stop_handle();
        let stopper = std::thread::spawn(move || {
            std::thread::sleep(std::time::Duration::from_millis(20));
            stop.stop();
        });
        assert_eq!(player.play(0), Err(Stopped));
        assert_eq!(player.signature(), Err(Stopped));
        stopper.join().unwrap();
    }

    #[test]
    fn numbers_of_a_recipe_are_those_of_a_game() {
        let told = |change: fn(&mut Recipe)| {
            let mut recipe = Recipe::default();
            change(&mut recipe);
            recipe.check().map_err(|error| error.to_string())
        };
        assert_eq!(told(|_| {}), Ok(()));
        assert_eq!(told(|recipe| recipe.depth = 60), Ok(()));
        for (change, expected) in [
            (
                (|recipe| recipe.depth = 61) as fn(&mut Recipe),
                "expected depth from 0 to 60, found 61",
            ),
            (
                |recipe| recipe.solve_from = 99,
                "expected solve_from from 0 to 60, found 99",
            ),
            (
                |recipe| recipe.max_random = 61,
                "expected max_random from 0 to 60, found 61",
            ),
            (
                |recipe| recipe.min_random = 41,
                "expected min_random from 0 to 40, found 41",
            ),
        ] {
            assert_eq!(told(change), Err(expected.to_owned()));
        }
    }

    #[test]
    fn random_moves_are_as_many_as_the_smaller_draw() {
        let recipe = Recipe {
            depth: 0,
            solve_from: 0,
            ..Recipe::default()
        };
        let mut player = Player::new(&recipe);
        let mut counts = [0; 64];
        for number in 0..20_000 {
            let dice = &mut Dice::new(recipe.seed, number);
            counts[player.draw_random(dice)] += 1;
        }
        assert!(
            counts[..8]
                .iter()
                .chain(&counts[41..])
                .all(|&count| count == 0)
        );
        // Of 33² pairs of draws 65 have the minimum 8, and one has 40.
        assert!((1_000..1_400).contains(&counts[8]), "{counts:?}");
        assert!((5..40).contains(&counts[40]), "{counts:?}");
        let game = player.play(0).unwrap();
        assert_eq!(
            usize::from(game.random),
            player.draw_random(&mut Dice::new(1, 0))
        );
    }

    #[test]
    fn the_end_is_perfect_play() {
        let recipe = Recipe {
            depth: 1,
            solve_from: 8,
            ..Recipe::default()
        };
        let mut player = Player::new(&recipe);
        let mut checked = 0;
        for number in 0..25 {
            for sample in samples(&player.play(number).unwrap()) {
                if sample.position.empties().count() <= 8 {
                    let expected = Sample {
                        score: brute_force(sample.position).discs() as f32,
                        ..sample
                    };
                    assert_eq!(sample, expected, "game {number}");
                    checked += 1;
                }
            }
        }
        assert!(checked > 150, "{checked}");
    }

    #[test]
    fn a_game_depends_on_its_number_and_the_recipe_alone() {
        let recipe = Recipe::default();
        let mut player = Player::new(&recipe);
        let games: Vec<GameRecord> = (0..6).map(|number| player.play(number).unwrap()).collect();
        for (number, game) in games.iter().enumerate().rev() {
            assert_eq!(
                player.play(number as u64).as_ref(),
                Ok(game),
                "game {number}"
            );
        }
        for pair in games.windows(2) {
            assert_ne!(pair[0], pair[1]);
        }
        let others = [
            Recipe { seed: 2, ..recipe },
            Recipe { depth: 3, ..recipe },
            Recipe { depth: 0, ..recipe },
        ];
        for other in others {
            let game = Player::new(&other).play(0).unwrap();
            assert_ne!(game, games[0], "{other:?}");
            let signature = Player::new(&other).signature();
            assert_ne!(signature, player.signature(), "{other:?}");
        }
    }
}
