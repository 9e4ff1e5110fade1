//! The tool in a folder of its own.

#[path = "../../../../tests/support/folder.rs"]
mod folder;

use std::{
    process::{Child, Command},
    thread,
    time::Duration,
};

pub(crate) use folder::{Folder, Ran};

pub(crate) const PROGRAM: &str = env!("CARGO_BIN_EXE_othello");

/// Black wins with h5 by 6 discs, and g6 loses by 2.
pub(crate) const ENDGAME: &str = "XXXOXXXXOXXXXXXXOOXXXXXXOOOXXXXXOOOXXOO-OOOOO---OOOOOOO-OOOOOOO-";

/// The command line of our own player of a format, fast and weak.
pub(crate) fn player(format: &str) -> String {
    format!("'{PROGRAM}' player {format} --depth 2 --threads 1 --hash 1")
}

/// Sends a signal to a process of ours.
pub(crate) fn signal(name: &str, process: u32) {
    let words = [format!("-{name}"), process.to_string()];
    let sent = Command::new("kill").args(words).status();
    assert!(sent.expect("kill starts").success());
}

/// Waits until a running process has done something.
pub(crate) fn await_while(process: &mut Child, mut done: impl FnMut() -> bool) {
    while !done() {
        assert_eq!(process.try_wait().expect("a process"), None, "it ended");
        thread::sleep(Duration::from_millis(10));
    }
}
