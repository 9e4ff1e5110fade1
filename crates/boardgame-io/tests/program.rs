//! Child programs and their own children.
#![cfg(unix)]

#[path = "../../../tests/support/processes.rs"]
mod processes;
#[path = "../../../tests/support/scripts.rs"]
mod scripts;

use std::time::Duration;

use boardgame_io::{Fault, Incoming, Program};
use processes::{is_running, wait_until_gone};
use scripts::{shell, short_grace};

fn launch(script: &str) -> Program {
    Program::launch(&shell(script), &short_grace()).unwrap()
}

/// The number that a program prints first, such as a process id.
async fn number(program: &mut Program) -> u32 {
    let Some(Incoming::Bytes { bytes, .. }) = program.next().await else {
        panic!("a number was expected");
    };
    String::from_utf8(bytes).unwrap().trim().parse().unwrap()
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_grandchild_in_a_session_of_its_own_ends_with_the_program() {
    // Its parent is gone, it has left the group, and it holds the pipes open.
    let orphan = "(setsid sleep 600 & echo $!)";
    let mut leaves = launch(&format!("{orphan}; read line; exit 0"));
    let grandchild = number(&mut leaves).await;
    let report = leaves.end().await;
    assert_eq!(report.faults, [Fault::LeftProcesses]);
    wait_until_gone(grandchild).await;

    let mut hangs = launch(&format!("{orphan}; exec sleep 600"));
    let grandchild = number(&mut hangs).await;
    let report = hangs.end().await;
    assert!(
        report.faults.contains(&Fault::Hung { killed: false }),
        "{:?}",
        report.faults
    );
    wait_until_gone(grandchild).await;
}

#[tokio::test]
async fn what_ends_by_itself_right_after_the_program_is_not_left_behind() {
    let mut program = launch("echo 1; read line; sleep 0.03 & exit 0");
    assert_eq!(number(&mut program).await, 1);
    let report = program.end().await;
    assert_eq!(report.faults, []);
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_dropped_program_takes_those_along_that_left_its_group() {
    let mut program = launch("(setsid sleep 600 & echo $!); sleep 600");
    let grandchild = number(&mut program).await;
    assert!(is_running(grandchild));
    drop(program);
    wait_until_gone(grandchild).await;
}

/// Each guard would search all processes once its host is killed.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn one_guard_serves_all_programs_and_is_replaced() {
    use std::fs;

    use nix::{
        sys::signal::{Signal, kill},
        unistd::Pid,
    };

    let guards = || {
        let threads = fs::read_dir("/proc/self/task").unwrap().flatten();
        // A thread may end meanwhile.
        let children: String = threads
            .filter_map(|thread| fs::read_to_string(thread.path().join("children")).ok())
            .collect();
        let is_guard = |id: &&str| {
            let line = fs::read_to_string(format!("/proc/{id}/cmdline"));
            line.unwrap_or_default().ends_with("\0program-guard\0")
        };
        let ids = children.split_whitespace().filter(is_guard);
        ids.map(|id| id.parse().unwrap()).collect::<Vec<i32>>()
    };
    let _programs = [launch("read line"), launch("read line")];
    let first = guards();
    assert_eq!(first.len(), 1, "{first:?}");
    kill(Pid::from_raw(first[0]), Signal::SIGKILL).unwrap();
    wait_until_gone(first[0].cast_unsigned()).await;
    let _program = launch("read line");
    let second = guards();
    assert!(second.len() == 1 && second != first, "{second:?}");
}

#[tokio::test]
async fn a_dropped_program_leaves_no_process() {
    let mut program = launch("sleep 600 & echo $!; wait");
    let grandchild = number(&mut program).await;
    let child = program.id().unwrap();
    assert!(is_running(grandchild));
    drop(program);
    wait_until_gone(grandchild).await;
    wait_until_gone(child).await;
}

#[tokio::test]
async fn a_program_without_a_game_is_ended_and_reported() {
    let mut program = launch("while read line; do :; done; echo bye >&2; exit 7");
    program.send(b"hello\n").unwrap();
    let report = program.end().await;
    assert_eq!(report.status.unwrap().code(), Some(7));
    assert_eq!(report.stderr, "bye\n");
    assert_eq!(report.faults, []);
}

#[tokio::test]
async fn a_file_of_standard_error_has_headings_and_begins_anew_with_one() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("stderr.txt");
    let mut line = shell("printf x >&2");
    line.set_stderr_file(Some(path.clone()));
    let text = || std::fs::read_to_string(&path).unwrap();
    for heading in ["game 1", "check"] {
        line.note(heading);
        let program = Program::launch(&line, &short_grace()).unwrap();
        program.end().await;
    }
    let lines: Vec<_> = text().lines().map(str::to_owned).collect();
    assert!(lines[1].starts_with("--- started "), "{lines:?}");
    assert_eq!(
        [&lines[0], &lines[2], &lines[3]],
        ["--- game 1", "x", "--- check"]
    );
    std::fs::write(&path, "y".repeat(1024 * 1024 + 1)).unwrap();
    let program = Program::launch(&line, &short_grace()).unwrap();
    program.end().await;
    assert!(text().starts_with('y') && text().ends_with("\nx"));
    line.note("game 2");
    assert_eq!(text(), "--- game 2\n");
}

