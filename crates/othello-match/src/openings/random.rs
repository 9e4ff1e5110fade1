//! Openings of random moves.

use std::{
    collections::HashSet,
    ops::RangeInclusive,
    sync::{Mutex, PoisonError},
};

use othello_core::{Game, Move, Position, Square};
use rand::{SeedableRng, seq::IteratorRandom};
use rand_pcg::Pcg64;

use super::Line;

/// The plies up to which all openings are enumerated: there are 67,245 of 8 plies, up to symmetry.
pub(super) const ALL_FOUND: u32 = 8;

/// The number of draws in succession without a new opening after which one repeats.
const DRAWS: u32 = 10_000;

/// Returns every position after `plies` plies, up to symmetry, with one line that leads to it.
pub(super) fn all(plies: u32) -> Vec<Line> {
    let start = vec![Game::default()];
    let games = (0..plies).fold(start, |games, _| longer(games, Position::legal_moves));
    games.iter().map(Line::of).collect()
}

/// Returns games longer by each of the moves of their positions, one for each position up to symmetry.
pub(super) fn longer<M: IntoIterator<Item = Square>>(
    games: Vec<Game>,
    moves: impl Fn(Position) -> M,
) -> Vec<Game> {
    let mut seen = HashSet::new();
    let mut longer = Vec::new();
    for game in games {
        for square in moves(game.board().position()) {
            let mut game = game.clone();
            let played = game.play(square);
            debug_assert!(played.is_ok());
            pass_if_forced(&mut game);
            if !game.is_over() && seen.insert(key(&game)) {
                longer.push(game);
            }
        }
    }
    longer
}

/// Openings that are drawn one after another, and kept.
#[derive(Debug)]
pub(super) struct Random {
    plies: u32,
    drawn: Mutex<Drawn>,
}

#[derive(Debug)]
struct Drawn {
    random: Pcg64,
    seen: HashSet<Position>,
    lines: Vec<Line>,
}

impl Random {
    /// The allowed plies; with more, a game may be over.
    pub(super) const PLIES: RangeInclusive<u32> = 1..=50;

    pub(super) fn new(plies: u32, seed: u64) -> Self {
        let drawn = Drawn {
            random: Pcg64::seed_from_u64(seed),
            seen: HashSet::new(),
            lines: Vec::new(),
        };
        Self {
            plies,
            drawn: Mutex::new(drawn),
        }
    }

    /// Returns the opening of a number, independent of earlier calls.
    pub(super) fn get(&self, number: u32) -> Line {
        // A line is stored whole or not at all, so a panic elsewhere does no harm.
        let mut drawn = self.drawn.lock().unwrap_or_else(PoisonError::into_inner);
        let number = number as usize;
        while drawn.lines.len() <= number {
            let line = drawn.next(self.plies);
            drawn.lines.push(line);
        }
        drawn.lines[number].clone()
    }
}

impl Drawn {
    /// Draws until an opening is new, at most [`DRAWS`] times.
    fn next(&mut self, plies: u32) -> Line {
        let mut draws = 0;
        loop {
            let game = walk(plies, &mut self.random);
            if game.is_over() {
                continue;
            }
            draws += 1;
            if self.seen.insert(key(&game)) || draws == DRAWS {
                return Line::of(&game);
            }
        }
    }
}

/// Returns a game of uniformly random moves; it may be over before `plies` plies.
fn walk(plies: u32, random: &mut Pcg64) -> Game {
    let mut game = Game::default();
    for _ in 0..plies {
        let Some(square) = game.board().legal_moves().iter().choose(random) else {
            break;
        };
        let played = game.play(square);
        debug_assert!(played.is_ok());
        pass_if_forced(&mut game);
    }
    game
}

fn pass_if_forced(game: &mut Game) {
    if game.board().must_pass() {
        let passed = game.play(Move::Pass);
        debug_assert!(passed.is_ok());
    }
}

/// Returns a key that is equal for all symmetric images of a position and both sides to move, since
/// the engines exchange colours.
fn key(game: &Game) -> Position {
    game.board().position().canonical().0
}
