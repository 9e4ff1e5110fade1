//! The mistakes that a session asks, with what is kept of each.

use std::{collections::VecDeque, num::NonZeroUsize};

use othello_analysis::{Card, Discs, MISTAKE, Question};
use othello_core::{Game, Position, Square};

use super::{
    progress::{Progress, today},
    session::{Asked, Given, or_more},
};

/// The quality of an answer from which a question is not asked again on the same day.
const KNOWN: u8 = 4;

/// A mistake of the player.
pub(super) struct Lesson {
    pub(super) question: Question,
    pub(super) game: Game,
    pub(super) title: String,
    pub(super) played: Square,
    pub(super) loss: Discs,
}

impl Lesson {
    pub(super) fn position(&self) -> Position {
        self.question.board.position()
    }

    pub(super) fn asked<'a>(&'a self, hint: &'a str) -> Asked<'a> {
        Asked {
            question: &self.question,
            game: &self.game,
            title: &self.title,
            hint,
        }
    }

    /// Describes the move that was played: the hint.
    pub(super) fn mistake(&self) -> String {
        let Some(judged) = self.question.answer(self.played) else {
            return String::new();
        };
        let reasons = judged.reasons.iter();
        let reasons: Vec<String> = reasons.map(|reason| format!("\nIt {reason}.")).collect();
        format!(
            "In the game you played {}, which loses {}{}.{}",
            self.played,
            self.loss.unsigned(),
            or_more(judged.bound),
            reasons.concat()
        )
    }
}

/// A lesson to be asked now.
struct Pending {
    lesson: Lesson,
    card: Card,
    /// True until it is answered.
    is_first: bool,
    /// The quality of the answer.
    quality: u8,
}

/// The questions of a session.
pub(super) struct Round {
    queue: VecDeque<Pending>,
    progress: Progress,
    today: u32,
    /// The number of lessons, due or not.
    pub(super) all: usize,
    /// The day on which the first of them is due.
    next: Option<u32>,
    pub(super) answered: u32,
    pub(super) right: u32,
}

impl Round {
    /// Creates a session of the lessons that are due.
    pub(super) fn new(lessons: Vec<Lesson>, mut progress: Progress) -> Self {
        let today = today();
        let all = lessons.len();
        let mut cards: Vec<(Lesson, Card)> = lessons
            .into_iter()
            .map(|lesson| (progress.get(lesson.position()).unwrap_or_default(), lesson))
            .map(|(card, lesson)| (lesson, card))
            .collect();
        let next = cards.iter().map(|(_, card)| card.due).min();
        cards.retain(|(_, card)| card.due <= today);
        // Questions that were asked before come first, the longest due of them first, and then the worst mistakes.
        cards.sort_by_key(|(lesson, card)| (card.interval == 0, card.due, -lesson.loss));
        let pending = |(lesson, card)| Pending {
            lesson,
            card,
            is_first: true,
            quality: 0,
        };
        Self {
            queue: cards.into_iter().map(pending).collect(),
            progress,
            today,
            all,
            next,
            answered: 0,
            right: 0,
        }
    }

    /// Asks at most this number of lessons.
    pub(super) fn truncate(&mut self, count: NonZeroUsize) {
        self.queue.truncate(count.get());
    }

    /// The lesson to ask; `None` at the end.
    pub(super) fn lesson(&self) -> Option<&Lesson> {
        self.queue.front().map(|pending| &pending.lesson)
    }

    /// The number of lessons that are left.
    pub(super) fn left(&self) -> usize {
        self.queue.len()
    }

    /// Records the answer to the question, and tells when it comes again.
    pub(super) fn answer(&mut self, given: &Given) -> anyhow::Result<String> {
        let Some(asked) = self.queue.front_mut() else {
            return Ok(String::new());
        };
        asked.quality = quality(&asked.lesson.question, given);
        if asked.is_first {
            self.answered += 1;
            self.right += u32::from(asked.quality >= KNOWN);
            asked.card.answer(asked.quality, self.today);
            self.progress.put(asked.lesson.position(), &asked.card)?;
        }
        Ok(if asked.quality < KNOWN {
            "It comes again before the end.".to_owned()
        } else {
            format!("It comes again {}.", in_days(asked.card.due - self.today))
        })
    }

    /// Goes on to the next question. One that was not known comes again.
    pub(super) fn advance(&mut self) {
        let Some(mut asked) = self.queue.pop_front() else {
            return;
        };
        if asked.quality < KNOWN {
            asked.is_first = false;
            self.queue.push_back(asked);
        }
    }

    /// Returns the number of days until the next question, and that in words, if there was none to ask today.
    pub(super) fn next_in_words(&self) -> Option<(u32, String)> {
        let days = self
            .next?
            .checked_sub(self.today)
            .filter(|&days| days > 0)?;
        Some((days, format!("The next one comes {}.", in_days(days))))
    }

    /// Describes the answers.
    pub(super) fn in_words(&self) -> String {
        format!("{} of {} at first sight.", self.right, self.answered)
    }
}

/// Returns the quality of an answer on the scale of SM-2.
fn quality(question: &Question, given: &Given) -> u8 {
    let Some(square) = given.square else {
        return 0;
    };
    let is_good = question.good().any(|mv| mv.mv == square.into());
    match (is_good, given.hinted) {
        (true, false) => 5,
        (true, true) => 3,
        (false, _) if question.loss(square) < Some(MISTAKE) => 2,
        (false, _) => 1,
    }
}

/// Returns a number of days in words.
fn in_days(days: u32) -> String {
    match days {
        0 => "today".to_owned(),
        1 => "tomorrow".to_owned(),
        days => format!("in {days} days"),
    }
}
