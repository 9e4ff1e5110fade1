//! A kit for those who write the rules themselves: perft counts, and games played by both implementations.
//!
//! # Examples
//!
//! Rules on an array of squares, checked (`examples/check_rules.rs`):
//!
//! ```
#![doc = include_str!("../examples/check_rules.rs")]
//! ```

mod lines;

use core::fmt;

pub use lines::{LinesError, check_counts, check_lines};

use crate::{Bitboard, Board, Color, Game, Move, Square};

/// Perft counts of the standard start at depths 0 to 13, as published (first by Aart Bik, *Perft for Reversi*, to depth
/// 12): a pass is a ply, and a game that ends earlier counts as one leaf.
///
/// # Examples
///
/// ```
/// use othello_core::{Position, Tier, conformance, perft};
///
/// for (depth, count) in (0..9).zip(conformance::START_COUNTS) {
///     assert_eq!(perft(Position::START, depth, Tier::best()), count);
/// }
/// ```
pub const START_COUNTS: [u64; 14] = [
    1,
    4,
    12,
    56,
    244,
    1396,
    8200,
    55_092,
    390_216,
    3_005_288,
    24_571_284,
    212_258_800,
    1_939_886_636,
    18_429_641_748,
];

/// A suite of boards with their perft counts.
///
/// # Examples
///
/// ```
/// use othello_core::{Tier, conformance::Suite, perft};
///
/// for suite in Suite::ALL {
///     for (board, mut counts) in suite.boards() {
///         let (depth, count) = counts.nth(3).expect("four depths");
///         assert_eq!(perft(board.position(), depth, Tier::best()), count, "{suite:?}: {board}");
///     }
/// }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Suite {
    /// Discs along the edges, where a run must not wrap from one row to the next, and runs of full length.
    Edges,
    /// Late positions in which passes are frequent.
    Passes,
    /// Wipe-outs, and positions with wipe-outs within three plies.
    WipeOuts,
    /// Positions of no game: random sets of discs.
    Unreachable,
}

impl Suite {
    /// All suites.
    pub const ALL: [Self; 4] = [Self::Edges, Self::Passes, Self::WipeOuts, Self::Unreachable];

    /// The suite as text, for programs in any language: in each line a board and, each after `; `, a depth and its
    /// count. A line that begins with `#` is a comment.
    pub const fn text(self) -> &'static str {
        match self {
            Self::Edges => include_str!("conformance/edges.txt"),
            Self::Passes => include_str!("conformance/passes.txt"),
            Self::WipeOuts => include_str!("conformance/wipe-outs.txt"),
            Self::Unreachable => include_str!("conformance/unreachable.txt"),
        }
    }

    /// The boards, each with its depths and counts from depth 1.
    pub fn boards(self) -> impl Iterator<Item = (Board, impl Iterator<Item = (u32, u64)>)> {
        self.text().lines().filter_map(|line| {
            let (board, counts) = line.split_once(';')?;
            let counts = counts.split(';').filter_map(|pair| {
                let (depth, count) = pair.trim().split_once(' ')?;
                depth.parse().ok().zip(count.parse().ok())
            });
            Some((board.parse().ok()?, counts))
        })
    }
}

/// Rules to check against this crate's.
pub trait Rules {
    /// Sets up a board: 64 squares in board order as `X` (Black), `O` (White) or `-`, a space, and the side to move,
    /// `X` or `O`.
    fn start(&mut self, board: &str);

    /// The disc on `square`, or `None` if the square is empty.
    fn disc(&self, square: Square) -> Option<Color>;

    /// The squares where the side to move may place a disc.
    fn legal_squares(&self) -> Bitboard;

    /// Places a disc on one of the legal squares.
    fn play(&mut self, square: Square);

    /// Passes: there is no legal square, and the opponent has one.
    fn pass(&mut self);
}

/// The first difference between two implementations of the rules.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Difference {
    /// The game up to the difference, with the boards of this crate.
    pub game: Game,
    /// The part that differs.
    pub kind: DifferenceKind,
}

/// The part in which two implementations of the rules differ, with the value found in the one that was checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[allow(missing_docs)]
pub enum DifferenceKind {
    /// The disc on a square, the first one in board order.
    Disc {
        square: Square,
        found: Option<Color>,
    },
    /// The legal squares.
    LegalSquares { found: Bitboard },
}

impl fmt::Display for Difference {
    /// Prints the values expected and found, the start and the moves, and below them a diagram of the expected board.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let board = self.game.board();
        let symbol = |disc: Option<Color>| disc.map_or('-', Color::disc);
        match self.kind {
            DifferenceKind::Disc { square, found } => {
                let (expected, found) = (symbol(board.disc(square)), symbol(found));
                write!(f, "expected {expected} on {square}, found {found}")?;
            }
            DifferenceKind::LegalSquares { found } => {
                let expected = board.legal_moves();
                write!(
                    f,
                    "expected the legal squares {expected:?}, found {found:?}"
                )?;
            }
        }
        write!(f, " on the board {}", self.game.start())?;
        if !self.game.moves().is_empty() {
            write!(f, " after {}", self.game)?;
        }
        let last = self.game.last_move().and_then(Move::square);
        write!(f, "\n{}", board.pretty().last_move(last))
    }
}

