//! The events for one reader.

use std::{collections::HashSet, sync::Arc};

use tokio::sync::broadcast::{
    Receiver,
    error::{RecvError, TryRecvError},
};

use super::{Event, Runs};

/// A snapshot of all runs, followed by the events since.
///
/// Writers do not wait for it. A reader that falls too far behind gets a new snapshot in place of the events that it
/// missed.
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
        self.snapshot()
    }

    /// Returns the next event if one is waiting.
    pub fn try_next(&mut self) -> Option<Arc<Event>> {
        match self.events.as_mut().map(Receiver::try_recv) {
            Some(Ok(event)) => Some(event),
            Some(Err(TryRecvError::Empty)) => None,
            None | Some(Err(TryRecvError::Lagged(_) | TryRecvError::Closed)) => {
                Some(self.snapshot())
            }
        }
    }

    fn snapshot(&mut self) -> Arc<Event> {
        let (snapshot, events) = self.runs.snapshot();
        self.events = Some(events);
        snapshot
    }
}

/// The subject of an event, which makes earlier ones on the same subject superfluous.
#[derive(PartialEq, Eq, Hash)]
enum Subject {
    Game(u32, u64),
    Standings(u32),
}

impl Subject {
    fn of(event: &Event) -> Option<Self> {
        match event {
            Event::Started { run, game } | Event::Moved { run, game, .. } => {
                Some(Self::Game(*run, game.id))
            }
            Event::Standings { run, .. } => Some(Self::Standings(*run)),
            Event::Snapshot { .. } | Event::Run { .. } | Event::Finished { .. } => None,
        }
    }
}

/// Leaves out events that later ones make superfluous: earlier moves of the same game, earlier standings, and
/// everything that a snapshot replaces. Applying the others has the same effect.
pub fn coalesce(events: Vec<Arc<Event>>) -> Vec<Arc<Event>> {
    let mut told = HashSet::new();
    let mut kept = Vec::new();
    for event in events.into_iter().rev() {
        let is_new = Subject::of(&event).is_none_or(|subject| told.insert(subject));
        let is_snapshot = matches!(*event, Event::Snapshot { .. });
        if is_new {
            kept.push(event);
        }
        if is_snapshot {
            break;
        }
    }
    kept.reverse();
    kept
}
