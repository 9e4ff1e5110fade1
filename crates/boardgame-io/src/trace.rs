//! Traces of the bytes between a host and its peers.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex, PoisonError},
    time::Instant,
};

/// The number of exchanges that a trace keeps.
const MAX_EXCHANGES: usize = 1024;

/// A trace of what passes between the host and a program: the last 1,024 exchanges. Clones share it.
///
/// # Examples
///
/// ```
/// use boardgame_io::{ExchangeKind, Trace};
///
/// let trace = Trace::default();
/// trace.record(ExchangeKind::Received, b"d3\n");
/// assert_eq!(trace.take()[0].bytes, b"d3\n");
/// assert!(trace.take().is_empty());
/// ```
#[derive(Clone, Debug, Default)]
pub struct Trace(Arc<Mutex<VecDeque<Exchange>>>);

/// An entry of a [`Trace`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exchange {
    /// The moment at which the bytes passed.
    pub at: Instant,
    /// The kind.
    pub kind: ExchangeKind,
    /// The bytes; none if the input was closed.
    pub bytes: Vec<u8>,
}

/// The kind of an [`Exchange`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExchangeKind {
    /// Bytes to the peer.
    Sent,
    /// Bytes from the peer.
    Received,
    /// Bytes that a program wrote to standard error.
    Stderr,
    /// The end of the peer's input.
    Closed,
}

impl Trace {
    /// Appends an entry.
    pub fn record(&self, kind: ExchangeKind, bytes: &[u8]) {
        let mut exchanges = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if exchanges.len() == MAX_EXCHANGES {
            exchanges.pop_front();
        }
        exchanges.push_back(Exchange {
            at: Instant::now(),
            kind,
            bytes: bytes.to_vec(),
        });
    }

    /// Returns the trace and starts an empty one.
    pub fn take(&self) -> Vec<Exchange> {
        let mut exchanges = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        exchanges.drain(..).collect()
    }
}

impl PartialEq for Trace {
    /// Returns whether both are clones of one trace.
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for Trace {}
