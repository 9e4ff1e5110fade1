//! Programs whose user CPU time counts, and that may neither idle nor fork.
#![cfg(target_os = "linux")]

mod common;
#[path = "../../../tests/support/scripts.rs"]
mod scripts;

use std::{future::pending, time::Duration};

use boardgame_core::{ByColor, TimeControl, TimeMeasure};
use boardgame_match::{
    GameReport, GameSpec, LocalSeat, Seat, SessionSeat, SessionSeatOptions, WatchOptions,
};
use boardgame_session::{Cause, SeatFault};
use common::{Heap, LineSession, One, Rules, play_game};
use scripts::{shell, short_grace};

/// Plays a game of 3 counters in which Black is a shell script that has `user_time` milliseconds of user
/// time, and carries out `when_asked` before each answer.
async fn play(when_asked: &str, user_time: u64, watch: WatchOptions) -> GameReport<Heap> {
    let script =
        format!("while read word; do if [ \"$word\" = '?' ]; then {when_asked}; echo 1; fi; done");
    let (line, program) = (shell(&script), short_grace());
    let options = SessionSeatOptions {
        watch,
        ..SessionSeatOptions::default()
    };
    let session = LineSession::new(Rules::default());
    let mut black = SessionSeat::<Heap, _>::program("script", session, line, program, options);
    let mut white = LocalSeat::new("one", One).unwrap();
    let seats = ByColor::<&mut dyn Seat<Heap>> {
        black: &mut black,
        white: &mut white,
    };
    let limited = TimeControl {
        main: Some(Duration::from_millis(user_time)),
        measure: TimeMeasure::UserCpu,
        ..TimeControl::default()
    };
    let game = GameSpec {
        time: ByColor {
            black: limited,
            white: TimeControl::default(),
        },
        ..GameSpec::new(3)
    };
    play_game(game, seats, pending()).await
}

fn fault(report: &GameReport<Heap>) -> Option<&SeatFault> {
    match &report.outcome.verdict().expect("a verdict").cause {
        Cause::Forfeit { fault, .. } => Some(fault),
        _ => None,
    }
}

#[tokio::test]
async fn waiting_costs_no_user_time() {
    let report = play("sleep 0.4", 300, WatchOptions::default()).await;
    assert_eq!(fault(&report), None);
    assert!(report.seats.black.used > Duration::from_millis(400));
}

#[tokio::test]
async fn a_program_that_works_beyond_its_user_time_loses_before_it_answers() {
    let report = play("while :; do :; done", 200, WatchOptions::default()).await;
    let fault = fault(&report);
    assert!(
        matches!(fault, Some(SeatFault::Overtime { .. })),
        "{fault:?}"
    );
    assert_eq!(report.seats.black.moves, 0);
}

#[tokio::test]
async fn a_program_that_does_nothing_loses() {
    let watch = WatchOptions {
        max_idle: Some(Duration::from_millis(300)),
        ..WatchOptions::default()
    };
    let report = play("exec cat", 10_000, watch).await;
    let Some(SeatFault::Idle { for_time }) = fault(&report) else {
        panic!("{:?}", report.outcome);
    };
    assert!(*for_time >= Duration::from_millis(300));
    let busy = "i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done";
    let report = play(busy, 60_000, watch).await;
    assert_eq!(fault(&report), None);
}

#[tokio::test]
async fn a_program_that_forks_loses_if_that_is_forbidden() {
    let watch = WatchOptions {
        forbids_forks: true,
        ..WatchOptions::default()
    };
    // The second answers at once, before the next look.
    for forks in ["sleep 5", "{ sleep 5 & }"] {
        let report = play(forks, 10_000, watch).await;
        assert_eq!(fault(&report), Some(&SeatFault::Forked), "{forks}");
        assert_eq!(report.seats.black.moves, 0, "{forks}");
    }
    let report = play(":", 10_000, watch).await;
    assert_eq!(fault(&report), None);
}
