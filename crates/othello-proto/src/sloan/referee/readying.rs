//! Getting ready: the colour, assigned in the dialect that the program speaks.

use alloc::format;
use core::{mem, time::Duration};

use super::{
    program::Program,
    seat::{RefereeSeat, Stage},
};
use crate::{
    session::{Note, Timestamp},
    sloan::{Dialect, Frame, Message, print::print_line},
};

/// The time for a program to get ready for a game that starts over, before it is launched anew: a program written for
/// one game per process may never answer a second assignment of its colour.
pub const RELAUNCH_WAIT: Duration = Duration::from_secs(2);

impl RefereeSeat {
    /// Assigns the colour, and waits until the program is ready to play.
    pub(super) fn await_ready(&mut self, now: Timestamp) {
        let time = self.options.ready_time;
        let wait = if self.restarted {
            RELAUNCH_WAIT.min(time)
        } else {
            time / 2
        };
        self.stage = Stage::Readying {
            until: now + time,
            retry: Some(now + wait),
        };
        self.assign_color(self.dialect());
    }

    fn assign_color(&mut self, dialect: Dialect) {
        let play = self.options.send_play.then_some(Message::Play);
        for message in play.into_iter().chain([Message::Assign(self.color)]) {
            let bytes = print_line(&[message], dialect).into_bytes();
            self.actions.send(bytes);
        }
    }

    /// Returns the dialect to use with the program: its own or, before it has written anything, the initial one.
    pub(super) fn dialect(&self) -> Dialect {
        let shown = self.program.framer.dialect();
        shown.unwrap_or(self.options.dialect)
    }

    /// Returns when a program that is not ready is tried in another way.
    pub(super) const fn retry_due(&self) -> Option<Timestamp> {
        match self.stage {
            Stage::Readying { retry, .. } if self.restarted || self.is_silent() => retry,
            _ => None,
        }
    }

    /// Returns whether the program has shown no dialect.
    const fn is_silent(&self) -> bool {
        self.program.framer.dialect().is_none()
    }

    /// Tries a program that is not ready in another way: one that has said nothing is assigned its colour in
    /// the other dialect too, and for a game that begins again it is started anew.
    pub(super) fn retry(&mut self, now: Timestamp) {
        let Stage::Readying { until, retry } = &mut self.stage else {
            return;
        };
        *retry = None;
        if self.restarted {
            self.relaunch(now);
        } else if now >= *until {
            self.unready();
        } else {
            let color = self.color;
            let text = format!("{color} says nothing: it is assigned its colour in both dialects");
            self.actions.note(Note::info(text));
            self.assign_color(self.options.dialect.other());
        }
    }

    /// Notes the dialect of the program's first message. A program that was assigned its colour in the other one and is
    /// still not ready may have misread it: it is launched anew, and its output is dropped. Returns whether that
    /// happened.
    pub(super) fn learn_dialect(&mut self, first: &Frame, now: Timestamp) -> bool {
        let Some(shown) = self.program.framer.dialect() else {
            return false;
        };
        if shown == Dialect::Lines {
            self.lenient("no-parentheses", "writes no parentheses");
        }
        let told = mem::replace(&mut self.options.dialect, shown);
        let ready = Message::Ready(self.color);
        let is_ready = first.parse().is_ok_and(|first| first.message == ready);
        shown != told && !is_ready && self.relaunch(now)
    }

    /// Launches a new program after one has left: for a game that starts over, or in the other dialect if it was
    /// silent, since some end on a message that they cannot read. Returns `false` if that was done before, or the game
    /// is in progress.
    pub(super) fn relaunch_left(&mut self, now: Timestamp) -> bool {
        if !self.restarted && !self.is_silent() {
            return false;
        }
        let dialect = self.options.dialect;
        if !self.restarted {
            self.options.dialect = dialect.other();
        }
        let relaunched = self.relaunch(now);
        if !relaunched {
            self.options.dialect = dialect;
        }
        relaunched
    }

    /// Launches a new program for one that is not ready, once per game; returns `false` if that was done before, or it
    /// was ready.
    fn relaunch(&mut self, now: Timestamp) -> bool {
        let Stage::Readying { until, retry } = &mut self.stage else {
            return false;
        };
        if self.relaunched {
            return false;
        }
        *until = now + self.options.ready_time;
        *retry = None;
        self.actions
            .note(Note::info(format!("{} is started anew", self.color)));
        self.launch_anew();
        self.assign_color(self.options.dialect);
        true
    }

    pub(super) fn launch_anew(&mut self) {
        self.relaunched = true;
        self.program = Program::default();
        self.actions.launch();
    }

    /// Reports a program that is not ready in time.
    pub(super) fn unready(&mut self) {
        let mut text = format!("{} is not ready in time", self.color);
        if self.is_silent() {
            text += ", spoken to in both dialects";
            if self.first_dialect == Dialect::Expressions {
                text += "; --no-parentheses speaks without them from the start";
            }
        }
        self.actions.note(Note::fault(text));
        let time = self.options.ready_time;
        self.overtime(time, time);
    }
}
