//! Which lines of a text belong to one game.

use std::{cell::OnceCell, rc::Rc};

use othello_core::{Game, Move};

use super::{
    number, tokens,
    told::{Heading, Told, is_heading},
    without_comment,
};
use crate::input::Place;

/// The largest number of moves of lines that are a column or two of moves, and not games by themselves.
const COLUMNS: usize = 2;

/// The game that the lines before belong to.
#[derive(Default)]
pub(super) struct Lines {
    heading: Rc<OnceCell<Heading>>,
    /// A line has been read that is not empty and no comment.
    started: bool,
    game: Game,
    /// The number of its lines.
    lines: usize,
    /// The number of moves of its first line.
    first: usize,
    /// Its first line begins with the number of a move.
    is_numbered: bool,
    /// A move of it cannot be read or played.
    is_broken: bool,
    /// A name stands after its moves, or it is the row of a table.
    has_ended: bool,
}

/// What a line has for the question whether it goes on with a game.
struct Line {
    number: Option<usize>,
    moves: Vec<Move>,
    /// There is nothing but moves.
    is_whole: bool,
    is_row: bool,
    ends: bool,
}

impl Line {
    fn of(told: &Told<'_>) -> Self {
        let read: Vec<Option<Move>> = tokens(told.moves).map(|(_, mv)| mv).collect();
        Self {
            number: number(told.moves),
            is_whole: read.iter().all(Option::is_some),
            moves: read.into_iter().flatten().collect(),
            is_row: told.is_row,
            ends: told.is_row || !told.others.is_empty(),
        }
    }

    /// The number of its moves that are legal after those of a game.
    fn legal_after(&self, mut game: Game) -> usize {
        let legal = |mv: &&Move| game.play_recorded(**mv).is_ok();
        self.moves.iter().take_while(legal).count()
    }
}

impl Lines {
    pub(super) fn new(heading: Rc<OnceCell<Heading>>) -> Self {
        Self {
            heading,
            ..Self::default()
        }
    }

    /// Returns the part that a line has in a game. `is_begun` says that one has lines before it.
    pub(super) fn place(&mut self, is_begun: bool, line: &[u8]) -> Place {
        let text = line.trim_ascii();
        if without_comment(text).trim_ascii().is_empty() {
            return Place::Between;
        }
        if !std::mem::replace(&mut self.started, true) && is_heading(text) {
            if let Some(heading) = Heading::of(text) {
                self.heading.get_or_init(|| heading);
            }
            return Place::Between;
        }
        let line = Line::of(&Told::of(text, self.heading.get()));
        let goes_on = is_begun && self.goes_on(&line);
        if !goes_on {
            *self = Self {
                started: true,
                first: line.moves.len(),
                is_numbered: line.number.is_some(),
                ..Self::new(Rc::clone(&self.heading))
            };
        }
        self.add(&line);
        if goes_on { Place::Joins } else { Place::Begins }
    }

    fn add(&mut self, line: &Line) {
        self.lines += 1;
        self.has_ended |= line.ends;
        let game = &mut self.game;
        self.is_broken |=
            !line.is_whole || line.moves.iter().any(|&mv| game.play_recorded(mv).is_err());
    }

    /// Returns `true` if a line goes on with the game.
    fn goes_on(&self, line: &Line) -> bool {
        if self.has_ended || line.is_row || line.moves.is_empty() && !line.is_whole {
            return false;
        }
        let count = line.moves.len();
        let are_columns = count <= COLUMNS && count == self.first;
        let begins = line.legal_after(Game::default());
        let is_game = begins == count && line.is_whole;
        if self.is_broken {
            // What belongs to it is lost with it, and tells no more errors.
            return match line.number {
                Some(number) => number > 1 && (!is_game || self.lines > 1),
                None => begins == 0 || are_columns && self.lines > 1,
            };
        }
        let follows = line.legal_after(self.game.clone());
        let all_follow = follows == count && line.is_whole;
        if self.game.is_over() {
            return all_follow;
        }
        match line.number {
            Some(number) if all_follow && self.may_have(number) => true,
            Some(number) => number > 1 && !is_game && follows >= begins,
            // Moves that could be those of another game as well are, unless the form says that the game goes on.
            None if all_follow => !is_game || self.is_numbered || self.lines > 1 || are_columns,
            None => follows > begins,
        }
    }

    /// Returns `true` if the next move has this number: all moves are counted, or pairs of them, with passes or without.
    fn may_have(&self, number: usize) -> bool {
        let moves = self.game.moves();
        let discs = moves.iter().filter(|&&mv| mv != Move::Pass).count();
        [moves.len(), discs]
            .iter()
            .any(|before| number == before + 1 || number == before / 2 + 1)
    }
}
