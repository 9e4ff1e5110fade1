//! Othello at the engine's side.

mod commands;
mod gogui;

use alloc::{
    format,
    string::{String, ToString as _},
    vec::Vec,
};

use boardgame_core::Margin;
use boardgame_session::gtp::player::{
    EngineGame, Failure, Handler, Request, Turn, commands as common,
};
use othello_core::{Board, Color, Empties, Move, Square};

use super::Othello;
use crate::{
    ParseError,
    session::{Choice, Note, Progress, Question, progress},
    sgf,
};

/// A game of Othello at the engine's side of a session.
///
/// A pass that the controller leaves out is filled in; every other move out of turn fails.
#[derive(Clone, Debug, Default)]
pub struct OthelloGame {
    board: Board,
    /// The boards before each move of the game, for `undo`.
    history: Vec<Board>,
}

/// A text is not the record of a playable game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs)]
pub enum LoadError {
    /// It cannot be parsed.
    #[error(transparent)]
    Parse(ParseError),
    #[error("{mv} of {color} is illegal")]
    IllegalMove { color: Color, mv: Move },
}

impl EngineGame for OthelloGame {
    type Words = Othello;
    type Question = Question;
    type LoadError = LoadError;

    const TITLE: &'static str = "Othello";
    const ANALYZE_COMMANDS: &'static str = gogui::ANALYZE_COMMANDS;
    const COMMANDS: &'static [(&'static str, Handler<Self>)] = &[
        ("protocol_version", common::protocol_version),
        ("name", common::name),
        ("version", common::version),
        ("known_command", common::known_command),
        ("list_commands", common::list_commands),
        ("quit", common::quit),
        ("boardsize", commands::boardsize),
        ("clear_board", common::clear_board),
        ("komi", commands::komi),
        ("play", common::play),
        ("genmove", common::genmove),
        ("reg_genmove", common::reg_genmove),
        ("undo", common::undo),
        ("time_settings", common::time_settings),
        ("time_left", common::time_left),
        ("final_score", common::final_score),
        ("loadsgf", common::loadsgf),
        ("showboard", common::showboard),
        ("list_games", common::list_games),
        ("set_game", common::set_game),
        ("gogui-analyze_commands", common::analyze_commands),
        ("gogui-interrupt", common::gogui_interrupt),
        ("gogui-play_sequence", common::play_sequence),
        ("gogui-rules_board", gogui::rules_board),
        ("gogui-rules_board_size", gogui::rules_board_size),
        ("gogui-rules_final_result", gogui::rules_final_result),
        ("gogui-rules_game_id", common::list_games),
        ("gogui-rules_legal_moves", gogui::rules_legal_moves),
        ("gogui-rules_side_to_move", gogui::rules_side_to_move),
        ("gogui-setup", gogui::setup),
        ("gogui-setup_player", gogui::setup_player),
    ];

    fn board(&self) -> &Board {
        &self.board
    }

    fn clear(&mut self) {
        self.begin(Board::START);
    }

    fn play(&mut self, color: Color, mv: Move, note: &mut dyn FnMut(Note)) -> Result<(), Failure> {
        if self.board.is_over() && mv == Move::Pass && self.passes_after_end() < 2 {
            // Controllers of Go end a game by two passes.
            self.make(self.board.passed());
            return Ok(());
        }
        let mut board = self.turn_of(color, note).ok_or(Failure::IllegalMove)?;
        board.play(mv).map_err(|_| Failure::IllegalMove)?;
        self.make(board);
        Ok(())
    }

    fn undo(&mut self) -> Result<(), Failure> {
        self.board = self.history.pop().ok_or(Failure::CannotUndo)?;
        Ok(())
    }

    fn turn(&self, color: Color, note: &mut dyn FnMut(Note)) -> Result<Turn<Self>, Failure> {
        if self.board.is_over() {
            return Ok(Turn::Forced(Move::Pass));
        }
        let board = self.turn_of(color, note).ok_or(Failure::WrongColor)?;
        Ok(if board.must_pass() {
            Turn::Forced(Move::Pass)
        } else {
            Turn::Open(Question::best_move(board))
        })
    }

    fn chosen(&mut self, _: Color, _: Request, choice: &Choice) -> Option<Move> {
        Some(choice.square.into())
    }

    /// Returns the winner's margin, with the empty squares counted for the winner.
    fn margin(&mut self) -> Result<Margin, Failure> {
        if !self.board.is_over() {
            return Err(Failure::CannotScore);
        }
        let score = self.board.score(Color::Black, Empties::ToWinner);
        Ok(Margin::from_points(score.discs()))
    }

    fn load(
        &self,
        text: &str,
        count: usize,
        note: &mut dyn FnMut(Note),
    ) -> Result<Self, LoadError> {
        let (record, error) = sgf::Record::parse_until_error(text.as_bytes());
        // Errors after the requested moves do not matter, nor does an early end of the file.
        match error {
            Some(error)
                if error.expected() == "a property or )" && error.offset() == text.len() =>
            {
                note(Note::leniency("unclosed-record", error.to_string()));
            }
            Some(error) if record.moves.len() < count.max(1) => {
                return Err(LoadError::Parse(error));
            }
            _ => {}
        }
        let mut game = Self::default();
        game.begin(record.start);
        for sgf::Ply { color, mv, .. } in record.moves.into_iter().take(count) {
            let played = game.play(color, mv, note);
            played.map_err(|_| LoadError::IllegalMove { color, mv })?;
        }
        Ok(game)
    }

    /// Returns the board as Othello shows it, row 1 at the top.
    fn diagram(&self) -> String {
        let board = self.board;
        let rows: Vec<String> = (0..8)
            .map(|row| format!("{}{}", row + 1, line(board, row)))
            .collect();
        let [black, white] = Color::ALL.map(|color| board.discs(color).count());
        let turn = if board.is_over() {
            "the game is over".into()
        } else {
            format!("{} to move", board.side_to_move())
        };
        format!(
            "  A B C D E F G H\n{}\nBlack (X) {black}, White (O) {white}, {turn}",
            rows.join("\n"),
        )
    }

    fn progress(&self, color: Option<Color>) -> Progress {
        progress(self.board, color)
    }
}

impl OthelloGame {
    /// Appends `board` to the game.
    fn make(&mut self, board: Board) {
        self.history.push(self.board);
        self.board = board;
    }

    /// Starts a game on `board`.
    fn begin(&mut self, board: Board) {
        self.history.clear();
        self.board = board;
    }

    /// Returns the board with `color` to move, after a forced pass that the controller left out;
    /// `None` if it is not the colour's turn.
    fn turn_of(&self, color: Color, note: &mut dyn FnMut(Note)) -> Option<Board> {
        if self.board.side_to_move() == color {
            Some(self.board)
        } else if self.board.must_pass() {
            let text = format!("{} must pass: taken as done", !color);
            note(Note::leniency("automatic-pass", text));
            Some(self.board.passed())
        } else {
            None
        }
    }

    /// Returns the number of passes since the end of the game.
    fn passes_after_end(&self) -> usize {
        let boards = self.history.iter().rev();
        boards.take_while(|board| board.is_over()).count()
    }
}

/// The squares of a row with a blank before each.
fn line(board: Board, row: u8) -> String {
    let squares = Square::ALL.into_iter();
    let squares = squares.filter(|square| square.row() == row);
    squares
        .flat_map(|square| [' ', board.disc(square).map_or('.', Color::disc)])
        .collect()
}
