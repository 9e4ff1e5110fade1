//! What one reader is told.

use std::sync::Arc;

use tokio::sync::broadcast::{Receiver, error::RecvError};

use crate::{Event, Runs};

/// A snapshot of all runs, followed by the events since.
///
/// Whoever writes to the runs does not wait for it. A reader that falls too far behind gets a new snapshot in place of
/// the events that it missed.
#[derive(Debug)]
pub struct Subscription {
    runs: Runs,
    /// The events after the last snapshot; `None` until there is one.
    events: Option<Receiver<Arc<Event>>>,
}

impl Subscription {
    pub(crate) const fn new(runs: Runs) -> Self {
        Self { runs, events: None }
    }

    /// Waits for the next event; the first one is a snapshot. Cancel-safe.
    pub async fn next(&mut self) -> Arc<Event> {
        if let Some(events) = &mut self.events {
            match events.recv().await {
                Ok(event) => return event,
                // The sender lives as long as the runs.
                Err(RecvError::Lagged(_) | RecvError::Closed) => {}
            }
        }
        let (snapshot, events) = self.runs.snapshot();
        self.events = Some(events);
        snapshot
    }
}
