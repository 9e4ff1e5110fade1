//! Sessions of both formats under golden scripts.

#[path = "../../../../tests/support/golden/mod.rs"]
mod golden;

use std::{error::Error, time::Duration};

use boardgame_core::{ByColor, ByoYomi, ClockState, Color, TimeControl};
use go_core::{Move, Ownership, Setup};
use go_proto::{
    gtp::{GoGame, Player, PlayerOptions},
    session::{Analysis, Candidate, Choice, Goal, PlayerSession as _, Question},
    usenix,
};
use golden::{PlayerScript, SeatScript, Settings, check};

fn load(path: &str) -> Result<String, Box<dyn Error>> {
    let text = match path {
        "game.sgf" => "(;GM[1]SZ[9]KM[5.5]HA[2]AB[cg][gc]PL[W];W[ee];B[cc];W[])",
        "komi.sgf" => "(;GM[1]SZ[9]KM[375])",
        "stones.sgf" => "(;SZ[5]AB[aa]AW[bb:cc])",
        "superko.sgf" => "(;SZ[4]AB[bb][ac][cc][bd]AW[cb][dc][cd];W[bc];B[];W[];B[cc])",
        "othello.sgf" => "(;GM[2]SZ[8];B[f5])",
        "late.sgf" => "(;SZ[9];B[aa];AB[bb];W[cc])",
        "illegal.sgf" => "(;SZ[9];B[aa];W[aa])",
        "unclosed.sgf" => "(;SZ[9];B[aa];W[bb]",
        "endless.sgf" => return Ok(format!("(;SZ[9]{})", ";B[];W[]".repeat(2049))),
        _ => return Err("no such file".into()),
    };
    Ok(text.into())
}

fn question(question: &Question) -> String {
    let over = if question.position.is_over() {
        ", over"
    } else {
        ""
    };
    let goal = match question.goal {
        Goal::Analysis(time) => format!(", {time:?} of analysis"),
        Goal::Move | Goal::Explanation => String::new(),
    };
    format!("{} to choose{over}{goal}", question.position.side_to_move())
}

fn answer(text: &str) -> Choice {
    match text {
        "resign" => Choice::Resign,
        moves if moves.contains(' ') => Choice::Analysis(analysis(moves)),
        mv => mv.parse::<Move>().expect("a move").into(),
    }
}

/// Returns the analysis with these moves, the first of them with three visits and a line of all, the others with one.
fn analysis(moves: &str) -> Analysis {
    let line: Vec<Move> = moves
        .split(' ')
        .map(|mv| mv.parse().expect("a move"))
        .collect();
    let candidate = |(order, &mv): (usize, &Move)| Candidate {
        mv,
        visits: if order == 0 { 3 } else { 1 },
        win_rate: 0.625,
        win_rate_bound: 0.5,
        margin: -1.25,
        prior: 0.25,
        line: if order == 0 { line.clone() } else { vec![mv] },
    };
    let mut ownership = Ownership::default();
    ownership.add(&"X . / O O".replace(" / ", "\n").parse().expect("a board"));
    Analysis {
        best: line.first().copied(),
        candidates: line.iter().enumerate().map(candidate).collect(),
        ownership,
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
        save: |path, text| path == "new.sgf" && text.ends_with(")\n"),
        cpu_time: || Some(Duration::from_micros(1_234_567)),
        name: Some("engine".into()),
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

fn seconds(text: &str) -> Duration {
    Duration::from_secs_f64(text.parse().expect("seconds"))
}

fn usenix_state(player: &usenix::Player) -> String {
    let byo_romi = if player.is_in_byo_romi() {
        ", in byo-romi"
    } else {
        ""
    };
    format!(", {:?}{byo_romi}", player.measure())
}

#[test]
fn usenix_player() {
    check("tests/sessions/usenix-player.txt", |settings| {
        let mut options = usenix::PlayerOptions {
            setup: "9".parse().expect("a setup"),
            ..usenix::PlayerOptions::default()
        };
        for (key, value) in settings {
            match &**key {
                "setup" => options.setup = value.parse().expect("a setup"),
                "main-time" => options.main_time = seconds(value),
                _ => panic!("{key}"),
            }
        }
        PlayerScript::new(usenix::Player::new(options), question, answer, usenix_state)
    });
}

#[test]
fn usenix_seat() {
    check("tests/sessions/usenix-seat.txt", |settings| {
        let mut options = usenix::RefereeOptions::default();
        let mut color = Color::Black;
        let mut control = TimeControl {
            main: Some(Duration::from_mins(1)),
            byo_yomi: Some(ByoYomi::japanese(Duration::from_secs(10), 1)),
            ..TimeControl::default()
        };
        for (key, value) in settings {
            match &**key {
                "color" => color = value.parse().expect("a colour"),
                "main-time" => control.main = Some(seconds(value)),
                "bytes" => options.max_turn_bytes = value.parse().expect("a number"),
                "1986" => options.as_1986 = true,
                _ => panic!("{key}"),
            }
        }
        let clocks = ByColor::new_with(|_| ClockState::new(control));
        let setup = |text: &str| {
            if text.is_empty() { "9" } else { text }
                .parse()
                .expect("a setup")
        };
        let mv = |text: &str| text.parse().expect("a move");
        let seat = usenix::RefereeSeat::new(options);
        SeatScript::new(seat, color, clocks, setup, mv)
    });
}
