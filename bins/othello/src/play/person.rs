//! A person as a local player and as a thinker.

use std::time::Instant;

use boardgame_cli::terminal::{Cell, Grid, PersonRequests, PersonTurn, Prompt, Refusal};
use boardgame_match::{Choice, LocalPlayer, Turn};
use boardgame_session::Thought;
use othello_analysis::{PositionValue, Source, line_in_words};
use othello_core::{Bitboard, Board, Game, Move, Square};
use othello_engine::{Clock, Engine};
use othello_net::{Interrupter, Thinker};
use othello_proto::session::{self, Question, Task};
use othello_search::Report;

use super::{
    commands::{COMMANDS, Commands},
    history::History,
};
use crate::diagram::Diagram;

/// The form of a move.
pub(crate) const SQUARE: &str = "a square such as f5";

/// Reads a square that is one of the legal moves.
pub(crate) fn read(text: &str, moves: Bitboard) -> Result<Square, Refusal> {
    let square = text.to_ascii_lowercase().parse::<Square>();
    let square = square.map_err(|_| Refusal::NoMove)?;
    if moves.contains(square) {
        return Ok(square);
    }
    let legal: Vec<String> = moves.iter().map(|square| square.to_string()).collect();
    let reason = format!(
        "{square} is not legal here; legal moves: {}",
        legal.join(" ")
    );
    Err(Refusal::Illegal { reason })
}

/// Describes the engine's choice on a board with a number of empty squares, with the expected line of play.
pub(super) fn choice_in_words(report: &Report, empties: u32) -> String {
    match report.best {
        Some(square) => {
            let source = Source::of_report(report);
            let score = report.score.into();
            let value = PositionValue { score, source };
            let source = if report.from_book {
                "book".into()
            } else {
                source.in_words(empties)
            };
            let line = line_in_words(&report.pv);
            format!("{square} ({value}, {source}: {line})")
        }
        None => Move::Pass.to_string(),
    }
}

/// Calls `ask` with a board and a cursor, which starts on a legal move.
pub(crate) fn with_grid<T>(game: &Game, ask: impl FnOnce(&Grid<'_>) -> T) -> T {
    let diagram = Diagram::of(game);
    let square = |cell: Cell| Square::ALL[usize::from(8 * cell.row + cell.column)];
    let first = game.board().legal_moves().iter().next();
    let first = first.map_or(0, |square| square as u8);
    ask(&Grid {
        columns: 8,
        rows: 8,
        start: Cell {
            column: first % 8,
            row: first / 8,
        },
        name: &|cell| square(cell).to_string(),
        draw: &|cell| diagram.with_cursor(square(cell)).to_string(),
    })
}

/// Chooses moves by asking at the terminal.
pub(super) struct Person {
    /// For hints.
    pub(super) engine: Engine,
    pub(super) commands: Commands,
    /// The game up to the first move that a driver conducts, or the current one.
    pub(super) history: History,
    /// The reason why moves cannot be taken back, if so.
    pub(super) no_undo: Option<&'static str>,
    pub(super) requests: PersonRequests<Board>,
}

impl Person {
    /// Asks until a square is chosen, or a request is made.
    fn choose_square(&mut self, game: &Game) -> Option<Square> {
        let (engine, commands) = (&mut self.engine, &self.commands);
        let board = game.board();
        with_grid(game, |grid| {
            self.requests.ask(&mut PersonTurn {
                position: &board,
                board: &Diagram::of(game),
                prompt: Prompt {
                    expected: SQUARE,
                    read: &|text| read(text, board.legal_moves()),
                    commands: COMMANDS,
                    in_game: true,
                    grid: Some(grid),
                },
                hint: &mut || {
                    let report = engine.choose(board, &Clock::default());
                    choice_in_words(&report, board.empties().count())
                },
                command: &mut |command, rest| commands.answer(game, command, rest),
                no_undo: self.no_undo,
            })
        })
    }
}

impl LocalPlayer<Board> for Person {
    /// A request calls the game off before the answer counts.
    fn choose(&mut self, turn: &Turn<Board>) -> Choice<Move> {
        match self.choose_square(&self.history.at(&turn.moves, turn.position)) {
            Some(square) => Choice::Move(square.into(), Thought::default()),
            None => Choice::Resign,
        }
    }
}

impl Thinker<Question> for Person {
    /// A request is answered by any square, since the game is called off.
    fn think(&mut self, task: &Task, _started: Instant) -> session::Choice {
        let square = self.choose_square(&self.history.at(&[], task.question.board));
        square
            .unwrap_or_else(|| task.question.first_square())
            .into()
    }

    fn interrupter(&self) -> Interrupter {
        // A read of the terminal cannot be cancelled; the process still ends.
        Box::new(|| {})
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_legal_square_is_read_in_either_case() {
        let read = |text| read(text, Board::START.legal_moves());
        assert_eq!((read("F5"), read("c4")), (Ok(Square::F5), Ok(Square::C4)));
        assert_eq!(read("xyzzy"), Err(Refusal::NoMove));
        let illegal = read("a1").unwrap_err().to_string();
        assert_eq!(illegal, "a1 is not legal here; legal moves: d3 c4 f5 e6");
    }
}
