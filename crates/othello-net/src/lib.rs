//! Joins sans-I/O Othello sessions to byte streams and to whatever chooses the moves.
//!
//! - [`Connection`]: a reader and a writer with capped buffers, cancel-safe, over standard streams
//!   ([`stdio`]), sockets ([`connect`], [`connect_greeted`]), children's pipes or memory.
//! - [`Thinker`]: chooses moves, on a [`ThinkingThread`] of its own.
//! - [`drive`]: runs a player's session over a connection with a thinker to its end.
//!
//! Nothing here knows a wire format or a search.
//!
//! ```no_run
//! # use othello_proto::session::PlayerSession;
//! use othello_net::{Address, Backoff, DriveOptions, Thinker};
//!
//! # async fn play(session: impl PlayerSession, thinker: impl Thinker) -> Result<(), Box<dyn std::error::Error>> {
//! let address = Address::parse("localhost", 9035)?;
//! let connection = othello_net::connect_greeted(&address, &Backoff::default(), None).await?;
//! let stop = othello_net::stop_requested();
//! let options = DriveOptions::default();
//! let outcome = othello_net::drive(session, connection, thinker, stop, &options).await?;
//! println!("{:?}", outcome.ending);
//! # Ok(())
//! # }
//! ```
#![forbid(unsafe_code)]

mod address;
mod backoff;
mod connect;
mod drive;
mod log;
mod thinker;

#[cfg(target_os = "linux")]
pub use boardgame_io::Stdin;
pub use boardgame_io::{
    BoxedConnection, Connection, MAX_INPUT, MAX_OUTPUT, StdioConnection, TcpConnection, stdio,
    stop_requested,
};

pub use address::{Address, ParseAddressError};
pub use backoff::Backoff;
pub use connect::{ConnectError, connect, connect_greeted};
pub use drive::{DriveError, DriveOptions, Outcome, drive};
pub use thinker::{Answer, Interrupter, Thinker, ThinkingThread};
