//! The server's side before the game: one connection from the greeting to its colour.

use alloc::{
    collections::VecDeque,
    format,
    string::{String, ToString},
    vec::Vec,
};
use core::time::Duration;

use othello_core::Color;

use super::{
    ClientLine, Complaint, Flooded, Id, InvalidId, ServerLine, TimeLimit,
    buffers::{Inbox, Outbox},
    message, parse,
};
use crate::{
    framing::Line,
    session::{Note, Timestamp},
};

/// The port that a client connected to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Port {
    /// Server mode: the client chooses its colour.
    Testing,
    /// Server mode: the [`ClientRecord`] gives the colour.
    Evaluation,
    /// Competition mode: the port gives the colour.
    Competition(Color),
}

/// Options of a [`Reception`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReceptionOptions {
    /// The port.
    pub port: Port,
    /// The time limit announced for the game.
    pub limit: TimeLimit,
    /// The time limit for an answer of a client before the game.
    pub patience: Duration,
    /// The delay between lines, for clients that expect one line per read.
    pub line_delay: Duration,
}

impl Default for ReceptionOptions {
    /// The testing port, a minute of patience, and no delay.
    fn default() -> Self {
        Self {
            port: Port::Testing,
            limit: TimeLimit::default(),
            patience: Duration::from_mins(1),
            line_delay: Duration::ZERO,
        }
    }
}

/// The record that a server keeps of an id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClientRecord {
    /// The games won.
    pub wins: u32,
    /// The colour that evaluation gives next.
    pub color: Color,
}

/// An action of a reception's driver.
#[derive(Clone, Debug)]
pub enum ReceptionAction {
    /// Write these bytes and flush.
    Send(Vec<u8>),
    /// Look up the record of the id and call [`Reception::recall`].
    LookUp(Id),
    /// Write this to the log.
    Note(Note),
    /// The client has a name and a colour: give the guest a game. Nothing follows.
    Seat(Guest),
    /// Close the connection. Nothing follows.
    Refuse(Refusal),
}

/// The reason why a client gets no game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Refusal {
    /// Its name is no id.
    #[error(transparent)]
    InvalidId(InvalidId),
    /// Its name is the built-in player's.
    #[error("expected a name other than {0}, which is the built-in player's")]
    Reserved(Id),
    /// It answered the question for its colour with this.
    #[error("expected `d` or `w` for the colour, but {0:?} came")]
    WrongColor(String),
    /// It sent too much before it was asked.
    #[error(transparent)]
    Flooded(Flooded),
    /// It took too long to answer.
    #[error("expected an answer in time")]
    Late,
    /// It left before it had a name and a colour.
    #[error("expected a name and a colour, but the connection was closed")]
    Left,
}

/// A client that has a name and a colour, with the input after its answers.
#[derive(Clone, Debug)]
pub struct Guest {
    id: Id,
    color: Color,
    pub(super) inbox: Inbox,
    pub(super) outbox: Outbox,
}

impl Guest {
    /// Returns its name.
    pub const fn id(&self) -> &Id {
        &self.id
    }

    /// Returns its colour.
    pub const fn color(&self) -> Color {
        self.color
    }

    /// Takes bytes that arrive while the guest waits for a game.
    ///
    /// # Errors
    ///
    /// Fails if there are too many; the connection should then be closed.
    pub fn receive(&mut self, bytes: &[u8]) -> Result<(), Flooded> {
        self.inbox.push(bytes)
    }

    /// Takes the end of the guest's output while it waits for a game.
    pub fn end_of_input(&mut self) {
        self.inbox.end();
    }

    /// Returns `true` if the guest's output has ended and none of its lines that wait for a game is more than blank.
    pub fn has_left(&self) -> bool {
        self.inbox.is_spent_but_for_blanks()
    }
}

/// The server's side of a connection before the game, as a state machine.
#[derive(Clone, Debug)]
pub struct Reception {
    options: ReceptionOptions,
    inbox: Inbox,
    outbox: Outbox,
    actions: VecDeque<ReceptionAction>,
    stage: Stage,
}

#[derive(Clone, Debug)]
enum Stage {
    /// Waiting for the name until the given time.
    Name(Timestamp),
    /// Waiting for [`Reception::recall`].
    Record(Id),
    /// Waiting for the colour until the given time.
    Color(Id, Timestamp),
    /// Sending the last lines to a guest.
    Seating(Id, Color),
    /// Sending the last lines to a client that is refused.
    Refusing(Refusal),
    /// Nothing follows.
    Done,
}

impl Reception {
    /// Creates a reception that has not started.
    pub fn new(options: ReceptionOptions) -> Self {
        Self {
            options,
            inbox: Inbox::default(),
            outbox: Outbox::new(options.line_delay),
            actions: VecDeque::new(),
            stage: Stage::Done,
        }
    }

    /// Sends the greeting. Call it once, before anything else.
    pub fn start(&mut self, now: Timestamp) {
        self.stage = Stage::Name(now + self.options.patience);
        self.say([ServerLine::Greeting, ServerLine::NameQuestion]);
        self.proceed(now);
    }

    /// Takes bytes from the client, split anywhere.
    pub fn receive(&mut self, bytes: &[u8], now: Timestamp) {
        if matches!(self.stage, Stage::Refusing(_) | Stage::Done) {
            return;
        }
        let remark = self.inbox.remark_returns(bytes).map(ReceptionAction::Note);
        self.actions.extend(remark);
        if let Err(flooded) = self.inbox.push(bytes) {
            self.stage = Stage::Refusing(Refusal::Flooded(flooded));
        }
        let remark = self.inbox.remark_mark().map(ReceptionAction::Note);
        self.actions.extend(remark);
        self.proceed(now);
    }

