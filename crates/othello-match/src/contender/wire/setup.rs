//! The seat of a program in the format that it speaks.

use std::{convert::Infallible, time::Duration};

use boardgame_core::TimeControl;
use boardgame_io::{CommandLine, Program};
use boardgame_match::{
    FromSeat, GameOptions, Launch, Seat, SeatReport, SessionSeat, SessionSeatOptions,
};
use boardgame_session::SeatSession;
use othello_core::{Board, Color, Move};
use othello_proto::{codewarriors::JudgeSeat, gui, sloan};

use super::{
    WireOptions,
    lth::{self, NotMet},
};
use crate::protocol::{Allowance, WireFormat};

/// What a game of a program is like.
#[derive(Clone, Debug)]
pub(super) struct Setup {
    pub(super) format: WireFormat,
    pub(super) line: CommandLine,
    pub(super) allowance: Allowance,
    pub(super) options: WireOptions,
    /// The program's colour.
    pub(super) color: Color,
    /// Whether an opening pass is nothing to send it.
    pub(super) misreads_opening: bool,
}

impl Setup {
    /// Returns a seat before its game. A program with pipes is started when the game begins; a client of
    /// the LTH format is started here, and has said its name then.
    ///
    /// # Errors
    ///
    /// When a client does not start, or does not connect.
    pub(super) async fn open(&self) -> Result<ProgramSeat, NotMet> {
        Ok(match self.format {
            WireFormat::Sloan(dialect) => {
                self.program(sloan::RefereeSeat::new(self.referee(dialect)))
            }
            WireFormat::Codewarriors => self.program(JudgeSeat::new(Duration::ZERO)),
            WireFormat::Guibot(form) => self.program(gui::HostSeat::new(gui::HostSeatOptions {
                form,
                limit: self.allowance.length(),
                startup: self.options.ready,
                grace: self.slack(),
            })),
            WireFormat::Lth => lth::open(self).await?,
        })
    }

    /// Returns the time that the program's session holds it to: enough that a late move is told from none
    /// at all.
    pub(super) fn time(&self) -> TimeControl {
        let length = match self.format {
            // Its programs are told the clock, and the slack is apart from that.
            WireFormat::Guibot(_) => self.allowance.length(),
            _ => self.allowance.length() + self.slack(),
        };
        let (main, per_move) = match self.allowance {
            Allowance::Game(_) => (Some(length), None),
            Allowance::Move(_) => (None, Some(length)),
        };
        TimeControl {
            main,
            per_move,
            ..TimeControl::default()
        }
    }

    /// Returns what is allowed beyond the program's time.
    fn slack(&self) -> Duration {
        self.options.grace + self.options.patience
    }

    fn referee(&self, dialect: sloan::Dialect) -> sloan::RefereeOptions {
        sloan::RefereeOptions {
            opening_pass: if self.misreads_opening {
                sloan::OpeningPass::Never
            } else {
                sloan::OpeningPass::Auto
            },
            dialect,
            ready_time: self.options.ready,
            grace: self.options.ending,
            ..sloan::RefereeOptions::default()
        }
    }

    /// Returns the seat of a program with pipes.
    fn program(&self, session: impl SeatSession<Board> + Send + 'static) -> ProgramSeat {
        let options = SessionSeatOptions {
            launch: match self.format {
                WireFormat::Guibot(_) => Launch::OnRequest,
                _ => Launch::AtStart,
            },
            ..SessionSeatOptions::default()
        };
        let (line, program) = (self.line.clone(), self.options.program);
        let seat = SessionSeat::program(line.to_string(), session, line, program, options);
        ProgramSeat {
            seat: Box::new(seat),
            client: None,
        }
    }
}

/// The seat of a program. Dropping it ends the program.
pub(super) struct ProgramSeat {
    pub(super) seat: Box<dyn Seat<Board>>,
    /// The program where the seat has only the connection to it.
    pub(super) client: Option<Program>,
}

impl ProgramSeat {
    /// Returns the next thing that comes from the seat. Cancel-safe.
    pub(super) async fn next(&mut self) -> FromSeat<Move> {
        tokio::select! {
            biased;
            from = self.seat.next() => from,
            never = drain(&mut self.client) => match never {},
        }
    }

    /// Ends the program and reports.
    pub(super) async fn end(self) -> SeatReport {
        let Self {
            mut seat,
            mut client,
        } = self;
        let report = tokio::select! {
            report = seat.end(GameOptions::default().grace) => report,
            never = drain(&mut client) => match never {},
        };
        match client {
            Some(client) => with_program(report, client).await,
            None => report,
        }
    }
}

/// Reads on what a client prints, for ever: it is nobody's, but the client must not wait for a reader.
async fn drain(client: &mut Option<Program>) -> Infallible {
    if let Some(program) = client {
        while program.next().await.is_some() {}
    }
    std::future::pending().await
}

/// Ends a client and adds to the report on its seat what is known of it.
pub(super) async fn with_program(seat: SeatReport, client: Program) -> SeatReport {
    let program = client.end().await;
    SeatReport {
        faults: [seat.faults, program.faults].concat(),
        status: program.status,
        stderr: program.stderr,
        ..seat
    }
}
