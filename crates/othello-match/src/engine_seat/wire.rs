//! The seat of a program that speaks a wire format, for one game.

use std::time::Duration;

use boardgame_match::{Launch, Seat, SessionSeat, SessionSeatOptions, engine::OpenError};
use boardgame_session::SeatSession;
use othello_core::Board;
use othello_proto::{codewarriors::JudgeSeat, gui, sloan};

use super::{WireProgram, lth};
use crate::protocol::WireFormat;

/// The maximum time for a program to be ready, in formats that signal it.
const MAX_READY: Duration = Duration::from_secs(20);

impl WireProgram<'_> {
    /// Returns the seat of the program. A program with pipes starts with the game; an LTH client is
    /// started here, and has sent its name when this returns.
    ///
    /// # Errors
    ///
    /// When a client does not start, or does not connect.
    pub(super) async fn seat(&self) -> Result<Box<dyn Seat<Board>>, OpenError> {
        let grace = self.patience.overtime;
        Ok(match self.format {
            WireFormat::Sloan(dialect) => {
                self.program(sloan::RefereeSeat::new(self.referee(dialect)))
            }
            WireFormat::Codewarriors => self.program(JudgeSeat::new(grace)),
            WireFormat::Gui(form) => self.program(gui::HostSeat::new(gui::HostSeatOptions {
                form,
                limit: self.allowance.length(),
                startup: self.ready(),
                grace,
            })),
            WireFormat::Lth => Box::new(lth::open(self).await?),
        })
    }

    /// Returns the time that the program may take to be ready.
    pub(super) fn ready(&self) -> Duration {
        self.patience.start.min(MAX_READY)
    }

    fn referee(&self, dialect: sloan::Dialect) -> sloan::RefereeOptions {
        sloan::RefereeOptions {
            opening_pass: if self.misreads_opening {
                sloan::OpeningPass::Never
            } else {
                sloan::OpeningPass::Auto
            },
            dialect,
            ready_time: self.ready(),
            tolerance: self.patience.overtime,
            grace: self.patience.ending,
            ..sloan::RefereeOptions::default()
        }
    }

    /// Returns the seat of a program with pipes.
    fn program(&self, session: impl SeatSession<Board> + Send + 'static) -> Box<dyn Seat<Board>> {
        let options = SessionSeatOptions {
            launch: match self.format {
                WireFormat::Gui(_) => Launch::OnRequest,
                _ => Launch::AtStart,
            },
            ..SessionSeatOptions::default()
        };
        let (name, line) = (self.line.to_string(), self.line.clone());
        let program = self.patience.program.clone();
        Box::new(SessionSeat::program(name, session, line, program, options))
    }
}
