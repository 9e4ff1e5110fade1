//! The thinking thread: abandoned tasks are never answered, and no interrupt goes astray.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
        mpsc,
    },
    thread,
    time::Instant,
};

use crate::toy::{Event, Gated, Panics, Pick, guarded, task};
use boardgame_io::{Interrupter, Thinker, ThinkingThread};
use boardgame_session::player::{Question as _, Task, TaskId};

#[tokio::test]
async fn an_abandoned_task_is_interrupted_and_the_next_one_answered() {
    let (thinker, gate, mut events) = Gated::new();
    let mut thread = ThinkingThread::start(thinker);
    thread.think(task(1), Instant::now());
    assert_eq!(guarded(events.recv()).await, Some(Event::Began(TaskId(1))));
    thread.abandon();
    thread.think(task(2), Instant::now());
    for event in [Event::Interrupted(TaskId(1)), Event::Began(TaskId(2))] {
        assert_eq!(guarded(events.recv()).await, Some(event));
    }
    gate.open("e6");
    let answer = guarded(thread.answer()).await;
    assert_eq!(answer.decision.task, TaskId(2));
    assert_eq!(answer.decision.answer, "e6");
}

/// Answers the first move, and signals just before.
struct First(mpsc::Sender<()>);

impl Thinker<Pick> for First {
    fn think(&mut self, task: &Task<Pick>, _started: Instant) -> &'static str {
        self.0.send(()).unwrap();
        task.question.fallback()
    }
}

/// The answer is on its way when the task is abandoned, and the next task has the same name.
#[tokio::test]
async fn a_stale_answer_is_not_taken_for_another_tasks() {
    let (answers, answered) = mpsc::channel();
    let mut thinking = ThinkingThread::start(First(answers));
    let asking = |word| Task {
        question: Pick(vec![word]),
        ..task(1)
    };
    for _ in 0..200 {
        thinking.think(asking("d3"), Instant::now());
        answered.recv().unwrap();
        thread::yield_now();
        thinking.think(asking("c4"), Instant::now());
        answered.recv().unwrap();
        let answer = guarded(thinking.answer()).await;
        assert_eq!(answer.decision.answer, "c4");
    }
}

/// A thinker that signals when its interrupter is requested, and waits there.
struct Slow {
    asked: mpsc::Sender<()>,
    go_on: mpsc::Receiver<()>,
}

impl Thinker<Pick> for Slow {
    fn think(&mut self, task: &Task<Pick>, _started: Instant) -> &'static str {
        assert_eq!(task.id, TaskId(2), "this task was called off");
        "e6"
    }

    fn interrupter(&self) -> Interrupter {
        self.asked.send(()).unwrap();
        self.go_on.recv().unwrap();
        Box::new(|| panic!("called before it was returned"))
    }
}

#[tokio::test]
async fn a_task_abandoned_before_it_begins_does_not_begin() {
    let (asked, has_asked) = mpsc::channel();
    let (let_go, go_on) = mpsc::channel();
    let mut thread = ThinkingThread::start(Slow { asked, go_on });
    thread.think(task(1), Instant::now());
    has_asked.recv().unwrap();
    thread.think(task(2), Instant::now());
    let_go.send(()).unwrap();
    let_go.send(()).unwrap();
    let answer = guarded(thread.answer()).await;
    assert_eq!(answer.decision.task, TaskId(2));
    assert_eq!(answer.decision.answer, "e6");
    assert_eq!(answer.panic, None);
}

/// Answers tasks with odd ids at once, with a1 if interrupted; works on even ones until
/// interrupted. Then it ponders until interrupted.
#[derive(Default)]
struct Racing {
    interrupted: Arc<AtomicBool>,
}

impl Thinker<Pick> for Racing {
    fn think(&mut self, task: &Task<Pick>, _started: Instant) -> &'static str {
        let interrupted = || self.interrupted.load(Ordering::SeqCst);
        while task.id.0.is_multiple_of(2) && !interrupted() {
            thread::yield_now();
        }
        if interrupted() { "a1" } else { "f5" }
    }

    fn interrupter(&self) -> Interrupter {
        self.interrupted.store(false, Ordering::SeqCst);
        let interrupted = Arc::clone(&self.interrupted);
        Box::new(move || interrupted.store(true, Ordering::SeqCst))
    }

    fn ponders(&self) -> bool {
        true
    }

    fn ponder(&mut self, _task: &Task<Pick>, _answer: &&'static str) {
        while !self.interrupted.load(Ordering::SeqCst) {
            thread::yield_now();
        }
    }
}

