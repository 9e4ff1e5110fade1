//! A toy protocol, thinkers under control, and loopback sockets.
#![allow(dead_code, reason = "each test file uses its part")]

use std::{
    collections::VecDeque,
    convert::Infallible,
    sync::{Arc, Condvar, Mutex},
    time::{Duration, Instant},
};

use boardgame_core::Color;
use boardgame_io::{Connection, Interrupter, TcpConnection, Thinker};
use boardgame_session::{
    Note, Timestamp,
    framing::{Line, Lines},
    player::{
        Decision, Ending, PlayerAction, PlayerSession, Progress, Question, Task, TaskClock, TaskId,
    },
};
use tokio::{
    net::{TcpListener, TcpStream},
    sync::mpsc,
    time::timeout,
};

/// The question of which word is best.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Pick(pub(crate) Vec<&'static str>);

impl Pick {
    /// The question which of all words is best.
    pub(crate) fn any() -> Self {
        Self(vec!["d3", "c4", "f5", "e6"])
    }
}

impl Question for Pick {
    type Answer = &'static str;
    type MoveError = Infallible;

    fn fallback(&self) -> &'static str {
        self.0[0]
    }

    fn admits(&self, word: &&'static str) -> bool {
        self.0.contains(word)
    }
}

/// A session whose peer commands it, one line at a time.
///
/// `go` opens a task (its answer is sent), `stop` abandons it, `say TEXT` sends a line, `big N` sends N bytes,
/// `forever` sends lines without end, `in MILLIS` sends `tick` later, `done` makes the end of input orderly, `stay`
/// makes the session ignore it (as none should), `bye` finishes.
#[derive(Debug, Default)]
pub(crate) struct Toy {
    /// Every line received.
    pub(crate) heard: Vec<String>,
    /// The number of answers without an open task.
    pub(crate) stale: usize,
    lines: Lines,
    actions: VecDeque<PlayerAction<Pick>>,
    tasks: u64,
    open: Option<TaskId>,
    deadline: Option<Timestamp>,
    done: bool,
    stays: bool,
    endless: bool,
}

impl Toy {
    fn obey(&mut self, line: &str, now: Timestamp) {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "go" => self.think(now),
            "stop" => {
                self.open = None;
                self.actions.push_back(PlayerAction::Abandon);
            }
            "say" => self.send(rest),
            "big" => {
                let size = rest.parse().expect("a size");
                self.actions.push_back(PlayerAction::Send(vec![b'x'; size]));
            }
            "forever" => self.endless = true,
            "in" => {
                let millis = rest.parse().expect("a number of milliseconds");
                self.deadline = Some(now + Duration::from_millis(millis));
            }
            "done" => {
                self.done = true;
                self.send("ok");
            }
            "stay" => self.stays = true,
            "bye" => {
                self.send("bye");
                self.actions
                    .push_back(PlayerAction::Finish(Ending::Orderly));
            }
            _ => self
                .actions
                .push_back(PlayerAction::Note(Note::leniency("other-words", line))),
        }
    }

    fn think(&mut self, now: Timestamp) {
        self.tasks += 1;
        let id = TaskId(self.tasks);
        self.open = Some(id);
        self.actions.push_back(PlayerAction::Think(Task {
            id,
            question: Pick::any(),
            clock: TaskClock::unlimited(now),
        }));
    }

    fn send(&mut self, text: &str) {
        let line = format!("{text}\n").into_bytes();
        self.actions.push_back(PlayerAction::Send(line));
    }
}

impl PlayerSession for Toy {
    type Question = Pick;

    fn receive(&mut self, bytes: &[u8], now: Timestamp) {
        self.lines.push(bytes);
        while let Some(line) = self.lines.next_line() {
            match line {
                Line::Whole(line) => {
                    let line = String::from_utf8_lossy(&line).into_owned();
                    self.obey(&line, now);
                    self.heard.push(line);
                }
                Line::TooLong => self.send("too long"),
            }
        }
    }

    fn end_of_input(&mut self, _now: Timestamp) {
        if self.stays {
            return;
        }
        let ending = if self.done {
            Ending::Orderly
        } else {
            Ending::CutOff
        };
        self.actions.push_back(PlayerAction::Finish(ending));
    }

