//! Sessions under golden scripts, and laws of whole games.

mod games;
#[path = "../../../../tests/support/golden/mod.rs"]
mod golden;
#[path = "../../../../tests/support/golden/hosted.rs"]
mod hosted;
/// The games between two seats that the laws play.
#[path = "../../../boardgame-laws/src/hosted_game.rs"]
#[allow(dead_code, unreachable_pub)] // A public module of the laws.
mod hosted_game;
mod hosts;
mod new_format;
mod players;
mod reception;
mod seats;
