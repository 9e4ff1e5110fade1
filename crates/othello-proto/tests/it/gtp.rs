//! The Go Text Protocol: our player as the guest of a controller.

use std::time::Duration;

use crate::transcript::{PlayerLog, at, pick};
use othello_core::{Board, Color, Game, Move, Square};
use othello_proto::{
    gtp::{Answer, Command, Player, PlayerOptions, Response, Responses, parse_answer},
    session::{Action, Ending, PeerMisbehaved, PlayerSession},
};
use proptest::prelude::*;

/// Black must pass; White may take a1.
const MUST_PASS: &str = "gogui-setup b b1 w c1 w d1 w e1 w f1 w g1 w h1\ngogui-setup_player b\n";
/// Black takes the last disc of White with e4.
const WIPE_OUT: &str = "gogui-setup b c4 w d4\n";

fn player() -> PlayerLog<Player> {
    PlayerLog::new(Player::new(PlayerOptions {
        version: "1.0".into(),
        load: |path| match path {
            "game.sgf" => Some("(;FF[4]GM[2];B[f5];W[f6];B[e6];W[f4])".into()),
            "left-out-pass.sgf" => Some("(;GM[2]AB[a1]AW[b1]PL[W];B[c1])".into()),
            "illegal.sgf" => Some("(;GM[2];B[f5];W[a1])".into()),
            "cut-short.sgf" => Some("(;GM[2];B[f5];W[f6]\n".into()),
            "set-up-later.sgf" => Some("(;GM[2];B[f5];W[f6];AB[a1])".into()),
            "go.sgf" => Some("(;GM[1]SZ[19];B[pd])".into()),
            _ => None,
        },
        ..PlayerOptions::default()
    }))
}

/// The responses to lines that ask for no decision.
fn answers(log: &mut PlayerLog<Player>, lines: &str) -> Vec<Response> {
    log.sent.clear();
    log.hears(&format!("{lines}\n"), at(0));
    responses(&log.sent)
}

/// The text of the response to one line.
fn answer(log: &mut PlayerLog<Player>, line: &str) -> String {
    let answers = answers(log, line);
    assert_eq!(answers.len(), 1, "{line}");
    let sign = if answers[0].success { "" } else { "? " };
    format!("{sign}{}", answers[0].text)
}

fn responses(bytes: &[u8]) -> Vec<Response> {
    let mut responses = Responses::default();
    responses.push(bytes);
    std::iter::from_fn(|| responses.next_response())
        .map(Result::unwrap)
        .collect()
}

// Recorded dialogues.

#[test]
fn a_front_end_introduces_itself_and_plays() {
    let mut log = player();
    log.hears("protocol_version\nname\nversion\n", at(0));
    log.hears("list_commands\n", at(1));
    log.hears("boardsize 8\nclear_board\nkomi 0\n", at(2));
    log.hears("10 play b F5\n11 genmove w\n", at(3))
        .decides(Square::D6, at(400));
    log.hears("12 showboard\n", at(500))
        .hears("undo\nundo\nundo\n", at(501))
        .hears("quit\n", at(502));
    insta::assert_snapshot!(log.text());
    assert!(log.finished);
}

#[test]
fn gogui_takes_the_rules_from_the_engine() {
    let mut log = player();
    for command in [
        "game_id",
        "board_size",
        "board",
        "legal_moves",
        "side_to_move",
    ] {
        log.hears(&format!("gogui-rules_{command}\n"), at(0));
    }
    log.hears("gogui-analyze_commands\n", at(1));
    log.hears("gogui-play_sequence b F5 w D6\n", at(2));
    log.hears("gogui-rules_board\ngogui-rules_final_result\n", at(3));
    log.hears(MUST_PASS, at(4))
        .hears("gogui-rules_legal_moves\n", at(4));
    log.hears(WIPE_OUT, at(5)).hears("play b e4\n", at(5));
    log.hears("gogui-rules_legal_moves\ngogui-rules_final_result\n", at(6));
    insta::assert_snapshot!(log.text());
}

