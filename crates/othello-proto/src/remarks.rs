//! Bounding what a session remarks on its input.

use crate::session::Note;

/// The remarks on bad or odd input that go to the log in a row, so that a flood does not flood the
/// log as well.
pub(crate) const MAX_REMARKS: u32 = 256;

/// Counts remarks on input.
#[derive(Clone, Debug, Default)]
pub(crate) struct Remarks {
    made: u32,
}

impl Remarks {
    /// A count that begins.
    pub(crate) const fn new() -> Self {
        Self { made: 0 }
    }

    /// The note to make: `note`, in place of the last one a word that no more follow, or none.
    pub(crate) fn admit(&mut self, note: Note) -> Option<Note> {
        self.made = self.made.saturating_add(1);
        match self.made {
            ..MAX_REMARKS => Some(note),
            MAX_REMARKS => Some(Note::fault(
                "too many remarks on the input: no more are made",
            )),
            _ => None,
        }
    }

    /// Begins to count anew, since the other side said something that can be used.
    pub(crate) const fn reset(&mut self) {
        self.made = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn after_too_many_remarks_one_says_so_and_none_follow() {
        let mut remarks = Remarks::default();
        let mut admit = || remarks.admit(Note::info("odd")).map(|note| note.text);
        for _ in 1..MAX_REMARKS {
            assert_eq!(admit().as_deref(), Some("odd"));
        }
        assert!(admit().is_some_and(|text| text.starts_with("too many")));
        assert_eq!(admit(), None);
        remarks.reset();
        assert!(remarks.admit(Note::info("odd")).is_some());
    }
}
