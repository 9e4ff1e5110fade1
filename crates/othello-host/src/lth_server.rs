//! The LTH server: testing, evaluation and competition games of many clients at once.
//!
//! - [`Server`] listens on the ports and serves until it is shut down; [`ServerConfig`] has its settings, and its
//!   observer gets [`ServerNews`] of games and failures.
//! - Results are kept in a log of games, from which wins are counted at the start. [`rotate`] starts a new log.
//! - With [`Students`], ids are the secrets of students, and only their names are told to the observer.
//!
//! A client that has a name and a colour plays the built-in player, an engine, or waits for an opponent on the
//! competition ports. Its game is conducted by [`boardgame_match::conduct`], and its result is saved before the
//! clients get it, unless that takes too long.
//!
//! ```
//! use othello_host::lth_server::{Server, ServerConfig};
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), othello_host::lth_server::ServerError> {
//! let server = Server::bind(ServerConfig::default().on_free_ports()).await?;
//! let testing = server.addresses().testing.expect("the default settings have it");
//! println!("telnet {} {}", testing.ip(), testing.port());
//! let shutdown = async {};
//! server.run(|news| println!("{news:?}"), shutdown).await;
//! # Ok(())
//! # }
//! ```

mod built_in_player;
mod config;
mod connection;
mod connection_slots;
mod game_pool;
mod matchmaking;
mod news;
mod operator;
mod playing;
mod results;
mod results_thread;
mod scores;
mod server;
mod students;

pub use config::ServerConfig;
pub use news::{GameInProgress, ServerNews};
pub use operator::{Operator, ResetError};
pub use results::{ResultBounds, is_count_line, rotate, scores};
pub use scores::{Score, StudentScores, to_csv};
pub use server::{Addresses, Server, ServerError};
pub use students::{Student, Students, StudentsError};
