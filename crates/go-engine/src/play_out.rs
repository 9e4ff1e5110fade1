//! Games that the engine plays to their end.

use boardgame_core::Color;
use go_core::{Ownership, Position};
use go_search::Limits;

use crate::Settings;

/// The number of playouts for each move.
const PLAYOUTS: u32 = 200;

/// Returns the ownership of points after the engine has played a position on until both sides pass, once with each side
/// first: what reading and random playouts leave open is decided by play.
///
/// It depends only on the position, its last moves and the seed.
///
/// # Examples
///
/// ```
/// use go_core::{Position, Setup};
/// use go_engine::play_out;
///
/// let position = Position::new(&"5x5 black C3".parse::<Setup>()?);
/// assert!(play_out(&position, 1).balance("A1".parse()?) > 0.9);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn play_out(position: &Position, seed: u64) -> Ownership {
    let settings = Settings {
        seed,
        ..Settings::default()
    };
    let limits = Limits::playouts(PLAYOUTS);
    let max_moves = 2 * position.board().size().points().count();
    let mut ownership = Ownership::default();
    for first in Color::ALL {
        let mut position = position.clone();
        position.resume();
        position.set_side_to_move(first);
        let mut searcher = settings.searcher();
        let mut end = Ownership::default();
        for _ in 0..max_moves {
            let report = searcher.search(&position, &limits);
            end = report.ownership;
            if position.play(report.best).is_err() || position.is_over() {
                break;
            }
        }
        ownership.merge(&end);
    }
    ownership
}
