//! The peer that a session is connected to.

use std::{
    future, mem,
    pin::pin,
    task::{Context, Poll, Waker},
    time::Duration,
};

use boardgame_io::{
    CommandLine, Family, Fault, Incoming, Link, Program, ProgramOptions, ProgramReport,
    SendBufferFull,
};
use tokio::task::JoinSet;

use crate::seat::SeatReport;

/// A child program or a stream, with earlier programs that have not ended yet.
#[derive(Debug)]
pub(super) struct Peer {
    connected: Connected,
    launcher: Option<(CommandLine, ProgramOptions)>,
    /// True once the end of the output was reported to the session.
    ended: bool,
    /// True once the exit of the program was reported to the session.
    exited: bool,
    retired: JoinSet<ProgramReport>,
}

#[derive(Debug)]
enum Connected {
    Nothing,
    Program(Program),
    Link(Link),
}

impl Peer {
    pub(super) fn program(line: CommandLine, options: ProgramOptions) -> Self {
        Self::new(Connected::Nothing, Some((line, options)))
    }

    pub(super) fn link(link: Link) -> Self {
        Self::new(Connected::Link(link), None)
    }

    fn new(connected: Connected, launcher: Option<(CommandLine, ProgramOptions)>) -> Self {
        Self {
            connected,
            launcher,
            ended: false,
            exited: false,
            retired: JoinSet::new(),
        }
    }

    /// Starts the program in place of the one before and returns its processes, or `None` without a program.
    pub(super) fn launch(
        &mut self,
        report: &mut SeatReport,
    ) -> Option<Result<Option<Family>, Fault>> {
        self.launcher.as_ref()?;
        self.retire(report);
        (self.ended, self.exited) = (false, false);
        let (line, options) = self.launcher.as_ref()?;
        let started = Program::launch(line, options).map_err(|error| Fault::NotStarted {
            program: error.program().to_owned(),
            reason: error.io().to_string(),
        });
        Some(started.map(|program| {
            report.launches += 1;
            let family = program.family();
            self.connected = Connected::Program(program);
            family
        }))
    }

    /// Returns the next event; never resolves if none can come. Cancel-safe.
    pub(super) async fn next(&mut self) -> Incoming {
        let incoming = match &mut self.connected {
            Connected::Nothing => None,
            Connected::Program(program) => program.next().await,
            Connected::Link(link) => link.next().await,
        };
        let Some(incoming) = incoming else {
            return future::pending().await;
        };
        match incoming {
            Incoming::Bytes { .. } => {}
            Incoming::End => self.ended = true,
            Incoming::Exited { .. } => self.exited = true,
        }
        incoming
    }

    /// Returns the next event if it has already arrived.
    pub(super) fn try_next(&mut self) -> Option<Incoming> {
        let next = pin!(self.next());
        match next.poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(incoming) => Some(incoming),
            Poll::Pending => None,
        }
    }

    /// Returns true if the seat has a program, running or ended and not yet retired.
    pub(super) const fn has_program(&self) -> bool {
        matches!(self.connected, Connected::Program(_))
    }

    pub(super) const fn is_silent(&self) -> bool {
        match self.connected {
            Connected::Nothing => true,
            Connected::Program(_) => false,
            Connected::Link(_) => self.ended,
        }
    }

    pub(super) fn send(&mut self, bytes: &[u8]) -> Result<(), SendBufferFull> {
        match &mut self.connected {
            Connected::Nothing => Ok(()),
            Connected::Program(program) => program.send(bytes),
            Connected::Link(link) => link.send(bytes),
        }
    }

    pub(super) fn hang_up(&mut self) {
        match &mut self.connected {
            Connected::Nothing => {}
            Connected::Program(program) => program.hang_up(),
            Connected::Link(link) => link.hang_up(),
        }
    }

    /// Sends the farewell to a peer over a stream when the game is called off.
    pub(super) fn part(&mut self, farewell: &[u8]) {
        if let Connected::Link(link) = &mut self.connected {
            // A peer that does not read misses it.
            let _ = link.send(farewell);
        }
    }

    /// Kills the program, or drops the stream; returns whether the session still has to learn of the end of
    /// the output and of the exit.
    pub(super) fn cut(&mut self, report: &mut SeatReport) -> (bool, bool) {
        if let Connected::Program(program) = &mut self.connected {
            program.kill();
        }
        self.retire(report);
        let end = !mem::replace(&mut self.ended, true);
        let exit = self.launcher.is_some() && !mem::replace(&mut self.exited, true);
        (end, exit)
    }

    /// Detaches the program, to end by itself, and takes the reports of ended programs. Returns the stream,
    /// if there is one.
    pub(super) fn retire(&mut self, report: &mut SeatReport) -> Option<Link> {
        let mut link = None;
        match mem::replace(&mut self.connected, Connected::Nothing) {
            Connected::Nothing => {}
            Connected::Program(program) => {
                self.retired.spawn(program.end());
            }
            Connected::Link(peer) => link = Some(peer),
        }
        while let Some(ended) = self.retired.try_join_next() {
            take_report(report, ended.unwrap_or_default());
        }
        link
    }

    /// Ends the programs and the stream, within the grace periods.
    pub(super) async fn end(&mut self, report: &mut SeatReport, grace: Duration) {
        if let Some(link) = self.retire(report) {
            report.last_output.flushed += link.close(grace).await;
        }
        while let Some(ended) = self.retired.join_next().await {
            take_report(report, ended.unwrap_or_default());
        }
    }
}

fn take_report(report: &mut SeatReport, program: ProgramReport) {
    for fault in program.faults {
        report.fault(fault);
    }
    report.last_output.flushed += program.flushed;
    report.last_output.ended_well = program.status.is_some_and(|status| status.success());
    report.status = program.status.or(report.status);
    report.push_stderr(&program.stderr);
}