impl core::error::Error for Difference {}

/// Plays games of random moves by `rules` and by this crate's, and compares discs and legal squares after each move.
/// Every second game starts from a board of a [`Suite`]; the same `seed` brings the same games.
///
/// # Errors
///
/// Fails at the first difference.
pub fn check(rules: &mut impl Rules, games: u32, seed: u64) -> Result<(), Difference> {
    let mut random = seed;
    let suites = core::iter::repeat(Suite::ALL).flatten();
    let mut boards = suites.flat_map(Suite::boards).map(|(board, _)| board);
    for number in 0..games {
        let unusual = if number % 2 == 1 { boards.next() } else { None };
        compare_game(rules, unusual.unwrap_or_default(), &mut random)?;
    }
    Ok(())
}

/// Plays and compares one game.
fn compare_game(rules: &mut impl Rules, start: Board, random: &mut u64) -> Result<(), Difference> {
    let mut game = Game::new(start);
    rules.start(&alloc::format!("{start}"));
    loop {
        let board = game.board();
        if let Some(kind) = difference(rules, board) {
            return Err(Difference { game, kind });
        }
        // A linear congruential generator; its upper bits are the random ones.
        *random = random
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        let moves = board.legal_moves();
        let choice = (*random >> 33) as u32 % moves.count().max(1);
        let mv = moves.nth(choice).map_or(Move::Pass, Move::Place);
        if game.play(mv).is_err() {
            // No legal move and no legal pass: the game is over.
            return Ok(());
        }
        match mv {
            Move::Place(square) => rules.play(square),
            Move::Pass => rules.pass(),
        }
    }
}

fn difference(rules: &impl Rules, board: Board) -> Option<DifferenceKind> {
    let discs = Square::ALL.map(|square| (square, rules.disc(square)));
    let wrong = discs
        .into_iter()
        .find(|&(square, found)| found != board.disc(square));
    if let Some((square, found)) = wrong {
        return Some(DifferenceKind::Disc { square, found });
    }
    let found = rules.legal_squares();
    (found != board.legal_moves()).then_some(DifferenceKind::LegalSquares { found })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{format, string::ToString};

    #[test]
    fn every_line_of_a_suite_is_read() {
        for suite in Suite::ALL {
            let lines = suite.text().lines().filter(|line| !line.starts_with('#'));
            let mut boards = suite.boards();
            for line in lines {
                let (board, counts) = boards.next().unwrap();
                let counts = counts.map(|(depth, count)| format!("; {depth} {count}"));
                let text = board.to_string() + &counts.collect::<std::string::String>();
                assert_eq!(text, line);
            }
            assert!(boards.next().is_none(), "{suite:?}");
        }
    }

    /// The rules of this crate with a fault.
    struct Faulty {
        board: Board,
        fault: &'static str,
    }

    impl Rules for Faulty {
        fn start(&mut self, board: &str) {
            self.board = board.parse().unwrap();
        }

        fn disc(&self, square: Square) -> Option<Color> {
            self.board.disc(square)
        }

        fn legal_squares(&self) -> Bitboard {
            let legal = self.board.legal_moves();
            match self.fault {
                "no h8" => legal.without(Square::H8),
                _ => legal,
            }
        }

        fn play(&mut self, square: Square) {
            self.board = match self.fault {
                "no flips" => Board::new(
                    self.board.position().after(square, Bitboard::EMPTY),
                    !self.board.side_to_move(),
                ),
                _ => self.board.play_unchecked(square),
            };
        }

        fn pass(&mut self) {
            if self.fault != "no pass" {
                self.board = self.board.passed();
            }
        }
    }

    fn result(fault: &'static str) -> Result<(), Difference> {
        let board = Board::START;
        check(&mut Faulty { board, fault }, 100, 1)
    }

    #[test]
    fn faults_are_found_where_they_are() {
        assert_eq!(result("none"), Ok(()));
        let h8 = result("no h8").unwrap_err();
        let found = h8.game.board().legal_moves().without(Square::H8);
        assert_eq!(h8.kind, DifferenceKind::LegalSquares { found });
        assert_eq!(result("no h8"), Err(h8));
        let pass = result("no pass").unwrap_err();
        assert_eq!(pass.game.last_move(), Some(Move::Pass));
        let flips = result("no flips").unwrap_err();
        assert_eq!(flips.game.moves().len(), 1);
    }

    #[test]
    fn a_difference_is_printed_with_the_board() {
        let game: Game = "f5".parse().unwrap();
        let found = Some(Color::White);
        let kind = DifferenceKind::Disc {
            square: Square::E5,
            found,
        };
        let text = Difference {
            game: game.clone(),
            kind,
        }
        .to_string();
        let start = Board::START;
        let first = format!("expected X on e5, found O on the board {start} after f5\n");
        let diagram = game.board().pretty().last_move(Some(Square::F5));
        assert_eq!(text, first + &diagram.to_string());
        let kind = DifferenceKind::LegalSquares {
            found: Bitboard::EMPTY,
        };
        let text = Difference {
            game: Game::default(),
            kind,
        }
        .to_string();
        assert!(
            text.starts_with("expected the legal squares {d3, c4, f5, e6}, found {} on the board")
        );
    }
}
