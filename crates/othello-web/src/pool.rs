//! The searches of a server: as many at a time as there are services.

use std::{
    convert::Infallible,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use othello_analysis::{Store, Stored};
use othello_api::{SearchTask, Service};
use othello_core::Position;
use othello_engine::TableError;
use othello_search::StopHandle;
use tokio::{
    sync::{OwnedSemaphorePermit, Semaphore},
    time::{sleep, timeout},
};

use crate::{
    Config, SharedStore,
    answer::Answer,
    error::ApiError,
    events::{self, Sender},
};

/// The time that a request waits for a search.
const MAX_WAIT: Duration = Duration::from_secs(5);

/// The number of requests that wait at a time.
const MAX_WAITING: usize = 128;

/// The time that a hint has to itself; after it the hint ends early if a request waits for its search.
const MIN_HINT_TIME: Duration = Duration::from_millis(250);

/// The time between two looks at the searches for one that may end early.
const LOOK_INTERVAL: Duration = Duration::from_millis(25);

/// The searches.
pub(crate) struct Pool {
    free: Arc<Semaphore>,
    idle: Mutex<Vec<Service>>,
    running: Mutex<Vec<Running>>,
    next_id: AtomicU64,
    waiting: AtomicUsize,
    time_limit: Duration,
    store: Option<SharedStore>,
}

/// A search that runs.
struct Running {
    id: u64,
    stop: StopHandle,
    started: Instant,
    /// Whether it may end early.
    yields: bool,
}

impl Pool {
    pub(crate) fn new(config: &Config) -> Result<Self, TableError> {
        let searches = config.searches.get();
        let service = |_| Service::new(&config.engine, &config.program);
        Ok(Self {
            free: Arc::new(Semaphore::new(searches)),
            idle: Mutex::new((0..searches).map(service).collect::<Result<_, _>>()?),
            running: Mutex::default(),
            next_id: AtomicU64::new(0),
            waiting: AtomicUsize::new(0),
            time_limit: config.time_limit,
            store: config.store.clone(),
        })
    }

    /// Begins a search as soon as there is one free. One that `yields` ends early when another request waits.
    pub(crate) async fn search(
        self: &Arc<Self>,
        task: SearchTask,
        yields: bool,
    ) -> Result<Answer, ApiError> {
        let permit = self.wait_for_free().await?;
        let stop = StopHandle::new();
        let lease = self.lease(permit, &stop, yields);
        let (sender, receiver) = events::channel();
        tokio::spawn(run(lease, task, stop.clone(), sender));
        Ok(Answer::of_search(receiver, stop))
    }

    /// Stops all searches, and begins no more.
    pub(crate) fn end(&self) {
        self.free.close();
        for running in self.running().iter() {
            running.stop.stop();
        }
    }

    async fn wait_for_free(&self) -> Result<OwnedSemaphorePermit, ApiError> {
        if let Ok(permit) = Arc::clone(&self.free).try_acquire_owned() {
            return Ok(permit);
        }
        let _waiting = Waiting::begin(&self.waiting).ok_or_else(ApiError::busy)?;
        let free = timeout(MAX_WAIT, Arc::clone(&self.free).acquire_owned());
        tokio::select! {
            free = free => free.ok().and_then(Result::ok).ok_or_else(ApiError::busy),
            never = self.end_hints_early() => match never {},
        }
    }

    /// Ends hints, the oldest first, as long as it is awaited.
    async fn end_hints_early(&self) -> Infallible {
        loop {
            self.end_oldest_hint();
            sleep(LOOK_INTERVAL).await;
        }
    }

    fn end_oldest_hint(&self) {
        let running = self.running();
        let may_end = |running: &&Running| {
            let is_running = running.yields && !running.stop.is_stopped();
            is_running && running.started.elapsed() >= MIN_HINT_TIME
        };
        let oldest = running.iter().filter(may_end).min_by_key(|old| old.id);
        if let Some(oldest) = oldest {
            oldest.stop.stop();
        }
    }

    fn lease(
        self: &Arc<Self>,
        permit: OwnedSemaphorePermit,
        stop: &StopHandle,
        yields: bool,
    ) -> Lease {
        let id = self.next_id.fetch_add(1, Ordering::Relaxed);
        self.running().push(Running {
            id,
            stop: stop.clone(),
            started: Instant::now(),
            yields,
        });
        Lease {
            id,
            service: self.idle().pop(),
            pool: Arc::clone(self),
            _permit: permit,
        }
    }

    fn idle(&self) -> MutexGuard<'_, Vec<Service>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn running(&self) -> MutexGuard<'_, Vec<Running>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A request that waits, counted.
struct Waiting<'a>(&'a AtomicUsize);

impl<'a> Waiting<'a> {
    /// Counts a request, or returns `None` if [`MAX_WAITING`] wait already.
    fn begin(count: &'a AtomicUsize) -> Option<Self> {
        let before = count.fetch_add(1, Ordering::Relaxed);
        let waiting = Self(count);
        (before < MAX_WAITING).then_some(waiting)
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// A service that is taken out of the pool until this is dropped, also by a panic of its search.
struct Lease {
    id: u64,
    /// It is there, since there are as many services as permits.
    service: Option<Service>,
    pool: Arc<Pool>,
    _permit: OwnedSemaphorePermit,
}

impl Lease {
    fn run(&mut self, task: &SearchTask, stop: &StopHandle, sender: &Sender) {
        let mut store = self.pool.store.clone().map(Locked);
        let store = store.as_mut().map(|store| store as &mut dyn Store);
        if let Some(service) = &mut self.service {
            service.run(task, stop, store, &mut |event| sender.send(event.clone()));
        }
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        self.pool.running().retain(|running| running.id != self.id);
        self.pool.idle().extend(self.service.take());
    }
}

/// Carries out a search within the time limit, on a thread of its own.
async fn run(mut lease: Lease, task: SearchTask, stop: StopHandle, sender: Sender) {
    let time_limit = lease.pool.time_limit;
    let of_search = stop.clone();
    let search = move || {
        lease.run(&task, &of_search, &sender);
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

/// The store of all searches, locked for each access.
struct Locked(SharedStore);

impl Store for Locked {
    fn get(&mut self, position: Position) -> Option<Stored> {
        let mut store = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        store.get(position)
    }

    fn put(&mut self, position: Position, stored: Stored) {
        let mut store = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        store.put(position, stored);
    }
}
