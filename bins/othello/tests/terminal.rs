//! Programs that read keys of a terminal give it back as it was.
#![cfg(unix)]

use std::{
    fs::{self, File},
    io::{Read as _, Write as _},
    process::{Command, Stdio},
    thread,
    time::Duration,
};

use nix::{
    pty::{OpenptyResult, Winsize, openpty},
    sys::{
        signal::{Signal, kill},
        termios::{LocalFlags, tcgetattr},
    },
    unistd::Pid,
};

/// A terminal of 80 columns and 40 lines.
fn terminal() -> OpenptyResult {
    let size = Winsize {
        ws_row: 40,
        ws_col: 80,
        ws_xpixel: 0,
        ws_ypixel: 0,
    };
    openpty(Some(&size), None).expect("a terminal")
}

/// Returns whether the terminal gives lines to programs, and not keys.
fn gives_lines(terminal: &OpenptyResult) -> bool {
    let settings = tcgetattr(&terminal.slave).expect("the settings of the terminal");
    settings.local_flags.contains(LocalFlags::ICANON)
}

/// Starts the tool at a terminal, sends a signal once it reads keys, and checks how it ends.
fn check(arguments: &[&str], signal: Signal) {
    let terminal = terminal();
    let end = || Stdio::from(terminal.slave.try_clone().expect("a file"));
    let mut process = Command::new(env!("CARGO_BIN_EXE_othello"))
        .args(arguments)
        .env("TERM", "xterm")
        .stdin(end())
        .stdout(end())
        .stderr(end())
        .spawn()
        .expect("the tool starts");
    while gives_lines(&terminal) {
        assert_eq!(process.try_wait().expect("a process"), None, "it ended");
        thread::sleep(Duration::from_millis(10));
    }
    let id = Pid::from_raw(process.id().try_into().expect("an id"));
    kill(id, signal).expect("a process");
    let status = process.wait().expect("the end");
    assert_eq!(status.code(), Some(130), "{arguments:?}, {signal}");
    assert!(gives_lines(&terminal), "{arguments:?}, {signal}");
}

/// Returns whether this process ignores SIGHUP, as under `nohup`, and with it the programs that it starts.
fn ignores_hangups() -> bool {
    let status = fs::read_to_string("/proc/self/status").expect("the status of this process");
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = u64::from_str_radix(ignored.expect("ignored signals").trim(), 16);
    ignored.expect("hexadecimal digits") >> (Signal::SIGHUP as u32 - 1) & 1 == 1
}

#[test]
fn a_signal_ends_a_game_and_restores_the_terminal() {
    check(&["play", "--hash", "1"], Signal::SIGTERM);
    check(&["play", "--hash", "1"], Signal::SIGINT);
    if cfg!(target_os = "linux") && !ignores_hangups() {
        check(&["play", "--hash", "1"], Signal::SIGHUP);
    }
}

#[test]
fn a_signal_ends_a_hint_and_restores_the_terminal() {
    let arguments = [
        "hint",
        "--moves",
        "f5",
        "--hash",
        "1",
        "--time",
        "1h",
        "--no-store",
    ];
    check(&arguments, Signal::SIGTERM);
}

#[test]
fn a_record_does_not_control_the_terminal() {
    let terminal = terminal();
    let mut process = Command::new(env!("CARGO_BIN_EXE_othello"))
        .args(["convert", "-", "--to", "sgf"])
        .stdin(Stdio::piped())
        .stdout(terminal.slave)
        .spawn()
        .expect("the tool starts");
    let mut stdin = process.stdin.take().expect("a pipe");
    let record = "(;GM[2]PB[\u{1b}c\u{7}]PW[a];B[f5];W[d6])";
    stdin.write_all(record.as_bytes()).expect("a reader");
    drop(stdin);
    // Linux tells the end of the other side as an error.
    let mut shown = Vec::new();
    let _ = File::from(terminal.master).read_to_end(&mut shown);
    assert!(process.wait().expect("the end").success());
    let shown = String::from_utf8(shown).expect("text");
    assert!(shown.contains(r"\u{1b}") && shown.contains("f5"), "{shown}");
    assert!(!shown.contains(['\u{1b}', '\u{7}']), "{shown}");
}
