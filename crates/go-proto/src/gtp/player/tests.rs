//! Laws of the commands; golden scripts of sessions are in tests/sessions.

use super::*;
use crate::{
    gtp::{Player, PlayerOptions},
    session::{Action, Decision, PlayerSession as _, Task, Timestamp},
};
use alloc::{format, vec::Vec};
use boardgame_session::gtp::Responses;
use go_core::{Point, Setup};
use proptest::prelude::*;

/// A player with its open task.
struct Script {
    player: Player,
    task: Option<Task>,
}

const NOW: Timestamp = Timestamp::ORIGIN;

fn load(path: &str) -> Option<String> {
    let text = match path {
        "game.sgf" => "(;GM[1]SZ[9]KM[5.5]HA[2]AB[cg][gc]PL[W];W[ee];B[cc];W[])",
        "stones.sgf" => "(;SZ[5]AB[aa]AW[bb:cc])",
        _ => return None,
    };
    Some(text.into())
}

fn script(setup: &str) -> Script {
    let options = PlayerOptions {
        load,
        ..PlayerOptions::default()
    };
    let setup: Setup = setup.parse().unwrap();
    let mut player = Player::with_game(GoGame::new(setup), options);
    player.start(NOW);
    Script { player, task: None }
}

impl Script {
    /// Sends lines and returns the answers as they come, without blank lines.
    fn hears(&mut self, lines: &str) -> String {
        self.player.receive(lines.as_bytes(), NOW);
        self.player.receive(b"\n", NOW);
        self.drain()
    }

    fn decides(&mut self, choice: Choice) -> String {
        let task = self.task.take().expect("a task").id;
        let answer = choice;
        self.player.decide(Decision { task, answer }, NOW);
        self.drain()
    }

    fn drain(&mut self) -> String {
        let mut sent = String::new();
        while let Some(action) = self.player.poll() {
            match action {
                Action::Send(bytes) => sent += &String::from_utf8(bytes).unwrap(),
                Action::Think(task) => self.task = Some(task),
                Action::Finish(_) | Action::Note(_) | Action::Abandon => {}
            }
        }
        sent.trim_end().replace("\n\n", "\n")
    }
}

#[test]
fn just_the_commands_that_are_listed_are_known() {
    let listed = script("9").hears("list_commands");
    let listed: Vec<&str> = listed.trim_start_matches("= ").lines().collect();
    assert_eq!(listed.len(), GoGame::COMMANDS.len());
    for name in &listed {
        let mut script = script("9");
        assert_eq!(script.hears(&format!("known_command {name}")), "= true");
        assert_ne!(script.hears(name), "? unknown command", "{name}");
    }
    for name in ["genmoves", "GENMOVE", "cputime", "gogui-rules_board"] {
        assert_eq!(script("9").hears(name), "? unknown command", "{name}");
    }
    let mut sorted = listed.clone();
    sorted.sort_unstable();
    sorted.dedup();
    assert_eq!(sorted.len(), listed.len(), "a command is listed twice");
}

/// Lines of a controller, valid and invalid.
fn line() -> impl Strategy<Value = String> {
    let color = prop_oneof!["b", "w"];
    let vertex = prop_oneof![4 => "[A-HJ][1-9]", 1 => Just("pass".into()), 1 => "[a-z][0-9]{0,2}"];
    let other = prop::sample::select(&[
        "7 name",
        "list_commands",
        "boardsize 9",
        "boardsize 2",
        "boardsize 30",
        "clear_board",
        "komi 6.5",
        "undo",
        "gg-undo 3",
        "fixed_handicap 4",
        "place_free_handicap 3",
        "set_free_handicap A1 B2",
        "loadsgf game.sgf",
        "loadsgf stones.sgf",
        "loadsgf no.sgf",
        "time_settings 0 0 0",
        "time_settings 10 5 2",
        "kgs-time_settings byoyomi 1 2 3",
        "time_left b 0 0",
        "time_left w 3 2",
        "kgs-rules chinese",
        "kgs-rules japanese",
        "showboard",
        "gogui-setup b A1 w B2",
        "gogui-setup_player w",
        "17",
        "nonsense # and more",
    ]);
    prop_oneof![
        4 => (color.clone(), vertex).prop_map(|(color, vertex)| format!("play {color} {vertex}")),
        2 => color.clone().prop_map(|color| format!("genmove {color}")),
        1 => color.prop_map(|color| format!("kgs-genmove_cleanup {color}")),
        4 => other.prop_map(String::from),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Every command has one response, in order, and a move that is made was legal.
    #[test]
    fn every_command_is_answered(lines in prop::collection::vec(line(), 1..60), seed: u64) {
        let mut script = script("5");
        for (number, line) in (seed..).zip(&lines) {
            let mut sent = script.hears(line);
            if let Some(task) = &script.task {
                let position = task.question.position.clone();
                let legal: Vec<Point> = position.legal_points().collect();
                let choice = match number % 8 {
                    0 => Choice::Resign,
                    1 => Move::Pass.into(),
                    _ => legal.get(number as usize % legal.len().max(1))
                        .map_or(Move::Pass, |&point| point.into()).into(),
                };
                sent = script.decides(choice);
            }
            let mut responses = Responses::default();
            responses.push(format!("{sent}\n\n").as_bytes());
            prop_assert!(matches!(responses.next_response(), Some(Ok(_))), "{line}: {sent}");
            prop_assert_eq!(responses.next_response(), None);
        }
    }
}
