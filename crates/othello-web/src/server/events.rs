//! The events of a search on their way to a reader that may be slow.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use crate::requests::Event;
use tokio::sync::Notify;

use super::error::SEARCH_FAILED;

/// Creates a channel that keeps at most one unread event of each kind: a newer one replaces it.
pub(crate) fn channel() -> (Sender, Receiver) {
    let shared = Arc::new(Shared::default());
    (Sender(Arc::clone(&shared)), Receiver(shared))
}

/// The search's end. Dropped before [`finish`](Self::finish), as by a panic, it sends an error.
pub(crate) struct Sender(Arc<Shared>);

/// The reader's end.
pub(crate) struct Receiver(Arc<Shared>);

#[derive(Default)]
struct Shared {
    unread: Mutex<Unread>,
    changed: Notify,
}

#[derive(Default)]
struct Unread {
    events: VecDeque<Event>,
    is_finished: bool,
    is_closed: bool,
}

impl Shared {
    fn unread(&self) -> MutexGuard<'_, Unread> {
        self.unread.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Sender {
    /// Sends an event, in place of an unread one of its kind.
    pub(crate) fn send(&self, event: Event) {
        let mut unread = self.0.unread();
        unread.events.retain(|old| old.name() != event.name());
        unread.events.push_back(event);
        drop(unread);
        self.0.changed.notify_one();
    }

    /// Closes the channel after a complete answer.
    pub(crate) fn finish(self) {
        self.0.unread().is_finished = true;
    }
}

impl Drop for Sender {
    fn drop(&mut self) {
        let is_finished = self.0.unread().is_finished;
        if !is_finished {
            self.send(Event::Error {
                message: SEARCH_FAILED.to_owned(),
            });
        }
        self.0.unread().is_closed = true;
        self.0.changed.notify_one();
    }
}

impl Receiver {
    /// Waits for the next event; `None` after the last one.
    pub(crate) async fn next(&mut self) -> Option<Event> {
        loop {
            {
                let mut unread = self.0.unread();
                if let Some(event) = unread.events.pop_front() {
                    return Some(event);
                }
                if unread.is_closed {
                    return None;
                }
            }
            self.0.changed.notified().await;
        }
    }

    /// Waits for the last event.
    pub(crate) async fn last(&mut self) -> Option<Event> {
        let mut last = None;
        while let Some(event) = self.next().await {
            last = Some(event);
        }
        last
    }
}

#[cfg(test)]
mod tests {
    use crate::requests::Progress;

    use super::*;

    fn progress(done: usize) -> Event {
        Event::Progress(Progress {
            done,
            total: 9,
            depth: 2,
            exact_from: 3,
        })
    }

    fn error() -> Event {
        let message = String::new();
        Event::Error { message }
    }

    #[tokio::test]
    async fn a_slow_reader_gets_the_newest_of_each_kind() {
        let (sender, mut receiver) = channel();
        sender.send(progress(1));
        assert_eq!(receiver.next().await, Some(progress(1)));
        for done in 2..=5 {
            sender.send(progress(done));
            sender.send(error());
        }
        sender.send(progress(6));
        sender.finish();
        assert_eq!(receiver.next().await, Some(error()));
        assert_eq!(receiver.next().await, Some(progress(6)));
        assert_eq!(receiver.next().await, None);
    }

    #[tokio::test]
    async fn a_reader_waits_for_what_is_sent_later() {
        let (sender, mut receiver) = channel();
        let reading = tokio::spawn(async move { receiver.last().await });
        tokio::task::yield_now().await;
        sender.send(progress(1));
        sender.finish();
        assert_eq!(reading.await.unwrap(), Some(progress(1)));
    }
    #[tokio::test]
    async fn an_answer_that_breaks_off_ends_with_an_error() {
        let (sender, mut receiver) = channel();
        sender.send(progress(1));
        let search = std::thread::spawn(move || {
            sender.send(progress(2));
            panic!("a search that fails");
        });
        assert!(search.join().is_err());
        assert_eq!(receiver.next().await, Some(progress(2)));
        let message = SEARCH_FAILED.to_owned();
        assert_eq!(receiver.next().await, Some(Event::Error { message }));
        assert_eq!(receiver.next().await, None);
    }
}
