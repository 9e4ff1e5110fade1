//! A key press that stops running work.

use std::{
    io::{self, IsTerminal as _},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread::{self, JoinHandle},
};

use super::picker::{RawMode, next_event, pressed};

/// A watch for a key of the terminal, until this is dropped. Meanwhile the terminal is in raw mode: Ctrl-C is a key,
/// and a line ends with `\r\n`.
pub struct AnyKey {
    dropped: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
    _raw: RawMode,
}

impl AnyKey {
    /// Calls a function on another thread when a key is pressed; `None` if standard input or output is no terminal.
    ///
    /// # Errors
    ///
    /// When the terminal has no raw mode, or the system starts no thread.
    pub fn watch(pressed: impl FnOnce() + Send + 'static) -> io::Result<Option<Self>> {
        if !io::stdin().is_terminal() || !io::stdout().is_terminal() {
            return Ok(None);
        }
        let raw = RawMode::begin()?;
        let dropped = Arc::new(AtomicBool::new(false));
        let is_dropped = Arc::clone(&dropped);
        let wait = move || {
            if wait_for_key(&is_dropped) {
                pressed();
            }
        };
        let thread = thread::Builder::new().name("any key".into()).spawn(wait)?;
        Ok(Some(Self {
            dropped,
            thread: Some(thread),
            _raw: raw,
        }))
    }
}

/// Returns whether a key was pressed before the watch was dropped.
fn wait_for_key(is_dropped: &AtomicBool) -> bool {
    loop {
        match next_event(is_dropped) {
            Ok(Some(event)) if pressed(&event).is_none() => {}
            Ok(None) => return false,
            // A failed input counts as a key press.
            Ok(Some(_)) | Err(_) => return true,
        }
    }
}

impl Drop for AnyKey {
    fn drop(&mut self) {
        self.dropped.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            // A panic of the thread has already been reported.
            let _ = thread.join();
        }
    }
}
