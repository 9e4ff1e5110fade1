//! Limits of hostile programs.
#![cfg(target_os = "linux")]

#[path = "../../../tests/support/scripts.rs"]
mod scripts;

use std::{
    env,
    ffi::OsStr,
    fmt::Display,
    fs,
    io::{self, Write as _},
    net::{Ipv4Addr, TcpListener},
    os::unix::{ffi::OsStrExt as _, process::ExitStatusExt as _},
    thread::available_parallelism,
};

use boardgame_io::{CommandLine, Fault, Incoming, Program, ProgramLimits, ProgramOptions};
use scripts::{shell, short_grace};

fn launch(line: &CommandLine, limits: &ProgramLimits) -> Program {
    let options = ProgramOptions {
        limits: *limits,
        ..short_grace()
    };
    Program::launch(line, &options).unwrap()
}

/// Returns the command line of the example.
fn hostile(words: &[&str]) -> CommandLine {
    let own = env::current_exe().unwrap();
    let folder = own.ancestors().nth(2).unwrap();
    let program = folder.join("examples/hostile");
    CommandLine::new(program.to_str().unwrap(), words.iter().copied())
}

/// Returns the faults of a program that is ended without being asked to.
async fn faults(line: &CommandLine, limits: ProgramLimits) -> Vec<Fault> {
    let mut program = launch(line, &limits);
    while !matches!(program.next().await, None | Some(Incoming::Exited { .. })) {}
    program.end().await.faults
}

/// Returns the first line of a program, and its faults after the end of its input.
async fn told(line: &CommandLine, limits: &ProgramLimits) -> (String, Vec<Fault>) {
    let mut program = launch(line, limits);
    let mut told = Vec::new();
    while !told.contains(&b'\n') {
        match program.next().await {
            Some(Incoming::Bytes { bytes, .. }) => told.extend(bytes),
            other => panic!("a line was expected: {other:?}, {:?}", program.end().await),
        }
    }
    let told = String::from_utf8(told).unwrap();
    (told.trim_end().to_owned(), program.end().await.faults)
}

#[tokio::test]
async fn a_program_that_uses_too_much_memory_is_ended() {
    let limit = 64 << 20;
    let limits = ProgramLimits {
        memory: Some(limit),
        ..ProgramLimits::default()
    };
    let excess = [Fault::ExcessMemory { limit }];
    assert_eq!(faults(&hostile(&["memory", "512"]), limits).await, excess);
    // Each of its processes is within the limit.
    let program = hostile(&["memory", "40"]);
    let both = shell(&format!("exec 3<&0; {program} <&3 & {program} <&3 & wait"));
    assert_eq!(faults(&both, limits).await, excess);
    let (said, faults) = told(&program, &limits).await;
    assert_eq!((said.as_str(), faults), ("40 MiB", vec![]));
    assert_eq!(excess[0].to_string(), "used more than 64 MiB of memory");
}

#[tokio::test]
async fn the_name_of_a_process_does_not_hide_its_memory() {
    let limits = ProgramLimits {
        memory: Some(64 << 20),
        ..ProgramLimits::default()
    };
    let folder = tempfile::tempdir().unwrap();
    // The name of the process is no UTF-8.
    let name = folder.path().join(OsStr::from_bytes(b"\xff"));
    std::os::unix::fs::symlink(hostile(&[]).program(), name).unwrap();
    let renamed = shell(&format!(
        "cd {}; exec ./* memory 512",
        folder.path().display()
    ));
    let excess = [Fault::ExcessMemory { limit: 64 << 20 }];
    assert_eq!(faults(&renamed, limits).await, excess);
}

#[tokio::test]
async fn a_program_has_no_terminal() {
    let own =
        "read -r stat </proc/$$/stat; set -- $stat; [ $6 = $$ ] && echo own session; read line";
    let said = told(&shell(own), &ProgramLimits::default()).await;
    assert_eq!(said, ("own session".into(), vec![]));
}

#[tokio::test]
async fn a_program_that_starts_processes_without_end_is_ended() {
    let Some(limits) = sandbox() else { return };
    let limits = ProgramLimits {
        processes: Some(16),
        ..limits
    };
    let excess = [Fault::ExcessProcesses { limit: 16 }];
    assert_eq!(faults(&hostile(&["processes"]), limits).await, excess);
    let few =
        shell("for i in 1 2 3 4 5 6 7 8 9 10; do read line & done; wait; echo done; read line");
    assert_eq!(told(&few, &limits).await, ("done".into(), vec![]));
}

