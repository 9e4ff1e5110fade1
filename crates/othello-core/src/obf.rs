//! Problems in OBF, the Othello Board Format: a board, then moves with their scores.
//!
//! Each line is a problem: 64 squares (`X`, `O`, `-`), a space, the side to move, `;`, then
//! ` MOVE:SCORE;` for each listed move, as in the FFO endgame suite. The rest of a line from `%` on
//! is a comment.

use alloc::vec::Vec;
use core::{fmt, str::FromStr};

use crate::{Board, IllegalMove, Move, ParseBoardError, Score, without_byte_order_mark};

/// A board with the scores of some of its moves.
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
    /// Moves with their scores, from the point of view of the side to move, in the order of the line.
    pub moves: Vec<(Move, Score)>,
}

impl Problem {
    /// The best listed score, from the point of view of the side to move, or `None` if no move is
    /// listed.
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

    /// Parses the lines of a text; empty lines, comments and a leading byte order mark are skipped.
    ///
    /// # Errors
    ///
    /// Fails at the first line that is not a problem.
    pub fn read_all(text: &str) -> Result<Vec<Self>, ReadProblemsError> {
        let numbered = without_byte_order_mark(text).lines().enumerate();
        let problems = numbered.filter(|(_, line)| !without_comment(line).trim().is_empty());
        problems
            .map(|(index, text)| {
                let line = index + 1;
                text.parse()
                    .map_err(|error| ReadProblemsError { line, error })
            })
            .collect()
    }
}

/// An error: a line of a text is not a problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReadProblemsError {
    /// The number of the line, counted from 1.
    pub line: usize,
    /// The error in the line.
    pub error: ParseProblemError,
}

impl fmt::Display for ReadProblemsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.error)
    }
}

impl core::error::Error for ReadProblemsError {}

/// An error: a line is not a problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParseProblemError {
    /// The offset in bytes of the unexpected text within the line.
    pub offset: usize,
    /// The part expected there.
    pub expected: ProblemPart,
}

/// A part of a problem's line.
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

    fn from_str(line: &str) -> Result<Self, Self::Err> {
        let text = without_comment(line);
        let (board, list) = text.split_once(';').unwrap_or((text, ""));
        let board: Board = board
            .parse()
            .map_err(|error: ParseBoardError| ParseProblemError {
                offset: error.offset,
                expected: ProblemPart::Board(error),
            })?;
        let mut offset = text.len() - list.len();
        let mut moves = Vec::new();
        for piece in list.split(';') {
            if !piece.trim().is_empty() {
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
        Ok(Self { board, moves })
    }
}

fn without_comment(line: &str) -> &str {
    line.split_once('%').map_or(line, |(text, _)| text)
}

fn scored_move(piece: &str) -> Option<(Move, Score)> {
    let (mv, score) = piece.split_once(':')?;
    Some((
        mv.trim().parse().ok()?,
        Score::new(score.trim().parse().ok()?)?,
    ))
}

impl fmt::Display for Problem {
    /// Prints the problem as a line of OBF, with squares in upper case and a pass as `PS`.
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
