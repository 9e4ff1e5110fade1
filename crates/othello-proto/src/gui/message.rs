//! The messages, and how they are read and printed.

use alloc::{string::String, vec::Vec};
use core::{fmt, fmt::Write as _, time::Duration};

use othello_core::{Bitboard, Board, Color, Position, Square};

use super::{
    lines::exact_move,
    reader::{Reader, Taken},
};
use crate::{
    ParseError,
    framing::{Line, Lines, MAX_LINE},
};

/// The first line of a program that follows the document, in both of its versions.
pub const VERSION_LINE: &str = "v1.0.0";

/// The maximum number of moves read from a list, more than any board allows.
pub const MAX_MOVES: usize = 64;

/// The GUI's request: a board and the moves to choose from.
///
/// # Examples
///
/// ```
/// use othello_core::{Color, Square};
/// use othello_proto::gui::Request;
///
/// let text = "\
/// ........\n........\n...X....\n...XX...\n...XO...\n........\n........\n........\n\
/// O\n3000\n3 c3 e3 c5\n";
/// let request = Request::parse(text.as_bytes())?;
/// assert_eq!(request.side, Some(Color::White));
/// assert_eq!(request.moves, [Square::C3, Square::E3, Square::C5]);
/// assert_eq!(request.to_string(), text);
/// # Ok::<(), othello_proto::ParseError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// The discs, Black's as the own ones.
    pub discs: Position,
    /// The side to move. Version 1 does not name it.
    pub side: Option<Color>,
    /// The time for the move, in whole milliseconds.
    pub time: Duration,
    /// The possible moves as listed, at most [`MAX_MOVES`].
    pub moves: Vec<Square>,
}

impl Request {
    /// Reads a request with every leniency of the format.
    ///
    /// # Errors
    ///
    /// When a line is missing or invalid. The error shows that line.
    pub fn parse(text: &[u8]) -> Result<Self, ParseError> {
        let mut lines = Lines::default();
        lines.push(text);
        lines.finish();
        let mut reader = Reader::default();
        while let Some(line) = lines.next_line() {
            let Line::Whole(line) = line else {
                return Err(ParseError::new("a shorter line", 0, text));
            };
            if let Taken::Request(request) = reader.take(&line)? {
                return match lines.next_line() {
                    None => Ok(request),
                    Some(_) => Err(ParseError::new("nothing after the moves", 0, &line)),
                };
            }
        }
        Err(ParseError::new(reader.expects(), 0, b""))
    }

    /// Returns the board with `side` to move.
    pub const fn board(&self, side: Color) -> Board {
        match side {
            Color::Black => Board::new(self.discs, side),
            Color::White => Board::new(self.discs.passed(), side),
        }
    }

    /// Returns the set of the listed squares.
    pub fn listed(&self) -> Bitboard {
        self.moves.iter().copied().collect()
    }
}

impl fmt::Display for Request {
    /// The lines as the document has them, each with its newline.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let board = self.board(Color::Black);
        for square in Square::ALL {
            f.write_char(board.disc(square).map_or('.', Color::disc))?;
            if square.column() == 7 {
                f.write_char('\n')?;
            }
        }
        if let Some(side) = self.side {
            writeln!(f, "{}", side.disc())?;
        }
        write!(f, "{}\n{}", self.time.as_millis(), self.moves.len())?;
        for square in &self.moves {
            write!(f, " {square}")?;
        }
        f.write_char('\n')
    }
}

/// The program's answer: a move and, to the released GUI alone, a line of free notes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The move.
    pub square: Square,
    /// The notes: one line, not empty, without blanks at its ends.
    pub notes: Option<String>,
}

