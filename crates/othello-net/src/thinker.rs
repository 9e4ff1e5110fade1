//! Thinkers, which choose moves, and the thread they work on.

use std::{
    any::Any,
    future::pending,
    io,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Arc, Mutex, MutexGuard, PoisonError, mpsc},
    thread,
    time::Instant,
};

use othello_proto::session::{Decision, Task};
use tokio::sync::mpsc as channel;

/// Makes one call of [`Thinker::think`] or [`Thinker::ponder`] return soon.
pub type Interrupter = Box<dyn Fn() + Send + Sync>;

/// Chooses moves, such as a search or a person.
pub trait Thinker: Send + 'static {
    /// Chooses one of `task.question.moves`, taking as long as it needs within `task.clock`.
    ///
    /// `started` is the moment that `task.clock.started` stands for.
    fn think(&mut self, task: &Task, started: Instant) -> Decision;

    /// The interrupter of the next [`think`](Self::think) or [`ponder`](Self::ponder), and of that
    /// one alone.
    ///
    /// It is asked for before each of them, on the same thread, and may be called from then until
    /// it has returned: also before it has begun, which must make it return at once. What `think`
    /// then returns is thrown away. A flag that this method clears, the interrupter sets and the
    /// thinker looks at will do.
    fn interrupter(&self) -> Interrupter;

    /// Returns whether it [ponders](Self::ponder); `false` by default.
    fn ponders(&self) -> bool {
        false
    }

    /// Uses the time after `decision`, the answer to `task`, while the other side has the move.
    /// The next task interrupts it.
    fn ponder(&mut self, task: &Task, decision: &Decision) {
        let _ = (task, decision);
    }
}

/// An answer of a thinker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The choice, for the task that was open.
    pub decision: Decision,
    /// The thinker's panic, when the choice is not its own but the first move of the task.
    pub panic: Option<String>,
}

/// A thinker on a thread of its own, with at most one task open.
///
/// A task that is abandoned, before or after the thinker has taken it up, is never answered; the
/// next one waits until the thinker has returned from it. A thinker that panics loses no game: the
/// task is answered by its first move, and the thinker is asked again for the next task.
///
/// Once it has answered, the thinker may ponder until the next task is there.
///
/// When this is dropped, the thread ends as soon as the thinker returns.
#[derive(Debug)]
pub struct ThinkingThread {
    jobs: mpsc::Sender<Arc<Job>>,
    answers: channel::UnboundedReceiver<(Arc<Job>, Answer)>,
    open: Option<Arc<Job>>,
    pondering: Arc<Pondering>,
}

impl ThinkingThread {
    /// Starts the thread.
    ///
    /// # Errors
    ///
    /// When the system cannot start a thread.
    pub fn start(mut thinker: impl Thinker) -> io::Result<Self> {
        let (jobs, inbox) = mpsc::channel::<Arc<Job>>();
        let (outbox, answers) = channel::unbounded_channel();
        let pondering = Arc::<Pondering>::default();
        let between_tasks = Arc::clone(&pondering);
        thread::Builder::new()
            .name("thinker".into())
            .spawn(move || {
                for job in inbox {
                    between_tasks.reset();
                    let Some(answer) = job.answer_by(&mut thinker) else {
                        continue;
                    };
                    let thoughtful = answer.panic.is_none();
                    let decision = answer.decision.clone();
                    // Nobody waits any more: the next job does not come either.
                    let _ = outbox.send((Arc::clone(&job), answer));
                    if thoughtful {
                        between_tasks.run(&mut thinker, &job.task, &decision);
                    }
                }
            })?;
        Ok(Self {
            jobs,
            answers,
            open: None,
            pondering,
        })
    }

    /// Opens a task, abandoning the one that is open.
    pub fn think(&mut self, task: Task, started: Instant) {
        self.abandon();
        let job = Arc::new(Job {
            task,
            started,
            stage: Mutex::new(Stage::Waiting),
        });
        // A thread that is gone is noticed in `answer`.
        let _ = self.jobs.send(Arc::clone(&job));
        self.open = Some(job);
    }

    /// Interrupts the open task, if there is one: its answer will not come. Pondering ends too.
    pub fn abandon(&mut self) {
        if let Some(job) = self.open.take() {
            job.call_off();
        }
        // Only then, so that an answer on its way is not pondered on.
        self.pondering.stop_pondering();
    }

