//! A limit on the notes that a session makes on its input.

use crate::Note;

/// The maximum number of notes in a row on bad or odd input, so that a flood of input does not
/// fill the log as well.
const MAX_NOTES: u32 = 256;

/// A limiter of the notes on input in a row.
#[derive(Clone, Debug, Default)]
pub struct NoteLimiter {
    count: u32,
}

impl NoteLimiter {
    /// Returns a limiter that has counted no notes.
    pub const fn new() -> Self {
        Self { count: 0 }
    }

    /// Returns the note to make: `note`, a last one that announces the end, or none.
    pub fn admit(&mut self, note: Note) -> Option<Note> {
        self.count = self.count.saturating_add(1);
        match self.count {
            ..MAX_NOTES => Some(note),
            MAX_NOTES => Some(Note::fault("too many remarks on the input: no more follow")),
            _ => None,
        }
    }

    /// Resets the count, after usable input from the other side.
    pub const fn reset(&mut self) {
        self.count = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn after_too_many_notes_one_says_so_and_none_follow() {
        let mut limiter = NoteLimiter::default();
        let mut admit = || limiter.admit(Note::info("odd")).map(|note| note.text);
        for _ in 1..MAX_NOTES {
            assert_eq!(admit().as_deref(), Some("odd"));
        }
        assert!(admit().is_some_and(|text| text.starts_with("too many")));
        assert_eq!(admit(), None);
        limiter.reset();
        assert!(limiter.admit(Note::info("odd")).is_some());
    }
}
