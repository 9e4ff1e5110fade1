//! Stops of long work by the user.

use std::{
    future::poll_fn,
    pin::pin,
    sync::mpsc::{self, Sender},
    thread,
};

use boardgame_io::stop_requested;
use othello_search::StopHandle;

/// Returns a handle that Ctrl-C and the other signals of [`stop_requested`] stop, which no longer end the process.
///
/// If signals cannot be watched, they end the process as they would without this call.
pub(crate) fn watch() -> StopHandle {
    let stop = StopHandle::new();
    let stopped = stop.clone();
    let (watching, watched) = mpsc::channel();
    thread::spawn(move || {
        if boardgame_io::block_on(requested(watching)).is_ok() {
            stopped.stop();
        }
    });
    // Nothing is sent: this waits until the sender is dropped.
    let _ = watched.recv();
    stop
}

/// Waits for a signal, and drops the sender once signals are watched.
async fn requested(watching: Sender<()>) {
    let mut watching = Some(watching);
    let mut stop = pin!(stop_requested());
    poll_fn(|context| {
        let polled = stop.as_mut().poll(context);
        watching = None;
        polled
    })
    .await;
}
