//! Detection of the lines that belong to the same game.

use std::{cell::OnceCell, rc::Rc};

use othello_core::{Bitboard, Game, Move};

use super::{
    line_parts::{Heading, LineParts, is_heading},
    number, tokens, without_comment,
};
use crate::input::Place;

/// The maximum number of moves of a line that continues a game in one or two columns.
const COLUMNS: usize = 2;

/// The column names of a table, if the first line of a text has any; empty before that line.
pub(super) type FirstLine = Rc<OnceCell<Option<Heading>>>;

/// The game of the preceding lines.
#[derive(Default)]
pub(super) struct GameLines {
    first_line: FirstLine,
    game: Game,
    state: State,
    /// The number of its lines.
    count: usize,
    /// The squares in its lines.
    squares: Bitboard,
    /// True if its first line begins with a move number.
    is_numbered: bool,
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum State {
    #[default]
    Open,
    /// A move cannot be read or played.
    Broken,
    /// A name follows the moves, or the game is a row of a table.
    Ended,
}

/// The properties of a line that determine whether it continues a game.
struct Line {
    number: Option<usize>,
    moves: Vec<Move>,
    /// True if the line has nothing but moves.
    is_whole: bool,
    is_row: bool,
    ends: bool,
}

impl Line {
    fn of(parts: &LineParts<'_>) -> Self {
        let read: Vec<Option<Move>> = tokens(parts.moves).map(|(_, mv)| mv).collect();
        Self {
            number: number(parts.moves),
            is_whole: read.iter().all(Option::is_some),
            moves: read.into_iter().flatten().collect(),
            is_row: parts.is_row,
            ends: parts.is_row || !parts.others.is_empty(),
        }
    }

    fn squares(&self) -> Bitboard {
        self.moves.iter().filter_map(|mv| mv.square()).collect()
    }

    /// The number of its moves that are legal after a game's moves.
    fn legal_after(&self, mut game: Game) -> usize {
        let legal = |mv: &&Move| game.play_recorded(**mv).is_ok();
        self.moves.iter().take_while(legal).count()
    }
}

impl GameLines {
    pub(super) fn new(first_line: FirstLine) -> Self {
        Self {
            first_line,
            ..Self::default()
        }
    }

    /// Returns the role of a line. `is_begun` is true if the current game has earlier lines.
    pub(super) fn place(&mut self, is_begun: bool, line: &[u8]) -> Place {
        let text = line.trim_ascii();
        if without_comment(text).trim_ascii().is_empty() {
            return Place::Between;
        }
        if self.first_line.get().is_none() {
            let is_heading = is_heading(text);
            let heading = is_heading.then(|| Heading::of(text)).flatten();
            self.first_line.get_or_init(|| heading);
            if is_heading {
                return Place::Between;
            }
        }
        let heading = self.first_line.get().and_then(Option::as_ref);
        let line = Line::of(&LineParts::of(text, heading));
        let goes_on = is_begun && self.goes_on(&line);
        if !goes_on {
            // A line that does not start a game may be damaged and belong to the one before.
            let is_apart = !is_begun || line.legal_after(Game::default()) > 0;
            *self = Self {
                squares: if is_apart {
                    Bitboard::default()
                } else {
                    self.squares
                },
                is_numbered: line.number.is_some(),
                ..Self::new(Rc::clone(&self.first_line))
            };
        }
        self.add(&line);
        if goes_on { Place::Joins } else { Place::Begins }
    }

    fn add(&mut self, line: &Line) {
        self.count += 1;
        self.squares |= line.squares();
        let mut moves = line.moves.iter();
        let is_legal = moves.all(|&mv| self.game.play_recorded(mv).is_ok());
        self.state = match self.state {
            _ if line.ends => State::Ended,
            _ if !line.is_whole || !is_legal => State::Broken,
            state => state,
        };
    }

    /// Returns `true` if a line continues the game.
    fn goes_on(&self, line: &Line) -> bool {
        if self.state == State::Ended || line.is_row || line.moves.is_empty() && !line.is_whole {
            return false;
        }
        let count = line.moves.len();
        let begins = line.legal_after(Game::default());
        let is_game = begins == count && line.is_whole;
        if self.state == State::Broken {
            // Lines of a broken game are dropped with it, without further errors.
            return match line.number {
                Some(number) => number > 1 && (!is_game || self.count > 1),
                // No square is played twice in a game.
                None => begins == 0 || self.count > 1 && (line.squares() & self.squares).is_empty(),
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
            // Moves that could also start a game do so, unless the numbering shows that the game continues.
            None if all_follow => {
                !is_game || self.is_numbered || self.count > 1 || count <= COLUMNS
            }
            None => follows > begins,
        }
    }

    /// Returns `true` if the next move may have this number, counting moves or pairs of moves, with or without passes.
    fn may_have(&self, number: usize) -> bool {
        let moves = self.game.moves();
        let discs = moves.iter().filter(|&&mv| mv != Move::Pass).count();
        [moves.len(), discs]
            .iter()
            .any(|before| number == before + 1 || number == before / 2 + 1)
    }
}
