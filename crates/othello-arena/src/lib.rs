//! The other side of every protocol: games between child programs, sockets and players of this
//! process, series of them, and the LTH server.
//!
//! - [`game::run`] drives the host's session of any format with a [`Seat`] on each side: a child
//!   [`Program`] in a process group of its own, a peer at the other end of a
//!   [`Link`], a player in this process, or the house. Whatever they do, the game
//!   ends, no process is left, and the [`GameReport`] tells what happened.
//! - [`series::play`] plays many games with the colours alternating.
//! - [`server::Server`] is the LTH server, with its results in a [`store::Store`].
//! - [`record`] keeps games, one line of JSON each.
//!
//! Nothing here reads a command line or prints.
//!
//! ```
//! use othello_arena::{GameOptions, Outcome, Seat, game};
//! use othello_core::Color;
//! use othello_engine::{Engine, HashSize, Settings, Strength};
//! use othello_proto::codewarriors::{Judge, JudgeOptions, Player, PlayerOptions};
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() {
//! let strength = Strength::depth(1);
//! let engine = || Engine::new(Settings { strength, hash: HashSize::MIN, ..Settings::default() });
//! let player = || Player::new(PlayerOptions::default());
//! let report = game::run(
//!     Judge::new(JudgeOptions::default()),
//!     [Seat::player("one", player(), engine()), Seat::player("other", player(), engine())],
//!     |game, news| { let _ = (game, news); },
//!     &GameOptions::default(),
//!     std::future::pending(),
//! )
//! .await;
//! assert!(matches!(report.outcome, Outcome::Decided(_)));
//! assert!(report.game.board().is_over());
//! assert!(report.seat(Color::Black).faults.is_empty());
//! # }
//! ```
#![forbid(unsafe_code)]

mod desk;
pub mod game;
pub mod reception;
pub mod record;
pub mod report;
mod resident;
pub mod seat;
pub mod series;
pub mod server;
pub mod store;

pub use boardgame_io::{
    CommandLine, CommandLineError, Fault, Incoming, LaunchError, Link, LinkOptions, Program,
    ProgramOptions, ProgramReport, SendBufferFull,
};

pub use game::{GameOptions, Launch, News};
pub use report::{GameReport, Outcome, SeatReport};
pub use seat::Seat;
