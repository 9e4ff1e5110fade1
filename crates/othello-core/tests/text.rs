//! Round trips of games, boards and problems through text, along random games.

use othello_core::{Board, ByColor, Game, Problem, Score, strategies::games};
use proptest::prelude::*;

proptest! {
    #[test]
    fn games_round_trip(game in games(0..=70)) {
        let text = game.transcript().to_string();
        prop_assert_eq!(text.parse::<Game>(), Ok(game.clone()));
        prop_assert_eq!(text.to_uppercase().parse::<Game>(), Ok(game.clone()));
        // Passes are omitted, except one at the end, which no later move implies.
        let open = text.trim_end_matches("--");
        let tail = &text[open.len()..];
        let terse = open.replace("--", "") + tail;
        prop_assert_eq!(terse.parse::<Game>(), Ok(game));
    }

    #[test]
    fn boards_round_trip(game in games(0..=70)) {
        let last = [None].into_iter().chain(game.moves().iter().map(|mv| mv.square()));
        for (board, last) in game.boards().zip(last) {
            prop_assert_eq!(board.to_string().parse::<Board>(), Ok(board));
            prop_assert_eq!(format!("{board:#}").parse::<Board>(), Ok(board));
            let diagram = board.pretty().last_move(last).to_string();
            let read: Board = diagram.parse().expect("a board");
            // The diagram of a finished game has no side to move.
            let side = if board.is_over() { read.side_to_move() } else { board.side_to_move() };
            prop_assert_eq!(read, Board::from_discs_unchecked(ByColor::new_with(|color| board.discs(color)), side));
        }
    }

    #[test]
    fn problems_round_trip(game in games(0..=70), discs in -64..=64i32) {
        let score = Score::new(discs).expect("in range");
        let moves = game.board().legal_moves().iter().map(|square| (square.into(), score));
        let problem = Problem { board: game.board(), moves: moves.collect() };
        prop_assert_eq!(problem.to_string().parse::<Problem>(), Ok(problem));
    }

    #[test]
    fn undo_restores_every_board(mut game in games(0..=70)) {
        let mut boards: Vec<_> = game.boards().collect();
        while let Some(board) = boards.pop() {
            prop_assert_eq!(game.board(), board);
            prop_assert_eq!(game.undo().is_none(), boards.is_empty());
        }
    }
}
