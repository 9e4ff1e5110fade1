//! Thinkers, which choose moves, and the thread they work on.

use std::{
    fmt,
    future::pending,
    sync::{Arc, Mutex, PoisonError, mpsc},
    thread,
    time::Instant,
};

use boardgame_session::player::{Decision, Question, Task};
use tokio::sync::mpsc as channel;

use crate::job::{Interrupter, Job, JobPanicked};

/// A chooser of moves, such as a search or a person.
pub trait Thinker<Q: Question>: Send + 'static {
    /// Returns an answer that `task.question` allows, within the time of `task.clock`.
    ///
    /// `started` is the instant of `task.clock.started`.
    fn think(&mut self, task: &Task<Q>, started: Instant) -> Q::Answer;

    /// Returns the interrupter of the next [`think`](Self::think) or [`ponder`](Self::ponder), and of
    /// that one alone.
    ///
    /// It is requested before each of them, on the same thread, and may be called from then until that call has
    /// returned. If called before it has started, that must return at once. The result of an interrupted `think`
    /// is discarded, unless it was only to hurry. A flag suffices: this method clears it, the interrupter sets it and
    /// the thinker reads it.
    ///
    /// By default nothing interrupts it.
    fn interrupter(&self) -> Interrupter {
        Box::new(|| {})
    }

    /// Returns whether it [ponders](Self::ponder); `false` by default.
    fn ponders(&self) -> bool {
        false
    }

    /// Uses the time after `answer` to `task`, while the other side is to move. The next task interrupts it.
    fn ponder(&mut self, task: &Task<Q>, answer: &Q::Answer) {
        let _ = (task, answer);
    }
}

/// An answer of a thinker to a task.
#[derive(Clone, Debug)]
pub struct ThinkerAnswer<Q: Question> {
    /// The answer, for the task that was open.
    pub decision: Decision<Q>,
    /// The message of the thinker's panic, if the answer is not its own but the question's fallback.
    pub panic: Option<String>,
}

/// A thinker on a thread of its own, with at most one task open.
///
/// An abandoned task, started or not, is never answered; the next one waits until the thinker has returned. A
/// thinker that panics loses no game: the question's fallback answers the task, and the thinker gets the next one
/// as usual.
///
/// After an answer the thinker may ponder until the next task comes.
///
/// When this is dropped, the thread ends as soon as the thinker returns.
///
/// If the system starts no thread, the thinker works in [`answer`](Self::answer): nothing else happens meanwhile,
/// a task in progress cannot be abandoned, and there is no pondering.
pub struct ThinkingThread<Q: Question> {
    place: Place<Q>,
    /// The latest job, which may be answered and pondered on.
    latest: Option<Arc<ThinkingJob<Q>>>,
    /// True while the latest job has no answer.
    open: bool,
}

/// A task for the thinker, with the time when its clock started.
type ThinkingJob<Q> = Job<(Task<Q>, Instant)>;

/// A function that answers a job on the calling thread.
type Answerer<Q> = Box<dyn FnMut(&ThinkingJob<Q>) -> Option<ThinkerAnswer<Q>> + Send>;

/// The place where the thinker works.
enum Place<Q: Question> {
    /// On a thread that takes jobs and gives answers.
    Thread {
        jobs: mpsc::Sender<Arc<ThinkingJob<Q>>>,
        answers: channel::UnboundedReceiver<(Arc<ThinkingJob<Q>>, ThinkerAnswer<Q>)>,
    },
    /// In the call that asks for the answer to a job.
    Caller(Answerer<Q>),
}

impl<Q: Question> Place<Q> {
    fn of_caller(mut thinker: impl Thinker<Q>) -> Self {
        Self::Caller(Box::new(move |job| answer_by(&mut thinker, job)))
    }
}

impl<Q: Question> ThinkingThread<Q> {
    /// Starts the thread, if the system has one.
    pub fn start(thinker: impl Thinker<Q>) -> Self {
        let (jobs, inbox) = mpsc::channel::<Arc<ThinkingJob<Q>>>();
        let (outbox, answers) = channel::unbounded_channel();
        // If the thread does not start, the thinker must still be available.
        let shared = Arc::new(Mutex::new(Some(thinker)));
        let of_thread = Arc::clone(&shared);
        let started = thread::Builder::new()
            .name("thinker".into())
            .spawn(move || {
                let Some(mut thinker) = taken(&of_thread) else {
                    return;
                };
                for job in inbox {
                    let Some(answer) = answer_by(&mut thinker, &job) else {
                        continue;
                    };
                    let own = answer.panic.is_none();
                    let given = answer.decision.answer.clone();
                    // If nobody waits for it, no further job comes either.
                    let _ = outbox.send((Arc::clone(&job), answer));
                    if own {
                        ponder_on(&mut thinker, &job, &given);
                    }
                }
            });
        let left_behind = started.err().and_then(|error| {
            tracing::warn!(%error, "the thinker gets no thread of its own");
            taken(&shared)
        });
        Self::at(match left_behind {
            Some(thinker) => Place::of_caller(thinker),
            None => Place::Thread { jobs, answers },
        })
    }

    fn at(place: Place<Q>) -> Self {
        Self {
            place,
            latest: None,
            open: false,
        }
    }

    /// Opens a task, abandoning the one that is open.
    pub fn think(&mut self, task: Task<Q>, started: Instant) {
        self.abandon();
        let job = Arc::new(Job::new((task, started)));
        if let Place::Thread { jobs, .. } = &self.place {
            // A dead thread is noticed in `answer`.
            let _ = jobs.send(Arc::clone(&job));
        }
        self.latest = Some(job);
        self.open = true;
    }

