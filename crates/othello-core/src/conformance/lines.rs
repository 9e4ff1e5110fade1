//! Checks of rules that answer lines of text, such as those of a program in another language.

use alloc::{
    boxed::Box,
    format,
    string::{String, ToString},
};
use core::fmt;

use super::{Difference, Rules, START_COUNTS, Suite, check};
use crate::{Bitboard, Board, Color, Move, Square};

/// The error of [`check_lines`] and [`check_counts`], with the error of the function that asks.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[allow(missing_docs)]
pub enum LinesError<E> {
    /// There is no answer to the line `asked`.
    NoAnswer { asked: String, error: E },
    /// The answer to `asked` is not of the form `expected`.
    Answer {
        asked: String,
        expected: String,
        found: String,
    },
    /// The rules differ from this crate's.
    Difference(Box<Difference>),
}

impl<E: fmt::Display> fmt::Display for LinesError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoAnswer { asked, error } => write!(f, "no answer to {asked:?}: {error}"),
            Self::Answer {
                asked,
                expected,
                found,
            } => {
                // A line may have any length.
                let end = found
                    .char_indices()
                    .nth(100)
                    .map_or(found.len(), |(at, _)| at);
                let (shown, rest) = found.split_at(end);
                let more = if rest.is_empty() { "" } else { "…" };
                write!(
                    f,
                    "expected {expected} in answer to {asked:?}, found {shown:?}{more}"
                )
            }
            Self::Difference(difference) => difference.fmt(f),
        }
    }
}

impl<E: fmt::Debug + fmt::Display> core::error::Error for LinesError<E> {}

/// Checks rules as [`check`] does, by questions and answers of one line each, without the line's end:
///
/// | question | answer |
/// |---|---|
/// | `moves BOARD` | the legal squares, separated by spaces, or `pass` if there is none |
/// | `play BOARD MOVE` | the board after a legal move: a square, or `pass` |
///
/// A board is 64 squares in board order as `X` (Black), `O` (White) or `-`, a space, and the side to move, `X` or `O`,
/// which changes with every move.
///
/// # Errors
///
/// Fails at the first difference, at an answer of another form, and when `ask` fails.
///
/// # Examples
///
/// ```
/// use othello_core::{Board, Color, conformance};
///
/// // Rules by which no disc is flipped.
/// let ask = |line: &str| -> Result<String, std::fmt::Error> {
///     let words: Vec<&str> = line.split(' ').collect();
///     let board: Board = [words[1], words[2]].join(" ").parse().expect("a board");
///     if words[0] == "moves" {
///         let moves: Vec<_> = board.legal_moves().iter().map(|square| square.to_string()).collect();
///         return Ok(moves.join(" "));
///     }
///     let mut discs = board.to_string().into_bytes();
///     let square: othello_core::Square = words[3].parse().expect("a square");
///     discs[usize::from(square.index())] = words[2].as_bytes()[0];
///     let side = if board.side_to_move() == Color::Black { "O" } else { "X" };
///     Ok(String::from_utf8_lossy(&discs[..65]).into_owned() + side)
/// };
/// let error = conformance::check_lines(ask, 1, 1).unwrap_err();
/// assert!(error.to_string().starts_with("expected X on "), "{error}");
/// ```
pub fn check_lines<E>(
    ask: impl FnMut(&str) -> Result<String, E>,
    games: u32,
    seed: u64,
) -> Result<(), LinesError<E>> {
    let mut lines = Lines {
        ask,
        board: Board::START,
        moves: Bitboard::EMPTY,
        failed: None,
    };
    let checked = check(&mut lines, games, seed);
    match lines.failed {
        Some(error) => Err(error),
        None => checked.map_err(|difference| LinesError::Difference(Box::new(difference))),
    }
}

