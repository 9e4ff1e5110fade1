//! The log of a session: its traffic, its notes, and the state of its game.

use boardgame_session::{
    Note, NoteKind,
    player::{PlayerSession, Progress},
};
use tracing::{Level, Span};

/// The maximum number of bytes of a line in the log.
const MAX_LOGGED: usize = 512;

/// Writes a session's note, a leniency with its name.
pub(crate) fn note(note: &Note) {
    let text = &note.text;
    match note.kind {
        NoteKind::Info => tracing::info!("{text}"),
        NoteKind::Leniency(leniency) => tracing::info!(leniency, "{text}"),
        NoteKind::Fault => tracing::warn!("{text}"),
    }
}

/// The spans of a session: an outer one with the format, an inner one with the state of the game.
///
/// The inner one is made anew whenever the state changes, since subscribers show both values
/// of a field that is recorded twice.
pub(crate) struct GameSpan {
    session: Span,
    turn: Span,
    shown: Option<Progress>,
}

impl GameSpan {
    pub(crate) fn new(format: &str) -> Self {
        let session = tracing::info_span!("session", format);
        Self {
            turn: session.clone(),
            session,
            shown: None,
        }
    }

    /// Updates the state to the session's.
    pub(crate) fn update(&mut self, session: &impl PlayerSession) {
        let progress = session.progress();
        if self.shown.as_ref() == Some(&progress) {
            return;
        }
        self.turn = tracing::info_span!(
            parent: &self.session,
            "turn",
            color = progress.color.map(tracing::field::display),
            number = progress.move_number,
            board = %progress.board,
        );
        self.shown = Some(progress);
    }

    pub(crate) fn current(&self) -> Span {
        self.turn.clone()
    }
}

/// The direction of bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    In,
    Out,
}

/// Logs traffic line by line, whatever its chunks.
///
/// A line without an end is logged when the direction changes, at the end of input, or when it is long.
#[derive(Debug, Default)]
pub(crate) struct LineLog {
    partial: Vec<u8>,
    direction: Option<Direction>,
}

impl LineLog {
    pub(crate) fn add(&mut self, direction: Direction, bytes: &[u8]) {
        if !tracing::enabled!(Level::DEBUG) {
            return;
        }
        if self.direction != Some(direction) {
            self.finish();
            self.direction = Some(direction);
        }
        for part in bytes.split_inclusive(|&byte| byte == b'\n') {
            let mut rest = part;
            while !rest.is_empty() {
                let room = MAX_LOGGED - self.partial.len();
                let (piece, later) = rest.split_at(room.min(rest.len()));
                self.partial.extend_from_slice(piece);
                if piece.ends_with(b"\n") || self.partial.len() == MAX_LOGGED {
                    self.finish();
                }
                rest = later;
            }
        }
    }

    pub(crate) fn finish(&mut self) {
        let line = std::mem::take(&mut self.partial);
        if line.is_empty() {
            return;
        }
        let line = line.escape_ascii();
        match self.direction {
            Some(Direction::In) => tracing::debug!("<- {line}"),
            Some(Direction::Out) => tracing::debug!("-> {line}"),
            None => {}
        }
    }
}
