//! The searches of a server and its reading of records: one at a time for each service.

use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use crate::requests::{SearchTask, Service};
use boardgame_io::{Client, NoPlace, Place, Places};
use othello_analysis::Store;
use othello_engine::TableError;
use othello_search::StopHandle;
use tokio::{
    sync::Notify,
    time::{sleep, timeout},
};

use super::{
    Config, SharedStore,
    answer::Answer,
    error::ApiError,
    events::{self, Sender},
};

/// The time that a request waits for a slot.
const MAX_WAIT: Duration = Duration::from_secs(5);

/// The maximum number of requests that wait at a time.
const MAX_WAITING: usize = 128;

/// The minimum time of a search; after it, a hint without bounds ends early if a request waits for its slot, and any
/// search does if its client has two slots more than a waiting one. After half of [`MAX_WAIT`] any search ends early
/// for a client without a slot.
const MIN_TIME: Duration = Duration::from_millis(250);

/// The time between two checks for a search that may end early.
const LOOK_INTERVAL: Duration = Duration::from_millis(25);

/// The slots for searches and for reading records.
pub(crate) struct Pool {
    slots: Mutex<Slots>,
    /// Notified when a slot is free, and at the end.
    changed: Notify,
    places_to_wait: Places,
    time_limit: Duration,
    store: Option<SharedStore>,
}

/// The free and taken slots, and the requests that wait for one.
#[derive(Default)]
struct Slots {
    idle: Vec<Service>,
    running: Vec<Running>,
    waiting: Vec<Waiting>,
    next_id: u64,
    has_ended: bool,
}

/// A slot that is taken.
struct Running {
    id: u64,
    client: Client,
    stop: StopHandle,
    /// The time when its search started; `None` while records are read.
    started: Option<Instant>,
    /// Whether it may end early for any request.
    yields: bool,
}

/// A request that waits.
#[derive(Clone, Copy)]
struct Waiting {
    id: u64,
    client: Client,
}

impl Pool {
    pub(crate) fn new(config: &Config) -> Result<Self, TableError> {
        let service = |_| Service::new(config.engine.clone(), &config.program);
        let idle = (0..config.searches.get()).map(service);
        Ok(Self {
            slots: Mutex::new(Slots {
                idle: idle.collect::<Result<_, _>>()?,
                ..Slots::default()
            }),
            changed: Notify::new(),
            places_to_wait: Places::new(MAX_WAITING),
            time_limit: config.time_limit,
            store: config.store.clone(),
        })
    }

    /// Takes a slot as soon as one is free for the client.
    pub(crate) async fn slot(self: &Arc<Self>, client: Client) -> Result<Slot, ApiError> {
        let in_queue = InQueue::new(self, client)?;
        let taken = async {
            loop {
                let changed = self.changed.notified();
                let taken = self.slots().take(in_queue.waiting);
                match taken {
                    Taken::Slot(service) => return Ok((in_queue.waiting.id, service)),
                    Taken::None => {}
                    Taken::Ended => return Err(ApiError::busy()),
                }
                tokio::select! {
                    () = changed => {}
                    () = sleep(LOOK_INTERVAL) => {}
                }
            }
        };
        let (id, service) = timeout(MAX_WAIT, taken)
            .await
            .map_err(|_| ApiError::busy())??;
        Ok(Slot {
            id,
            service: Some(service),
            pool: Arc::clone(self),
        })
    }

    /// Stops all searches, and starts no more.
    pub(crate) fn end(&self) {
        let mut slots = self.slots();
        slots.has_ended = true;
        for running in &slots.running {
            running.stop.stop();
        }
        self.changed.notify_waiters();
    }

    fn slots(&self) -> MutexGuard<'_, Slots> {
        self.slots.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The answer to a request that looks for a slot.
#[allow(clippy::large_enum_variant)] // It is moved once for each request.
enum Taken {
    Slot(Service),
    None,
    Ended,
}

impl Slots {
    /// Takes a slot for a waiting request, if one is free and no other request has a better claim: one of a client with
    /// fewer slots, or else an older one. Otherwise ends a search early, if one may end.
    fn take(&mut self, waiting: Waiting) -> Taken {
        if self.has_ended {
            return Taken::Ended;
        }
        if self.idle.is_empty() {
            self.end_early(waiting.client);
            return Taken::None;
        }
        let first = self
            .waiting
            .iter()
            .min_by_key(|other| (self.count(other.client), other.id));
        if first.is_some_and(|first| first.id != waiting.id) {
            return Taken::None;
        }
        let Some(service) = self.idle.pop() else {
            return Taken::None;
        };
        self.waiting.retain(|other| other.id != waiting.id);
        self.running.push(Running {
            id: waiting.id,
            client: waiting.client,
            stop: StopHandle::new(),
            started: None,
            yields: false,
        });
        Taken::Slot(service)
    }

