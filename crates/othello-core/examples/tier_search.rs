//! Solves an endgame position by plain alpha-beta search, on each instruction-set tier.
//!
//! `cargo run --release -p othello-core --example tier_search`

#![allow(clippy::print_stdout)] // Examples print their results.

use std::error::Error;

use othello_core::{Backend, Empties, Position, Problem, Score, Tier, WithBackend};

/// An exact solve of a position, generic over the back end.
struct Solve(Position);

impl WithBackend for Solve {
    type Output = Score;

    fn run<B: Backend>(self, backend: B) -> Score {
        solve(backend, self.0, Score::MIN, Score::MAX)
    }
}

/// Fail-hard alpha-beta: the exact score if it lies between the bounds, otherwise the nearer bound.
fn solve<B: Backend>(backend: B, position: Position, alpha: Score, beta: Score) -> Score {
    backend.vectorize(
        #[inline(always)]
        || {
            let moves = backend.legal_moves(position);
            if moves.is_empty() {
                let passed = position.passed();
                return if backend.legal_moves(passed).is_empty() {
                    position.score(Empties::ToWinner)
                } else {
                    -solve(backend, passed, -beta, -alpha)
                };
            }
            let mut best = alpha;
            for square in moves {
                best = best.max(-solve(
                    backend,
                    backend.play(position, square),
                    -beta,
                    -best,
                ));
                if best >= beta {
                    break;
                }
            }
            best
        },
    )
}

fn main() -> Result<(), Box<dyn Error>> {
    let problem: Problem =
        "XXXXXXXXXXXXXXXXXOOOXXXXXOXOXXXXXOOXOXXXXXXXOXX-OOXXXX--OOOO---- O;".parse()?;
    println!("{}", problem.board.pretty());
    for tier in Tier::ALL.into_iter().filter(|tier| tier.is_supported()) {
        println!("{tier}: {}", tier.dispatch(Solve(problem.board.position())));
    }
    Ok(())
}
