//! The reception of a client of an LTH server, under the script `scripts/reception.txt`.

use std::mem;

use othello_core::Color;
use othello_proto::{
    lth::{ClientRecord, Guest, Port, Reception, ReceptionAction, ReceptionOptions},
    session::Timestamp,
};

use crate::{
    golden::{Clock, Subject, bytes_of, check, note_line, shown, shown_time},
    seats::seconds,
};

/// A reception with the steps `start`, `> TEXT`, `end`, and those of time; every client has won 4 games and plays White
/// next.
struct ReceptionScript {
    reception: Reception,
    clock: Clock,
    started: bool,
    lines: Vec<String>,
    guest: Option<Guest>,
}

impl ReceptionScript {
    fn new(options: ReceptionOptions) -> Self {
        Self {
            reception: Reception::new(options),
            clock: Clock::new(),
            started: false,
            lines: Vec::new(),
            guest: None,
        }
    }

    fn settle(&mut self) {
        while let Some(action) = self.reception.poll() {
            assert!(self.guest.is_none(), "{action:?} after the end");
            let line = match action {
                ReceptionAction::Send(bytes) => format!("< {}", shown(&bytes)),
                ReceptionAction::LookUp(id) => {
                    let (wins, color) = (4, Color::White);
                    let record = ClientRecord { wins, color };
                    self.reception.recall(record, self.clock.now);
                    format!("look up {id}")
                }
                ReceptionAction::Note(note) => note_line(&note),
                ReceptionAction::Seat(guest) => {
                    let line = format!("seat {} as {}", guest.id(), guest.color());
                    self.guest = Some(guest);
                    line
                }
                ReceptionAction::Refuse(refusal) => format!("refuse: {refusal}"),
            };
            self.lines.push(line);
        }
    }

    fn tick(&mut self, now: Timestamp) {
        self.clock.now = now;
        self.reception.tick(now);
        self.settle();
    }
}

impl Subject for ReceptionScript {
    fn step(&mut self, step: &str) {
        if !mem::replace(&mut self.started, true) {
            self.reception.start(self.clock.now);
            self.settle();
        }
        if let Some(text) = step.strip_prefix("> ") {
            self.reception.receive(&bytes_of(text), self.clock.now);
        } else if step == "end" {
            self.reception.end_of_input(self.clock.now);
        } else if step == "+" {
            let deadline = self.reception.deadline().expect("a deadline");
            self.lines.push(format!("at {}", shown_time(deadline)));
            self.tick(deadline);
        } else if self.clock.set(step) {
            self.tick(self.clock.now);
        }
        self.settle();
    }

    fn output(&mut self) -> Vec<String> {
        let deadline = self.reception.deadline();
        self.lines.extend(self.clock.deadline_line(deadline));
        mem::take(&mut self.lines)
    }
}

/// Returns a guest named `id` that waits for a game.
pub(crate) fn guest(options: ReceptionOptions) -> Guest {
    let mut script = ReceptionScript::new(options);
    script.step("> id");
    while script.guest.is_none() {
        script.step("+");
    }
    script.guest.expect("a guest")
}

#[test]
fn reception() {
    check("tests/sessions/scripts/reception.txt", |settings| {
        let mut options = ReceptionOptions::default();
        for (key, value) in settings {
            match (&**key, &**value) {
                ("port", "evaluation") => options.port = Port::Evaluation,
                ("port", _) => options.port = Port::Competition(Color::Black),
                ("delay", delay) => options.line_delay = seconds(delay),
                _ => panic!("{key} {value}"),
            }
        }
        ReceptionScript::new(options)
    });
}
