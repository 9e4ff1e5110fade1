//! What is printed reads back as what it was, along random games.

use othello_core::{Board, Game, Move, Problem, Score};
use proptest::prelude::*;

/// A game of random moves, broken off at random.
fn games() -> impl Strategy<Value = Game> {
    prop::collection::vec(any::<prop::sample::Index>(), 0..70).prop_map(|choices| {
        let mut game = Game::default();
        for choice in choices {
            let board = game.board();
            if board.is_over() {
                break;
            }
            let moves: Vec<_> = board.legal_moves().iter().map(Move::Place).collect();
            let mv = match moves.as_slice() {
                [] => Move::Pass,
                moves => *choice.get(moves),
            };
            game.play(mv).expect("a legal move");
        }
        game
    })
}

proptest! {
    #[test]
    fn games_read_back(game in games()) {
        let told = game.transcript().to_string();
        prop_assert_eq!(told.parse::<Game>(), Ok(game.clone()));
        prop_assert_eq!(told.to_uppercase().parse::<Game>(), Ok(game.clone()));
        // Passes left out, but for one at the very end, which nothing after it implies.
        let open = told.trim_end_matches("--");
        let tail = &told[open.len()..];
        let terse = open.replace("--", "") + tail;
        prop_assert_eq!(terse.parse::<Game>(), Ok(game));
    }

    #[test]
    fn boards_read_back(game in games()) {
        for board in game.boards() {
            prop_assert_eq!(board.to_string().parse::<Board>(), Ok(board));
            prop_assert_eq!(format!("{board:#}").parse::<Board>(), Ok(board));
        }
    }

    #[test]
    fn problems_read_back(game in games(), discs in -64..=64i32) {
        let score = Score::new(discs).expect("in range");
        let moves = game.board().legal_moves().iter().map(|square| (square.into(), score));
        let problem = Problem { board: game.board(), moves: moves.collect() };
        prop_assert_eq!(problem.to_string().parse::<Problem>(), Ok(problem));
    }

    #[test]
    fn undo_retraces_the_boards(mut game in games()) {
        let mut boards: Vec<_> = game.boards().collect();
        while let Some(board) = boards.pop() {
            prop_assert_eq!(game.board(), board);
            prop_assert_eq!(game.undo().is_none(), boards.is_empty());
        }
    }

    #[test]
    fn no_text_makes_a_parser_panic(text in "[a-hA-H1-8xXoO.*;:%+\\- é0-9\n]{0,90}") {
        let _ = text.parse::<Game>();
        let _ = text.parse::<Board>();
        let _ = Problem::read_all(&text);
    }
}
