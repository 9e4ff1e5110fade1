//! A person as a player of this process and as a thinker.

use std::time::Instant;

use boardgame_cli::terminal::{PersonsTurn, Prompt, Refusal, Wishes};
use boardgame_match::{Choice, LocalPlayer, Turn};
use boardgame_session::Thought;
use othello_core::{Bitboard, Board, Move, Square};
use othello_engine::{Clock, Engine};
use othello_net::{Interrupter, Thinker};
use othello_proto::session::{self, Question, Task};

use super::local::told;

/// The form of a move.
pub(super) const SQUARE: &str = "a square such as f5";

/// Reads a square that is one of the legal moves.
pub(super) fn read(text: &str, moves: Bitboard) -> Result<Square, Refusal> {
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

/// Chooses moves by asking at the terminal.
pub(super) struct Person {
    /// For hints.
    pub(super) engine: Engine,
    /// The reason why no move can be taken back, if none can.
    pub(super) no_undo: Option<&'static str>,
    pub(super) wishes: Wishes<Board>,
}

impl Person {
    /// Asks until a square is chosen, or there is a wish.
    fn choose_square(&mut self, board: Board) -> Option<Square> {
        let engine = &mut self.engine;
        self.wishes.ask(&mut PersonsTurn {
            position: &board,
            board: &board.pretty(),
            prompt: Prompt {
                expected: SQUARE,
                read: &|text| read(text, board.legal_moves()),
            },
            hint: &mut || told(&engine.choose(board, &Clock::default())),
            no_undo: self.no_undo,
        })
    }
}

impl LocalPlayer<Board> for Person {
    /// A wish calls the game off before the answer counts.
    fn choose(&mut self, turn: &Turn<Board>) -> Choice<Move> {
        match self.choose_square(turn.position) {
            Some(square) => Choice::Move(square.into(), Thought::default()),
            None => Choice::Resign,
        }
    }
}

impl Thinker<Question> for Person {
    /// A wish is answered by any square, for the game is called off.
    fn think(&mut self, task: &Task, _started: Instant) -> session::Choice {
        let square = self.choose_square(task.question.board);
        square
            .unwrap_or_else(|| task.question.first_square())
            .into()
    }

    fn interrupter(&self) -> Interrupter {
        // A read of the terminal cannot be called back; the process ends all the same.
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
