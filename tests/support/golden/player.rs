//! Scripts of a player's session.

use std::{fmt::Write as _, mem, time::Duration};

use boardgame_session::{
    Timestamp,
    player::{Decision, Ending, PlayerAction, PlayerSession, Question, Task, TaskClock},
};

use super::{Clock, Subject, bytes_of, note_line, shown, shown_time};

/// The answer to the question of a session.
type AnswerOf<S> = <<S as PlayerSession>::Question as Question>::Answer;

/// A player's session under a script with the steps
///
/// - `start`
/// - `> TEXT`: the other side sends a text
/// - `! ANSWER`: answers the open task; `late ANSWER`: answers the one before it
/// - `@SECONDS`: the time of the next step; `+SECONDS`: time passes; `+`: it passes to the deadline
/// - `end`: the input ends
/// - `show`: the state of the session
pub(crate) struct PlayerScript<S: PlayerSession> {
    session: S,
    /// Describes a question.
    question: fn(&S::Question) -> String,
    /// Reads an answer to a question.
    answer: fn(&str) -> AnswerOf<S>,
    /// Describes the state of the session apart from its progress.
    state: fn(&S) -> String,
    clock: Clock,
    started: bool,
    open: Option<Task<S::Question>>,
    /// The task before it.
    closed: Option<Task<S::Question>>,
    finished: bool,
    lines: Vec<String>,
}

impl<S: PlayerSession> PlayerScript<S> {
    pub(crate) fn new(
        session: S,
        question: fn(&S::Question) -> String,
        answer: fn(&str) -> AnswerOf<S>,
        state: fn(&S) -> String,
    ) -> Self {
        Self {
            session,
            question,
            answer,
            state,
            clock: Clock::new(),
            started: false,
            open: None,
            closed: None,
            finished: false,
            lines: Vec::new(),
        }
    }

    fn start(&mut self) {
        self.started = true;
        self.session.start(self.clock.now);
        self.settle();
    }

    /// Lets time pass to the deadline, before which nothing may happen.
    fn pass_to_deadline(&mut self) {
        let deadline = self.session.deadline().expect("a deadline");
        assert!(deadline >= self.clock.now, "the deadline has passed");
        let just_before = deadline
            .since_origin()
            .saturating_sub(Duration::from_nanos(1));
        if just_before >= self.clock.now.since_origin() {
            self.session.tick(Timestamp::from_origin(just_before));
            assert!(
                self.session.poll().is_none(),
                "an action before the deadline"
            );
        }
        self.clock.now = deadline;
        self.lines.push(format!("at {}", shown_time(deadline)));
        self.session.tick(deadline);
    }

    fn decide(&mut self, task: &Task<S::Question>, answer: &str) {
        let decision = Decision {
            task: task.id,
            answer: (self.answer)(answer),
        };
        self.session.decide(decision, self.clock.now);
    }

    fn settle(&mut self) {
        while let Some(action) = self.session.poll() {
            assert!(!self.finished, "{action:?} after the end");
            let line = match action {
                PlayerAction::Send(bytes) => format!("< {}", shown(&bytes)),
                PlayerAction::Think(task) => {
                    let question = (self.question)(&task.question);
                    let clock = clock_text(&task.clock, self.clock.now);
                    assert!(self.open.is_none(), "two tasks at once");
                    self.open = Some(task);
                    format!("? {question}, {clock}")
                }
                PlayerAction::Abandon => {
                    assert!(self.open.is_some(), "nothing to abandon");
                    self.closed = self.open.take();
                    "abandon".into()
                }
                PlayerAction::Hurry => {
                    assert!(self.open.is_some(), "nothing to hurry");
                    "hurry".into()
                }
                PlayerAction::Note(note) => note_line(&note),
                PlayerAction::Finish(ending) => {
                    self.finished = true;
                    match ending {
                        Ending::Unintelligible(error) => format!("finish: unintelligible: {error}"),
                        ending => format!("finish: {ending:?}"),
                    }
                }
            };
            self.lines.push(line);
        }
    }

    fn show(&mut self) {
        let progress = self.session.progress();
        let color = progress
            .color
            .map_or("no colour".into(), |color| color.to_string());
        let state = (self.state)(&self.session);
        let line = format!(
            "{color}, move {}, {}{state}",
            progress.move_number, progress.board
        );
        self.lines.push(line);
    }
}

impl<S: PlayerSession> Subject for PlayerScript<S> {
    fn step(&mut self, step: &str) {
        if !self.started && step.starts_with(['>', 's', '+', '!', 'e']) {
            self.start();
            if step == "start" {
                return;
            }
            assert!(
                self.lines.is_empty(),
                "expected a script that begins with the step \"start\": the session acts at once"
            );
        }
        let now = self.clock.now;
        let (word, text) = step.split_once(' ').unwrap_or((step, ""));
        match word {
            ">" => self.session.receive(&bytes_of(text), now),
            "!" => {
                let task = self.open.take().expect("an open task");
                self.decide(&task, text);
                self.closed = Some(task);
            }
            "late" => {
                let task = self.closed.clone().expect("a task");
                self.decide(&task, text);
            }
            "end" => self.session.end_of_input(now),
            "show" => self.show(),
            "+" => self.pass_to_deadline(),
            _ => {
                assert!(self.clock.set(step), "{step:?} is no step");
                if step.starts_with('@') {
                    return;
                }
                self.session.tick(self.clock.now);
            }
        }
        self.settle();
    }

    fn output(&mut self) -> Vec<String> {
        let deadline = self.session.deadline();
        self.lines.extend(self.clock.deadline_line(deadline));
        mem::take(&mut self.lines)
    }
}

fn clock_text(clock: &TaskClock, now: Timestamp) -> String {
    let mut limits = Vec::new();
    limits.extend(clock.per_move.map(|limit| format!("{limit:?}")));
    limits.extend(clock.game.map(|left| format!("{left:?} for the game")));
    limits.extend(clock.overtime.map(|limit| format!("then {limit:?}")));
    let mut text = if limits.is_empty() {
        "no limit".into()
    } else {
        limits.join(", ")
    };
    if clock.started != now {
        write!(text, " from {}", shown_time(clock.started)).expect("a string takes all");
    }
    text
}
