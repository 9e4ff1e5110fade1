//! Solves random endgames and compares the scores with plain searches that know only the rules: negamax without cutoffs
//! up to 10 empties, alpha-beta beyond.
//!
//! `cargo run --release -p othello-search --example verify -- [COUNT] [MAX-EMPTIES]`
#![allow(clippy::print_stdout)] // It is a program.

use std::error::Error;

use othello_core::{Empties, Position};
use othello_search::{Limits, Options, Searcher};

/// The maximum number of empty squares for plain negamax.
const NEGAMAX_EMPTIES: u32 = 10;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let mut number = |default: u32| arguments.next().map_or(Ok(default), |text| text.parse());
    let (count, max_empties) = (number(10_000)?, number(14)?);
    let mut searcher = Searcher::new(Options::default());
    let mut random = Random(1);
    let mut solved = vec![0; max_empties as usize + 1];
    for game in 0..count {
        let position = random_endgame(&mut random, empties_of(game, max_empties));
        let empties = position.empties().count();
        let expected = if empties <= NEGAMAX_EMPTIES {
            negamax(position)
        } else {
            alpha_beta(position, -64, 64)
        };
        let report = searcher.search(position, &Limits::depth(empties));
        if report.score.to_score().discs() != expected {
            return Err(format!("{} and not {expected}: {position:?}", report.score).into());
        }
        solved[empties as usize] += 1;
    }
    println!("all {count} scores right; by empties, from 0 on: {solved:?}");
    Ok(())
}

/// Every hundredth position has more empties than plain negamax can handle, the next one its maximum, and the others
/// fewer: each empty square takes six times as long.
fn empties_of(game: u32, most: u32) -> u32 {
    let (hundred, place) = (game / 100, game % 100);
    let empties = match place {
        0 => NEGAMAX_EMPTIES + 1 + hundred % most.saturating_sub(NEGAMAX_EMPTIES).max(1),
        1 => NEGAMAX_EMPTIES,
        _ => 1 + place % (NEGAMAX_EMPTIES - 1),
    };
    empties.min(most)
}

/// A small generator of reproducible choices (Marsaglia's xorshift).
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u32) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 16) as usize % bound as usize
    }
}

/// A position with `empties` empty squares and a legal move, from a random game.
fn random_endgame(random: &mut Random, empties: u32) -> Position {
    loop {
        let mut position = Position::START;
        while !position.is_over() {
            let moves = position.legal_moves();
            if moves.is_empty() {
                position = position.passed();
            } else if position.empties().count() == empties {
                return position;
            } else {
                let chosen = moves.into_iter().nth(random.below(moves.count()));
                position = position.play_unchecked(chosen.expect("the index is below the count"));
            }
        }
    }
}

/// The value by playing out every line.
fn negamax(position: Position) -> i32 {
    let moves = position.legal_moves();
    let values = moves
        .into_iter()
        .map(|square| -negamax(position.play_unchecked(square)));
    values
        .max()
        .unwrap_or_else(|| without_moves(position, negamax))
}

/// The value by plain alpha-beta, in board order.
fn alpha_beta(position: Position, mut alpha: i32, beta: i32) -> i32 {
    let moves = position.legal_moves();
    if moves.is_empty() {
        return without_moves(position, |passed| alpha_beta(passed, -beta, -alpha));
    }
    let mut best = -64;
    for square in moves {
        best = best.max(-alpha_beta(position.play_unchecked(square), -beta, -alpha));
        alpha = alpha.max(best);
        if alpha >= beta {
            break;
        }
    }
    best
}

/// The value of a position without a legal move: after the pass, or the final score.
fn without_moves(position: Position, search: impl Fn(Position) -> i32) -> i32 {
    if position.is_over() {
        position.score(Empties::ToWinner).discs()
    } else {
        -search(position.passed())
    }
}
