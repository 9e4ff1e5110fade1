//! Programs that use a terminal.

use std::{
    fs::File,
    io::{Read as _, Write as _},
    process::Stdio,
};

use nix::{
    pty::{OpenptyResult, Winsize, openpty},
    sys::termios::{LocalFlags, tcgetattr},
};

use crate::support::{Folder, await_while, signal};

/// Returns whether the terminal gives lines to programs, and not keys.
fn gives_lines(terminal: &OpenptyResult) -> bool {
    let settings = tcgetattr(&terminal.slave).expect("the settings of the terminal");
    settings.local_flags.contains(LocalFlags::ICANON)
}

/// Returns a terminal of 80 columns and 40 lines.
fn terminal() -> OpenptyResult {
    let size = Winsize {
        ws_row: 40,
        ws_col: 80,
        ws_xpixel: 0,
        ws_ypixel: 0,
    };
    openpty(Some(&size), None).expect("a terminal")
}

/// Starts the tool at a terminal, sends a signal once it reads keys, and checks how it ends.
fn check(line: &str, name: &str) {
    let terminal = terminal();
    let end = || Stdio::from(terminal.slave.try_clone().expect("a file"));
    let mut command = Folder::new().command(line);
    command.env("TERM", "xterm").current_dir("/");
    let mut process = command
        .stdin(end())
        .stdout(end())
        .stderr(end())
        .spawn()
        .expect("the tool starts");
    await_while(&mut process, || !gives_lines(&terminal));
    signal(name, process.id());
    let status = process.wait().expect("the end");
    assert_eq!(status.code(), Some(130), "{line}, {name}");
    assert!(gives_lines(&terminal), "{line}, {name}");
}

#[test]
fn a_signal_ends_a_game_and_restores_the_terminal() {
    check("play --hash 1", "TERM");
    check("play --hash 1", "INT");
    #[cfg(target_os = "linux")]
    if !crate::signals::is_hangup_ignored() {
        check("play --hash 1", "HUP");
    }
}

#[test]
fn a_signal_ends_a_hint_and_restores_the_terminal() {
    check("hint --moves f5 --hash 1 --time 1h --no-store", "TERM");
}

#[test]
fn the_games_of_a_match_are_shown_until_a_signal() {
    let terminal = terminal();
    let folder = Folder::new();
    let line = "match -e a=own:hash=1 -e b=own:hash=1 -l depth:1 --games 2 --web";
    let mut command = folder.command(line);
    command.stdout(Stdio::null()).stderr(terminal.slave);
    let mut process = command.spawn().expect("the tool starts");
    drop(command);
    let mut master = File::from(terminal.master);
    let mut shown = String::new();
    while !shown.contains("until Ctrl-C") {
        let mut bytes = [0; 256];
        let count = master.read(&mut bytes).expect("the tool is still there");
        shown += &String::from_utf8_lossy(&bytes[..count]);
    }
    signal("TERM", process.id());
    assert!(process.wait().expect("the end").success(), "{shown}");
}

#[test]
fn a_record_does_not_control_the_terminal() {
    let terminal = terminal();
    let mut command = Folder::new().command("convert - --to sgf");
    let piped = command.current_dir("/").stdin(Stdio::piped());
    let mut process = piped.stdout(terminal.slave).spawn().expect("the tool");
    // Until it holds the terminal no longer.
    drop(command);
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
