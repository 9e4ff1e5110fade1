//! Problems in OBF, the Othello Board Format: a board, then moves with their scores.
//!
//! Each line is a problem: 64 squares (`X`, `O`, `-`), a space, the side to move, `;`, then ` MOVE:SCORE;` for each
//! listed move, as in the FFO endgame suite. The board may have any form that [`Board::read`] accepts, including eight
//! rows. A `%` or `#` starts a comment up to the end of the line.

use alloc::vec::Vec;
use core::{fmt, str::FromStr};

use crate::{
    Board, BoardPart, IllegalMove, Move, ParseBoardError, Score,
    reader::{BoardLine, lines},
};

/// A board with the scores of some moves.
///
/// # Examples
///
/// ```
/// use othello_core::{Problem, Square};
///
/// let squares = "-".repeat(27) + "OX------XO" + &"-".repeat(27);
/// let problem: Problem = format!("{squares} X; F5:+0; C4:-2;").parse()?;
/// assert_eq!(problem.best().map(|score| score.discs()), Some(0));
/// assert_eq!(problem.score_of(Square::C4.into()).map(|score| score.discs()), Some(-2));
/// # Ok::<(), othello_core::ParseProblemError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The board.
    pub board: Board,
    /// The listed moves in order, with their scores from the point of view of the side to move.
    pub moves: Vec<(Move, Score)>,
}

impl Problem {
    /// The best listed score, from the point of view of the side to move, or `None` if no move is listed.
    pub fn best(&self) -> Option<Score> {
        self.moves.iter().map(|&(_, score)| score).max()
    }

    /// The score listed for a move, or `None` if the move is not listed.
    pub fn score_of(&self, mv: Move) -> Option<Score> {
        self.moves
            .iter()
            .find(|&&(listed, _)| listed == mv)
            .map(|&(_, score)| score)
    }

    /// Reads all problems of a text. Skips empty lines, comments and a leading byte order mark.
    ///
    /// # Errors
    ///
    /// Fails at the first invalid problem.
    pub fn read_all(text: &str) -> Result<Vec<Self>, ReadProblemsError> {
        let mut problems = Vec::new();
        let mut end = 0;
        while let Some((offset, line)) = lines(text, end).next() {
            let in_rows = BoardLine::of(line) == Some(BoardLine::Row);
            let text_of_one = if in_rows { &text[offset..] } else { line };
            let (problem, length) =
                first_problem(text_of_one).map_err(|error| ReadProblemsError {
                    line: text[..offset].matches('\n').count() + 1,
                    error,
                })?;
            problems.push(problem);
            end = offset + length;
        }
        Ok(problems)
    }
}

/// The error of [`Problem::read_all`]: an invalid problem and its line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[allow(missing_docs)]
pub struct ReadProblemsError {
    /// The line number of the problem's first line, counted from 1.
    pub line: usize,
    pub error: ParseProblemError,
}

impl fmt::Display for ReadProblemsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.error)
    }
}

impl core::error::Error for ReadProblemsError {}

/// The error of parsing a problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ParseProblemError {
    /// The byte offset of the unexpected text within the problem.
    pub offset: usize,
    /// The part expected there.
    pub expected: ProblemPart,
}

/// The part of a problem in which parsing failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProblemPart {
    /// The board and the side to move.
    Board(ParseBoardError),
    /// A move, a colon and a score of −64 to 64 discs.
    ScoredMove,
    /// A legal move.
    LegalMove(IllegalMove),
}

impl fmt::Display for ParseProblemError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.expected {
            ProblemPart::Board(error) => error.fmt(f),
            ProblemPart::ScoredMove => {
                write!(
                    f,
                    "expected a move and its score, as in G8:+18, at offset {}",
                    self.offset
                )
            }
            ProblemPart::LegalMove(error) => write!(f, "at offset {}: {error}", self.offset),
        }
    }
}

impl core::error::Error for ParseProblemError {}

impl FromStr for Problem {
    type Err = ParseProblemError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (problem, end) = first_problem(text)?;
        match lines(text, end).next() {
            None => Ok(problem),
            Some((offset, _)) => Err(board_error(ParseBoardError {
                offset,
                expected: BoardPart::End,
            })),
        }
    }
}

/// Reads the problem at the start of a text, and returns it with the length of its lines.
fn first_problem(text: &str) -> Result<(Problem, usize), ParseProblemError> {
    let (reading, board_end) = Board::read_first(text).map_err(board_error)?;
    let board = reading.board;
    let rest = &text[board_end..];
    let line = rest.split_inclusive('\n').next().unwrap_or_default();
    let list = line.split(['%', '#']).next().unwrap_or_default();
    let mut offset = board_end;
    let mut moves = Vec::new();
    for piece in list.split(';') {
        if !piece.trim().is_empty() && !is_placeholder(piece) {
            let offset = offset + piece.len() - piece.trim_start().len();
            let error = |expected| ParseProblemError { offset, expected };
            let scored = scored_move(piece).ok_or(error(ProblemPart::ScoredMove))?;
            let mut after = board;
            let played = after.play(scored.0);
            played.map_err(|illegal| error(ProblemPart::LegalMove(illegal)))?;
            moves.push(scored);
        }
        offset += piece.len() + 1;
    }
    Ok((Problem { board, moves }, board_end + line.len()))
}

