//! The session of an engine of GTP under a golden script.

#[path = "../../../../tests/support/golden/mod.rs"]
mod golden;

use go_core::{Move, Setup};
use go_proto::{
    gtp::{GoGame, Player, PlayerOptions},
    session::{Choice, Question},
};
use golden::{PlayerScript, Settings, check};

fn load(path: &str) -> Option<String> {
    let text = match path {
        "game.sgf" => "(;GM[1]SZ[9]KM[5.5]HA[2]AB[cg][gc]PL[W];W[ee];B[cc];W[])",
        "komi.sgf" => "(;GM[1]SZ[9]KM[6.75])",
        "stones.sgf" => "(;SZ[5]AB[aa]AW[bb:cc])",
        "superko.sgf" => "(;SZ[4]AB[bb][ac][cc][bd]AW[cb][dc][cd];W[bc];B[];W[];B[cc])",
        "othello.sgf" => "(;GM[2]SZ[8];B[f5])",
        "late.sgf" => "(;SZ[9];B[aa];AB[bb])",
        "unclosed.sgf" => "(;SZ[9];B[aa];W[bb]",
        "endless.sgf" => return Some(format!("(;SZ[9]{})", ";B[];W[]".repeat(2049))),
        _ => return None,
    };
    Some(text.into())
}

fn question(question: &Question) -> String {
    let over = if question.position.is_over() {
        ", over"
    } else {
        ""
    };
    format!("{} to choose{over}", question.position.side_to_move())
}

fn answer(text: &str) -> Choice {
    match text {
        "resign" => Choice::Resign,
        mv => mv.parse::<Move>().expect("a move").into(),
    }
}

fn state(player: &Player) -> String {
    let position = player.board();
    let over = if position.is_over() { ", over" } else { "" };
    let (side, rules) = (position.side_to_move(), position.rules());
    format!(", {side} to move by {rules}{over}")
}

fn player(settings: &Settings) -> Player {
    let mut setup: Setup = "9".parse().expect("a setup");
    for (key, value) in settings {
        assert_eq!(key, "setup");
        setup = value.parse().expect("a setup");
    }
    let options = PlayerOptions {
        load,
        version: "1.0".into(),
        ..PlayerOptions::default()
    };
    Player::with_game(GoGame::new(setup), options)
}

#[test]
fn gtp() {
    check("tests/sessions/gtp.txt", |settings| {
        PlayerScript::new(player(settings), question, answer, state)
    });
}