#[test]
fn quarry_asks_for_the_game_first() {
    let mut log = player();
    let answers = answers(&mut log, "list_games\nset_game Othello\nset_game Amazons");
    let told: Vec<_> = answers.iter().map(|r| (r.success, &*r.text)).collect();
    assert_eq!(
        told,
        [(true, "Othello"), (true, ""), (false, "unsupported game")]
    );
}

#[test]
fn input_is_cleaned_before_it_is_read() {
    let mut log = player();
    log.hears(
        "# hello\r\n\r\n \t \n1\tname # who\r\n\u{7}2 ver\u{1b}sion\r",
        at(0),
    )
    .hears("\n", at(1));
    insta::assert_snapshot!(log.text());
}

// Whose turn it is.

#[test]
fn a_pass_is_accepted_and_one_that_is_left_out_made_up_for() {
    for pass in ["play b pass\n", ""] {
        let mut log = player();
        log.hears(&format!("{MUST_PASS}{pass}genmove w\n"), at(0));
        log.decides(Square::A1, at(1));
        assert_eq!(log.session.board().disc(Square::A1), Some(Color::White));
        assert_eq!(log.text().contains("automatic-pass"), pass.is_empty());
        let back = answer(&mut log, "undo");
        assert_eq!(back, "");
        let side = if pass.is_empty() {
            Color::Black
        } else {
            Color::White
        };
        assert_eq!(
            log.session.board().side_to_move(),
            side,
            "one command is taken back"
        );
        assert_eq!(answer(&mut log, "play w a1"), "");
    }
}

#[test]
fn a_player_without_a_move_passes() {
    let mut log = player();
    answers(&mut log, MUST_PASS);
    assert_eq!(answer(&mut log, "reg_genmove b"), "pass");
    assert_eq!(answer(&mut log, "genmove b"), "pass");
    assert_eq!(log.session.board().side_to_move(), Color::White);
    assert_eq!(answer(&mut log, "play w pass"), "? illegal move");
}

#[test]
fn a_move_out_of_turn_is_none() {
    let mut log = player();
    for (line, expected) in [
        ("genmove w", "? wrong color"),
        ("reg_genmove white", "? wrong color"),
        ("play w d3", "? illegal move"),
        ("play b pass", "? illegal move"),
        ("play b d3", ""),
        ("play b e3", "? illegal move"),
        ("gogui-play_sequence w c3 w c4", "? illegal move"),
        ("gogui-play_sequence w c3 grey c4", "? syntax error"),
    ] {
        assert_eq!(answer(&mut log, line), expected, "{line}");
    }
    let mut board = Board::START;
    board.play(Square::D3).unwrap();
    assert_eq!(
        log.session.board(),
        board,
        "what fails leaves the board unchanged"
    );
}

#[test]
fn a_finished_game_is_scored_and_ended_by_two_passes() {
    let mut log = player();
    answers(&mut log, WIPE_OUT);
    assert_eq!(answer(&mut log, "final_score"), "? cannot score");
    answers(&mut log, "play b e4");
    assert_eq!(
        answer(&mut log, "final_score"),
        "B+64",
        "the winner has the empty squares"
    );
    for line in ["genmove w", "genmove b", "genmove b", "reg_genmove w"] {
        assert_eq!(answer(&mut log, line), "pass", "{line}");
    }
    assert_eq!(
        answer(&mut log, "play w pass"),
        "? illegal move",
        "a third pass"
    );
    let undone = (0..4).map(|_| answer(&mut log, "undo"));
    assert_eq!(undone.collect::<Vec<_>>(), ["", "", "", "? cannot undo"]);
    assert_eq!(answer(&mut log, "gogui-rules_legal_moves"), "E4");
}

#[test]
fn a_white_win_and_a_draw_are_scored() {
    let mut log = player();
    answers(&mut log, "gogui-setup w a1 w b1 b h8");
    assert_eq!(answer(&mut log, "final_score"), "W+62");
    assert_eq!(
        answer(&mut log, "gogui-rules_final_result"),
        "White wins by 62. The score is B 1, W 63."
    );
    answers(&mut log, "gogui-setup w a1 b h8");
    assert_eq!(answer(&mut log, "final_score"), "0");
    assert_eq!(
        answer(&mut log, "gogui-rules_final_result"),
        "Draw. The score is B 32, W 32."
    );
}

