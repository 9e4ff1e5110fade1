//! The LTH server: testing, evaluation and competition games of many clients at once.
//!
//! - [`Server`] listens on the ports and serves until it is shut down; [`ServerConfig`] has its settings and
//!   [`ServerNews`] tells its observer of games and failures.
//! - [`store`] is the file of results by id. The log of games is a
//!   [`Journal`](othello_host::record::Journal).
//!
//! A client that has a name and a colour plays the built-in player, an engine, or waits for an opponent on the
//! competition ports. Its game is conducted by [`boardgame_match::conduct`], and its result is saved before the
//! clients are told it, unless that takes too long.
//!
//! Nothing here reads a command line or prints.
//!
//! ```
//! use othello_lth_server::{Server, ServerConfig};
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), othello_lth_server::ServerError> {
//! let server = Server::bind(ServerConfig::default().on_free_ports()).await?;
//! let testing = server.addresses().testing.expect("the default settings have it");
//! println!("telnet {} {}", testing.ip(), testing.port());
//! let shutdown = async {};
//! server.run(|news| println!("{news:?}"), shutdown).await;
//! # Ok(())
//! # }
//! ```
#![forbid(unsafe_code)]

mod built_in_player;
mod connection;
mod connection_slots;
mod game_pool;
mod matchmaking;
mod results;
mod results_thread;
mod server;
pub mod store;

pub use results::{Recovered, ResultBounds, StorageError};
pub use server::{
    Addresses, GameInProgress, LOG_NAME, Server, ServerConfig, ServerError, ServerNews,
};