    /// Takes the end of the client's output.
    pub fn end_of_input(&mut self, now: Timestamp) {
        if !matches!(self.stage, Stage::Done) {
            self.inbox.end();
            self.proceed(now);
        }
    }

    /// Takes the answer to [`ReceptionAction::LookUp`].
    pub fn recall(&mut self, record: ClientRecord, now: Timestamp) {
        let Stage::Record(id) = &self.stage else {
            return;
        };
        let id = id.clone();
        self.welcome(&id, Some(record.wins));
        match self.options.port {
            Port::Testing => {
                self.say([ServerLine::ColorQuestion]);
                if let Some(note) = self.inbox.skip_blanks() {
                    self.remark(note);
                }
                self.stage = Stage::Color(id, now + self.options.patience);
            }
            Port::Evaluation | Port::Competition(_) => self.give_color(id, record.color),
        }
        self.proceed(now);
    }

    /// Returns the moment at which [`tick`](Self::tick) is to be called next, if any.
    pub fn deadline(&self) -> Option<Timestamp> {
        let patience = match self.stage {
            Stage::Name(until) | Stage::Color(_, until) => Some(until),
            _ => None,
        };
        patience.into_iter().chain(self.outbox.due()).min()
    }

    /// Takes the passing of time.
    pub fn tick(&mut self, now: Timestamp) {
        if let Stage::Name(until) | Stage::Color(_, until) = self.stage
            && now >= until
        {
            self.refuse(Complaint::TimeLimit, Refusal::Late);
        }
        self.proceed(now);
    }

    /// Returns the next action, or `None` until the session is fed again.
    pub fn poll(&mut self) -> Option<ReceptionAction> {
        self.actions.pop_front()
    }

    fn say(&mut self, lines: impl IntoIterator<Item = ServerLine>) {
        self.outbox.extend(lines);
    }

    fn welcome(&mut self, id: &Id, wins: Option<u32>) {
        let id = String::from(id.as_str());
        self.say([
            ServerLine::Hello { id, wins },
            ServerLine::TimeLimit(self.options.limit.length),
            ServerLine::MoveFormat,
        ]);
    }

    fn give_color(&mut self, id: Id, color: Color) {
        self.say([ServerLine::YouAre(color)]);
        self.stage = Stage::Seating(id, color);
    }

    fn refuse(&mut self, complaint: Complaint, refusal: Refusal) {
        self.say([ServerLine::Error, ServerLine::Complaint(complaint)]);
        self.stage = Stage::Refusing(refusal);
    }

    /// Reads expected lines, sends due ones, and ends when both are done.
    fn proceed(&mut self, now: Timestamp) {
        while let Stage::Name(_) | Stage::Color(..) = self.stage {
            match self.inbox.next() {
                Some(line) => self.answered(&line),
                None if self.inbox.has_ended() => self.stage = Stage::Refusing(Refusal::Left),
                None => break,
            }
        }
        let lines = self.outbox.flush(now);
        if !lines.is_empty() {
            let bytes = message::wire(&lines);
            self.actions.push_back(ReceptionAction::Send(bytes));
        }
        if self.outbox.is_empty() {
            self.conclude();
        }
    }

    fn answered(&mut self, line: &Line) {
        match &self.stage {
            Stage::Name(_) => match name(line) {
                Ok(id) if id.is_reserved() => {
                    self.refuse(Complaint::ReservedName, Refusal::Reserved(id));
                }
                Ok(id) => {
                    self.note_spelling(line, &ClientLine::Name(id.clone()));
                    self.named(id);
                }
                Err(error) => {
                    self.refuse(Complaint::InvalidName, Refusal::InvalidId(error));
                }
            },
            Stage::Color(id, _) => match color(line) {
                Ok(color) => {
                    let id = id.clone();
                    self.note_spelling(line, &ClientLine::Color(color));
                    self.give_color(id, color);
                }
                Err(refusal) => self.refuse(Complaint::WrongColor, refusal),
            },
            _ => {}
        }
    }

    fn note_spelling(&mut self, line: &Line, read: &ClientLine) {
        let read = read.to_string();
        if let Line::Whole(line) = line
            && line != read.as_bytes()
        {
            let text = format!("read {:?} as {read:?}", String::from_utf8_lossy(line));
            self.remark(Note::leniency("spelling", text));
        }
    }

    fn remark(&mut self, note: Note) {
        let note = self.inbox.remark(note);
        self.actions.extend(note.map(ReceptionAction::Note));
    }

    fn named(&mut self, id: Id) {
        if let Port::Competition(color) = self.options.port {
            self.welcome(&id, None);
            self.give_color(id, color);
        } else {
            self.actions.push_back(ReceptionAction::LookUp(id.clone()));
            self.stage = Stage::Record(id);
        }
    }

    fn conclude(&mut self) {
        let action = match core::mem::replace(&mut self.stage, Stage::Done) {
            Stage::Seating(id, color) => ReceptionAction::Seat(Guest {
                id,
                color,
                inbox: core::mem::take(&mut self.inbox),
                outbox: self.outbox.clone(),
            }),
            Stage::Refusing(refusal) => ReceptionAction::Refuse(refusal),
            stage => {
                self.stage = stage;
                return;
            }
        };
        self.actions.push_back(action);
    }
}

fn name(line: &Line) -> Result<Id, InvalidId> {
    match line {
        Line::Whole(line) => parse::name_answer(line),
        Line::TooLong => Err(InvalidId::TooLong),
    }
}

fn color(line: &Line) -> Result<Color, Refusal> {
    match line {
        Line::Whole(line) => parse::color_answer(line)
            .map_err(|_| Refusal::WrongColor(String::from_utf8_lossy(line).into_owned())),
        Line::TooLong => Err(Refusal::WrongColor("a line that is too long".into())),
    }
}
