//! The engine as the thinker of a session of any format.

use std::time::Instant;

use boardgame_io::{Interrupter, Thinker};
use go_proto::session::{Choice, Question, Task};

use crate::{Clock, Engine};

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
/// let mut engine = Engine::new(Settings::default());
/// let position = Position::new(&Setup::default());
/// let clock = TaskClock::unlimited(Timestamp::ORIGIN);
/// let task = Task { id: TaskId(1), question: Question { position }, clock };
/// let choice = engine.think(&task, Instant::now());
/// assert!(matches!(choice, Choice::Move(mv) if task.question.position.check(mv).is_ok()));
/// ```
impl Thinker<Question> for Engine {
    fn think(&mut self, task: &Task, _started: Instant) -> Choice {
        let clock = Clock {
            remaining: task.clock.game,
            move_limit: task.clock.per_move,
        };
        self.choose(&task.question.position, &clock).best.into()
    }

    fn interrupter(&self) -> Interrupter {
        // A choice takes less time than an interruption.
        Box::new(|| {})
    }
}