/// A lost interrupt leaves the thinker busy for ever; one that hits the next task shows as a1.
#[tokio::test]
async fn interrupts_are_neither_lost_nor_misdirected_when_they_race() {
    let mut thinking = ThinkingThread::start(Racing::default());
    for round in 0..2000 {
        thinking.think(task(2 * round), Instant::now());
        for _ in 0..round % 20 {
            thread::yield_now();
        }
        thinking.think(task(2 * round + 1), Instant::now());
        let answer = guarded(thinking.answer()).await;
        assert_eq!(answer.decision.task, TaskId(2 * round + 1));
        assert_eq!(answer.decision.answer, "f5");
    }
}

/// Signals when it starts to ponder, and when it is interrupted there.
struct Musing(mpsc::Sender<&'static str>);

impl Thinker<Pick> for Musing {
    fn think(&mut self, task: &Task<Pick>, _started: Instant) -> &'static str {
        task.question.fallback()
    }

    fn interrupter(&self) -> Interrupter {
        let told = self.0.clone();
        Box::new(move || {
            // The test may be over.
            let _ = told.send("interrupted");
        })
    }

    fn ponders(&self) -> bool {
        true
    }

    fn ponder(&mut self, task: &Task<Pick>, answer: &&'static str) {
        assert_eq!((task.id, answer), (TaskId(1), &task.question.fallback()));
        self.0.send("pondering").unwrap();
    }
}

#[tokio::test]
async fn what_is_answered_is_pondered_on_and_a_panic_there_does_no_harm() {
    let (told, tells) = mpsc::channel();
    let mut thread = ThinkingThread::start(Musing(told));
    thread.think(task(1), Instant::now());
    guarded(thread.answer()).await;
    assert_eq!(tells.recv(), Ok("pondering"));
    // It panics after answering this one.
    for id in [2, 1] {
        thread.think(task(id), Instant::now());
        let answer = guarded(thread.answer()).await;
        assert_eq!((answer.decision.task, answer.panic), (TaskId(id), None));
    }
    while tells.recv() != Ok("pondering") {}
}

/// Answers, and panics when it is asked whether it ponders.
struct Undecided;

impl Thinker<Pick> for Undecided {
    fn think(&mut self, task: &Task<Pick>, _started: Instant) -> &'static str {
        task.question.fallback()
    }

    fn ponders(&self) -> bool {
        panic!("this thinker is meant to fail")
    }
}

#[tokio::test]
async fn a_panic_about_pondering_leaves_the_thread_running() {
    let mut thread = ThinkingThread::start(Undecided);
    for id in 1..=3 {
        thread.think(task(id), Instant::now());
        let answer = guarded(thread.answer()).await;
        assert_eq!((answer.decision.task, answer.panic), (TaskId(id), None));
    }
}

#[tokio::test]
async fn a_panic_is_answered_by_the_first_move_again_and_again() {
    let mut thread = ThinkingThread::start(Panics);
    for id in 1..=2 {
        thread.think(task(id), Instant::now());
        let answer = guarded(thread.answer()).await;
        assert_eq!(answer.decision.task, TaskId(id));
        assert!(task(id).question.admits(&answer.decision.answer));
        assert_eq!(
            answer.panic.as_deref(),
            Some("this thinker is meant to fail")
        );
    }
}

#[tokio::test]
async fn dropping_the_thread_interrupts_its_thinker() {
    let (thinker, _gate, mut events) = Gated::new();
    let mut thread = ThinkingThread::start(thinker);
    thread.think(task(1), Instant::now());
    assert_eq!(guarded(events.recv()).await, Some(Event::Began(TaskId(1))));
    drop(thread);
    let interrupted = Event::Interrupted(TaskId(1));
    assert_eq!(guarded(events.recv()).await, Some(interrupted));
    assert_eq!(guarded(events.recv()).await, None, "the thread has ended");
}
