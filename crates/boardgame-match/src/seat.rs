//! The interface of a seat.

use std::{
    future::{self, Future},
    mem,
    pin::Pin,
    process::ExitStatus,
    time::Duration,
};

use boardgame_core::Game;
use boardgame_io::Fault;
use boardgame_session::{Conventions, Note, Order, SeatEvent, Thought};

use crate::last_output::LastOutput;

/// A future on the heap that any thread can poll.
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// A seat of a game, which plays one side: a program, a peer over a stream or a player in this process.
///
/// The driver listens to both seats at all times, so it notices when the one not to move speaks or leaves.
/// [`SeatSession`](boardgame_session::SeatSession) describes the orders and events of a game.
pub trait Seat<G: Game>: Send {
    /// Returns the conventions of the seat's format.
    fn conventions(&self) -> Conventions;

    /// Takes an order without waiting; [`next`](Self::next) returns the resulting events.
    fn order(&mut self, order: Order<G>);

    /// Returns the next event of the seat; never resolves if none can come. Cancel-safe: nothing is lost
    /// when the future is dropped.
    fn next(&mut self) -> BoxFuture<'_, FromSeat<G::Move>>;

    /// Returns true if nothing can come from the seat before its next order.
    fn is_silent(&self) -> bool;

    /// Returns the last output of the program in this game, if it is known before the report.
    fn last_output(&self) -> Option<&LastOutput> {
        None
    }

    /// Ends the seat's part in the game and returns the report of that game. A peer over a stream has
    /// `grace` to take the last lines.
    ///
    /// A program that is not kept has ended then. With the next [`Order::Begin`] the seat plays another
    /// game, with a new report, unless it had a stream, which is closed.
    fn end(&mut self, grace: Duration) -> BoxFuture<'_, SeatReport>;

    /// Ends a program that is kept between games. A seat without one has nothing to close.
    fn close(&mut self) -> BoxFuture<'_, ()> {
        Box::pin(future::ready(()))
    }
}

/// An event of a seat.
#[derive(Clone, Debug, PartialEq)]
pub enum FromSeat<M> {
    /// An event for the conductor of the game.
    Event(SeatEvent<M>),
    /// A line for the log.
    Note(Note),
    /// A program was started.
    Launched {
        /// The process id.
        process: Option<u32>,
    },
    /// The program could not be started even once; the report's faults have the reason.
    NotStarted,
}

/// The report of a seat once the game is over.
#[derive(Clone, Debug, Default)]
pub struct SeatReport {
    /// The seat's name.
    pub name: String,
    /// The time that its accepted moves took; if the game began again, only those since then count.
    pub used: Duration,
    /// The longest time of these moves.
    pub longest: Duration,
    /// The CPU time of these moves, where it is known.
    pub cpu: Option<Duration>,
    /// The user CPU time of these moves, where it is known.
    pub user_cpu: Option<Duration>,
    /// The number of its accepted moves, including forced ones.
    pub moves: u32,
    /// The number of bytes received from it.
    pub bytes: u64,
    /// The number of programs started for it.
    pub launches: u32,
    /// The exit status of the last of them.
    pub status: Option<ExitStatus>,
    /// The end of their standard error, at most 16 KiB.
    pub stderr: String,
    /// Its faults, at most 64, except violations of the rules and the format.
    pub faults: Vec<Fault>,
    /// Its last output.
    pub last_output: LastOutput,
}

/// The maximum number of faults kept.
const MAX_FAULTS: usize = 64;

/// The maximum bytes of standard error kept of all programs of a seat.
const MAX_STDERR: usize = 16 * 1024;

impl SeatReport {
    pub(crate) fn fault(&mut self, fault: Fault) {
        if self.faults.len() < MAX_FAULTS {
            self.faults.push(fault);
        }
    }

    /// Adds a move that was accepted.
    pub(crate) fn moved(&mut self, thought: &Thought) {
        self.moves += 1;
        self.used = self.used.saturating_add(thought.took);
        self.longest = self.longest.max(thought.took);
        let times = [
            (&mut self.cpu, thought.cpu),
            (&mut self.user_cpu, thought.user_cpu),
        ];
        for (total, time) in times {
            if let Some(time) = time {
                *total = Some(total.unwrap_or_default().saturating_add(time));
            }
        }
    }

    /// Returns the report and begins one for another game under the same name.
    pub(crate) fn take(&mut self) -> Self {
        let name = self.name.clone();
        mem::replace(
            self,
            Self {
                name,
                ..Self::default()
            },
        )
    }

    /// Forgets the moves of a game that is restarted.
    pub(crate) fn begin_again(&mut self) {
        self.moves = 0;
        (self.used, self.longest) = (Duration::ZERO, Duration::ZERO);
        (self.cpu, self.user_cpu) = (None, None);
    }

    /// Appends the standard error of a program, keeping the end.
    pub(crate) fn push_stderr(&mut self, text: &str) {
        self.stderr.push_str(text);
        let excess = self.stderr.len().saturating_sub(MAX_STDERR);
        let excess = self.stderr.ceil_char_boundary(excess);
        self.stderr.drain(..excess);
    }
}
