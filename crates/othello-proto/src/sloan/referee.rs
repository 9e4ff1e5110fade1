//! The referee's side: a game between two programs.

mod ending;
mod opening;
mod options;
mod program;
mod seat;

use boardgame_core::{ByColor, TimeControl};

use crate::session::{TwoSeats, TwoSeatsOptions};

pub use opening::RELAUNCH_WAIT;
pub use options::{CommentRelay, OpeningPass, RefereeOptions};
pub use seat::RefereeSeat;

/// The passes that are relayed once the game is over. Programs that never claim would pass each
/// other on for ever.
pub const MAX_FINISHED_PASSES: u32 = 4;

/// The referee's session of a game between two programs.
///
/// # Examples
///
/// ```
/// use othello_core::Color;
/// use othello_proto::session::{HostAction, HostSession, Timestamp};
/// use othello_proto::sloan::{Referee, RefereeOptions};
///
/// let mut referee = Referee::new(RefereeOptions::default());
/// referee.start(Timestamp::ORIGIN);
/// let bytes = b"(I B)\n".to_vec();
/// assert_eq!(referee.poll(), Some(HostAction::Send { seat: Color::Black, bytes }));
/// ```
pub type Referee = TwoSeats<RefereeSeat>;

impl Referee {
    /// Returns a session that has not begun.
    pub fn new(options: RefereeOptions) -> Self {
        let time = TimeControl {
            main: options.game_time,
            ..TimeControl::default()
        };
        let conducted = TwoSeatsOptions {
            start: options.start,
            time: ByColor::new_with(|_| time),
            tolerance: options.tolerance,
            relays_comments: options.comments == CommentRelay::PassOn,
            keeps: false,
        };
        let seats = ByColor {
            black: RefereeSeat::new(options.clone()),
            white: RefereeSeat::new(options),
        };
        Self::between(&conducted, seats)
    }
}

#[cfg(test)]
mod tests;
