//! The USENIX Computer Go Tournament of 1984: a referee and two programs over their standard input and
//! output.
//!
//! A program first reads its colour, then the opponent's moves, one a line, and prints its own. The
//! format in full: `docs/protocols/usenix-go.md`.

mod message;
mod player;
mod referee;

pub use message::{Lenient, Play, RefereeMessage};
pub use player::{Player, PlayerOptions};
pub use referee::{RefereeOptions, RefereeSeat};

use core::time::Duration;

use go_core::{Komi, Setup};

/// The user CPU time that a program has for a game before byo-romi.
pub const MAIN_TIME: Duration = Duration::from_hours(1);

/// The user CPU time that a program has for each move in byo-romi.
pub const BYO_ROMI: Duration = Duration::from_secs(10);

/// The komi of the tournament.
pub const KOMI: Komi = Komi::from_half_points(11);

/// Returns the setup of the tournament: 19x19, Japanese rules, komi 5.5.
pub fn tournament_setup() -> Setup {
    Setup::default().with_komi(KOMI)
}
