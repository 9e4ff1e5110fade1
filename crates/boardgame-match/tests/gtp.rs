//! A program that speaks GTP and stays for many games of Go.
#![cfg(unix)]

mod common;
#[path = "../../../tests/support/scripts.rs"]
mod scripts;

use std::{
    future::{self, pending},
    sync::Arc,
};

use boardgame_core::{ByColor, Color, Game as _};
use boardgame_match::{
    Choice, GameOptions, GameReport, GameSpec, Launch, LocalPlayer, LocalSeat, Seat, SessionSeat,
    SessionSeatOptions, Turn, conduct,
};
use boardgame_session::{
    Cause, ParseError, Thought,
    gtp::{Command, GtpGame, GtpSeat, GtpSeatOptions, InexpressibleSetup},
};
use common::go::{Go, POINTS, Play, SIZE, score};
use scripts::{shell, short_grace};

/// The vocabulary of Go on 5x5. Rows count from the bottom.
#[derive(Clone, Debug)]
struct SmallGo;

const COLUMNS: &[u8] = b"ABCDE";

impl GtpGame for SmallGo {
    type Game = Go;

    fn board_size(_: &String) -> u32 {
        SIZE as u32
    }

    fn setup_commands(
        _: &String,
        _: &dyn Fn(&str) -> bool,
    ) -> Result<Vec<Command>, InexpressibleSetup> {
        Ok(vec![Command::new("komi").argument(3.5)])
    }

    fn vertex(_: &Go, mv: Play) -> String {
        if mv == POINTS {
            return "pass".into();
        }
        format!("{}{}", char::from(COLUMNS[mv % SIZE]), SIZE - mv / SIZE)
    }

    fn parse_vertex(position: &Go, text: &str) -> Result<Play, ParseError> {
        let is_vertex = |&mv: &Play| Self::vertex(position, mv).eq_ignore_ascii_case(text);
        let error = || ParseError::new("a vertex A1-E5 or pass", 0, text.as_bytes());
        (0..=POINTS).find(is_vertex).ok_or_else(error)
    }
}

type Script = SessionSeat<Go, GtpSeat<SmallGo>>;

/// Returns the seat of a shell script. It keeps what it is sent in a file, and answers each `genmove` as the
/// `answer` says.
fn program(log: &std::path::Path, answer: &str) -> Script {
    let log = log.display();
    let script = format!(
        "while read command arguments; do echo $command $arguments >>'{log}'; case $command in \
         list_commands) printf '= boardsize\\nkomi\\ntime_left\\n\\n';; \
         genmove) n=$((n+1)); {answer};; quit) exit;; *) printf '= \\n\\n';; esac; done"
    );
    let options = SessionSeatOptions {
        launch: Launch::Kept,
        farewell: b"quit\n".to_vec(),
        ..SessionSeatOptions::default()
    };
    let session = GtpSeat::new(GtpSeatOptions::default());
    let (line, program) = (shell(&script), short_grace());
    SessionSeat::program("script", session, line, program, options)
}

/// A player that always passes.
struct Passes;

impl LocalPlayer<Go> for Passes {
    fn choose(&mut self, _: &Turn<Go>) -> Choice<Play> {
        Choice::Move(POINTS, Thought::default())
    }
}

/// Plays a game of Black's program against a player that always passes.
async fn play(black: &mut Script) -> GameReport<Go> {
    let mut white = LocalSeat::new("passes", Passes).unwrap();
    let seats = ByColor::<&mut dyn Seat<Go>> {
        black,
        white: &mut white,
    };
    let game = GameSpec {
        scorer: Some(Arc::new(score)),
        ..GameSpec::new("5x5".into())
    };
    let keep = |_: &Go, _: &_| future::ready(());
    let options = GameOptions::default();
    let report = conduct(game, seats, |_, _| {}, keep, &options, pending()).await;
    report.expect("there is no opening")
}

#[tokio::test]
async fn a_program_plays_two_games_and_is_started_once() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log");
    // In each game it plays c3 and then passes.
    let answer = "[ $((n % 2)) = 1 ] && printf '= c3\\n\\n' || printf '= PASS\\n\\n'";
    let mut black = program(&log, answer);
    let mut launches = Vec::new();
    for _ in 0..2 {
        let report = play(&mut black).await;
        assert_eq!(report.outcome.verdict().unwrap().cause, Cause::Played);
        assert_eq!(report.moves, [POINTS / 2, POINTS, POINTS]);
        assert_eq!(report.winner(), Some(Color::Black));
        assert_eq!(report.position.side_to_move(), Color::White);
        assert_eq!(report.seats.black.faults, []);
        assert_eq!(report.seats.black.moves, 2);
        launches.push(report.seats.black.launches);
    }
    assert_eq!(launches, [1, 0]);
    black.close().await;
    let sent = std::fs::read_to_string(&log).unwrap();
    let game = [
        "clear_board",
        "komi 3.5",
        "genmove b",
        "play w pass",
        "genmove b",
    ];
    let expected = [
        &["list_commands", "boardsize 5"],
        &game[..],
        &game,
        &["quit"],
    ]
    .concat();
    assert_eq!(sent.lines().collect::<Vec<_>>(), expected);
}

#[tokio::test]
async fn a_program_that_loses_by_a_fault_is_started_anew() {
    let folder = tempfile::tempdir().unwrap();
    let [log, flag] = ["log", "flag"].map(|name| folder.path().join(name));
    // The first answer of the first program is no vertex; the second program passes.
    let flag = flag.display();
    let answer = format!(
        "if [ -e '{flag}' ]; then printf '= pass\\n\\n'; else : >'{flag}'; printf '= Z9\\n\\n'; fi"
    );
    let mut black = program(&log, &answer);
    let report = play(&mut black).await;
    let cause = report.outcome.verdict().unwrap().cause.to_string();
    let expected = "Black broke the format: the answer to genmove: expected a vertex A1-E5 or pass at \
                    offset 0 of \"Z9\"";
    assert_eq!(cause, expected);
    assert_eq!(report.seats.black.launches, 1);
    let report = play(&mut black).await;
    assert_eq!(report.outcome.verdict().unwrap().cause, Cause::Played);
    assert_eq!(report.seats.black.launches, 1);
    let sent = std::fs::read_to_string(&log).unwrap();
    assert_eq!(sent.matches("list_commands").count(), 2);
    assert_eq!(
        sent.matches("quit").count(),
        1,
        "the first program was told to quit"
    );
}
