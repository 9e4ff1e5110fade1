//! Games as text: `B Q16, W D4, B pass`.

use core::{fmt, str::FromStr};

use boardgame_core::Color;

use crate::{Game, IllegalMove, Move, Setup};

/// A printable list of moves: see [`Game::transcript`].
#[derive(Clone, Copy)]
pub struct Transcript<'a>(&'a Game);

impl fmt::Display for Transcript<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, (color, mv)) in self.0.moves().iter().enumerate() {
            let gap = if number == 0 { "" } else { ", " };
            let letter = match color {
                Color::Black => 'B',
                Color::White => 'W',
            };
            write!(f, "{gap}{letter} {mv}")?;
        }
        Ok(())
    }
}

impl fmt::Debug for Transcript<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Transcript(\"{self}\")")
    }
}

/// The error of parsing a transcript.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct TranscriptError {
    /// The byte offset of the invalid move.
    pub offset: usize,
    pub kind: TranscriptErrorKind,
}

/// The kind of a [`TranscriptError`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TranscriptErrorKind {
    /// Expected a colour and a move, as in `B Q16`.
    NoMove,
    /// The move is illegal.
    Illegal(IllegalMove),
}

impl fmt::Display for TranscriptError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            TranscriptErrorKind::NoMove => f.write_str("expected a move such as B Q16")?,
            TranscriptErrorKind::Illegal(error) => error.fmt(f)?,
        }
        write!(f, " at offset {}", self.offset)
    }
}

// The message includes the illegal move, so it is not a source: it would be printed twice.
impl core::error::Error for TranscriptError {}

impl Game {
    /// Returns a printable list of the moves, such as `B Q16, W D4, B pass`.
    pub const fn transcript(&self) -> Transcript<'_> {
        Transcript(self)
    }

    /// Parses the moves of a game that starts from a setup.
    ///
    /// Moves are separated by commas, with optional white space. Colours and moves may be in either case, and either
    /// side may move out of turn. Play may continue after two passes.
    ///
    /// # Errors
    ///
    /// Fails at the first text that is not a move, or at the first illegal move.
    ///
    /// # Examples
    ///
    /// ```
    /// use go_core::{Game, Setup};
    ///
    /// let game = Game::from_transcript(Setup::default(), "b q16, w d4, b pass")?;
    /// assert_eq!(game.transcript().to_string(), "B Q16, W D4, B pass");
    /// let error = Game::from_transcript(Setup::default(), "B Q16, W Q16").unwrap_err();
    /// assert_eq!(error.to_string(), "illegal move Q16: the point is occupied at offset 7");
    /// # Ok::<(), go_core::TranscriptError>(())
    /// ```
    pub fn from_transcript(setup: Setup, text: &str) -> Result<Self, TranscriptError> {
        let mut game = Self::new(setup);
        if text.trim().is_empty() {
            return Ok(game);
        }
        let mut end = 0;
        for part in text.split(',') {
            let offset = end + part.len() - part.trim_start().len();
            end += part.len() + 1;
            let error = |kind| TranscriptError { offset, kind };
            let (color, mv) = read_move(part).ok_or(error(TranscriptErrorKind::NoMove))?;
            game.resume();
            game.play_as(color, mv)
                .map_err(|illegal| error(TranscriptErrorKind::Illegal(illegal)))?;
        }
        Ok(game)
    }
}

/// Parses a colour, as a letter or in full, and a move.
fn read_move(text: &str) -> Option<(Color, Move)> {
    let mut words = text.split_whitespace();
    let color = words.next()?.parse().ok()?;
    let mv = words.next()?.parse().ok()?;
    words.next().is_none().then_some((color, mv))
}

impl FromStr for Game {
    type Err = TranscriptError;

    /// Parses the moves of a game on 19x19: see [`Game::from_transcript`].
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::from_transcript(Setup::default(), text)
    }
}

impl fmt::Debug for Game {
    /// Formats setup and moves as text, without the position.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Game")
            .field("setup", &format_args!("{}", self.setup()))
            .field("moves", &format_args!("{}", self.transcript()))
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use core::error::Error as _;
    use std::{format, string::ToString};

    fn error(text: &str) -> TranscriptError {
        text.parse::<Game>().unwrap_err()
    }

    #[test]
    fn games_round_trip() {
        for text in ["", "B Q16", "B Q16, B D4, W pass, B pass, W K10"] {
            assert_eq!(text.parse::<Game>().unwrap().transcript().to_string(), text);
        }
        let game: Game = "black q16 ,\n WHITE D4".parse().unwrap();
        assert_eq!(game.transcript().to_string(), "B Q16, W D4");
        assert_eq!(" \n".parse::<Game>().unwrap(), Game::default());
    }

    #[test]
    fn errors_give_offset_and_kind() {
        assert_eq!(
            ["B Q16,", "B Q16,  W I5"].map(|text| error(text).offset),
            [6, 8]
        );
        for text in ["Q16", "B", "B Q16 W D4", "X", ",", "B é", "grey Q16"] {
            assert_eq!(error(text).kind, TranscriptErrorKind::NoMove, "{text}");
        }
        assert_eq!(
            error("B").to_string(),
            "expected a move such as B Q16 at offset 0"
        );
        assert!(error("B").source().is_none());
        let illegal = error("B Q16, W U20");
        assert_eq!(illegal.offset, 7);
        assert_eq!(
            illegal.to_string(),
            "illegal move U20: the point is off the board at offset 7"
        );
        assert!(illegal.source().is_none());
    }

    #[test]
    fn debug_output_is_short() {
        let game: Game = "B Q16, W D4".parse().unwrap();
        let expected = "Game { setup: 19x19 komi 0 rules japanese, moves: B Q16, W D4, .. }";
        assert_eq!(format!("{game:?}"), expected);
        assert_eq!(
            format!("{:?}", game.transcript()),
            "Transcript(\"B Q16, W D4\")"
        );
    }
}
