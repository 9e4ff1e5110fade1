//! The engine as the thinker of a session of any format.

use std::time::Instant;

use boardgame_io::{Interrupter, Thinker, cpu};
use go_proto::session::{Choice, Question, Task};

use crate::{Clock, Engine, Settings};

/// Answers the tasks of a session within the format's clock and the engine's settings.
///
/// # Examples
///
/// ```
/// use std::time::Instant;
///
/// use boardgame_io::Thinker as _;
/// use go_core::{Position, Setup};
/// use go_engine::{Engine, Settings};
/// use go_proto::session::{Choice, Question, Task, TaskClock, TaskId, Timestamp};
///
/// let mut engine = Engine::new(Settings { playouts: Some(50), ..Settings::default() });
/// let position = Position::new(&Setup::default());
/// let clock = TaskClock::unlimited(Timestamp::ORIGIN);
/// let task = Task { id: TaskId(1), question: Question { position }, clock };
/// let choice = engine.think(&task, Instant::now());
/// assert!(matches!(choice, Choice::Move(mv) if task.question.position.check(mv).is_ok()));
/// ```
impl Thinker<Question> for Engine {
    fn think(&mut self, task: &Task, started: Instant) -> Choice {
        let report = self.choose_since(&task.question.position, &clock(task), started);
        report.best.into()
    }

    fn interrupter(&self) -> Interrupter {
        let handle = self.stop_handle();
        Box::new(move || handle.stop())
    }
}

impl Engine {
    /// Returns an engine for a session whose clock counts CPU time. Where the system does not tell that of this
    /// process, its searches go by the clock on the wall.
    pub fn by_cpu_time(settings: Settings) -> Self {
        let engine = Self::new(settings);
        match cpu::clock_of_this_process() {
            Some(clock) => engine.with_clock(clock),
            None => engine,
        }
    }
}

/// Returns the clock of a task as the engine takes it.
fn clock(task: &Task) -> Clock {
    Clock {
        remaining: task.clock.game,
        move_limit: task.clock.per_move,
        overtime: task.clock.overtime,
    }
}
