//! Jobs of a thread that another thread may interrupt.

use std::{
    any::Any,
    fmt,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Mutex, MutexGuard, PoisonError},
};

use thiserror::Error;

/// A function that makes one piece of work return soon.
pub type Interrupter = Box<dyn Fn() + Send + Sync>;

/// A job that one thread works on, in one piece or several, and that another may call off.
pub struct Job<T> {
    /// The work to be done.
    pub work: T,
    state: Mutex<JobState>,
}

/// The state of a job. The lock is held while an interrupter is called, so that none is called after
/// its piece of work has returned and the next has begun.
enum JobState {
    /// No piece of work is in progress.
    Waiting,
    /// The next piece of work shall return soon.
    Hurried,
    Working(Interrupter),
    CalledOff,
}

/// The work on a job has panicked with this message.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct JobPanicked(pub String);

impl<T> Job<T> {
    /// Returns a job that no thread has started.
    pub fn new(work: T) -> Self {
        Self {
            work,
            state: Mutex::new(JobState::Waiting),
        }
    }

    /// Does a piece of work with the worker, unless the job was called off before.
    ///
    /// `interrupter` is called first. The interrupter that it returns is called if the job is called
    /// off while the work is in progress, possibly just before it starts.
    ///
    /// # Errors
    ///
    /// When the worker panics.
    pub fn run<W, R>(
        &self,
        worker: &mut W,
        interrupter: impl FnOnce(&W) -> Interrupter,
        work: impl FnOnce(&mut W) -> R,
    ) -> Result<Option<R>, JobPanicked> {
        let result = catch_unwind(AssertUnwindSafe(|| {
            let interrupter = interrupter(worker);
            {
                let mut state = self.state();
                match *state {
                    JobState::CalledOff => return None,
                    JobState::Hurried => interrupter(),
                    JobState::Waiting | JobState::Working(_) => {}
                }
                *state = JobState::Working(interrupter);
            }
            Some(work(worker))
        }));
        let mut state = self.state();
        if let JobState::Working(_) = *state {
            *state = JobState::Waiting;
        }
        result.map_err(|payload| JobPanicked(message_of(payload.as_ref())))
    }

    /// Interrupts the work in progress; no other piece starts.
    pub fn call_off(&self) {
        let mut state = self.state();
        if let JobState::Working(interrupt) = &*state {
            interrupt();
        }
        *state = JobState::CalledOff;
    }

    /// Interrupts the work in progress, or else the next piece, whose result is taken.
    pub fn hurry(&self) {
        let mut state = self.state();
        match &*state {
            JobState::Working(interrupt) => interrupt(),
            JobState::Waiting => *state = JobState::Hurried,
            JobState::Hurried | JobState::CalledOff => {}
        }
    }

    fn state(&self) -> MutexGuard<'_, JobState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T: fmt::Debug> fmt::Debug for Job<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Job")
            .field("work", &self.work)
            .finish_non_exhaustive()
    }
}

/// Returns the message of a panic.
fn message_of(payload: &(dyn Any + Send)) -> String {
    let text = payload
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| payload.downcast_ref::<String>().map(String::as_str));
    text.unwrap_or("a panic without a message").into()
}
