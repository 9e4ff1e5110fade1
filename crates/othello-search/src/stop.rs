//! The handle that stops a search from any thread.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

/// A handle that stops one search, from any thread.
///
/// A handle belongs to one search alone. [`Searcher::stop_handle`](crate::Searcher::stop_handle)
/// gives the handle of the search that begins next; [`Limits::stop`](crate::Limits::stop) brings
/// one along, which suits a searcher that lives on another thread. Hence a stop is neither lost
/// nor misdirected: one that comes before its search begins makes that search return at once (with
/// a legal move), and one that comes after its search has returned concerns no other.
#[derive(Clone, Debug, Default)]
pub struct StopHandle(Arc<AtomicBool>);

impl StopHandle {
    /// A handle that has not been used yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Makes the search return its best move so far.
    pub fn stop(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Returns whether [`stop`](Self::stop) was called. In a WebAssembly module, whose only thread is the one that
    /// searches, the program around it may ask for a stop too.
    pub fn is_stopped(&self) -> bool {
        #[cfg(all(target_arch = "wasm32", target_os = "unknown"))]
        if crate::webassembly::is_stopped() {
            return true;
        }
        self.0.load(Ordering::Relaxed)
    }
}
