//! Lines for the log.

use alloc::string::String;

/// A line for the log: never sent to the other side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// The kind of the remark.
    pub kind: NoteKind,
    /// The remark, in one line.
    pub text: String,
}

/// The kinds of [`Note`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoteKind {
    /// A notable event in the ordinary course of the session.
    Info,
    /// Input that the document does not allow was understood. The name is the leniency's in the
    /// documentation of the format.
    Leniency(&'static str),
    /// Input that could not be used, or a fault of the other side.
    Fault,
}

impl Note {
    /// Returns a remark on an event in the ordinary course of the session.
    pub fn info(text: impl Into<String>) -> Self {
        Self {
            kind: NoteKind::Info,
            text: text.into(),
        }
    }

    /// Returns a remark that the leniency `name` was used.
    pub fn leniency(name: &'static str, text: impl Into<String>) -> Self {
        Self {
            kind: NoteKind::Leniency(name),
            text: text.into(),
        }
    }

    /// Returns a remark on input that could not be used.
    pub fn fault(text: impl Into<String>) -> Self {
        Self {
            kind: NoteKind::Fault,
            text: text.into(),
        }
    }
}
