//! Games as text: `f5d6c3…`.

use core::{fmt, str::FromStr};

use crate::{Board, Game, IllegalMove, Move};

/// A text does not tell a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TranscriptError {
    /// The byte in the text at which the trouble lies.
    pub offset: usize,
    /// What it is.
    pub kind: TranscriptErrorKind,
}

/// What keeps a text from telling a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TranscriptErrorKind {
    /// A square or a pass (`--`, `ps`, `pa`) was expected.
    NoMove,
    /// The rules forbid the move.
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

/// Prints a game's moves: see [`Game::transcript`].
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
    /// The moves as a line such as `f5d6c3`, a pass being `--`; the alternate form `{:#}` is in
    /// upper case.
    pub const fn transcript(&self) -> Transcript<'_> {
        Transcript(self)
    }

    /// The game that began on `start` and went on as `text` tells.
    ///
    /// Squares may be in either case and parted by white space. A pass may be told as `--`, `ps`
    /// or `pa`, or left out.
    ///
    /// # Errors
    ///
    /// At the first piece of text that is no move, or no legal one.
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
            if mv != Move::Pass && game.board().must_pass() {
                let passed = game.play(Move::Pass);
                debug_assert!(passed.is_ok());
            }
            game.play(mv)
                .map_err(|illegal| error(TranscriptErrorKind::Illegal(illegal)))?;
            rest = &rest[2..];
        }
    }
}

impl FromStr for Game {
    type Err = TranscriptError;

    /// Reads a game from the standard start: see [`Game::from_transcript`].
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::from_transcript(Board::START, text)
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
    fn errors_say_where_and_what() {
        assert_eq!(error("f5d").offset, 2);
        assert_eq!(error("f5 é6").kind, TranscriptErrorKind::NoMove);
        assert_eq!(error("f5 é6").offset, 3);
        assert!(matches!(
            error(" f5--").kind,
            TranscriptErrorKind::Illegal(_)
        ));
        assert_eq!(error(" f5--").offset, 3);
    }

    #[test]
    fn errors_read_well_and_name_their_source() {
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
    fn passes_may_be_told_or_left_out() {
        let mut board = Board::START;
        let mut game = Game::default();
        // Whoever has a choice plays the last square, which soon brings passes.
        while !board.is_over() {
            let mv = board
                .legal_moves()
                .iter()
                .last()
                .map_or(Move::Pass, Move::Place);
            board.play(mv).unwrap();
            game.play(mv).unwrap();
        }
        assert!(game.moves().contains(&Move::Pass));
        let told = game.transcript().to_string();
        assert_eq!(told.parse(), Ok(game.clone()));
        assert_eq!(told.replace("--", "").parse(), Ok(game.clone()));
        assert_eq!(told.replace("--", " PA ").parse(), Ok(game));
    }
}
