//! Likely causes of illegal moves: misunderstandings that explain the moves of a program.

use boardgame_session::{Cause, SeatFault};
use othello_core::{Color, Game, Move, Square};

/// Returns the likely cause of a program's illegal move after the moves of a game, in words. `illegal` is `None` for a
/// pass.
pub fn likely_cause(game: &Game, program: Color, illegal: Option<Square>) -> Option<String> {
    let plies = game.plies();
    let mut moves: Vec<_> = plies
        .map(|(board, mv)| (board.side_to_move(), mv.square()))
        .collect();
    moves.push((program, illegal));
    let explains = |it: &Misunderstanding| Belief::new(*it, game, program).follows(&moves);
    let explaining = Misunderstanding::ALL.into_iter().filter(explains);
    let causes: Vec<&str> = explaining.map(Misunderstanding::in_words).collect();
    (!causes.is_empty()).then(|| causes.join(", or "))
}

/// Returns the cause of the end of a game in words, with the likely cause of an illegal move.
pub fn in_words(cause: &Cause, game: &Game) -> String {
    let likely = match cause {
        Cause::Forfeit {
            by,
            fault: SeatFault::IllegalMove { mv, .. },
        } => mv
            .parse()
            .ok()
            .and_then(|mv: Move| likely_cause(game, *by, mv.square())),
        _ => None,
    };
    let likely = likely.map(|likely| format!("; {likely}"));
    format!("{cause}{}", likely.unwrap_or_default())
}

/// A misunderstanding of the notation, the game or its rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Misunderstanding {
    /// It writes squares with columns and rows exchanged.
    ColumnsAndRows,
    /// It counts rows from the bottom when it writes squares.
    RowsFromBelow,
    /// It moves for the other colour.
    WrongColor,
    /// It leaves the opponent's moves out.
    OpponentIgnored,
    /// It does not flip discs after its own moves.
    OwnFlipsIgnored,
    /// It does not flip discs after the opponent's moves.
    OpponentFlipsIgnored,
    /// It knows no diagonals.
    NoDiagonals,
    /// It knows only diagonals.
    DiagonalsAlone,
}

impl Misunderstanding {
    const ALL: [Self; 8] = [
        Self::ColumnsAndRows,
        Self::RowsFromBelow,
        Self::WrongColor,
        Self::OpponentIgnored,
        Self::OwnFlipsIgnored,
        Self::OpponentFlipsIgnored,
        Self::NoDiagonals,
        Self::DiagonalsAlone,
    ];

    const fn in_words(self) -> &'static str {
        match self {
            Self::ColumnsAndRows => "columns and rows look exchanged in what it writes",
            Self::RowsFromBelow => "rows look counted from the bottom in what it writes",
            Self::WrongColor => "it looks as if it moved for the other colour",
            Self::OpponentIgnored => {
                "it looks as if it did not play the opponent's moves on its board"
            }
            Self::OwnFlipsIgnored => "it looks as if it flipped no discs after its own moves",
            Self::OpponentFlipsIgnored => {
                "it looks as if it flipped no discs after the opponent's moves"
            }
            Self::NoDiagonals => "it looks as if it did not flip along diagonals",
            Self::DiagonalsAlone => "it looks as if it flipped only along diagonals",
        }
    }
}

/// A board as a program with a misunderstanding sees it.
struct Belief {
    misunderstanding: Misunderstanding,
    program: Color,
    discs: [Option<Color>; 64],
}

impl Belief {
    fn new(misunderstanding: Misunderstanding, game: &Game, program: Color) -> Self {
        Self {
            misunderstanding,
            program,
            discs: Square::ALL.map(|square| game.start().disc(square)),
        }
    }

    /// Plays the moves of both sides, and returns whether those of the program are legal on this board. `None` is a pass.
    fn follows(&mut self, moves: &[(Color, Option<Square>)]) -> bool {
        use Misunderstanding::{
            OpponentFlipsIgnored, OpponentIgnored, OwnFlipsIgnored, WrongColor,
        };
        moves.iter().all(|&(color, square)| {
            let own = color == self.program;
            if !own && self.misunderstanding == OpponentIgnored {
                return true;
            }
            let moving = if own && self.misunderstanding == WrongColor {
                !color
            } else {
                color
            };
            let Some(square) = square else {
                return !own
                    || Square::ALL
                        .iter()
                        .all(|&it| self.flips(moving, it).is_empty());
            };
            let square = if own { self.meant(square) } else { square };
            let flips = self.flips(moving, square);
            let is_legal = !flips.is_empty();
            let ignored = if own {
                OwnFlipsIgnored
            } else {
                OpponentFlipsIgnored
            };
            if self.misunderstanding != ignored {
                for flipped in flips {
                    self.discs[usize::from(flipped.index())] = Some(moving);
                }
            }
            self.discs[usize::from(square.index())] = Some(moving);
            is_legal || !own
        })
    }

    /// Returns the square that the program meant.
    fn meant(&self, square: Square) -> Square {
        let [column, row] = [square.column(), square.row()];
        let meant = match self.misunderstanding {
            Misunderstanding::ColumnsAndRows => Square::new(row, column),
            Misunderstanding::RowsFromBelow => Square::new(column, 7 - row),
            _ => None,
        };
        meant.unwrap_or(square)
    }

    /// Returns the discs that a move flips in the directions that the program knows.
    fn flips(&self, color: Color, square: Square) -> Vec<Square> {
        let mut flips = Vec::new();
        if self.disc(square).is_some() {
            return flips;
        }
        for (x, y) in (-1..=1).flat_map(|x| (-1..=1).map(move |y| (x, y))) {
            let is_known = match self.misunderstanding {
                Misunderstanding::NoDiagonals => x == 0 || y == 0,
                Misunderstanding::DiagonalsAlone => x != 0 && y != 0,
                _ => true,
            };
            if (x, y) == (0, 0) || !is_known {
                continue;
            }
            let mut line = Vec::new();
            let mut at = step(square, x, y);
            while let Some(next) = at.filter(|&at| self.disc(at) == Some(!color)) {
                line.push(next);
                at = step(next, x, y);
            }
            if at.is_some_and(|at| self.disc(at) == Some(color)) {
                flips.append(&mut line);
            }
        }
        flips
    }

    const fn disc(&self, square: Square) -> Option<Color> {
        self.discs[square.index() as usize]
    }
}

fn step(square: Square, x: i8, y: i8) -> Option<Square> {
    let column = square.column().checked_add_signed(x)?;
    Square::new(column, square.row().checked_add_signed(y)?)
}
