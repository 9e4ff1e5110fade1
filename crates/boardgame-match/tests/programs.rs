//! Games between child programs, including misbehaving ones.
#![cfg(unix)]

mod common;
#[path = "../../../tests/support/processes.rs"]
mod processes;
#[path = "../../../tests/support/scripts.rs"]
mod scripts;

use std::{
    future::{self, pending},
    time::Duration,
};

use boardgame_core::{ByColor, Color};
use boardgame_io::{CommandLine, ProgramOptions};
use boardgame_match::{
    Fault, GameOptions, GameReport, GameSpec, Launch, News, Outcome, Seat, SessionSeat,
    SessionSeatOptions, conduct,
};
use boardgame_session::{Cause, GameEvent, SeatFault, Verdict};
use common::{Heap, LineSession, Rules, play_game};
use processes::wait_until_gone;
use scripts::{shell, short_grace};

use Color::{Black, White};

/// A player that takes one counter at a time.
const PLAYER: &str = "while read word; do if [ \"$word\" = '?' ]; then echo 1; fi; done";

type BoxSeat = Box<dyn Seat<Heap>>;

fn seat(line: CommandLine, program: ProgramOptions, rules: Rules) -> BoxSeat {
    let options = SessionSeatOptions {
        launch: if rules.launches {
            Launch::OnRequest
        } else {
            Launch::AtStart
        },
        ..SessionSeatOptions::default()
    };
    let name = line.to_string();
    let session = LineSession::new(rules);
    Box::new(SessionSeat::program(name, session, line, program, options))
}

fn script(text: &str, rules: Rules) -> BoxSeat {
    seat(shell(text), short_grace(), rules)
}

/// Plays a game of 20 counters.
async fn play_seats(black: BoxSeat, white: BoxSeat) -> GameReport<Heap> {
    let mut seats = ByColor { black, white };
    let seats = seats.as_mut().map(Box::as_mut);
    play_game(GameSpec::new(20), seats, pending()).await
}

async fn play(black: &str, white: &str, rules: Rules) -> GameReport<Heap> {
    play_seats(script(black, rules), script(white, rules)).await
}

fn cause(report: &GameReport<Heap>) -> &Cause {
    &report.outcome.verdict().expect("a verdict").cause
}

fn assert_overtime(cause: &Cause) {
    let by_black = cause.is_overtime() && cause.culprit() == Some(Black);
    assert!(by_black, "{cause}");
}

fn forfeit(by: Color, fault: SeatFault) -> Cause {
    Cause::Forfeit { by, fault }
}

fn limit(milliseconds: u64) -> Rules {
    Rules {
        limit: Some(Duration::from_millis(milliseconds)),
        ..Rules::default()
    }
}

/// The process id that a script wrote to its standard error.
fn named(report: &GameReport<Heap>, seat: Color) -> u32 {
    report.seats[seat].stderr.trim().parse().expect("a number")
}

#[tokio::test]
async fn two_programs_play_a_whole_game() {
    let (mut began, mut launched, mut moves, mut cpu) = (0, 0, 0, 0);
    let mut told = Vec::new();
    let observer = |_: &_, news: News<'_, u8>| match news {
        News::Launched { process, .. } => launched += u32::from(process.is_some()),
        News::Event(GameEvent::Began) => began += 1,
        News::Event(GameEvent::Moved(_, _, thought)) => {
            moves += 1;
            cpu += u32::from(thought.is_some_and(|thought| thought.cpu.is_some()));
        }
        News::Decided(verdict) => told.push(verdict.to_string()),
        _ => {}
    };
    let mut seats = ByColor::new_with(|_| script(PLAYER, Rules::default()));
    let keep = |_: &_, _: &_| future::ready(());
    let options = GameOptions::default();
    let game = conduct(
        GameSpec::new(20),
        seats.as_mut().map(Box::as_mut),
        observer,
        keep,
        &options,
        pending(),
    );
    let report = game.await.unwrap();
    assert_eq!(cause(&report), &Cause::Played);
    assert_eq!(told, ["White won: played to the end"]);
    assert_eq!((began, launched, moves), (1, 2, 20));
    assert!(!cfg!(target_os = "linux") || cpu == 20, "{cpu}");
    for color in Color::ALL {
        let seat = &report.seats[color];
        assert_eq!(
            (&seat.faults[..], seat.launches, seat.moves),
            (&[][..], 1, 10)
        );
        assert!(seat.status.unwrap().success());
        assert!(seat.used >= seat.longest && seat.bytes == 20);
    }
}

