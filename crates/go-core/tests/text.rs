//! Round trips of games, boards and records through text, along random games.

use go_core::{
    Board, ByColor, Game, Komi, Move, Point, PointSet, Rules, Setup, Size,
    sgf::{GameResult, Record},
};
use proptest::prelude::*;

fn rules() -> impl Strategy<Value = Rules> {
    prop::sample::select(Rules::NAMED.map(|(_, rules)| rules).to_vec())
}

fn setups() -> impl Strategy<Value = Setup> {
    let stones = prop::collection::vec((0..25_u8, 0..25_u8, any::<bool>()), 0..8);
    (1..=25_u8, -20..20_i16, rules(), stones, any::<bool>()).prop_map(
        |(lines, half_points, rules, stones, is_black)| {
            let size = Size::new(lines).expect("a size");
            let mut sets: ByColor<PointSet> = ByColor::default();
            for (column, row, is_black) in stones {
                let point = Point::new(column % lines, row % lines).expect("a point");
                if !(sets.black | sets.white).contains(point) {
                    let set = if is_black {
                        &mut sets.black
                    } else {
                        &mut sets.white
                    };
                    set.insert(point);
                }
            }
            let first = if is_black {
                go_core::Color::Black
            } else {
                go_core::Color::White
            };
            let setup = Setup::new(size).with_komi(Komi::from_half_points(half_points));
            let setup = setup.with_rules(rules).with_first(first);
            setup.clone().with_stones(sets).unwrap_or(setup)
        },
    )
}

/// A game of random moves, with some out of turn and some after two passes.
fn games() -> impl Strategy<Value = Game> {
    let choices = prop::collection::vec((any::<prop::sample::Index>(), 0..12_u8), 0..60);
    (setups(), choices).prop_map(|(setup, choices)| {
        let mut game = Game::new(setup);
        for (choice, kind) in choices {
            game.resume();
            let mut color = game.position().side_to_move();
            if kind == 0 {
                color = !color;
            }
            let point = *choice.get(&game.setup().size().points().collect::<Vec<_>>());
            if kind == 1 || game.play_as(color, point).is_err() {
                game.play_as(color, Move::Pass).expect("a pass");
            }
        }
        game
    })
}

fn results() -> impl Strategy<Value = Option<GameResult>> {
    let texts = ["B+3.5", "W+12", "0", "W+R", "B+T", "B+F", "W+", "Void", "?"];
    prop::option::of(prop::sample::select(texts.to_vec()))
        .prop_map(|text| text.map(|text| text.parse().expect("a result")))
}

proptest! {
    #[test]
    fn setups_round_trip(setup in setups()) {
        prop_assert_eq!(setup.to_string().parse(), Ok(setup));
    }

    #[test]
    fn transcripts_and_boards_round_trip(game in games()) {
        let text = game.transcript().to_string();
        let read = Game::from_transcript(game.setup().clone(), &text.to_lowercase());
        prop_assert!(read.is_ok_and(|read| read.moves() == game.moves()));
        let board = game.position().board();
        let drawn: Board = game.position().diagram().to_string().parse().expect("a diagram");
        prop_assert_eq!(drawn.size(), board.size());
        prop_assert!(drawn.stones().eq(board.stones()));
        prop_assert_eq!(drawn.to_string(), board.to_string());
    }

    #[test]
    fn undo_restores_every_board(game in games()) {
        let mut undone = game.clone();
        let mut replayed = Game::new(game.setup().clone());
        let mut boards = Vec::new();
        for &(color, mv) in game.moves() {
            boards.push(replayed.position().board().clone());
            replayed.resume();
            replayed.play_as(color, mv).expect("a move of the game");
        }
        prop_assert_eq!(replayed.position(), game.position());
        while let Some(board) = boards.pop() {
            let (color, _) = undone.undo().expect("a move for each board");
            prop_assert_eq!(undone.position().side_to_move(), color);
            prop_assert_eq!(undone.position().board(), &board);
            prop_assert_eq!(undone.position().board().hash(), board.hash());
        }
        prop_assert_eq!(undone.undo(), None);
    }

    #[test]
    fn records_round_trip(
        game in games(),
        result in results(),
        players in ["[a-z \\[\\]\\\\:é]{0,8}", "[a-z]{0,3}"],
        comments in prop::collection::btree_map(0..60_usize, "[a-z\\]\\\\\n:é]{1,8}", 0..5),
    ) {
        let mut record = Record::new(game);
        record.result = result;
        record.players = players.into();
        let moves = record.game.moves().len();
        record.comments = comments.into_iter().filter(|(number, _)| *number <= moves).collect();
        let text = record.to_string();
        let read: Record = text.parse().expect("a record");
        prop_assert_eq!(&read.comments, &record.comments);
        prop_assert_eq!(&read.players, &record.players);
        prop_assert_eq!((read.result, read.game.moves()), (record.result, record.game.moves()));
        prop_assert_eq!(read.game.setup(), record.game.setup());
        prop_assert_eq!(read.to_string(), text);
    }

    #[test]
    fn parsers_never_panic(text in "[A-Za-z0-9();\\[\\]\\\\:.,+ é\n-]{0,60}") {
        let _ = text.parse::<Record>();
        let _ = format!("(;SZ[5]{text})").parse::<Record>();
        let _ = text.parse::<Board>();
        let _ = text.parse::<Setup>();
        let _ = format!("9 {text}").parse::<Setup>();
        let _ = text.parse::<Game>();
        let _ = text.parse::<GameResult>();
    }
}
