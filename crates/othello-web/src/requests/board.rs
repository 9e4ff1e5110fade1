//! A board for the page.

use othello_core::{Board, ByColor, Color, Game, Move};
use serde::{Serialize, Serializer};

/// A board with its properties by the rules.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct BoardInfo {
    /// The 64 squares from a1 to h8 as `X`, `O` and `-`.
    pub squares: String,
    /// The side to move, or `None` at the end of the game; `black` or `white` in JSON.
    #[serde(serialize_with = "side")]
    pub to_move: Option<Color>,
    /// Whether the side to move must pass.
    pub must_pass: bool,
    /// Whether the game is over.
    pub over: bool,
    /// The squares that the side to move may play.
    pub legal: Vec<Move>,
    /// The number of discs of each side.
    pub discs: ByColor<u32>,
    /// The move that led to the board.
    pub last: Option<Move>,
}

#[allow(
    clippy::ref_option,
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes fields by reference"
)]
fn side<S: Serializer>(side: &Option<Color>, serializer: S) -> Result<S::Ok, S::Error> {
    side.map(|side| match side {
        Color::Black => "black",
        Color::White => "white",
    })
    .serialize(serializer)
}

impl BoardInfo {
    /// Describes a board and the move that led to it.
    pub fn new(board: Board, last: Option<Move>) -> Self {
        Self {
            squares: board.to_string().chars().take(64).collect(),
            to_move: (!board.is_over()).then_some(board.side_to_move()),
            must_pass: board.must_pass(),
            over: board.is_over(),
            legal: board.legal_moves().into_iter().map(Move::from).collect(),
            discs: ByColor::new_with(|color| board.discs(color).count()),
            last,
        }
    }

    /// Describes the last board of a game.
    pub fn last_of(game: &Game) -> Self {
        Self::new(game.board(), game.last_move())
    }

    /// Describes each board of a game, from its start to its end.
    pub fn all_of(game: &Game) -> Vec<Self> {
        let moves = game.moves().iter().copied().map(Some);
        let last = [None].into_iter().chain(moves);
        game.boards()
            .zip(last)
            .map(|(board, last)| Self::new(board, last))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_start_has_four_moves_for_black() {
        let json = serde_json::to_value(BoardInfo::last_of(&Game::default())).unwrap();
        let expected = serde_json::json!({
            "squares": "---------------------------OX------XO---------------------------",
            "to_move": "black", "must_pass": false, "over": false,
            "legal": ["d3", "c4", "f5", "e6"], "discs": { "black": 2, "white": 2 }, "last": null,
        });
        assert_eq!(json, expected);
    }

    #[test]
    fn passes_and_the_end_are_told() {
        // White has no move after Black's a1, and Black goes on.
        let start = format!("-OX-OXXX{} X", "X".repeat(56)).parse().unwrap();
        let game = Game::from_transcript(start, "a1--d1").unwrap();
        let boards = BoardInfo::all_of(&game);
        let passes: Vec<bool> = boards.iter().map(|board| board.must_pass).collect();
        assert_eq!(passes, [false, true, false, false]);
        let end = &boards[3];
        assert!(end.over && end.to_move.is_none() && end.legal.is_empty());
        assert_eq!(end.discs.black, 64);
        assert_eq!(boards[2].last, Some(Move::Pass));
    }
}
