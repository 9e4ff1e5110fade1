//! Games between child programs, among them such as misbehave in every way.
#![cfg(unix)]

mod common;

use std::{future::pending, time::Duration};

use common::{First, PLAYER, Rules, Toy, play, play_seats, quick, script, shell};
use othello_arena::{
    CommandLine, Fault, GameOptions, GameReport, Incoming, Link, LinkOptions, News, Outcome,
    Program, Seat, game,
};
use othello_core::Color::{self, Black, White};
use othello_proto::session::{Cause, HostEvent};

fn cause(report: &GameReport) -> &Cause {
    &report.outcome.verdict().expect("a verdict").cause
}

fn limit(milliseconds: u64) -> Rules {
    Rules {
        limit: Some(Duration::from_millis(milliseconds)),
        ..Rules::default()
    }
}

/// Whether a process runs; one that is dead but not reaped does not.
fn is_running(id: u32) -> bool {
    let ps = std::process::Command::new("/bin/sh")
        .args([
            "-c",
            &format!("cat /proc/{id}/stat 2>/dev/null || ps -o pid=,comm=,stat= -p {id}"),
        ])
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&ps.stdout).into_owned();
    let state = text.rsplit(')').next().unwrap_or_default();
    !state.trim().is_empty() && !state.trim_start().starts_with('Z')
}

async fn wait_until_gone(id: u32) {
    for _ in 0..600 {
        if !is_running(id) {
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("process {id} still runs");
}

/// The numbers of the processes that a script named on its standard error.
fn named(report: &GameReport, seat: Color) -> u32 {
    report.seat(seat).stderr.trim().parse().expect("a number")
}

#[tokio::test]
async fn two_programs_play_a_whole_game() {
    let seats = [script(PLAYER), script(PLAYER)];
    let (mut began, mut moves) = (0, 0);
    let observer = |_: &_, news: News<'_>| match news {
        News::Event(HostEvent::Began) => began += 1,
        News::Event(HostEvent::Moved { .. }) => moves += 1,
        _ => {}
    };
    let toy = Toy::new(Rules::default());
    let report = game::run(toy, seats, observer, &GameOptions::default(), pending()).await;
    assert_eq!(cause(&report), &Cause::Played);
    assert!(report.game.board().is_over());
    assert_eq!(
        (began, moves),
        (1, report.seat(Black).moves + report.seat(White).moves)
    );
    for color in Color::ALL {
        assert_eq!(report.seat(color).faults, []);
        assert_eq!(report.seat(color).launches, 1);
        assert!(report.seat(color).status.unwrap().success());
    }
}

#[tokio::test]
async fn a_program_started_for_each_move_plays_too() {
    let once = "read word first rest; echo $first";
    let rules = Rules {
        launches: true,
        ..Rules::default()
    };
    let report = play(once, once, rules).await;
    assert_eq!(cause(&report), &Cause::Played);
    assert_eq!(report.seat(Black).launches, report.seat(Black).moves);
    assert_eq!(report.seat(White).faults, []);
}

#[tokio::test]
async fn the_house_plays_against_a_program_and_a_stream() {
    let rules = Rules {
        house: Some(White),
        ..Rules::default()
    };
    let seats = [script(PLAYER), Seat::house("house", First)];
    let report = play_seats(seats, rules.clone()).await;
    assert_eq!(cause(&report), &Cause::Played);
    assert!(report.seat(White).moves > 20);

    let (host, peer) = tokio::io::duplex(64);
    let peer = tokio::spawn(async move {
        let mut peer = Link::of(peer, LinkOptions::default());
        let mut text = String::new();
        while let Some(Incoming::Bytes { bytes, .. }) = peer.next().await {
            text.push_str(std::str::from_utf8(&bytes).unwrap());
            while let Some((line, rest)) = text.split_once('\n') {
                let square = line.split(' ').nth(1).unwrap().to_owned();
                text = rest.to_owned();
                peer.send(format!("{square}\n").as_bytes()).unwrap();
            }
        }
    });
    let link = Link::of(host, LinkOptions::default());
    let seats = [Seat::link("peer", link), Seat::house("house", First)];
    let by_stream = play_seats(seats, rules).await;
    assert_eq!(by_stream.game, report.game);
    peer.await.unwrap();
}

#[tokio::test]
async fn without_a_program_there_is_no_game_and_the_reason_is_told() {
    for (launches, missing) in [(false, Black), (false, White), (true, Black), (true, White)] {
        let seats = Color::ALL.map(|color| {
            if color == missing {
                Seat::program("x", "/nonexistent/x".parse().unwrap(), quick())
            } else {
                script(PLAYER)
            }
        });
        let rules = Rules {
            launches,
            ..Rules::default()
        };
        let report = play_seats(seats, rules).await;
        assert_eq!(report.outcome, Outcome::NotStarted { seat: missing });
        let [Fault::NotStarted { program, .. }] = &report.seat(missing).faults[..] else {
            panic!("{:?}", report.seat(missing).faults);
        };
        assert_eq!(program, "/nonexistent/x");
        assert_eq!(report.seat(!missing).faults, []);
        assert_eq!(report.notes, []);
    }
}

#[tokio::test]
async fn a_program_that_starts_once_and_never_again_loses() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("player");
    let text = "#!/bin/sh\nrm \"$0\"; read word first rest; echo $first\n";
    std::fs::write(&path, text).unwrap();
    std::fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o700)).unwrap();
    let line = CommandLine::new(path.to_str().unwrap(), [""; 0]);
    let vanishes = Seat::program("x", line, quick());
    let rules = Rules {
        launches: true,
        ..Rules::default()
    };
    let report = play_seats([vanishes, script(PLAYER)], rules).await;
    assert_eq!(cause(&report), &Cause::Left { by: Black });
    assert_eq!(report.game.moves().len(), 2);
}

