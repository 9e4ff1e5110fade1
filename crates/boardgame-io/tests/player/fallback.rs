//! A game of sums: a thinker that is too slow is answered for at the last moment.

use std::{
    convert::Infallible,
    future::pending,
    sync::mpsc,
    time::{Duration, Instant},
};

use boardgame_io::{Connection, DriveOptions, DriveOutcome, Interrupter, Thinker, drive};
use boardgame_session::{
    Note, Timestamp,
    framing::{Line, Lines},
    player::{
        AnsweredTask, CommonState, Decision, Ending, PlayerAction, PlayerSession, Progress,
        Question, Task, TaskClock, TimeMargin,
    },
};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, duplex};

use crate::toy::guarded;

/// The question for the sum of two numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Sum(u32, u32);

impl Question for Sum {
    type Answer = u32;
    type MoveError = Infallible;

    fn fallback(&self) -> u32 {
        self.0 + self.1
    }

    fn admits(&self, &answer: &u32) -> bool {
        answer == self.0 + self.1
    }
}

/// A session that answers each line of two numbers with their sum, within a limit.
#[derive(Debug)]
struct Adder {
    common: CommonState<Sum>,
    lines: Lines,
    limit: Option<Duration>,
}

impl Adder {
    fn new(limit: Option<Duration>) -> Self {
        Self {
            common: CommonState::new(TimeMargin::default()),
            lines: Lines::default(),
            limit,
        }
    }

    fn take_line(&mut self, line: &Line) {
        let Line::Whole(line) = line else {
            return self.common.note_input(Note::fault("too long"));
        };
        let numbers = str::from_utf8(line).ok().and_then(|it| it.split_once('+'));
        let numbers = numbers.and_then(|(a, b)| Some((a.parse().ok()?, b.parse().ok()?)));
        let Some((a, b)) = numbers else {
            return self.common.note_input(Note::fault("no two numbers"));
        };
        let clock = TaskClock {
            per_move: self.limit,
            ..TaskClock::unlimited(self.common.now())
        };
        self.common.open_task((), clock, Sum(a, b));
    }

    fn answer(&mut self, answered: &AnsweredTask<Sum>) {
        self.common.send(format!("{}\n", answered.answer));
    }
}

impl PlayerSession for Adder {
    type Question = Sum;

    fn receive(&mut self, bytes: &[u8], now: Timestamp) {
        self.common.advance(now);
        self.lines.push(bytes);
    }

    fn end_of_input(&mut self, now: Timestamp) {
        self.common.advance(now);
        self.common.end_input();
    }

    fn decide(&mut self, decision: Decision<Sum>, now: Timestamp) {
        self.common.advance(now);
        if let Some(answered) = self.common.take_decision(decision) {
            self.answer(&answered);
        }
    }

    fn deadline(&self) -> Option<Timestamp> {
        self.common.last_moment()
    }

    fn tick(&mut self, now: Timestamp) {
        self.common.advance(now);
        if let Some(answered) = self.common.take_overdue() {
            self.answer(&answered);
        }
    }

    fn poll(&mut self) -> Option<PlayerAction<Sum>> {
        loop {
            if let Some(action) = self.common.next_action() {
                return Some(action);
            } else if self.common.is_thinking() {
                return None;
            } else if let Some(line) = self.lines.next_line() {
                self.take_line(&line);
            } else if self.common.is_exhausted() {
                self.common.finish(Ending::Orderly);
            } else {
                return None;
            }
        }
    }

    fn progress(&self) -> Progress {
        Progress {
            color: None,
            move_number: 1,
            board: String::new(),
        }
    }
}

/// A thinker that adds a bias to each sum, once it is interrupted where it is slow.
struct Biased {
    bias: u32,
    slow: bool,
    interrupts: (mpsc::Sender<()>, mpsc::Receiver<()>),
}

impl Biased {
    fn new(bias: u32, slow: bool) -> Self {
        let interrupts = mpsc::channel();
        Self {
            bias,
            slow,
            interrupts,
        }
    }
}

impl Thinker<Sum> for Biased {
    fn think(&mut self, task: &Task<Sum>, _: Instant) -> u32 {
        if self.slow {
            self.interrupts.1.recv().unwrap();
        }
        task.question.fallback() + self.bias
    }

    fn interrupter(&self) -> Interrupter {
        let interrupt = self.interrupts.0.clone();
        // The thread may be gone.
        Box::new(move || _ = interrupt.send(()))
    }
}

/// Asks for two sums and returns the end of the session with what it answered.
async fn answers(thinker: Biased, limit: Option<Duration>) -> (DriveOutcome<Adder>, String) {
    let (near, mut far) = duplex(64);
    let session = Adder::new(limit);
    let options = DriveOptions::default();
    let driven = drive(
        session,
        Connection::from_stream(near),
        thinker,
        pending(),
        &options,
    );
    let peer = async {
        far.write_all(b"1+2\nno sum\n30+4\n").await.unwrap();
        far.shutdown().await.unwrap();
        let mut said = String::new();
        far.read_to_string(&mut said).await.unwrap();
        said
    };
    let (outcome, said) = guarded(async { tokio::join!(driven, peer) }).await;
    (outcome.unwrap(), said)
}

#[tokio::test]
async fn a_thinker_answers_the_questions_of_a_session() {
    let (outcome, said) = answers(Biased::new(0, false), None).await;
    assert_eq!(
        (outcome.ending, said.as_str()),
        (Ending::Orderly, "3\n34\n")
    );
}

#[tokio::test]
async fn an_answer_that_the_question_does_not_admit_is_replaced() {
    let (_, said) = answers(Biased::new(1, false), None).await;
    assert_eq!(said, "3\n34\n");
}

/// The thinker returns from neither question before it is interrupted.
#[tokio::test]
async fn a_thinker_that_is_too_slow_is_answered_for_at_the_last_moment() {
    let limit = Duration::from_millis(20);
    let (outcome, said) = answers(Biased::new(1, true), Some(limit)).await;
    assert_eq!(
        (outcome.ending, said.as_str()),
        (Ending::Orderly, "3\n34\n")
    );
}
