//! Child programs and what they start themselves.
#![cfg(unix)]

#[path = "../../../tests/support/processes.rs"]
mod processes;
#[path = "../../../tests/support/scripts.rs"]
mod scripts;

use boardgame_io::{Fault, Incoming, Program};
use processes::{is_running, wait_until_gone};
use scripts::{shell, short_grace};

fn launch(script: &str) -> Program {
    Program::launch(&shell(script), &short_grace()).unwrap()
}

/// The number that a program prints first, such as that of a process.
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
