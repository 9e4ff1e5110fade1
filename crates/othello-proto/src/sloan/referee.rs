//! The referee's side.

mod ending;
mod opening;
mod opening_pass;
mod options;
mod program;
mod readying;
mod seat;

pub use options::{OpeningPass, RefereeOptions};
pub use readying::RELAUNCH_WAIT;
pub use seat::RefereeSeat;

/// The maximum number of passes relayed once the game is over: programs that never claim would pass
/// for ever.
pub const MAX_FINISHED_PASSES: u32 = 4;