#[tokio::test]
async fn a_program_that_crashes_loses_and_its_last_words_are_kept() {
    let crash = "read line; echo alas >&2; kill -SEGV $$";
    let report = play(PLAYER, crash, Rules::default()).await;
    assert_eq!(cause(&report), &Cause::Left { by: White });
    let seat = report.seat(White);
    assert!(seat.stderr.starts_with("alas\n"), "{:?}", seat.stderr);
    assert!(matches!(seat.faults[..], [Fault::Crashed(status)] if !status.success()));
}

#[tokio::test]
async fn a_program_that_hangs_runs_out_of_time_and_is_terminated() {
    let report = play("exec sleep 600", PLAYER, limit(300)).await;
    assert_eq!(cause(&report), &Cause::Overtime { by: Black });
    assert_eq!(report.seat(Black).faults, [Fault::Hung { killed: false }]);
}

#[tokio::test]
async fn a_program_that_ignores_the_request_to_terminate_is_killed() {
    let deaf = "trap '' TERM HUP INT; echo $$ >&2; while :; do sleep 1; done";
    let report = play(deaf, PLAYER, limit(1000)).await;
    assert_eq!(cause(&report), &Cause::Overtime { by: Black });
    assert_eq!(report.seat(Black).faults, [Fault::Hung { killed: true }]);
    wait_until_gone(named(&report, Black)).await;
}

#[tokio::test]
async fn a_program_that_floods_is_ended_at_the_limit() {
    let report = play("exec yes no", PLAYER, Rules::default()).await;
    assert_eq!(cause(&report), &Cause::Left { by: Black });
    let limit = GameOptions::default().turn_bytes;
    let seat = report.seat(Black);
    assert!(matches!(seat.faults[..], [Fault::Flooded { bytes }] if bytes > limit));
    assert!(seat.bytes < 2 * limit);
}

#[tokio::test]
async fn a_program_that_talks_too_much_in_all_is_ended_too() {
    let chatty = "while read word first rest; do echo no; echo $first; done";
    let options = GameOptions {
        game_bytes: 30,
        ..GameOptions::default()
    };
    let seats = [script(PLAYER), script(chatty)];
    let toy = Toy::new(Rules::default());
    let report = game::run(toy, seats, |_, _| {}, &options, pending()).await;
    assert_eq!(cause(&report), &Cause::Left { by: White });
    let faults = &report.seat(White).faults[..];
    assert!(matches!(faults, [Fault::FloodedGame { bytes }] if *bytes > 30));
}

#[tokio::test]
async fn a_program_that_floods_standard_error_is_ended_at_the_limit() {
    let mut options = quick();
    options.stderr_limit = 100_000;
    options.stderr_kept = 1000;
    let flood = Seat::program("flood", shell("exec yes no >&2"), options);
    let report = play_seats([flood, script(PLAYER)], Rules::default()).await;
    assert_eq!(cause(&report), &Cause::Left { by: Black });
    let seat = report.seat(Black);
    assert!(matches!(seat.faults[..], [Fault::FloodedStderr { bytes }] if bytes > 100_000));
    assert_eq!(seat.stderr.len(), 1000);
}

#[tokio::test]
async fn bytes_outside_utf8_harm_nobody() {
    let noisy = "printf '\\377\\376\\000\\n'; printf '\\377' >&2; ".to_owned() + PLAYER;
    let report = play(&noisy, PLAYER, Rules::default()).await;
    assert_eq!(cause(&report), &Cause::Played);
    assert_eq!(report.notes.len(), 1);
    assert_eq!(report.seat(Black).stderr, "\u{fffd}");
}

