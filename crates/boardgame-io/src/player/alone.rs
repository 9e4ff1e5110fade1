//! A single-threaded driver of a session over standard input and output.

use std::{io, io::Write as _, time::Duration};

use boardgame_session::{
    Timestamp,
    player::{Ending, PlayerAction, PlayerSession, Task},
};
use nix::{
    poll::{PollFlags, PollTimeout},
    unistd::read,
};
use tokio::time::Instant;

use super::{
    DriveError, DriveOptions, DriveOutcome, Thinker,
    clock::SessionClock,
    drive::{Input, log_panic},
    log::{self, Direction, GameSpan, LineLog},
    thinker::answer_here,
};
use crate::{
    MAX_INPUT,
    standard::{is_ready, retry},
};

/// Drives a player's session to its end like [`drive`](super::drive()), without a runtime or threads: for a process
/// that lives for one move, where threads would cost more time than the move, and for a system that allows neither.
///
/// While the thinker works nothing else happens: input is read before and afterwards, no deadline passes, nothing
/// hurries it (GoGui's interruption has no effect), and there is no pondering. Unread output blocks the process.
pub(super) fn drive_alone<S: PlayerSession>(
    session: S,
    mut thinker: impl Thinker<S::Question>,
    options: &DriveOptions,
) -> Result<DriveOutcome<S>, DriveError> {
    let origin = options.origin.map_or_else(Instant::now, Instant::from_std);
    let mut driver = Alone {
        clock: SessionClock::new(session.measure(), origin),
        session,
        input: Input::Open,
        unsent: None,
        lines: LineLog::default(),
        open: None,
    };
    let mut span = GameSpan::new(options.format);
    driver.session.start(driver.clock.now());
    let ending = loop {
        span.update(&driver.session);
        let turn = span.current();
        let _entered = turn.enter();
        if let Some(ending) = driver.act() {
            break ending;
        }
        // An analysis, whose tasks follow one another, ends at the next input.
        if driver.open.is_some() && driver.has_input() {
            driver.read();
            continue;
        }
        let Some(task) = driver.open.take() else {
            if !matches!(driver.input, Input::Open) && driver.session.deadline().is_none() {
                break Ending::CutOff;
            }
            driver.wait();
            continue;
        };
        let started = driver.clock.instant(task.clock.started);
        let started = started.unwrap_or_else(Instant::now).into_std();
        let answer = answer_here(&mut thinker, task, started);
        log_panic(&answer);
        driver.session.decide(answer.decision, driver.clock.now());
    };
    driver.lines.finish();
    match (ending, driver.input, driver.unsent) {
        (Ending::CutOff, Input::Failed(error), _) => Err(DriveError::from_io(error)),
        (_, Input::Open, Some(error)) => Err(DriveError::Undelivered(error)),
        (ending, ..) => Ok(DriveOutcome {
            ending,
            session: driver.session,
        }),
    }
}

struct Alone<S: PlayerSession> {
    session: S,
    clock: SessionClock,
    input: Input,
    /// The error that ended the output.
    unsent: Option<io::Error>,
    lines: LineLog,
    /// The task that needs a decision.
    open: Option<Task<S::Question>>,
}

impl<S: PlayerSession> Alone<S> {
    /// Carries out the actions of the session until there are none, or it has finished.
    fn act(&mut self) -> Option<Ending<S::Question>> {
        while let Some(action) = self.session.poll() {
            match action {
                PlayerAction::Send(bytes) => {
                    self.lines.add(Direction::Out, &bytes);
                    if self.unsent.is_none() {
                        let mut output = io::stdout();
                        let sent = output.write_all(&bytes).and_then(|()| output.flush());
                        self.unsent = sent.err();
                    }
                }
                PlayerAction::Think(task) => self.open = Some(task),
                PlayerAction::Abandon => self.open = None,
                // Nothing is read while the thinker works.
                PlayerAction::Hurry => {}
                PlayerAction::Note(note) => log::note(&note),
                PlayerAction::Finish(ending) => return Some(ending),
            }
        }
        None
    }

    /// Returns whether there is input, or its end, to read at once.
    fn has_input(&self) -> bool {
        let ready = || is_ready(&io::stdin(), PollFlags::POLLIN, PollTimeout::ZERO);
        matches!(self.input, Input::Open) && ready().unwrap_or(false)
    }

    /// Waits for input or the session's deadline, and passes it to the session. Once output has failed, only input
    /// already there is read.
    fn wait(&mut self) {
        let deadline = self.session.deadline();
        let mut left = deadline.and_then(|deadline| self.left(deadline));
        if !matches!(self.input, Input::Open) {
            std::thread::sleep(left.unwrap_or_default());
            return self.session.tick(self.clock.now());
        }
        if self.unsent.is_some() {
            left = Some(Duration::ZERO);
        }
        match is_ready(&io::stdin(), PollFlags::POLLIN, timeout(left)) {
            Ok(true) => self.read(),
            Ok(false) => match self.unsent.take() {
                Some(error) => self.end_input(Input::Failed(error)),
                None => self.session.tick(self.clock.now()),
            },
            Err(error) => self.end_input(Input::Failed(error)),
        }
    }

    fn read(&mut self) {
        let mut bytes = [0; MAX_INPUT];
        match retry(|| read(io::stdin(), &mut bytes)) {
            Ok(0) => self.end_input(Input::Ended),
            Ok(count) => {
                let bytes = &bytes[..count];
                self.lines.add(Direction::In, bytes);
                self.session.receive(bytes, self.clock.now());
            }
            Err(error) => self.end_input(Input::Failed(error)),
        }
    }

    fn end_input(&mut self, input: Input) {
        tracing::debug!(?input, "the input is at its end");
        self.lines.finish();
        self.input = input;
        self.session.end_of_input(self.clock.now());
    }

    /// Returns the time until a timestamp, or `None` when it is too far away to come.
    fn left(&self, deadline: Timestamp) -> Option<Duration> {
        let moment = self.clock.instant(deadline)?;
        Some(moment.saturating_duration_since(Instant::now()))
    }
}

/// Returns the time limit of a wait, rounded up to milliseconds.
fn timeout(left: Option<Duration>) -> PollTimeout {
    left.map_or(PollTimeout::NONE, |left| {
        let rounded_up = left.saturating_add(Duration::from_nanos(999_999));
        PollTimeout::try_from(rounded_up).unwrap_or(PollTimeout::MAX)
    })
}