    /// Interrupts the open task, if there is one: its answer will not come. Pondering ends too.
    pub fn abandon(&mut self) {
        if let Some(job) = self.latest.take() {
            job.call_off();
        }
        self.open = false;
    }

    /// Interrupts the open task, if there is one, so that its answer comes soon.
    pub fn hurry(&self) {
        if let Some(job) = self.latest.as_ref().filter(|_| self.open) {
            job.hurry();
        }
    }

    /// Returns the open task, if there is one.
    pub fn open_task(&self) -> Option<&Task<Q>> {
        let job = self.latest.as_deref().filter(|_| self.open)?;
        Some(&job.work.0)
    }

    /// Waits for the answer to the open task; forever when there is none. Cancel-safe.
    pub async fn answer(&mut self) -> ThinkerAnswer<Q> {
        let Some(open) = self.latest.as_ref().filter(|_| self.open) else {
            return pending().await;
        };
        let gone = || fallback(&open.work.0, "the thinker's thread is gone".into());
        let answer = match &mut self.place {
            Place::Caller(think) => think(open).unwrap_or_else(gone),
            Place::Thread { answers, .. } => loop {
                match answers.recv().await {
                    Some((job, answer)) if Arc::ptr_eq(&job, open) => break answer,
                    Some(_) => tracing::debug!("a stale answer is discarded"),
                    None => break gone(),
                }
            },
        };
        self.open = false;
        answer
    }
}

impl<Q: Question> fmt::Debug for ThinkingThread<Q> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ThinkingThread")
            .field("latest", &self.latest)
            .field("open", &self.open)
            .finish_non_exhaustive()
    }
}

impl<Q: Question> Drop for ThinkingThread<Q> {
    fn drop(&mut self) {
        self.abandon();
    }
}

/// Takes a value that two threads compete for.
fn taken<T>(shared: &Mutex<Option<T>>) -> Option<T> {
    let mut shared = shared.lock().unwrap_or_else(PoisonError::into_inner);
    shared.take()
}

/// Lets a thinker answer a task on this thread.
#[cfg(target_os = "linux")]
pub(super) fn answer_here<Q: Question>(
    thinker: &mut impl Thinker<Q>,
    task: Task<Q>,
    started: Instant,
) -> ThinkerAnswer<Q> {
    let job = Job::new((task, started));
    let answer = answer_by(thinker, &job);
    answer.unwrap_or_else(|| fallback(&job.work.0, "the task was called off".into()))
}

/// Lets a thinker answer; `None` if the job was called off before.
fn answer_by<Q: Question>(
    thinker: &mut impl Thinker<Q>,
    job: &ThinkingJob<Q>,
) -> Option<ThinkerAnswer<Q>> {
    let (task, started) = &job.work;
    match job.run(thinker, Thinker::interrupter, |it| it.think(task, *started)) {
        Ok(answer) => Some(ThinkerAnswer {
            decision: Decision {
                task: task.id,
                answer: answer?,
            },
            panic: None,
        }),
        Err(JobPanicked(panic)) => Some(fallback(task, panic)),
    }
}

/// Lets a thinker ponder, if it does so, unless the job was called off.
fn ponder_on<Q: Question>(thinker: &mut impl Thinker<Q>, job: &ThinkingJob<Q>, answer: &Q::Answer) {
    let (task, _) = &job.work;
    let pondered = match job.run(thinker, |_| Box::new(|| {}), |it| it.ponders()) {
        Ok(Some(true)) => job.run(thinker, Thinker::interrupter, |it| it.ponder(task, answer)),
        Ok(_) => return,
        Err(panicked) => Err(panicked),
    };
    if let Err(JobPanicked(panic)) = pondered {
        tracing::error!(%panic, "the thinker failed while it pondered");
    }
}

/// Returns the fallback answer for a thinker that panicked.
fn fallback<Q: Question>(task: &Task<Q>, panic: String) -> ThinkerAnswer<Q> {
    ThinkerAnswer {
        decision: Decision {
            task: task.id,
            answer: task.question.fallback(),
        },
        panic: Some(panic),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use boardgame_session::{
        Timestamp,
        player::{TaskClock, TaskId},
    };
    use std::convert::Infallible;

    /// The question for a number.
    #[derive(Clone, Debug, PartialEq, Eq)]
    struct Number;

    impl Question for Number {
        type Answer = u8;
        type MoveError = Infallible;

        fn fallback(&self) -> u8 {
            0
        }

        fn admits(&self, _: &u8) -> bool {
            true
        }
    }

    /// Answers with the number of tasks so far, and panics at the third.
    struct Counting(u8);

    impl Thinker<Number> for Counting {
        fn think(&mut self, _: &Task<Number>, _: Instant) -> u8 {
            self.0 += 1;
            assert_ne!(self.0, 3);
            self.0
        }

        fn interrupter(&self) -> Interrupter {
            Box::new(|| {})
        }
    }

    #[tokio::test]
    async fn without_a_thread_the_thinker_works_for_the_caller() {
        let mut thinking = ThinkingThread::at(Place::of_caller(Counting(0)));
        let mut answers = Vec::new();
        for id in 5..9 {
            let task = |id| Task {
                id: TaskId(id),
                question: Number,
                clock: TaskClock::unlimited(Timestamp::ORIGIN),
            };
            // The first is replaced before it is thought about.
            thinking.think(task(id), Instant::now());
            thinking.think(task(id + 10), Instant::now());
            let ThinkerAnswer { decision, panic } = thinking.answer().await;
            assert_eq!(decision.task, TaskId(id + 10));
            answers.push((decision.answer, panic.is_some()));
        }
        assert_eq!(answers, [(1, false), (2, false), (0, true), (4, false)]);
        assert!(thinking.open_task().is_none());
    }
}
