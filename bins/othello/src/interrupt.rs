//! Stops of long work by the user.

use std::{
    future::poll_fn,
    pin::pin,
    process,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering::SeqCst},
        mpsc::{self, Sender},
    },
    thread,
};

use boardgame_cli::ExitCode;
use boardgame_io::stop_requested;
use othello_search::StopHandle;

/// A watch for Ctrl-C and the other signals of [`stop_requested`].
///
/// The first signal during [work](Self::work) stops the work. Any other one ends the process: writing after the work
/// may wait for a reader that never comes.
#[derive(Clone)]
pub(crate) struct Interrupt {
    stops: Vec<StopHandle>,
    /// Set during work, until a signal stops it.
    is_working: Arc<AtomicBool>,
}

/// Work that a signal stops, until this is dropped.
pub(crate) struct Work(Arc<AtomicBool>);

impl Drop for Work {
    fn drop(&mut self) {
        self.0.store(false, SeqCst);
    }
}

impl Interrupt {
    /// Watches for signals, which stop these handles.
    ///
    /// If signals cannot be watched, they end the process as they would without this call.
    pub(crate) fn watch(stops: Vec<StopHandle>) -> Self {
        let interrupt = Self {
            stops,
            is_working: Arc::default(),
        };
        let watcher = interrupt.clone();
        let (watching, watched) = mpsc::channel();
        thread::spawn(move || {
            // Only the start can fail: then there is no signal to wait for.
            let _ = boardgame_io::block_on(watcher.signals(watching));
        });
        // Nothing is sent: this waits until the sender is dropped.
        let _ = watched.recv();
        interrupt
    }

    /// Starts work that a signal stops.
    pub(crate) fn work(&self) -> Work {
        self.is_working.store(true, SeqCst);
        Work(Arc::clone(&self.is_working))
    }

    /// Waits for signals, and drops the sender once they are watched.
    async fn signals(self, watching: Sender<()>) {
        let mut watching = Some(watching);
        loop {
            let mut signal = pin!(stop_requested());
            poll_fn(|context| {
                let polled = signal.as_mut().poll(context);
                watching = None;
                polled
            })
            .await;
            if !self.is_working.swap(false, SeqCst) {
                process::exit(ExitCode::Interrupted.into());
            }
            for stop in &self.stops {
                stop.stop();
            }
        }
    }
}