    fn decide(&mut self, decision: Decision<Pick>, _now: Timestamp) {
        if self.open == Some(decision.task) {
            self.open = None;
            self.send(decision.answer);
        } else {
            self.stale += 1;
        }
    }

    fn deadline(&self) -> Option<Timestamp> {
        self.deadline
    }

    fn tick(&mut self, now: Timestamp) {
        if self.deadline.is_some_and(|deadline| deadline <= now) {
            self.deadline = None;
            self.send("tick");
        }
    }

    fn poll(&mut self) -> Option<PlayerAction<Pick>> {
        if self.endless {
            self.send("again");
        }
        self.actions.pop_front()
    }

    fn progress(&self) -> Progress {
        Progress {
            color: Some(Color::Black),
            move_number: 1,
            board: "empty".into(),
        }
    }
}

/// A thinker that always answers the same word at once.
pub(crate) struct Always(pub(crate) &'static str);

impl Thinker<Pick> for Always {
    fn think(&mut self, _task: &Task<Pick>, _started: Instant) -> &'static str {
        self.0
    }
}

/// A thinker that panics.
pub(crate) struct Panics;

impl Thinker<Pick> for Panics {
    fn think(&mut self, _task: &Task<Pick>, _started: Instant) -> &'static str {
        panic!("this thinker is meant to fail")
    }
}

/// A thinker that returns only when the test opens the gate (with the given word), or when interrupted (with a1).
pub(crate) struct Gated {
    gate: Arc<Gate>,
    events: mpsc::UnboundedSender<Event>,
}

/// An event of a [`Gated`] thinker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Event {
    Began(TaskId),
    Interrupted(TaskId),
}

/// Holds a thinker back.
#[derive(Default)]
pub(crate) struct Gate {
    state: Mutex<GateState>,
    changed: Condvar,
}

#[derive(Default)]
struct GateState {
    word: Option<&'static str>,
    interrupted: bool,
}

impl Gate {
    /// Lets the running, or the next, `think` answer.
    pub(crate) fn open(&self, word: &'static str) {
        self.state.lock().unwrap().word = Some(word);
        self.changed.notify_all();
    }
}

impl Gated {
    pub(crate) fn new() -> (Self, Arc<Gate>, mpsc::UnboundedReceiver<Event>) {
        let (events, receiver) = mpsc::unbounded_channel();
        let gate = Arc::new(Gate::default());
        let thinker = Self {
            gate: Arc::clone(&gate),
            events,
        };
        (thinker, gate, receiver)
    }
}

impl Thinker<Pick> for Gated {
    fn think(&mut self, task: &Task<Pick>, _started: Instant) -> &'static str {
        let _ = self.events.send(Event::Began(task.id));
        let mut state = self.gate.state.lock().unwrap();
        loop {
            if state.interrupted {
                let _ = self.events.send(Event::Interrupted(task.id));
                return "a1";
            }
            if let Some(word) = state.word.take() {
                return word;
            }
            state = self.gate.changed.wait(state).unwrap();
        }
    }

    fn interrupter(&self) -> Interrupter {
        self.gate.state.lock().unwrap().interrupted = false;
        let gate = Arc::clone(&self.gate);
        Box::new(move || {
            gate.state.lock().unwrap().interrupted = true;
            gate.changed.notify_all();
        })
    }
}

/// A task for any word, without a time limit.
pub(crate) fn task(id: u64) -> Task<Pick> {
    Task {
        id: TaskId(id),
        question: Pick::any(),
        clock: TaskClock::unlimited(Timestamp::ORIGIN),
    }
}

/// Both ends of a TCP connection on this machine: ours, and the peer's bare socket.
pub(crate) async fn loopback() -> (TcpConnection, TcpStream) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let (ours, accepted) = tokio::join!(TcpStream::connect(address), listener.accept());
    let (peer, _) = accepted.unwrap();
    peer.set_nodelay(true).unwrap();
    (Connection::from_tcp(ours.unwrap()), peer)
}

/// Ends a test that hangs.
pub(crate) async fn guarded<F: Future>(future: F) -> F::Output {
    timeout(Duration::from_mins(1), future)
        .await
        .expect("this should have ended long ago")
}