/// Checks perft counts, of the start and of the boards of each [`Suite`] to depths of at most `max_depth`, by questions
/// and answers of one line each:
///
/// | question | answer |
/// |---|---|
/// | `perft BOARD DEPTH` | the number of leaves at the depth, as [`START_COUNTS`] counts them |
///
/// # Errors
///
/// Fails at the first answer that is not the count, and when `ask` fails.
///
/// # Examples
///
/// ```
/// use othello_core::{Board, Tier, conformance, perft};
///
/// let ask = |line: &str| -> Result<String, std::fmt::Error> {
///     let words: Vec<&str> = line.split(' ').collect();
///     let board: Board = [words[1], words[2]].join(" ").parse().expect("a board");
///     Ok(perft(board.position(), words[3].parse().expect("a depth"), Tier::best()).to_string())
/// };
/// assert_eq!(conformance::check_counts(ask, 4), Ok(()));
/// ```
pub fn check_counts<E>(
    mut ask: impl FnMut(&str) -> Result<String, E>,
    max_depth: u32,
) -> Result<(), LinesError<E>> {
    let start = (1..).zip(START_COUNTS.into_iter().skip(1));
    let start = start.map(|(depth, count)| (Board::START, depth, count));
    let suites = Suite::ALL.into_iter().flat_map(Suite::boards);
    let suites =
        suites.flat_map(|(board, counts)| counts.map(move |(depth, count)| (board, depth, count)));
    let questions = start.chain(suites);
    for (board, depth, count) in questions.filter(|&(_, depth, _)| depth <= max_depth) {
        let asked = format!("perft {board} {depth}");
        match ask(&asked) {
            Ok(found) if found.trim().parse() == Ok(count) => {}
            Ok(found) => {
                let expected = count.to_string();
                return Err(LinesError::Answer {
                    asked,
                    expected,
                    found,
                });
            }
            Err(error) => return Err(LinesError::NoAnswer { asked, error }),
        }
    }
    Ok(())
}

/// Rules behind a function that answers lines.
struct Lines<F, E> {
    ask: F,
    /// The board of the last answer, and its legal squares.
    board: Board,
    moves: Bitboard,
    /// The first failure, after which nothing more is asked.
    failed: Option<LinesError<E>>,
}

impl<E, F: FnMut(&str) -> Result<String, E>> Lines<F, E> {
    /// Asks, and parses the answer, unless something failed before.
    fn ask<T>(
        &mut self,
        asked: String,
        expected: &str,
        parse: impl FnOnce(&str) -> Option<T>,
    ) -> Option<T> {
        if self.failed.is_some() {
            return None;
        }
        match (self.ask)(&asked) {
            Ok(found) => {
                let parsed = parse(found.trim());
                if parsed.is_none() {
                    let expected = expected.to_string();
                    self.failed = Some(LinesError::Answer {
                        asked,
                        expected,
                        found,
                    });
                }
                parsed
            }
            Err(error) => {
                self.failed = Some(LinesError::NoAnswer { asked, error });
                None
            }
        }
    }

    fn ask_moves(&mut self) {
        let squares = |text: &str| -> Option<Bitboard> {
            if text.eq_ignore_ascii_case("pass") {
                return Some(Bitboard::EMPTY);
            }
            let squares: Option<Bitboard> =
                text.split_whitespace().map(|it| it.parse().ok()).collect();
            let count = text.split_whitespace().count();
            squares.filter(|squares| count > 0 && squares.count() as usize == count)
        };
        let asked = format!("moves {}", self.board);
        let moves = self.ask(
            asked,
            "different squares a1-h8 separated by spaces, or pass",
            squares,
        );
        self.moves = moves.unwrap_or_default();
    }

    fn make_move(&mut self, mv: Move) {
        let next = !self.board.side_to_move();
        let expected = format!("64 squares of X, O and -, a space, and {}", next.disc());
        let board = |text: &str| {
            let board: Board = text.parse().ok()?;
            (board.side_to_move() == next && board.to_string() == text).then_some(board)
        };
        if let Some(board) = self.ask(format!("play {} {mv}", self.board), &expected, board) {
            self.board = board;
            self.ask_moves();
        }
    }
}

impl<E, F: FnMut(&str) -> Result<String, E>> Rules for Lines<F, E> {
    fn start(&mut self, board: &str) {
        self.board = board.parse().unwrap_or_default();
        self.ask_moves();
    }

