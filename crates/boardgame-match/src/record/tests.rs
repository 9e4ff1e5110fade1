use super::*;
use crate::{
    EngineId,
    countdown::{BLACK_WINS, Countdown, NINE_MOVES},
};

fn game() -> PlayedGame {
    let thought = |wall_us| Thought {
        wall_us,
        ..Thought::default()
    };
    PlayedGame {
        game: Some("countdown".into()),
        id: GameId {
            opening: 3,
            black: EngineId(0),
            white: EngineId(1),
        },
        names: ["a".into(), "b".into()],
        limits: [Limit::default(); 2],
        finished: 7,
        setup: None,
        moves: NINE_MOVES.into(),
        opening_plies: 7,
        thoughts: [1, 2].map(thought).to_vec(),
        result: BLACK_WINS,
        faults: Vec::new(),
    }
}

/// A game where White passes at 13 counters: a forced move, without a question.
fn game_with_a_pass() -> PlayedGame {
    PlayedGame {
        setup: Some("14".into()),
        moves: "1 0 2 2 2 2 2 2 1".into(),
        opening_plies: 0,
        thoughts: vec![Thought::default(); 8],
        result: GameResult::Played {
            margin: Margin::from_half_points(29),
        },
        ..game()
    }
}

fn error(game: &PlayedGame) -> String {
    game.replay::<Countdown>().unwrap_err().to_string()
}

#[test]
fn a_game_is_a_line_that_names_it() {
    let json = serde_json::to_string(&game()).unwrap();
    assert_eq!(
        json,
        r#"{"game":"countdown","id":{"opening":3,"black":0,"white":1},"names":["a","b"],"#
            .to_owned()
            + r#""limits":["",""],"finished":7,"moves":"1 1 1 1 1 1 1 1 1","opening_plies":7,"#
            + r#""thoughts":[{"wall_us":1},{"wall_us":2}],"result":{"end":"played","score":9.5}}"#
    );
    assert_eq!(serde_json::from_str::<PlayedGame>(&json).unwrap(), game());
    let passed = game_with_a_pass();
    let json = serde_json::to_string(&passed).unwrap();
    assert!(
        json.contains(r#""finished":7,"start":"14","moves":"1 0"#),
        "{json}"
    );
    assert_eq!(serde_json::from_str::<PlayedGame>(&json).unwrap(), passed);
}

#[test]
fn margins_are_numbers_of_points() {
    for (half_points, text) in [
        (24, "12"),
        (0, "0"),
        (-128, "-64"),
        (11, "5.5"),
        (-1, "-0.5"),
    ] {
        let margin = Margin::from_half_points(half_points);
        let result = GameResult::Played { margin };
        let json = serde_json::to_string(&result).unwrap();
        assert_eq!(json, format!(r#"{{"end":"played","score":{text}}}"#));
        assert_eq!(serde_json::from_str::<GameResult>(&json).unwrap(), result);
    }
    for text in ["0.25", "1e300", "-1e300", "1073741824", "\"5\"", "null"] {
        let json = format!(r#"{{"end":"played","score":{text}}}"#);
        serde_json::from_str::<GameResult>(&json).unwrap_err();
    }
}

#[test]
fn thoughts_have_the_colour_of_the_side_that_was_asked() {
    let of = |game: &PlayedGame| {
        let colors = game.own_moves::<Countdown>().map(|(color, _)| color);
        colors.collect::<Vec<_>>()
    };
    let [black, white] = Color::ALL;
    assert_eq!(of(&game()), [white, black]);
    let passed = [black, black, white, black, white, black, white, black];
    assert_eq!(of(&game_with_a_pass()), passed);
    let mut wrong = game();
    wrong.thoughts.pop();
    assert_eq!(of(&wrong), []);
}

#[test]
fn a_record_that_holds_no_game_is_an_error() {
    let change = |change: fn(&mut PlayedGame)| {
        let mut game = game();
        change(&mut game);
        error(&game)
    };
    for (error, expected) in [
        (
            change(|game| game.game = Some("go".into())),
            "expected a game of countdown, found one of go",
        ),
        (
            change(|game| game.game = None),
            "expected a game of countdown, found one without a name",
        ),
        (
            change(|game| game.setup = Some("heap".into())),
            "expected the setup of a game",
        ),
        (
            change(|game| game.moves.push('x')),
            "the moves: invalid digit found in string",
        ),
        (
            change(|game| game.moves.push_str(" 1")),
            "the moves: expected to take 1 or 2 of 0 counters, found 1",
        ),
        (
            change(|game| game.opening_plies = 10),
            "the opening is longer than the game",
        ),
        (
            change(|game| game.opening_plies = 9),
            "2 thoughts for 0 moves after the opening",
        ),
        (
            change(|game| {
                game.result = GameResult::Played {
                    margin: Margin::DRAW,
                }
            }),
            "the result is not that of the final position",
        ),
        (
            change(|game| {
                game.moves.truncate("1 1 1 1 1 1 1 1".len());
                game.thoughts.pop();
            }),
            "the result is not that of the final position",
        ),
    ] {
        assert_eq!(error, expected);
    }
    let forfeit = PlayedGame {
        moves: "1 1 1 1 1 1 1 1".into(),
        thoughts: vec![Thought::default()],
        result: GameResult::Forfeit { by: Side::White },
        ..game()
    };
    assert_eq!(forfeit.replay::<Countdown>().unwrap(), [Color::White]);
}

#[test]
fn results_are_those_of_the_rules() {
    let mut position = Countdown::new(&1);
    assert_eq!(GameResult::of(&position), None);
    position.play(1).unwrap();
    let result = GameResult::of(&position).unwrap();
    let margin = Margin::from_half_points(3);
    assert_eq!(result, GameResult::Played { margin });
    let five = Some(ForfeitScore::Points(5));
    let on_board = || Some(Margin::from_points(40));
    assert_eq!(result.margin(five, on_board), Some(margin));
    assert_eq!(
        (result.half_points(Color::Black), result.winner()),
        (2, Some(Color::Black))
    );
    assert!(result.is_possible(Status::Unscored, false));
    assert!(result.is_possible(Status::Playing, true));
    let forfeit = GameResult::Forfeit { by: Side::Black };
    assert_eq!(forfeit.winner(), Some(Color::White));
    for (score, counts) in [
        (None, None),
        (five, Some(Margin::from_points(-5))),
        (Some(ForfeitScore::Board), on_board()),
    ] {
        assert_eq!(forfeit.margin(score, on_board), counts);
    }
    let draw = GameResult::Played {
        margin: Margin::DRAW,
    };
    assert_eq!(Color::ALL.map(|color| draw.half_points(color)), [1, 1]);
}

#[test]
fn setups_and_moves_are_text() {
    assert_eq!(Countdown::write_setup(&9), None);
    assert_eq!(Countdown::write_setup(&14).as_deref(), Some("14"));
    assert_eq!(Countdown::write_moves(&[1, 0, 2]), "1 0 2");
    assert_eq!(Countdown::read_moves(&14, " 1 0\n2").unwrap(), [1, 0, 2]);
}
