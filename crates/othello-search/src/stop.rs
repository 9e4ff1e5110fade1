//! Handles that stop a search from any thread.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

/// A handle that stops one search from any thread.
///
/// [`Searcher::stop_handle`](crate::Searcher::stop_handle) returns the handle of the next search;
/// [`Limits::stop`](crate::Limits::stop) supplies one, for a searcher on another thread. A stop is neither lost nor
/// misdirected: before its search begins, it makes that search return at once (with a legal move); after its search has
/// returned, it has no effect.
#[derive(Clone, Debug, Default)]
pub struct StopHandle(Arc<AtomicBool>);

impl StopHandle {
    /// Creates an unused handle.
    pub fn new() -> Self {
        Self::default()
    }

    /// Makes the search return its best move so far.
    pub fn stop(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Returns whether [`stop`](Self::stop) was called. In a WebAssembly module, whose only thread is searching, the
    /// embedding program may also request a stop.
    pub fn is_stopped(&self) -> bool {
        #[cfg(all(target_arch = "wasm32", target_os = "unknown"))]
        if crate::webassembly::is_stopped() {
            return true;
        }
        self.0.load(Ordering::Relaxed)
    }
}
