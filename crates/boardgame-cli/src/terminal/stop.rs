//! The end of the process while a person is at the terminal.

use std::{
    io::{self, Write as _},
    process, thread,
};

use boardgame_io::{ExitCode, block_on, stop_requested};
use crossterm::terminal;

/// Ends the process with [`ExitCode::Interrupted`] at a signal of [`stop_requested`], with the terminal as it was before
/// its keys were read. It is for programs that have nothing else to end, such as a child program.
///
/// # Errors
///
/// When the system starts no thread.
pub fn exit_on_stop() -> io::Result<()> {
    let wait = || {
        // Where signals cannot be watched they end the process as ever.
        if block_on(stop_requested()).is_ok() {
            // Both fail only where there is no terminal any more.
            let _ = terminal::disable_raw_mode();
            let _ = writeln!(io::stderr());
            process::exit(ExitCode::Interrupted.into());
        }
    };
    thread::Builder::new().name("stop".into()).spawn(wait)?;
    Ok(())
}
