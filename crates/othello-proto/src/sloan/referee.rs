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

/// The passes that are relayed once the game is over. Programs that never claim would pass each
/// other on for ever.
pub const MAX_FINISHED_PASSES: u32 = 4;
