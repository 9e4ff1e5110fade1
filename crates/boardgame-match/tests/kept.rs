//! Programs that are kept for many games.
#![cfg(unix)]

mod common;
#[path = "../../../tests/support/scripts.rs"]
mod scripts;

use std::{
    future::{self, pending},
    time::Duration,
};

use boardgame_core::{ByColor, Color};
use boardgame_io::{ProgramOptions, cpu};
use boardgame_match::{
    Choice, Fault, GameOptions, GameReport, GameSpec, Launch, LocalPlayer, LocalSeat, News,
    Outcome, Seat, SessionSeat, SessionSeatOptions, Turn, conduct,
};
use boardgame_session::{Cause, SeatFault, Thought};
use common::{Heap, LineSession, One, Rules, play_game};
use scripts::{shell, short_grace};

type Kept = SessionSeat<Heap, LineSession<Heap>>;

/// The seat of a shell script that is kept.
fn kept(script: &str, rules: Rules) -> Kept {
    let rules = Rules {
        stays: true,
        ..rules
    };
    let options = SessionSeatOptions {
        launch: Launch::Kept,
        farewell: b"quit\n".to_vec(),
        ..SessionSeatOptions::default()
    };
    let program = ProgramOptions {
        stderr_limit: 1000,
        ..short_grace()
    };
    SessionSeat::program(
        "kept",
        LineSession::new(rules),
        shell(script),
        program,
        options,
    )
}

/// Plays a game of 5 counters, which Black wins.
async fn play(black: &mut Kept, cancel: impl Future<Output = ()>) -> GameReport<Heap> {
    let mut white = LocalSeat::new("one", One).unwrap();
    let seats = ByColor::<&mut dyn Seat<Heap>> {
        black,
        white: &mut white,
    };
    play_game(GameSpec::new(5), seats, cancel).await
}

fn cause(report: &GameReport<Heap>) -> &Cause {
    &report.outcome.verdict().expect("a verdict").cause
}

/// Asserts that a game was played out, with this number of programs started for Black.
fn assert_played(report: &GameReport<Heap>, launches: u32) {
    assert_eq!(cause(report), &Cause::Played);
    let black = &report.seats.black;
    assert_eq!((black.name.as_str(), black.moves), ("kept", 3));
    assert_eq!((black.launches, &black.faults[..]), (launches, &[][..]));
}

#[tokio::test]
async fn a_kept_program_plays_many_games_and_is_told_when_to_quit() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("quit");
    let script = format!(
        "n=0; while read word; do case \"$word\" in '?') n=$((n+1)); yes $n | head -999 >&2; echo 1;; \
         quit) echo $n >{path:?};; esac; done",
    );
    let mut black = kept(&script, Rules::default());
    for launches in [1, 0, 0] {
        let report = play(&mut black, pending()).await;
        assert_played(&report, launches);
        assert_eq!(report.seats.black.status, None);
    }
    black.close().await;
    assert_eq!(std::fs::read_to_string(path).unwrap(), "9\n");
    assert_played(&play(&mut black, pending()).await, 1);
}

#[tokio::test]
async fn a_program_that_is_out_of_step_is_started_anew() {
    // It crashes at a question, or hangs.
    let rules = Rules {
        limit: Some(Duration::from_millis(500)),
        ..Rules::default()
    };
    for (at_fifth, fault) in [
        ("kill -SEGV $$", SeatFault::Left),
        (
            "exec sleep 600",
            SeatFault::Overtime {
                detail: String::new(),
            },
        ),
    ] {
        let script = format!(
            "n=0; while read word; do if [ \"$word\" = '?' ]; then n=$((n+1)); \
             [ $n = 5 ] && {at_fifth}; echo 1; fi; done"
        );
        let mut black = kept(&script, rules);
        assert_played(&play(&mut black, pending()).await, 1);
        let report = play(&mut black, pending()).await;
        let by = Color::Black;
        assert_eq!(cause(&report), &Cause::Forfeit { by, fault });
        assert_eq!(report.seats.black.launches, 0);
        assert_eq!(report.seats.black.moves, 1);
        assert_played(&play(&mut black, pending()).await, 1);
    }
}

#[tokio::test]
async fn a_program_that_ends_between_games_is_started_anew() {
    let script = "for n in 1 2 3; do read q; echo 1; read own; [ $n = 3 ] || read other; done";
    let mut black = kept(script, Rules::default());
    assert_played(&play(&mut black, pending()).await, 1);
    // Wait until its exit is noticed.
    tokio::time::sleep(Duration::from_millis(500)).await;
    assert_played(&play(&mut black, pending()).await, 1);
}

#[tokio::test]
async fn a_program_that_is_called_off_in_the_middle_of_an_answer_is_started_anew() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ran");
    let script = format!(
        "[ -e {path:?} ] || {{ >{path:?}; exec sleep 600; }}; \
         while read word; do if [ \"$word\" = '?' ]; then echo 1; fi; done"
    );
    let mut black = kept(&script, Rules::default());
    let soon = tokio::time::sleep(Duration::from_millis(300));
    let report = play(&mut black, soon).await;
    assert_eq!(report.outcome, Outcome::Cancelled);
    assert_eq!(
        report.seats.black.faults,
        [Fault::Hung { killed: false }],
        "it ended with the game"
    );
    assert_played(&play(&mut black, pending()).await, 1);
}

/// A player that waits for a program to write a file, removes the file and moves.
#[cfg(target_os = "linux")]
struct After(std::path::PathBuf);

#[cfg(target_os = "linux")]
impl LocalPlayer<Heap> for After {
    fn choose(&mut self, _: &Turn<Heap>) -> Choice<u8> {
        while std::fs::remove_file(&self.0).is_err() {
            std::thread::sleep(Duration::from_millis(5));
        }
        Choice::Move(1, Thought::default())
    }
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn the_cpu_time_of_a_kept_program_counts_from_the_question() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("idle");
    // It uses CPU time before each question, not for its answers.
    let script = format!(
        "work() {{ i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done; : >{path:?}; }}; \
         work; while read word; do [ \"$word\" = '?' ] && {{ sleep 0.01; echo 1; work; }}; done"
    );
    let mut process = None;
    let mut black = LocalSeat::new("after", After(path)).unwrap();
    let mut white = kept(&script, Rules::default());
    for _ in 0..2 {
        let seats = ByColor::<&mut dyn Seat<Heap>> {
            black: &mut black,
            white: &mut white,
        };
        let keep = |_: &_, _: &_| future::ready(());
        let options = GameOptions::default();
        // Each side moves once.
        let game = GameSpec::new(2);
        let observer = |_: &_, news: News<'_, _>| {
            if let News::Launched { process: id, .. } = news {
                process = id;
            }
        };
        let game = conduct(game, seats, observer, keep, &options, pending());
        let report = game.await.unwrap();
        assert_eq!(report.seats.white.moves, 1);
        let answer = report.seats.white.cpu.expect("the system tells it");
        let whole = process.and_then(cpu::of_process).expect("it runs");
        assert!(answer < whole / 8, "{answer:?} of {whole:?}");
    }
}
