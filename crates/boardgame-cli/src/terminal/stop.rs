//! Ending the process at a signal, with the terminal restored.

use std::{
    future::poll_fn,
    io::{self, Write as _},
    pin::pin,
    process,
    sync::mpsc::{self, Sender},
    thread,
};

use boardgame_io::{ExitCode, block_on, stop_requested};
use crossterm::terminal;

/// Ends the process with [`ExitCode::Interrupted`] at a signal of [`stop_requested`], with the terminal restored. For
/// programs without anything else to end, such as a child program.
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
        if block_on(stop_requested_once_ready(ready)).is_ok() {
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

/// Waits for a signal of [`stop_requested`], and sends a message once the signals are watched.
async fn stop_requested_once_ready(ready: Sender<()>) {
    let mut stop = pin!(stop_requested());
    poll_fn(|context| {
        let polled = stop.as_mut().poll(context);
        // Only the first message is received.
        let _ = ready.send(());
        polled
    })
    .await;
}