    /// Returns the number of slots that a client has.
    fn count(&self, client: Client) -> usize {
        let own = self.running.iter().filter(|slot| slot.client == client);
        own.count()
    }

    /// Ends the oldest search that may end early for a client's request, a hint without bounds first, unless one is
    /// ending already.
    fn end_early(&self, client: Client) {
        let own = self.count(client);
        let may_end = |search: &&Running| {
            let has_had = |time| search.started.is_some_and(|at| at.elapsed() >= time);
            has_had(MIN_TIME) && (search.yields || self.count(search.client) >= own + 2)
                || has_had(MAX_WAIT / 2) && own == 0
        };
        let is_ending = self.running.iter().any(|search| search.stop.is_stopped());
        let searches = self.running.iter().filter(may_end);
        let oldest = searches.min_by_key(|search| (!search.yields, search.id));
        if let Some(oldest) = oldest.filter(|_| !is_ending) {
            oldest.stop.stop();
        }
    }
}

/// A request in the queue until this is dropped.
struct InQueue<'a> {
    pool: &'a Pool,
    waiting: Waiting,
    _place: Place,
}

impl<'a> InQueue<'a> {
    fn new(pool: &'a Pool, client: Client) -> Result<Self, ApiError> {
        let place = pool.places_to_wait.take(client);
        let place = place.map_err(|_: NoPlace| ApiError::busy())?;
        let mut slots = pool.slots();
        slots.next_id += 1;
        let waiting = Waiting {
            id: slots.next_id,
            client,
        };
        slots.waiting.push(waiting);
        Ok(Self {
            pool,
            waiting,
            _place: place,
        })
    }
}

impl Drop for InQueue<'_> {
    fn drop(&mut self) {
        let id = self.waiting.id;
        self.pool.slots().waiting.retain(|other| other.id != id);
        // A slot that was free for it is now free for another one.
        self.pool.changed.notify_waiters();
    }
}

/// A slot until this is dropped, even by a panic of its search.
pub(crate) struct Slot {
    id: u64,
    /// Present until the slot is dropped.
    service: Option<Service>,
    pool: Arc<Pool>,
}

impl Slot {
    /// Starts a search. One that `yields` ends early when any other request waits.
    pub(crate) fn search(self, task: SearchTask, yields: bool) -> Answer {
        let mut slots = self.pool.slots();
        let own = slots.running.iter_mut().find(|slot| slot.id == self.id);
        let stop = own.map_or_else(StopHandle::new, |own| {
            own.started = Some(Instant::now());
            own.yields = yields;
            // It is stopped already if the pool has ended.
            own.stop.clone()
        });
        drop(slots);
        let (sender, receiver) = events::channel();
        tokio::spawn(run(self, task, stop.clone(), sender));
        Answer::of_search(receiver, stop)
    }

    fn run(&mut self, task: &SearchTask, stop: &StopHandle, sender: &Sender) {
        let mut store = self.pool.store.as_deref();
        let store = store.as_mut().map(|store| store as &mut dyn Store);
        if let Some(service) = &mut self.service {
            service.run(task, stop, store, &mut |event| sender.send(event.clone()));
        }
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        let mut slots = self.pool.slots();
        slots.running.retain(|running| running.id != self.id);
        slots.idle.extend(self.service.take());
        drop(slots);
        self.pool.changed.notify_waiters();
    }
}

/// Carries out a search within the time limit, on its own thread.
async fn run(mut slot: Slot, task: SearchTask, stop: StopHandle, sender: Sender) {
    let time_limit = slot.pool.time_limit;
    let of_search = stop.clone();
    let search = move || {
        slot.run(&task, &of_search, &sender);
        sender.finish();
    };
    let mut searching = tokio::task::spawn_blocking(search);
    let mut ended = timeout(time_limit, &mut searching).await;
    if ended.is_err() {
        stop.stop();
        ended = Ok(searching.await);
    }
    if let Ok(Err(error)) = ended {
        tracing::error!(%error, "a search failed");
    }
}

#[cfg(test)]
mod tests {
    use std::net::{IpAddr, Ipv4Addr};

    use super::*;

    #[test]
    fn a_long_search_ends_for_a_client_without_one() {
        let client = |id: u32| Client::from(IpAddr::from(Ipv4Addr::from_bits(id)));
        let running = |id: u32| Running {
            id: id.into(),
            client: client(id),
            stop: StopHandle::new(),
            started: Instant::now().checked_sub(MAX_WAIT / 2),
            yields: false,
        };
        let slots = Slots {
            running: vec![running(1), running(2)],
            ..Slots::default()
        };
        for (id, first_ends) in [(1, false), (3, true)] {
            slots.end_early(client(id));
            let stopped = slots.running.iter().map(|search| search.stop.is_stopped());
            assert!(stopped.eq([first_ends, false]));
        }
    }
}