    /// The open task, if there is one.
    pub fn open_task(&self) -> Option<&Task> {
        self.open.as_deref().map(|job| &job.task)
    }

    /// The answer to the open task; waits forever when there is none. Cancel-safe.
    pub async fn answer(&mut self) -> Answer {
        let Some(open) = &self.open else {
            return pending().await;
        };
        let answer = loop {
            match self.answers.recv().await {
                Some((job, answer)) if Arc::ptr_eq(&job, open) => break answer,
                Some(_) => tracing::debug!("a stale answer is thrown away"),
                None => break open.first_move("the thinker's thread is gone".into()),
            }
        };
        self.open = None;
        answer
    }
}

impl Drop for ThinkingThread {
    fn drop(&mut self) {
        self.abandon();
    }
}

/// The pondering of the thinker between two tasks.
#[derive(Default)]
struct Pondering(Mutex<PonderState>);

#[derive(Default)]
enum PonderState {
    /// Thinking, or waiting for a task.
    #[default]
    Idle,
    Pondering(Interrupter),
    /// Stopped until the next task is taken up.
    Stopped,
}

impl Pondering {
    /// Lets the thinker ponder, unless it was stopped before.
    fn run(&self, thinker: &mut impl Thinker, task: &Task, decision: &Decision) {
        let pondered = catch_unwind(AssertUnwindSafe(|| {
            if !thinker.ponders() {
                return;
            }
            let interrupter = thinker.interrupter();
            {
                let mut state = self.lock();
                if matches!(*state, PonderState::Stopped) {
                    return;
                }
                *state = PonderState::Pondering(interrupter);
            }
            thinker.ponder(task, decision);
        }));
        if let Err(payload) = pondered {
            let panic = message_of(payload.as_ref());
            tracing::error!(%panic, "the thinker failed while it pondered");
        }
        let mut state = self.lock();
        if matches!(*state, PonderState::Pondering(_)) {
            *state = PonderState::Idle;
        }
    }

    /// Stops the pondering in progress, or the one that would begin next.
    fn stop_pondering(&self) {
        let mut state = self.lock();
        if let PonderState::Pondering(interrupt) = &*state {
            interrupt();
        }
        *state = PonderState::Stopped;
    }

    /// Forgets an earlier stop: a task is taken up, and the thinker may ponder after it.
    fn reset(&self) {
        *self.lock() = PonderState::Idle;
    }

    fn lock(&self) -> MutexGuard<'_, PonderState> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl std::fmt::Debug for Pondering {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Pondering").finish_non_exhaustive()
    }
}

/// A task on its way to the thinker.
struct Job {
    task: Task,
    started: Instant,
    stage: Mutex<Stage>,
}

/// The stage of a job. The lock is held while an interrupter is called, so that none is called after
/// its `think` has returned and the next has begun.
enum Stage {
    Waiting,
    Thinking(Interrupter),
    Done,
}

impl Job {
    /// Lets the thinker answer, unless the job is called off before.
    fn answer_by(&self, thinker: &mut impl Thinker) -> Option<Answer> {
        let answer = catch_unwind(AssertUnwindSafe(|| {
            let interrupter = thinker.interrupter();
            {
                let mut stage = self.stage();
                if let Stage::Done = *stage {
                    return None;
                }
                *stage = Stage::Thinking(interrupter);
            }
            Some(thinker.think(&self.task, self.started))
        }));
        *self.stage() = Stage::Done;
        match answer {
            Ok(decision) => decision.map(|decision| Answer {
                decision: Decision {
                    task: self.task.id,
                    ..decision
                },
                panic: None,
            }),
            Err(payload) => Some(self.first_move(message_of(payload.as_ref()))),
        }
    }

    fn call_off(&self) {
        let mut stage = self.stage();
        if let Stage::Thinking(interrupt) = &*stage {
            interrupt();
        }
        *stage = Stage::Done;
    }

    fn first_move(&self, panic: String) -> Answer {
        Answer {
            decision: Decision {
                task: self.task.id,
                answer: self.task.question.first_square().into(),
            },
            panic: Some(panic),
        }
    }

    fn stage(&self) -> MutexGuard<'_, Stage> {
        self.stage.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl std::fmt::Debug for Job {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Job")
            .field("task", &self.task)
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