#[tokio::test]
async fn a_program_that_never_reads_blocks_nobody() {
    // The first question fills the pipe and more; the program answers without having read.
    let rules = Rules {
        padding: 200_000,
        limit: Some(Duration::from_mins(1)),
        ..Rules::default()
    };
    let deaf = "echo d3; exec sleep 600";
    let report = play(deaf, PLAYER, rules).await;
    assert_eq!(cause(&report), &Cause::Left { by: Black });
    assert!(
        matches!(report.seat(Black).faults[..], [Fault::NotReading { pending }] if pending > 262_144),
        "{:?}",
        report.seat(Black).faults
    );
}

#[tokio::test]
async fn children_of_a_program_end_with_it() {
    // The grandchild keeps all three pipes open after its parent is gone.
    let leaves = "sleep 600 & echo $! >&2; read line; exit 0";
    let report = play(leaves, PLAYER, Rules::default()).await;
    assert_eq!(cause(&report), &Cause::Left { by: Black });
    assert_eq!(report.seat(Black).faults, [Fault::LeftProcesses]);
    wait_until_gone(named(&report, Black)).await;

    let hangs = "sleep 600 & echo $! >&2; wait";
    let report = play(hangs, PLAYER, limit(1000)).await;
    assert_eq!(cause(&report), &Cause::Overtime { by: Black });
    wait_until_gone(named(&report, Black)).await;
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_grandchild_in_a_session_of_its_own_ends_with_the_program() {
    // Its parent is gone, it has left the group, and it holds the pipes open.
    let orphan = "(setsid sleep 600 & echo $! >&2)";
    let leaves = format!("{orphan}; read line; exit 0");
    let report = play(&leaves, PLAYER, Rules::default()).await;
    assert_eq!(cause(&report), &Cause::Left { by: Black });
    assert_eq!(report.seat(Black).faults, [Fault::LeftProcesses]);
    wait_until_gone(named(&report, Black)).await;

    let hangs = format!("{orphan}; exec sleep 600");
    let report = play(&hangs, PLAYER, limit(1000)).await;
    assert_eq!(cause(&report), &Cause::Overtime { by: Black });
    wait_until_gone(named(&report, Black)).await;
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_dropped_program_takes_those_along_that_left_its_group() {
    let line = shell("(setsid sleep 600 & echo $!); sleep 600");
    let mut program = Program::launch(&line, &quick()).unwrap();
    let Some(Incoming::Bytes { bytes, .. }) = program.next().await else {
        panic!("a number was expected");
    };
    let grandchild = String::from_utf8(bytes).unwrap().trim().parse().unwrap();
    assert!(is_running(grandchild));
    drop(program);
    wait_until_gone(grandchild).await;
}

#[tokio::test]
async fn a_game_called_off_leaves_no_process() {
    let hang = "echo $$ >&2; read line; exec sleep 600";
    let (call_off, called_off) = tokio::sync::oneshot::channel::<()>();
    let mut call_off = Some(call_off);
    let observer = |_: &_, news: News<'_>| {
        if let News::Event(HostEvent::Moved { .. }) = news {
            drop(call_off.take());
        }
    };
    let seats = [script(PLAYER), script(hang)];
    let cancel = async {
        let _ = called_off.await;
    };
    let toy = Toy::new(Rules::default());
    let report = game::run(toy, seats, observer, &GameOptions::default(), cancel).await;
    assert_eq!(report.outcome, Outcome::Cancelled);
    assert_eq!(report.game.moves().len(), 1);
    wait_until_gone(named(&report, White)).await;
}

#[tokio::test]
async fn a_game_without_clocks_ends_at_the_drivers_limit() {
    let options = GameOptions {
        limit: Duration::from_millis(300),
        ..GameOptions::default()
    };
    let seats = [script("exec sleep 600"), script(PLAYER)];
    let toy = Toy::new(Rules::default());
    let report = game::run(toy, seats, |_, _| {}, &options, pending()).await;
    assert_eq!(report.outcome, Outcome::TimedOut);
}

#[tokio::test]
async fn a_dropped_game_leaves_no_process() {
    let mut program = Program::launch(&shell("sleep 600 & echo $!; wait"), &quick()).unwrap();
    let Some(Incoming::Bytes { bytes, .. }) = program.next().await else {
        panic!("a number was expected");
    };
    let grandchild = String::from_utf8(bytes).unwrap().trim().parse().unwrap();
    let child = program.id().unwrap();
    assert!(is_running(grandchild));
    drop(program);
    wait_until_gone(grandchild).await;
    wait_until_gone(child).await;
}

#[tokio::test]
async fn a_program_without_a_game_is_ended_and_reported() {
    let line = shell("while read line; do :; done; echo bye >&2; exit 7");
    let mut program = Program::launch(&line, &quick()).unwrap();
    program.send(b"hello\n").unwrap();
    let report = program.end().await;
    assert_eq!(report.status.unwrap().code(), Some(7));
    assert_eq!(report.stderr, "bye\n");
    assert_eq!(report.faults, []);
}
