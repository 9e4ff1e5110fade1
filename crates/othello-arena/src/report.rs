//! What is known of a game once it is over.

use std::{fmt, process::ExitStatus, time::Duration};

use boardgame_io::Fault;
use othello_core::{Color, Empties, Game, Score};
use othello_proto::session::{Cause, Note, Verdict};

/// How a game came to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The host's session decided it.
    Decided(Verdict),
    /// A program could not be started even once; the reason is among its seat's faults.
    NotStarted {
        /// The seat.
        seat: Color,
    },
    /// It was called off from outside.
    Cancelled,
    /// It took longer than the driver allows any game.
    TimedOut,
    /// Nothing could happen any more, and the session did not say who wins.
    Stalled,
}

impl Outcome {
    /// The verdict, if there is one.
    pub const fn verdict(&self) -> Option<&Verdict> {
        match self {
            Self::Decided(verdict) => Some(verdict),
            _ => None,
        }
    }
}

/// All about a game that is over.
#[derive(Clone, Debug)]
pub struct GameReport {
    /// How it ended.
    pub outcome: Outcome,
    /// What was played.
    pub game: Game,
    /// From the start of the session to its end, without the time to end programs.
    pub elapsed: Duration,
    /// What the session noted: the first [`GameOptions::notes`](crate::game::GameOptions::notes).
    pub notes: Vec<Note>,
    pub(crate) seats: [SeatReport; 2],
}

impl GameReport {
    /// What is known of a seat.
    pub const fn seat(&self, color: Color) -> &SeatReport {
        &self.seats[index(color)]
    }

    /// The disc difference at the end as the board has it, from Black's point of view.
    pub const fn score(&self) -> Score {
        self.game.board().score(Color::Black, Empties::OnBoard)
    }

    /// The winner's colour, or `None` in a draw and in a game that was not decided.
    pub fn winner(&self) -> Option<Color> {
        self.outcome.verdict().and_then(|verdict| verdict.winner)
    }
}

/// What is known of a seat once the game is over.
#[derive(Clone, Debug, Default)]
pub struct SeatReport {
    /// The name that the seat was given.
    pub name: String,
    /// The time its accepted moves took: those of the game on the board, should it have begun again.
    pub used: Duration,
    /// The longest of these.
    pub longest: Duration,
    /// The moves accepted from it, passes among them.
    pub moves: u32,
    /// The bytes that came from it.
    pub bytes: u64,
    /// The programs started for it.
    pub launches: u32,
    /// The exit status of the last of them.
    pub status: Option<ExitStatus>,
    /// The end of what they wrote to standard error.
    pub stderr: String,
    /// What it did that no seat should: the first 64.
    pub faults: Vec<Fault>,
}

/// The place of a colour's seat in an array.
pub(crate) const fn index(color: Color) -> usize {
    match color {
        Color::Black => 0,
        Color::White => 1,
    }
}

impl fmt::Display for Outcome {
    /// In words, such as `White won: Black left`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Decided(verdict) => {
                match verdict.winner {
                    Some(winner) => write!(f, "{winner} won: ")?,
                    None => f.write_str("draw: ")?,
                }
                f.write_str(&describe(&verdict.cause))
            }
            Self::NotStarted { seat } => write!(f, "called off: {seat}'s program did not start"),
            Self::Cancelled => f.write_str("called off"),
            Self::TimedOut => f.write_str("called off: it took too long"),
            Self::Stalled => f.write_str("called off: nothing could happen any more"),
        }
    }
}

/// Why a game ended, in words.
fn describe(cause: &Cause) -> String {
    match cause {
        Cause::Played => "played to the end".into(),
        Cause::IllegalMove { by, detail } => format!("illegal move by {by}: {detail}"),
        Cause::Overtime { by } => format!("{by} ran out of time"),
        Cause::Format { by, detail } => format!("{by} broke the format: {detail}"),
        Cause::Left { by } => format!("{by} left"),
        other => format!("{other:?}"),
    }
}