impl Answer {
    /// Parses the whole output of a program as the released GUI does: after trimming the output and its lines, a line
    /// of exactly two characters in lower case, then at most one more line.
    ///
    /// # Errors
    ///
    /// Fails if the output is not UTF-8, the first line is anything else, or a third one follows. A blank line between
    /// two others counts.
    pub fn parse(output: &[u8]) -> Result<Self, ParseError> {
        let text = str::from_utf8(output)
            .map_err(|error| ParseError::new("UTF-8", error.valid_up_to(), output))?;
        let mut lines = text.trim().lines().map(str::trim);
        let square = exact_move(lines.next().unwrap_or_default().as_bytes())?;
        let notes = lines.next().map(shortened);
        if let Some(third) = lines.next() {
            let expected = "nothing after the line of notes";
            return Err(ParseError::new(expected, 0, third.as_bytes()));
        }
        Ok(Self {
            square,
            notes: notes.filter(|notes| !notes.is_empty()),
        })
    }
}

/// Returns the text, no longer than a line may be.
fn shortened(text: &str) -> String {
    let end = text.floor_char_boundary(MAX_LINE);
    String::from(text[..end].trim_end())
}

impl fmt::Display for Answer {
    /// Prints the move and the notes, each with a newline.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.square)?;
        match &self.notes {
            Some(notes) => writeln!(f, "{notes}"),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::{format, string::ToString as _};

    /// The documents' sample, up to the line after the board.
    const BOARD: &str =
        "........\n........\n...X....\n...XX...\n...XO...\n........\n........\n........\n";

    #[test]
    fn the_documents_samples_parse_and_print_as_they_stand() {
        for (side, color) in [("", None), ("O\n", Some(Color::White))] {
            let text = format!("{BOARD}{side}3000\n3 c3 e3 c5\n");
            let request = Request::parse(text.as_bytes()).unwrap();
            assert_eq!(request.side, color);
            assert_eq!(request.time, Duration::from_secs(3));
            assert_eq!(request.moves, [Square::C3, Square::E3, Square::C5]);
            assert_eq!(
                request.board(Color::White).to_string(),
                "-------------------X-------XX------XO--------------------------- O"
            );
            assert_eq!(request.to_string(), text);
            assert_eq!(
                Request::parse(text.replace('\n', "\r\n").as_bytes()),
                Ok(request)
            );
        }
        let answer = Answer::parse(b"e3\n").unwrap();
        assert_eq!((answer.square, answer.notes), (Square::E3, None));
    }

    #[test]
    fn a_request_that_is_cut_short_or_goes_on_is_an_error() {
        let error = |text: &str| Request::parse(text.as_bytes()).unwrap_err().to_string();
        insta::assert_snapshot!(
            [
                error(""),
                error("........\n"),
                error(BOARD),
                error(&format!("{BOARD}O\n")),
                error(&format!("{BOARD}3000\n")),
                error(&format!("{BOARD}3000\n3 c3 e3 c5\nmore\n")),
                error(&format!("{BOARD}........\n")),
            ]
            .join("\n")
        );
    }

    #[test]
    fn an_answer_is_a_move_and_a_line_of_notes_at_most() {
        let notes = |text: &[u8]| Answer::parse(text).map(|answer| answer.notes);
        for text in [
            "e3",
            "e3 ",
            " e3\n",
            "\n \n\te3\n",
            "e3\n\n\n",
            "\u{a0}e3\t",
        ] {
            assert_eq!(notes(text.as_bytes()), Ok(None), "{text:?}");
        }
        for text in ["e3\r\nscore +2\r\n", "\n e3 \n score +2 \n \n"] {
            let score = Some("score +2".to_string());
            assert_eq!(notes(text.as_bytes()), Ok(score), "{text:?}");
        }
        for text in [
            "",
            "\n",
            "E3\n",
            "v1.0.0\ne3\n",
            "e3 notes\n",
            "e3\nnotes\nmore\n",
            "e3\n\nnotes\n",
            "\u{feff}e3\n",
        ] {
            assert!(notes(text.as_bytes()).is_err(), "{text:?}");
        }
        for text in [&b"e3\nscore \xb12\n"[..], b"e3\n\xb12\n"] {
            assert!(notes(text).is_err(), "{}", text.escape_ascii());
        }
    }
}
