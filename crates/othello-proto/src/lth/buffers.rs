//! A connection's lines in both directions, as our server keeps them.

use alloc::{collections::VecDeque, vec::Vec};
use core::{mem, time::Duration};

use boardgame_session::NoteLimiter;

use super::ServerLine;
use crate::{
    framing::{Line, Lines},
    session::{Note, Timestamp},
};

/// The maximum number of bytes in lines that a client may send before it is asked for them.
pub const MAX_EARLY: usize = 4096;

/// A client sent more than [`MAX_EARLY`] bytes before it was asked for them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected at most {MAX_EARLY} bytes ahead of what was asked")]
pub struct Flooded;

/// The lines of a client that are not yet wanted.
#[derive(Clone, Debug, Default)]
pub(super) struct Inbox {
    lines: Lines,
    waiting: VecDeque<Line>,
    bytes: usize,
    ended: bool,
    returns: bool,
    note_limiter: NoteLimiter,
}

impl Inbox {
    /// Returns a remark on `\r` the first time that `bytes` hold one.
    pub(super) fn remark_returns(&mut self, bytes: &[u8]) -> Option<Note> {
        let first = !self.returns && bytes.contains(&b'\r');
        self.returns |= first;
        first.then(|| Note::leniency("carriage-return", "lines end with \\r\\n"))
    }

    /// Returns a remark on a byte order mark before the first line, once one has come.
    pub(super) fn remark_mark(&mut self) -> Option<Note> {
        let found = self.lines.take_mark();
        found.then(|| Note::leniency("byte-order-mark", "skipped"))
    }

    /// Returns the remark, or `None` after too many on this client.
    pub(super) fn remark(&mut self, note: Note) -> Option<Note> {
        self.note_limiter.admit(note)
    }

    /// Adds bytes as they arrived.
    pub(super) fn push(&mut self, bytes: &[u8]) -> Result<(), Flooded> {
        self.lines.push(bytes);
        self.collect();
        if self.bytes > MAX_EARLY {
            self.waiting.clear();
            self.bytes = 0;
            return Err(Flooded);
        }
        Ok(())
    }

    /// Takes the end of the client's output.
    pub(super) fn end(&mut self) {
        self.lines.finish();
        self.collect();
        self.ended = true;
    }

    /// Returns the next line.
    pub(super) fn next(&mut self) -> Option<Line> {
        let line = self.waiting.pop_front()?;
        self.bytes -= cost(&line);
        Some(line)
    }

    /// Returns the bytes after the last whole line.
    pub(super) fn partial(&self) -> &[u8] {
        self.lines.partial()
    }

    /// Returns `true` if the client's output has ended.
    pub(super) const fn has_ended(&self) -> bool {
        self.ended
    }

    /// Returns `true` if nothing more can come.
    pub(super) fn is_spent(&self) -> bool {
        self.ended && self.waiting.is_empty()
    }

    /// Drops blank lines from before a question, which are no answers. Returns a remark on them.
    pub(super) fn skip_blanks(&mut self) -> Option<Note> {
        let count = self
            .waiting
            .iter()
            .take_while(|line| is_blank(line))
            .count();
        self.bytes -= self
            .waiting
            .drain(..count)
            .map(|line| cost(&line))
            .sum::<usize>();
        let remark = Note::leniency("blank-line", "a blank line before the question is skipped");
        (count > 0).then_some(remark)
    }

    /// Returns `true` if nothing but blank lines can come.
    pub(super) fn is_spent_but_for_blanks(&self) -> bool {
        self.ended && self.waiting.iter().all(is_blank)
    }

    fn collect(&mut self) {
        while let Some(line) = self.lines.next_line() {
            self.bytes += cost(&line);
            self.waiting.push_back(line);
        }
    }
}

fn is_blank(line: &Line) -> bool {
    matches!(line, Line::Whole(text) if text.trim_ascii().is_empty())
}

/// Returns the bytes that a line counts towards [`MAX_EARLY`], its end included.
fn cost(line: &Line) -> usize {
    match line {
        Line::Whole(bytes) => bytes.len() + 1,
        Line::TooLong => 1,
    }
}

/// The lines for a client, sent at least a delay apart.
#[derive(Clone, Debug)]
pub(super) struct Outbox {
    waiting: VecDeque<ServerLine>,
    delay: Duration,
    ready: Timestamp,
}

impl Outbox {
    /// Creates an empty outbox whose lines are `delay` apart.
    pub(super) const fn new(delay: Duration) -> Self {
        Self {
            waiting: VecDeque::new(),
            delay,
            ready: Timestamp::ORIGIN,
        }
    }

    /// Adds lines to be sent.
    pub(super) fn extend(&mut self, lines: impl IntoIterator<Item = ServerLine>) {
        self.waiting.extend(lines);
    }

    /// Drops a question that is not sent yet.
    pub(super) fn retract_question(&mut self) {
        self.waiting.retain(|line| *line != ServerLine::YourMove);
    }

    /// Drops everything that is not sent yet.
    pub(super) fn clear(&mut self) {
        self.waiting.clear();
    }

    /// Returns `true` if all is sent.
    pub(super) fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    /// Takes the lines that may be sent now: all of them without a delay, else one if it is due.
    pub(super) fn flush(&mut self, now: Timestamp) -> Vec<ServerLine> {
        if self.delay.is_zero() {
            return mem::take(&mut self.waiting).into();
        }
        if now < self.ready {
            return Vec::new();
        }
        let line = self.waiting.pop_front();
        if line.is_some() {
            self.ready = now + self.delay;
        }
        line.into_iter().collect()
    }

    /// Returns the time at which the next line may be sent.
    pub(super) fn due(&self) -> Option<Timestamp> {
        (!self.waiting.is_empty()).then_some(self.ready)
    }
}