#[tokio::test]
async fn a_program_that_leaves_its_processors_is_ended() {
    if available_parallelism().unwrap().get() == 1 {
        skip("one processor");
        return;
    }
    let limits = ProgramLimits {
        cpus: Some(1),
        ..ProgramLimits::default()
    };
    let excess = [Fault::ExcessProcessors { limit: 1 }];
    assert_eq!(faults(&hostile(&["processors"]), limits).await, excess);
    let sees = told(&shell("nproc; read line"), &limits).await;
    assert_eq!(sees, ("1".into(), vec![]));
    // A program takes the place of one that has ended, not of one that runs.
    let place = shell("grep Cpus_allowed_list: /proc/$$/status; read line");
    let mut running = launch(&place, &limits);
    let first = running.next().await;
    let second = told(&place, &limits).await;
    assert_eq!(told(&place, &limits).await, second);
    let is_second = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim_end() == second.0;
    assert!(matches!(first, Some(Incoming::Bytes { bytes, .. }) if !is_second(&bytes)));
    // The host keeps its own.
    assert!(available_parallelism().unwrap().get() > 1);
}

/// Says why a test is skipped.
fn skip(reason: impl Display) {
    let _ = writeln!(io::stderr(), "skipped: {reason}");
}

/// Returns the limits that bubblewrap enforces, if it works here.
fn sandbox() -> Option<ProgramLimits> {
    let limits = ProgramLimits {
        no_network: true,
        read_only: true,
        ..ProgramLimits::default()
    };
    let (enforced, others) = limits.enforceable();
    for other in &others {
        skip(other);
    }
    (enforced == limits).then_some(limits)
}

#[tokio::test]
async fn a_sandboxed_program_changes_nothing_outside() {
    let Some(limits) = sandbox() else { return };
    let folder = tempfile::tempdir_in(env::current_exe().unwrap().parent().unwrap()).unwrap();
    // A file that a command line names is seen also in a folder for temporary files.
    let file = folder.path().join("file");
    fs::write(&file, "kept").unwrap();
    let path = file.to_str().unwrap();
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let other = Program::launch(&shell("read line"), &short_grace()).unwrap();
    for (words, expected) in [
        (["write", path], "Read-only file system (os error 30)"),
        (
            ["write", "/dev/file"],
            "Read-only file system (os error 30)",
        ),
        (
            ["fill", "/tmp/file"],
            "No space left on device (os error 28)",
        ),
        (["connect", &address], "Connection refused (os error 111)"),
        (["kill", ""], "done"),
    ] {
        let (said, faults) = told(&hostile(&words), &limits).await;
        assert_eq!((said.as_str(), faults), (expected, vec![]), "{words:?}");
    }
    assert_eq!(other.end().await.faults, []);
    assert_eq!(fs::read_to_string(file).unwrap(), "kept");
}

#[tokio::test]
async fn a_sandboxed_program_reads_its_files_and_forks_when_it_forks() {
    let Some(limits) = sandbox() else { return };
    let folder = tempfile::tempdir_in("/tmp").unwrap();
    let script = folder.path().join("script");
    fs::write(&script, "echo it; read line").unwrap();
    let line = CommandLine::new("sh", [script.to_str().unwrap()]);
    assert_eq!(told(&line, &limits).await, ("it".into(), vec![]));

    for (script, forks) in [
        ("echo it; read line", false),
        ("sleep 600 & echo it; wait", true),
    ] {
        let mut program = launch(&shell(script), &limits);
        program.next().await;
        assert_eq!(program.family().unwrap().has_forked(), Some(forks));
    }
    let missing = CommandLine::new("no-such-program", [""; 0]);
    let options = ProgramOptions {
        limits,
        ..short_grace()
    };
    let error = Program::launch(&missing, &options).unwrap_err();
    assert_eq!(error.io().kind(), io::ErrorKind::NotFound);
}

#[tokio::test]
async fn the_signal_that_ends_a_sandboxed_program_is_told() {
    let Some(limits) = sandbox() else { return };
    let faults = faults(&shell("kill -SEGV $$"), limits).await;
    let [Fault::Crashed(status)] = faults[..] else {
        panic!("a crash was expected: {faults:?}");
    };
    assert_eq!(status.signal(), Some(11));
}

#[tokio::test]
async fn processes_are_counted_without_those_of_the_sandbox() {
    let Some(mut limits) = sandbox() else { return };
    limits.processes = Some(1);
    assert_eq!(
        told(&shell("echo it; read line"), &limits).await,
        ("it".into(), vec![])
    );
    let excess = [Fault::ExcessProcesses { limit: 1 }];
    assert_eq!(
        faults(&shell("(sleep 600; :) & wait"), limits).await,
        excess
    );
}
