//! Lessons: questions for the best move, the reasons why another one is bad, and when to ask again.

mod question;
mod reasons;
mod schedule;
mod skill;

pub use question::{Answer, Question};
pub use reasons::{Reason, reasons};
pub use schedule::Card;
pub use skill::Skill;
