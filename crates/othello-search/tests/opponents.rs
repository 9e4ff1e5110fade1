//! Games in which the engine always beats a random mover and nearly always a one-ply greedy mover.
//!
//! Games are played at a fixed depth from openings of a few random moves, each opening once with
//! each colour. Every run plays the same games.

use othello_core::{Board, Color, Empties, Move, Position, Square};
use othello_search::{Limits, Options, Searcher};

/// Marsaglia's xorshift, the same on every platform.
struct Random(u64);

impl Random {
    fn choose(&mut self, position: Position) -> Option<Square> {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        let moves = position.legal_moves();
        let count = u64::from(moves.count());
        (count > 0).then(|| moves.into_iter().nth((self.0 % count) as usize))?
    }
}

/// The move that flips the most discs.
fn greedy(position: Position) -> Option<Square> {
    let moves = position.legal_moves().into_iter();
    moves.max_by_key(|square| position.flips(*square).count())
}

fn play(board: &mut Board, square: Option<Square>) {
    let mv = square.map_or(Move::Pass, Move::Place);
    board.play(mv).expect("a legal move");
}

/// The number of the engine's wins in 200 games.
fn wins(mut opponent: impl FnMut(&mut Random, Position) -> Option<Square>) -> u32 {
    let mut searcher = Searcher::new(Options {
        hash_mib: 1,
        ..Options::default()
    });
    let limits = Limits {
        solve_from: 12,
        ..Limits::depth(5)
    };
    let mut wins = 0;
    for game in 0..200_u64 {
        let mut random = Random((game / 2 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let color = if game % 2 == 0 {
            Color::Black
        } else {
            Color::White
        };
        let mut board = Board::START;
        for _ in 0..6 {
            let square = random.choose(board.position());
            play(&mut board, square);
        }
        while !board.is_over() {
            let position = board.position();
            let square = if board.side_to_move() == color {
                searcher.search(position, &limits).best
            } else {
                opponent(&mut random, position)
            };
            play(&mut board, square);
        }
        wins += u32::from(board.score(color, Empties::ToWinner).discs() > 0);
    }
    wins
}

#[test]
fn a_random_mover_never_wins() {
    assert_eq!(wins(Random::choose), 200);
}

#[test]
fn a_greedy_mover_rarely_wins() {
    let wins = wins(|_, position| greedy(position));
    assert!(wins >= 195, "{wins} of 200");
}