// Games from files.

#[test]
fn a_game_is_loaded_up_to_the_position_before_a_move() {
    let board = |line| {
        let mut log = player();
        assert_eq!(answer(&mut log, line), "");
        log.session.board()
    };
    let mut game = Game::default();
    for square in [Square::F5, Square::F6, Square::E6, Square::F4] {
        game.play(square).unwrap();
    }
    assert_eq!(board("loadsgf game.sgf"), game.board());
    assert_eq!(board("loadsgf game.sgf 99"), game.board());
    game.undo();
    game.undo();
    assert_eq!(board("loadsgf game.sgf 3"), game.board());
    assert_eq!(board("loadsgf game.sgf 1"), Board::START);
    assert_eq!(board("loadsgf cut-short.sgf"), game.board());
    assert_eq!(board("loadsgf set-up-later.sgf 3"), game.board());
    let board = board("loadsgf left-out-pass.sgf");
    assert_eq!(board.discs(Color::Black).count(), 3);
}

#[test]
fn a_file_that_cannot_be_loaded_changes_nothing() {
    let mut log = player();
    answers(&mut log, "play b f5");
    let board = log.session.board();
    for path in [
        "illegal.sgf",
        "go.sgf",
        "go.sgf 1",
        "none.sgf",
        "set-up-later.sgf",
    ] {
        assert_eq!(
            answer(&mut log, &format!("loadsgf {path}")),
            "? cannot load file"
        );
        assert_eq!(log.session.board(), board);
    }
    assert_eq!(answer(&mut log, "undo"), "");
    assert_eq!(answer(&mut log, "undo"), "? cannot undo");
}

// Thinking.

#[test]
fn a_command_that_arrives_while_thinking_waits() {
    let mut log = player();
    log.hears("1 genmove b\n2 name\n3 undo\n", at(0))
        .hears("4 reg_genmove b\n", at(10))
        .decides(Square::D3, at(20))
        .decides(Square::C4, at(30))
        .ends(at(40));
    insta::assert_snapshot!(log.text());
}

#[test]
fn the_clock_runs_by_the_settings_and_is_corrected() {
    let mut log = player();
    log.hears("time_settings 60 0 0\ngenmove b\n", at(0))
        .decides(Square::D3, at(5000))
        .hears("play w c3\ngenmove b\n", at(6000))
        .decides(Square::C4, at(7000));
    log.hears("clear_board\ntime_settings 0 10 4\ngenmove b\n", at(8000))
        .decides(Square::D3, at(9000));
    log.hears("time_left w 2.5 1\ngenmove w\n", at(9000))
        .decides(Square::C3, at(9001))
        .hears("time_settings 60 10 0\nreg_genmove b\n", at(9002))
        .decides(Square::C4, at(9003));
    insta::assert_snapshot!(log.text());
}

#[test]
fn a_decision_that_does_not_come_is_replaced_before_the_limit() {
    let mut log = player();
    log.hears("time_settings 0 10 5\n7 genmove b\n", at(0));
    let late = log.open.expect("a task");
    let deadline = log.session.deadline().expect("a deadline");
    assert_eq!(deadline, at(1950));
    log.waits(deadline).answers(late, Square::F5, at(1999));
    insta::assert_snapshot!(log.text());
}

#[test]
fn an_illegal_decision_is_replaced() {
    let mut log = player();
    log.hears("genmove b\n", at(0)).decides(Square::A1, at(1));
    let text = &responses(&log.sent)[0].text;
    let Ok(Answer::Move(mv)) = parse_answer(text) else {
        panic!("{text}");
    };
    assert!(Board::START.position().is_legal(mv));
    assert!(
        log.text().contains("fault: a1 is no legal move"),
        "{}",
        log.text()
    );
}

// The end.

#[test]
fn the_end_of_input_ends_the_session_in_order_once_all_is_answered() {
    let mut log = player();
    log.hears("name\ngenmove b\nversion", at(0)).ends(at(1));
    assert!(!log.finished);
    log.decides(Square::D3, at(2));
    assert_eq!(responses(&log.sent).len(), 3, "a last line needs no end");
    assert!(log.text().ends_with("finish: Orderly\n"), "{}", log.text());
}

