//! Hosts of the Othello wire formats: games between child programs, clients over sockets and players in this
//! process, series of games, and their records.
//!
//! - [`formats`] makes the games and seats of the formats whose programs are started here, for
//!   [`conduct`](boardgame_match::conduct), the driver of games.
//! - [`series::play`] plays many games with the colours alternating.
//! - [`reception::receive`] receives a client of the LTH format, from the greeting to its name and colour.
//! - [`lth_server`] is the server of the LTH format.
//! - [`likely_cause`] explains faults.
//! - [`record`] has the records of games, one line of JSON each, and the file that they are written to.
//!
//! Nothing here reads a command line or prints.
//!
//! ```no_run
//! use othello_host::{
//!     CommandLine, ProgramOptions,
//!     formats::{self, CodeWarriorsOptions},
//!     series,
//! };
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let format = formats::codewarriors(CodeWarriorsOptions::default());
//! let lines: [CommandLine; 2] = ["./one".parse()?, "./other".parse()?];
//! let report = series::play(
//!     &format.game,
//!     |_, contestant, _| {
//!         let line = lines[contestant as usize].clone();
//!         format.program(line.to_string(), line, ProgramOptions::default())
//!     },
//!     |_number, _news| {},
//!     &series::SeriesOptions { games: 10, ..Default::default() },
//!     std::future::pending(),
//! )
//! .await?;
//! assert_eq!(report.games.len(), 10);
//! # Ok(())
//! # }
//! ```
#![forbid(unsafe_code)]

pub mod formats;
pub mod likely_cause;
pub mod lth_server;
pub mod reception;
pub mod record;
pub mod replay;
pub mod series;

use boardgame_match::ForfeitScore;

pub use boardgame_io::{
    CommandLine, CommandLineError, Fault, Incoming, LaunchError, Link, LinkOptions, Program,
    ProgramOptions, ProgramReport, SendBufferFull,
};

/// The margin of a game lost by a fault: 64-0.
pub const FORFEIT_SCORE: ForfeitScore = ForfeitScore::Points(64);