#[tokio::test]
async fn a_program_started_for_each_move_plays_too() {
    let rules = Rules {
        launches: true,
        ..Rules::default()
    };
    let once = "read word; echo 1";
    let report = play(once, once, rules).await;
    assert_eq!(cause(&report), &Cause::Played);
    assert_eq!(
        (report.seats.black.launches, report.seats.black.moves),
        (10, 10)
    );
    assert_eq!(report.seats.white.faults, []);
}

#[tokio::test]
async fn without_a_program_there_is_no_game_and_the_reason_is_told() {
    for (launches, missing) in [(false, Black), (false, White), (true, Black), (true, White)] {
        let rules = Rules {
            launches,
            ..Rules::default()
        };
        let [black, white] = Color::ALL.map(|color| {
            if color == missing {
                seat("/nonexistent/x".parse().unwrap(), short_grace(), rules)
            } else {
                script(PLAYER, rules)
            }
        });
        let report = play_seats(black, white).await;
        assert_eq!(report.outcome, Outcome::NotStarted { seat: missing });
        let [Fault::NotStarted { program, .. }] = &report.seats[missing].faults[..] else {
            panic!("{:?}", report.seats[missing].faults);
        };
        assert_eq!(program, "/nonexistent/x");
        assert_eq!(report.seats[!missing].faults, []);
    }
}

#[tokio::test]
async fn a_program_that_starts_once_and_never_again_loses() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("player");
    std::fs::write(&path, "#!/bin/sh\nrm \"$0\"; read word; echo 1\n").unwrap();
    std::fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o700)).unwrap();
    let rules = Rules {
        launches: true,
        ..Rules::default()
    };
    let line = CommandLine::new(path.to_str().unwrap(), [""; 0]);
    let vanishes = seat(line, short_grace(), rules);
    let report = play_seats(vanishes, script("read word; echo 1", rules)).await;
    assert_eq!(cause(&report), &forfeit(Black, SeatFault::Left));
    assert_eq!(report.moves, [1, 1]);
}

#[tokio::test]
async fn a_program_that_crashes_loses_and_its_last_words_are_kept() {
    let crash = "read line; echo alas >&2; kill -SEGV $$";
    let report = play(PLAYER, crash, Rules::default()).await;
    assert_eq!(cause(&report), &forfeit(White, SeatFault::Left));
    let seat = &report.seats.white;
    assert!(seat.stderr.starts_with("alas\n"), "{:?}", seat.stderr);
    assert!(matches!(seat.faults[..], [Fault::Crashed(status)] if !status.success()));
}

#[tokio::test]
async fn a_program_that_hangs_runs_out_of_time_and_is_terminated_or_killed() {
    let report = play("exec sleep 600", PLAYER, limit(300)).await;
    assert_overtime(cause(&report));
    assert_eq!(report.seats.black.faults, [Fault::Hung { killed: false }]);

    let ignores = "trap '' TERM HUP INT; echo $$ >&2; while :; do sleep 1; done";
    let report = play(ignores, PLAYER, limit(1000)).await;
    assert_overtime(cause(&report));
    assert_eq!(report.seats.black.faults, [Fault::Hung { killed: true }]);
    wait_until_gone(named(&report, Black)).await;
}

