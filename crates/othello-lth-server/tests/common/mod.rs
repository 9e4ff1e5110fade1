//! Helpers of the server's tests.
#![allow(dead_code, unreachable_pub, reason = "each test file uses its part")]

pub mod server;

use othello_net::{Interrupter, Thinker};
use othello_proto::session::{Choice, Question, Task};

/// Plays the first of its moves.
pub struct First;

impl Thinker<Question> for First {
    fn think(&mut self, task: &Task, _: std::time::Instant) -> Choice {
        task.question.moves.first().unwrap().into()
    }

    fn interrupter(&self) -> Interrupter {
        Box::new(|| {})
    }
}