/// A script that starts an orphan in a session of its own with an empty environment, whose parent nobody waits for,
/// and prints its process id.
#[cfg(target_os = "linux")]
fn hidden(script: &str) -> String {
    format!("trap '' CHLD; exec sh -c '(env -i setsid sh -c \"{script}\" & echo $!); read line'")
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_process_that_hides_is_found_counted_and_ended() {
    let mut program = launch(&hidden("while :; do :; done"));
    let family = program.family().unwrap();
    let busy = number(&mut program).await;
    let own = || boardgame_io::cpu::of_process(family.leader()).unwrap();
    let enough = Duration::from_millis(300);
    while family.user_cpu().unwrap() < enough {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    assert!(own() < enough);
    assert_eq!(family.has_forked(), Some(true));
    let report = program.end().await;
    assert_eq!(report.faults, [Fault::LeftProcesses]);
    wait_until_gone(busy).await;
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn the_time_of_a_hidden_process_that_has_ended_is_counted() {
    let mut program = launch(&hidden(
        "i=0; while [ \\$i -lt 100000 ]; do i=\\$((i+1)); done",
    ));
    let family = program.family().unwrap();
    let busy = number(&mut program).await;
    wait_until_gone(busy).await;
    let own = boardgame_io::cpu::of_process(family.leader()).unwrap();
    assert!(family.cpu().unwrap() > own + Duration::from_millis(20));
    assert_eq!(family.has_forked(), Some(true));
    assert!(
        !std::path::Path::new(&format!("/proc/{busy}")).exists(),
        "it was waited for"
    );
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_program_cannot_lay_a_process_to_the_charge_of_another() {
    let mut victim = launch("echo $BOARDGAME_PROGRAM; read line");
    let Some(Incoming::Bytes { bytes, .. }) = victim.next().await else {
        panic!("a mark was expected");
    };
    let mark = String::from_utf8(bytes).unwrap();
    let blames = format!(
        "BOARDGAME_PROGRAM={} setsid sleep 600 & echo $!",
        mark.trim()
    );
    let mut other = launch(&format!("trap '' CHLD; exec sh -c '({blames}); read line'"));
    number(&mut other).await;
    let [victim, other] = [victim, other].map(|program| program.family().unwrap());
    assert_eq!(other.has_forked(), Some(true));
    assert_eq!(victim.has_forked(), Some(false));
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_chain_of_processes_ends_with_the_program() {
    // Each starts the next one in a session of its own and ends.
    let folder = tempfile::tempdir().unwrap();
    let chain = folder.path().join("chain");
    let alive = folder.path().join("alive");
    let next = format!(
        "echo > {}; setsid sh {} &",
        alive.display(),
        chain.display()
    );
    std::fs::write(&chain, next).unwrap();
    let mut program = launch(&format!("sh {} ; echo 1; read line", chain.display()));
    assert_eq!(number(&mut program).await, 1);
    let report = program.end().await;
    assert_eq!(report.faults, [Fault::LeftProcesses]);
    std::fs::remove_file(&alive).unwrap();
    tokio::time::sleep(Duration::from_millis(300)).await;
    assert!(!alive.exists(), "the chain goes on");
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn streams_cannot_be_opened_by_another_process() {
    let open = "for n in 0 1 2; do (: 3<>/proc/$$/fd/$n) 2>/dev/null && echo open; done";
    let mut program = launch(&format!("{open}; echo 1; read line"));
    assert_eq!(number(&mut program).await, 1);
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn this_process_is_closed_to_its_programs() {
    let mut program = launch("echo 1");
    assert_eq!(number(&mut program).await, 1);
    assert!(!nix::sys::prctl::get_dumpable().unwrap());
}

#[tokio::test]
async fn a_signal_from_outside_is_told_from_a_crash() {
    for (signal, killed) in [
        ("KILL", true),
        ("TERM", true),
        ("USR1", true),
        ("SEGV", false),
        ("ABRT", false),
    ] {
        let mut program = launch(&format!("kill -s {signal} $$"));
        while program.next().await.is_some() {}
        let faults = program.end().await.faults;
        assert_eq!(
            matches!(faults[..], [Fault::Killed(_)]),
            killed,
            "{faults:?}"
        );
        assert_eq!(
            matches!(faults[..], [Fault::Crashed(_)]),
            !killed,
            "{faults:?}"
        );
    }
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_program_that_somebody_has_stopped_is_told() {
    let mut program = launch("echo 1; kill -s STOP $$");
    assert_eq!(number(&mut program).await, 1);
    let stat = format!("/proc/{}/stat", program.id().unwrap());
    while !std::fs::read_to_string(&stat).unwrap().contains(") T ") {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    let faults = program.end().await.faults;
    assert_eq!(faults, [Fault::Stopped, Fault::Hung { killed: true }]);
}