#[test]
fn nothing_follows_quit() {
    let mut log = player();
    log.hears("5 quit\nname\n", at(0)).hears("name\n", at(1));
    assert_eq!(log.sent, b"=5\n\n");
    assert!(log.finished);
}

#[test]
fn a_controller_that_floods_a_thinking_engine_is_given_up() {
    let mut session = Player::new(PlayerOptions::default());
    session.start(at(0));
    session.receive(b"genmove b\n", at(0));
    assert!(matches!(session.poll(), Some(Action::Think(_))));
    for _ in 0..300 {
        session.receive(&[b'x'; 4096], at(1));
    }
    assert_eq!(session.poll(), Some(Action::Abandon));
    let end = session.poll();
    assert!(
        matches!(
            end,
            Some(Action::Finish(Ending::Unintelligible(
                PeerMisbehaved::TooManyCommands {
                    max_bytes: 0x10_0000
                }
            )))
        ),
        "{end:?}"
    );
    assert_eq!(session.poll(), None);
}

#[test]
fn a_thinking_engine_takes_commands_up_to_the_limit() {
    let mut session = Player::new(PlayerOptions::default());
    session.start(at(0));
    session.receive(b"genmove b\n", at(0));
    assert!(matches!(session.poll(), Some(Action::Think(_))));
    session.receive(&vec![b' '; 0x10_0000], at(1));
    assert_eq!(session.poll(), None);
    session.receive(b" ", at(1));
    assert_eq!(session.poll(), Some(Action::Abandon));
}

#[test]
fn remarks_on_a_flood_are_bounded() {
    let mut log = player();
    log.hears(&"nonsense\n".repeat(2000), at(0));
    assert_eq!(responses(&log.sent).len(), 2000);
    assert!(log.text().matches("fault").count() < 300);
}

// Our guest against a controller of our own messages.

/// Plays a game in which the guest has `color` and a fixed rule chooses for both.
fn play(color: Color, seed: u64, passes: bool) -> (Board, PlayerLog<Player>) {
    let mut log = player();
    let mut board = Board::START;
    for turn in 0..130 {
        if board.is_over() {
            return (board, log);
        }
        let side = board.side_to_move();
        let mv = if side == color {
            log.sent.clear();
            log.hears(&format!("{}\n", Command::genmove(side)), at(turn));
            if let Some(task) = log.open {
                assert_eq!(task.question.board, board);
                log.decides(pick(&task, seed), at(turn));
            }
            match parse_answer(&responses(&log.sent)[0].text) {
                Ok(Answer::Move(mv)) => mv,
                other => panic!("{other:?}"),
            }
        } else {
            let squares: Vec<Square> = board.legal_moves().iter().collect();
            let mixed = (seed ^ turn).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 33;
            let mv = match squares.len() {
                0 => Move::Pass,
                some => Move::Place(squares[usize::try_from(mixed).unwrap() % some]),
            };
            if passes || mv != Move::Pass {
                let line = Command::play(side, mv).to_string();
                assert_eq!(answer(&mut log, &line), "", "{line}");
            }
            mv
        };
        board.play(mv).unwrap();
    }
    panic!("the game does not end");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn whole_games_are_played_with_and_without_the_controllers_passes(
        seed: u64, black: bool, passes: bool,
    ) {
        let color = if black { Color::Black } else { Color::White };
        let (board, mut log) = play(color, seed, passes);
        let discs = Color::ALL.map(|color| board.discs(color));
        prop_assert_eq!(Color::ALL.map(|color| log.session.board().discs(color)), discs);
        prop_assert!(!answer(&mut log, "final_score").starts_with('?'));
    }
}

#[test]
fn the_margin_is_kept_before_a_short_limit_too() {
    let mut log = player();
    log.hears("time_settings 0 1 10\ngenmove b\n", at(0));
    let limit = Duration::from_millis(100);
    assert_eq!(log.open.unwrap().clock.per_move, Some(limit));
    assert!(log.session.deadline().unwrap() >= at(80));
}
