//! Spaced repetition by SM-2 (Woźniak, "Optimization of learning", 1990, section 3.2).

use serde::{Deserialize, Serialize};

/// The least easiness.
const MIN_EASE: f64 = 1.3;

/// The quality of an answer from which it counts as remembered.
const REMEMBERED: u8 = 3;

/// When a question is asked again.
///
/// # Examples
///
/// ```
/// use othello_analysis::Card;
///
/// let mut card = Card::default();
/// let mut days = Vec::new();
/// for quality in [5, 5, 4, 1, 4] {
///     card.answer(quality, 20_000);
///     days.push(card.due - 20_000);
/// }
/// assert_eq!(days, [1, 6, 17, 1, 1]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Card {
    /// The number of answers since it was last forgotten.
    pub repetitions: u32,
    /// The time from the last answer to the next, in days.
    pub interval: u32,
    /// The factor by which the interval grows, at least 1.3.
    pub ease: f64,
    /// The day on which to ask again, in days since 1970.
    pub due: u32,
}

impl Default for Card {
    /// A question that was never asked.
    fn default() -> Self {
        Self {
            repetitions: 0,
            interval: 0,
            ease: 2.5,
            due: 0,
        }
    }
}

impl Card {
    /// Records an answer of a quality from 0, no idea, to 5, perfect. Below 3 the question starts again.
    pub fn answer(&mut self, quality: u8, today: u32) {
        if quality < REMEMBERED {
            self.repetitions = 0;
        } else {
            let missing = f64::from(5 - quality.min(5));
            self.ease += 0.1 - missing * (0.08 + missing * 0.02);
            self.ease = self.ease.max(MIN_EASE);
        }
        self.interval = match self.repetitions {
            0 => 1,
            1 => 6,
            _ => (f64::from(self.interval) * self.ease).ceil() as u32,
        };
        self.repetitions += u32::from(quality >= REMEMBERED);
        self.due = today.saturating_add(self.interval);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn easiness_changes_as_published() {
        for (quality, expected) in [(5, 2.6), (4, 2.5), (3, 2.36), (2, 2.5), (0, 2.5)] {
            let mut card = Card::default();
            card.answer(quality, 0);
            assert!((card.ease - expected).abs() < 1e-9, "{quality}: {card:?}");
        }
        let mut card = Card::default();
        for _ in 0..20 {
            card.answer(3, 0);
        }
        assert!((card.ease - MIN_EASE).abs() < 1e-9, "{card:?}");
    }

    #[test]
    fn after_a_wrong_answer_the_intervals_start_again() {
        let mut card = Card::default();
        for _ in 0..3 {
            card.answer(5, 100);
        }
        assert!(card.interval > 6);
        card.answer(2, 100);
        assert_eq!((card.repetitions, card.interval, card.due), (0, 1, 101));
        card.answer(5, 101);
        assert_eq!(card.interval, 1);
        card.answer(5, 102);
        assert_eq!(card.due, 108);
    }
}