#[tokio::test]
async fn a_program_that_floods_is_ended_at_the_limit() {
    let report = play("exec yes no", PLAYER, Rules::default()).await;
    assert_eq!(cause(&report), &forfeit(Black, SeatFault::Left));
    let limit = SessionSeatOptions::default().max_turn_bytes;
    let seat = &report.seats.black;
    assert!(matches!(seat.faults[..], [Fault::Flooded { bytes }] if bytes > limit));
    assert!(seat.bytes < 2 * limit);

    let chatty = "while read word; do echo no; [ \"$word\" = '?' ] && echo 1; done";
    let options = SessionSeatOptions {
        max_game_bytes: 30,
        ..SessionSeatOptions::default()
    };
    let session = LineSession::new(Rules::default());
    let chatty = SessionSeat::program("chatty", session, shell(chatty), short_grace(), options);
    let report = play_seats(script(PLAYER, Rules::default()), Box::new(chatty)).await;
    assert_eq!(cause(&report), &forfeit(White, SeatFault::Left));
    let faults = &report.seats.white.faults[..];
    assert!(matches!(faults, [Fault::FloodedGame { bytes }] if *bytes > 30));
}

#[tokio::test]
async fn a_program_that_floods_standard_error_is_ended_at_the_limit() {
    let options = ProgramOptions {
        stderr_limit: 100_000,
        stderr_kept: 1000,
        ..short_grace()
    };
    let flood = seat(shell("exec yes no >&2"), options, Rules::default());
    let report = play_seats(flood, script(PLAYER, Rules::default())).await;
    assert_eq!(cause(&report), &forfeit(Black, SeatFault::Left));
    let seat = &report.seats.black;
    assert!(matches!(seat.faults[..], [Fault::FloodedStderr { bytes }] if bytes > 100_000));
    assert_eq!(seat.stderr.len(), 1000);
}

#[tokio::test]
async fn a_program_that_never_reads_blocks_nobody() {
    // The first question overfills the socket; the program answers without reading.
    let rules = Rules {
        padding: 250_000,
        limit: Some(Duration::from_mins(1)),
        ..Rules::default()
    };
    let report = play("echo 1; exec sleep 600", PLAYER, rules).await;
    assert_eq!(cause(&report), &forfeit(Black, SeatFault::Left));
    let faults = &report.seats.black.faults[..];
    assert!(
        matches!(faults, [Fault::NotReading { pending }] if *pending > 262_144),
        "{faults:?}"
    );
}

#[tokio::test]
async fn a_game_without_clocks_ends_at_the_drivers_limit() {
    let options = GameOptions {
        max_duration: Duration::from_millis(300),
        ..GameOptions::default()
    };
    let mut seats =
        ByColor::from(["exec sleep 600", PLAYER].map(|text| script(text, Rules::default())));
    let keep = |_: &_, _: &_| future::ready(());
    let game = conduct(
        GameSpec::new(20),
        seats.as_mut().map(Box::as_mut),
        |_, _| {},
        keep,
        &options,
        pending(),
    );
    assert_eq!(game.await.unwrap().outcome, Outcome::TimedOut);
}

#[tokio::test]
async fn of_a_game_that_begins_again_only_the_new_one_counts() {
    let again =
        "read word; echo 1; read own; read move; read word; echo again; ".to_owned() + PLAYER;
    let report = play(&again, PLAYER, Rules::default()).await;
    assert_eq!(cause(&report), &Cause::Played);
    assert_eq!(report.moves.len(), 20);
    assert_eq!(
        report
            .seats
            .map(|seat| (seat.moves, seat.launches))
            .into_array(),
        [(10, 1); 2]
    );
}

#[tokio::test]
async fn a_verdict_that_is_kept_outlives_a_cancellation() {
    let (cancel, cancelled) = tokio::sync::oneshot::channel::<()>();
    let mut cancel = Some(cancel);
    let mut kept = None;
    let keep = |_: &_, verdict: &Verdict| {
        kept = Some(verdict.clone());
        drop(cancel.take());
        future::ready(())
    };
    let mut seats = ByColor::from([PLAYER, "read word"].map(|text| script(text, Rules::default())));
    let cancel = async {
        let _ = cancelled.await;
    };
    let options = GameOptions::default();
    let seats = seats.as_mut().map(Box::as_mut);
    let game = conduct(GameSpec::new(20), seats, |_, _| {}, keep, &options, cancel);
    let report = game.await.unwrap();
    let left = Verdict::forfeit(White, SeatFault::Left);
    assert_eq!(report.outcome, Outcome::Decided(left.clone()));
    assert_eq!(kept, Some(left));
}
