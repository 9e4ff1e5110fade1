//! Othello in records.

use std::error::Error;

use boardgame_core::Margin;
use boardgame_match::{ForfeitScore, record::RecordFormat};
use othello_core::{Board, Color, Empties, Game, Move};
use othello_host::FORFEIT_SCORE;

/// The text form of Othello in records: the board unless it is the usual one, and a
/// [transcript](Game::transcript) such as `f5d6c3`. The game is not named.
#[derive(Clone, Copy, Debug)]
pub enum Othello {}

impl RecordFormat for Othello {
    type Game = Board;

    const GAME: Option<&'static str> = None;
    const MARGIN: &'static str = "discs";
    const FORFEIT: Option<ForfeitScore> = Some(FORFEIT_SCORE);

    fn default_setup() -> Option<Board> {
        Some(Board::START)
    }

    fn margin_on_board(board: &Board) -> Option<Margin> {
        let score = board.score(Color::Black, Empties::OnBoard);
        Some(Margin::from_points(score.discs()))
    }

    fn write_moves(moves: &[Move]) -> String {
        let text = |mv: &Move| match mv {
            Move::Place(square) => square.to_string(),
            Move::Pass => "--".to_owned(),
        };
        moves.iter().map(text).collect()
    }

    fn read_moves(setup: &Board, text: &str) -> Result<Vec<Move>, Box<dyn Error + Send + Sync>> {
        let game = Game::from_transcript(*setup, text)?;
        Ok(game.moves().to_vec())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_and_passes_read_back() {
        assert_eq!(Othello::write_setup(&Board::START), None);
        let start = "OOOXXXXX-OXXXOOXOOOXXOOXXXXXOOOXOXXOOOOXOOOXXOOX-OXXOO-XOOOOOOOX O";
        let setup: Board = start.parse().unwrap();
        assert_eq!(Othello::write_setup(&setup).as_deref(), Some(start));
        // Passes can be omitted.
        let moves = Othello::read_moves(&setup, "A7 A2 --g7").unwrap();
        assert_eq!(Othello::write_moves(&moves), "--a7--a2--g7");
        let error = Othello::read_moves(&Board::START, "f5a1").unwrap_err();
        assert!(error.to_string().starts_with("illegal move a1"), "{error}");
    }
}
