#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

#[cfg(feature = "server")]
pub mod live;
pub mod requests;
#[cfg(feature = "server")]
mod server;

#[cfg(feature = "server")]
pub use server::{
    Config, Drill, DrillAnswer, DrillError, Hosts, Logs, Pages, ProgramLog, Scores, Server,
    SharedStore, Token, TokenError, page_text,
};
