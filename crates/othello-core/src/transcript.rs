//! Games as text: `f5d6c3…`.

use core::{fmt, str::FromStr};

use crate::{Board, Game, IllegalMove, Move};

/// The error of parsing a transcript.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[allow(missing_docs)]
pub struct TranscriptError {
    /// The byte offset of the unexpected text.
    pub offset: usize,
    pub kind: TranscriptErrorKind,
}

/// The kind of a [`TranscriptError`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TranscriptErrorKind {
    /// Expected a square or a pass (`--`, `ps`, `pa`).
    NoMove,
    /// The move is illegal.
    Illegal(IllegalMove),
}

impl fmt::Display for TranscriptError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            TranscriptErrorKind::NoMove => f.write_str("expected a square a1-h8 or a pass")?,
            TranscriptErrorKind::Illegal(error) => error.fmt(f)?,
        }
        write!(f, " at offset {}", self.offset)
    }
}

impl core::error::Error for TranscriptError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match &self.kind {
            TranscriptErrorKind::NoMove => None,
            TranscriptErrorKind::Illegal(error) => Some(error),
        }
    }
}

/// A printable list of moves: see [`Game::transcript`].
#[derive(Clone, Copy)]
pub struct Transcript<'a>(&'a Game);

impl fmt::Display for Transcript<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for mv in self.0.moves() {
            match mv {
                Move::Place(square) => square.fmt(f)?,
                Move::Pass => f.write_str("--")?,
            }
        }
        Ok(())
    }
}

impl fmt::Debug for Transcript<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Transcript(\"{self}\")")
    }
}

impl Game {
    /// A printable list of the moves, such as `f5d6c3`. A pass is printed as `--`; the alternate form `{:#}` is in
    /// upper case.
    pub const fn transcript(&self) -> Transcript<'_> {
        Transcript(self)
    }

    /// Parses a game that starts from `start`.
    ///
    /// Squares may be in either case and separated by white space. A pass is written as `--`, `ps`
    /// or `pa`, or left out.
    ///
    /// # Errors
    ///
    /// Fails at the first text that is not a move, or at the first illegal move.
    ///
    /// # Examples
    ///
    /// ```
    /// use othello_core::{Board, Game};
    ///
    /// let game = Game::from_transcript(Board::START, "F5 d6 c3")?;
    /// assert_eq!(game.transcript().to_string(), "f5d6c3");
    /// let error = Game::from_transcript(Board::START, "f5f5").unwrap_err();
    /// assert_eq!(error.to_string(), "illegal move f5: the square is occupied at offset 2");
    /// # Ok::<(), othello_core::TranscriptError>(())
    /// ```
    pub fn from_transcript(start: Board, text: &str) -> Result<Self, TranscriptError> {
        let mut game = Self::new(start);
        let mut rest = text;
        loop {
            rest = rest.trim_start();
            if rest.is_empty() {
                return Ok(game);
            }
            let offset = text.len() - rest.len();
            let error = |kind| TranscriptError { offset, kind };
            let piece = rest.get(..2).ok_or(error(TranscriptErrorKind::NoMove))?;
            let mv = piece
                .parse::<Move>()
                .map_err(|_| error(TranscriptErrorKind::NoMove))?;
            let played = match mv {
                Move::Place(square) => game.play_recorded(square),
                Move::Pass => game.play(Move::Pass),
            };
            played.map_err(|illegal| error(TranscriptErrorKind::Illegal(illegal)))?;
            rest = &rest[2..];
        }
    }
}

impl FromStr for Game {
    type Err = TranscriptError;

    /// Parses a game from the standard start: see [`Game::from_transcript`].
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::from_transcript(Board::START, text)
    }
}

impl fmt::Display for Game {
    /// Prints the moves as [`Game::transcript`] does, without the start.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.transcript().fmt(f)
    }
}

impl fmt::Debug for Game {
    /// Formats the moves as text, with only the first and the last board.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Game")
            .field("start", &format_args!("{}", self.start()))
            .field("moves", &format_args!("{}", self.transcript()))
            .field("board", &format_args!("{}", self.board()))
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use core::error::Error as _;
    use std::string::ToString;

    fn error(text: &str) -> TranscriptError {
        text.parse::<Game>().unwrap_err()
    }

    #[test]
    fn errors_display_and_give_their_source() {
        assert_eq!(error("f5 é6").kind, TranscriptErrorKind::NoMove);
        assert_eq!([" f5--", "f5 é6"].map(|text| error(text).offset), [3, 3]);
        let no_move = error("f5d");
        assert_eq!(
            no_move.to_string(),
            "expected a square a1-h8 or a pass at offset 2"
        );
        assert!(no_move.source().is_none());
        let illegal = error("f5f5");
        assert_eq!(
            illegal.to_string(),
            "illegal move f5: the square is occupied at offset 2"
        );
        let source = illegal.source().map(ToString::to_string);
        assert_eq!(
            source.as_deref(),
            Some("illegal move f5: the square is occupied")
        );
    }

    #[test]
    fn passes_may_be_explicit_or_omitted() {
        let mut board = Board::START;
        let mut game = Game::default();
        // Always playing the last legal square soon leads to passes.
        while !board.is_over() {
            let mv = board.legal_moves().last().map_or(Move::Pass, Move::Place);
            board.play(mv).unwrap();
            game.play(mv).unwrap();
        }
        assert!(game.moves().contains(&Move::Pass));
        let text = game.transcript().to_string();
        assert_eq!(text.parse(), Ok(game.clone()));
        assert_eq!(text.replace("--", "").parse(), Ok(game.clone()));
        assert_eq!(text.replace("--", " PA ").parse(), Ok(game));
    }

    #[test]
    fn debug_output_is_short() {
        let game: Game = "f5d6c3".parse().unwrap();
        let expected = "Game { \
            start: ---------------------------OX------XO--------------------------- X, \
            moves: f5d6c3, \
            board: ------------------X--------XX------OXX-----O-------------------- O, .. }";
        assert_eq!(std::format!("{game:?}"), expected);
        assert_eq!(
            std::format!("{:?}", game.transcript()),
            "Transcript(\"f5d6c3\")"
        );
    }
}