const fn board_error(error: ParseBoardError) -> ParseProblemError {
    ParseProblemError {
        offset: error.offset,
        expected: ProblemPart::Board(error),
    }
}

fn scored_move(piece: &str) -> Option<(Move, Score)> {
    let (mv, score) = move_and_number(piece)?;
    Some((mv, Score::new(score)?))
}

fn move_and_number(piece: &str) -> Option<(Move, i32)> {
    let (mv, number) = piece.split_once(':')?;
    Some((mv.trim().parse().ok()?, number.trim().parse().ok()?))
}

/// Returns `true` for Edax's placeholder for "no move": a pass with an impossible score, `--:-127`.
fn is_placeholder(piece: &str) -> bool {
    move_and_number(piece)
        .is_some_and(|(mv, number)| mv == Move::Pass && Score::new(number).is_none())
}

impl fmt::Display for Problem {
    /// Prints the problem as an OBF line, with squares in upper case and a pass as `PS`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{};", self.board)?;
        for (mv, score) in &self.moves {
            match mv {
                Move::Place(square) => write!(f, " {square:#}:{score};")?,
                Move::Pass => write!(f, " PS:{score};")?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Square;
    use std::string::ToString;

    const LINE: &str = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X; G8:+18; H1:+12; A2:-6;";

    #[test]
    fn a_problem_round_trips_through_text() {
        let problem: Problem = LINE.parse().unwrap();
        assert_eq!(problem.moves.len(), 3);
        assert_eq!(problem.to_string(), LINE);
    }

    #[test]
    fn a_pass_without_a_score_is_a_placeholder() {
        let plain: Problem = LINE.parse().unwrap();
        for placeholder in [" --:-127;", " --:-127", " PS: +127 ;"] {
            let line = [LINE, placeholder, " # a comment"].concat();
            assert_eq!(line.parse(), Ok(plain.clone()), "{line}");
        }
        let alone = [&LINE[..66], "; --:-127;"].concat();
        assert_eq!(alone.parse::<Problem>().unwrap().moves, []);
    }

    #[test]
    fn problems_may_span_one_line_or_several() {
        let problem: Problem = LINE.parse().unwrap();
        let board = problem.board;
        let rows = std::format!("{board:#}");
        let text = [
            "# a comment",
            &rows,
            LINE,
            "",
            &board.pretty().to_string(),
            "% another",
            &rows,
            "",
        ]
        .join("\n");
        let read = Problem::read_all(&text).unwrap();
        assert!(read.iter().all(|read| read.board == board), "{read:?}");
        assert_eq!(read.len(), 4);
        assert_eq!(read[1], problem);
    }

    #[test]
    fn each_listed_move_has_its_own_score() {
        let problem: Problem = LINE.parse().unwrap();
        let score = |square| problem.score_of(Move::Place(square)).map(Score::discs);
        assert_eq!(score(Square::G8), Some(18));
        assert_eq!(score(Square::H1), Some(12));
        assert_eq!(score(Square::A2), Some(-6));
        assert_eq!(score(Square::A1), None);
        assert_eq!(problem.best().map(Score::discs), Some(18));
    }

    #[test]
    fn errors_give_the_offset() {
        let error = |line: &str| line.parse::<Problem>().unwrap_err();
        assert_eq!(error(&LINE.replace("H1", "K1")).offset, 76);
        assert_eq!(error(&LINE.replace("+12", "+99")).offset, 76);
        assert_eq!(error("--?").offset, 2);
        for (line, expected) in [
            (
                LINE.replace("H1", "C1"),
                "at offset 76: illegal move c1: the square is occupied",
            ),
            (
                LINE.replace("H1", "PS"),
                "at offset 76: illegal move pass: there is a legal move",
            ),
        ] {
            assert_eq!(error(&line).to_string(), expected);
        }
        assert_eq!(
            error("--?").to_string(),
            "expected one of 64 squares (X, O or -) at offset 2"
        );
        assert_eq!(
            error(&LINE.replace("H1", "K1")).to_string(),
            "expected a move and its score, as in G8:+18, at offset 76"
        );
        let text = [LINE, "", "% comment", "-"].join("\n");
        let error = Problem::read_all(&text).unwrap_err().to_string();
        assert!(error.starts_with("line 4: expected one of 64"), "{error}");
        assert_eq!(
            Problem::read_all(&["\u{feff}", LINE, "\n % x"].concat())
                .unwrap()
                .len(),
            1
        );
    }
}
