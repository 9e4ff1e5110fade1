//! Balanced lines of an opening book.

use std::{
    fmt,
    path::{Path, PathBuf},
};

use othello_core::{Game, Position, Square};
use othello_engine::{book::OpeningBook, text};

use super::{
    Line, OpeningsError,
    random::{Random, longer},
};
use crate::engine::read_book;

/// The lines of an opening book from the start to a ply whose position the book has, distinct up to symmetry.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct BookLines {
    /// The file of the book, or `built-in`.
    pub path: PathBuf,
    /// The discs placed, 1 to 50, not counting passes.
    pub plies: u32,
    /// The most that a move may lose and that the position at the end may be worth to either side, in hundredths of a
    /// disc.
    pub margin: u16,
}

impl BookLines {
    /// Lines of 8 plies with a margin of 2 discs.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self {
            path: path.into(),
            plies: 8,
            margin: 200,
        }
    }

    /// Reads `FILE,plies=N,margin=DISCS`.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let mut parts = text.split(',');
        let path = parts.next().filter(|path| !path.is_empty())?;
        let mut lines = Self::new(path);
        parts.try_for_each(|part| lines.set(part))?;
        Some(lines)
    }

    fn set(&mut self, part: &str) -> Option<()> {
        let (key, value) = part.split_once('=')?;
        match key {
            "plies" => {
                let plies = value.parse().ok();
                self.plies = plies.filter(|plies| Random::PLIES.contains(plies))?;
            }
            "margin" => self.margin = text::discs(value).ok()?,
            _ => return None,
        }
        Some(())
    }

    /// Reads the book, whose file is named from a folder, and finds the lines.
    pub(super) fn load(&self, folder: &Path) -> Result<Vec<Line>, OpeningsError> {
        let book = read_book(folder, &self.path).map_err(|source| OpeningsError::Book {
            path: folder.join(&self.path),
            source,
        })?;
        self.of(&book)
    }

    /// Returns the lines, at least one.
    fn of(&self, book: &OpeningBook) -> Result<Vec<Line>, OpeningsError> {
        let margin = i32::from(self.margin);
        let moves = |position: Position| -> Vec<Square> {
            let moves = book.moves(position);
            let least = moves.first().map_or(0, |best| i32::from(best.value)) - margin;
            let kept = moves.iter();
            let kept = kept.filter(|mv| mv.stays && i32::from(mv.value) >= least);
            kept.map(|mv| mv.square).collect()
        };
        let mut games = vec![Game::default()];
        let mut longest = 0;
        for ply in 1..=self.plies {
            games = longer(games, moves);
            if !games.is_empty() {
                longest = ply;
            }
        }
        games.retain(|game| {
            let record = book.get(game.board().position());
            record.is_some_and(|record| i32::from(record.value).abs() <= margin)
        });
        if games.is_empty() {
            return Err(OpeningsError::NotInBook {
                lines: self.clone(),
                longest,
            });
        }
        Ok(games.iter().map(Line::of).collect())
    }
}

impl fmt::Display for BookLines {
    /// In the form that is parsed.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let margin = f64::from(self.margin) / 100.0;
        let (path, plies) = (self.path.display(), self.plies);
        write!(f, "book:{path},plies={plies},margin={margin}")
    }
}