    fn disc(&self, square: Square) -> Option<Color> {
        self.board.disc(square)
    }

    fn legal_squares(&self) -> Bitboard {
        self.moves
    }

    fn play(&mut self, square: Square) {
        self.make_move(square.into());
    }

    fn pass(&mut self) {
        self.make_move(Move::Pass);
    }
}

#[cfg(test)]
mod tests {
    use std::{string::ToString, vec::Vec};

    use super::*;
    use crate::{Tier, perft};

    /// Answers by the rules of this crate, but to the questions of a kind as `faulty` does.
    fn result(
        kind: &str,
        faulty: impl Fn(&str) -> Result<String, String>,
    ) -> Result<(), LinesError<String>> {
        let ask = |line: &str| -> Result<String, String> {
            if line.starts_with(kind) {
                return faulty(line);
            }
            let words: Vec<&str> = line.split(' ').collect();
            let mut board: Board = words[1..3].join(" ").parse().unwrap();
            Ok(match words[..] {
                ["moves", ..] if board.legal_moves().is_empty() => "pass".into(),
                ["moves", ..] => {
                    let moves = board.legal_moves().into_iter().map(|it| it.to_string());
                    moves.collect::<Vec<_>>().join(" ")
                }
                _ => {
                    board.play(words[3].parse::<Move>().unwrap()).unwrap();
                    board.to_string()
                }
            })
        };
        check_lines(ask, 40, 1)
    }

    fn message(kind: &str, answer: Result<&str, &str>) -> String {
        let answer = |_: &str| answer.map(String::from).map_err(String::from);
        result(kind, answer).unwrap_err().to_string()
    }

    #[test]
    fn right_answers_pass() {
        assert_eq!(result("nothing", |_| unreachable!()), Ok(()));
    }

    #[test]
    fn the_first_failure_is_told_with_its_question() {
        let start = Board::START;
        assert_eq!(
            message("moves", Err("it ended")),
            format!("no answer to \"moves {start}\": it ended")
        );
        let squares = "expected different squares a1-h8 separated by spaces, or pass in answer to";
        for (answer, shown) in [
            ("", "\"\""),
            ("d3 c9", "\"d3 c9\""),
            ("d3 c4 d3", "\"d3 c4 d3\""),
            ("\x1b[2J", "\"\\u{1b}[2J\""),
        ] {
            let expected = format!("{squares} \"moves {start}\", found {shown}");
            assert_eq!(message("moves", Ok(answer)), expected);
        }
        let long = message("moves", Ok(&"z".repeat(1000)));
        assert!(long.ends_with("z\"…") && long.len() < 350, "{long}");
        let unchanged = message("play", Ok(&start.to_string()));
        assert!(
            unchanged.contains("64 squares of X, O and -, a space, and O in answer"),
            "{unchanged}"
        );
    }

    #[test]
    fn counts_are_those_of_the_start_and_of_the_suites() {
        let mut asked = Vec::new();
        let count = |line: &str| -> Result<String, String> {
            asked.push(String::from(line));
            let words: Vec<&str> = line.split(' ').collect();
            let board: Board = words[1..3].join(" ").parse().unwrap();
            let depth = words[3].parse().unwrap();
            // A fault beyond the start, at depth 3.
            let fault = u64::from(depth == 3 && board != Board::START);
            Ok((perft(board.position(), depth, Tier::best()) + fault).to_string())
        };
        let error = check_counts(count, 3).unwrap_err().to_string();
        assert_eq!(asked.len(), 6);
        let expected = format!("expected 8 in answer to {:?}, found \"9\"", asked[5]);
        assert_eq!(error, expected);
        let none = check_counts(|_| Err("it ended"), 1).unwrap_err();
        let expected = format!("no answer to \"perft {} 1\": it ended", Board::START);
        assert_eq!(none.to_string(), expected);
    }

    #[test]
    fn a_difference_is_that_of_the_check() {
        let missing = message("moves", Ok("d3 c4 f5"));
        let expected =
            "expected the legal squares {d3, c4, f5, e6}, found {d3, c4, f5} on the board";
        assert!(missing.starts_with(expected), "{missing}");
    }
}
