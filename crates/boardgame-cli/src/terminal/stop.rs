//! Ending the process at a signal, with the terminal restored.

use std::{
    io::{self, Write as _},
    process,
    sync::mpsc,
    thread,
};

use boardgame_io::{ExitCode, block_on, stop_requested_with_ready};
use crossterm::terminal;

/// Ends the process with [`ExitCode::Interrupted`] at a signal of [`boardgame_io::stop_requested`], with the terminal
/// restored. For programs without anything else to end, such as a child program.
///
/// Signals are watched once this returns; only then may keys be read.
///
/// # Errors
///
/// When the system starts no thread.
pub fn exit_on_stop() -> io::Result<()> {
    let (ready, watched) = mpsc::channel();
    let wait = move || {
        // If signals cannot be watched, they end the process as usual.
        let told = || {
            let _ = ready.send(());
        };
        if block_on(stop_requested_with_ready(told)).is_ok() {
            // Both fail only without a terminal.
            let _ = terminal::disable_raw_mode();
            let _ = writeln!(io::stderr());
            process::exit(ExitCode::Interrupted.into());
        }
    };
    thread::Builder::new().name("stop".into()).spawn(wait)?;
    // Without a message there is nothing to wait for: signals cannot be watched.
    let _ = watched.recv();
    Ok(())
}
