#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod access;
mod answer;
mod api;
mod body;
mod config;
mod connections;
mod error;
mod events;
mod page;
mod pool;
mod server;

pub use access::{Hosts, Token, TokenError};
pub use config::{Config, SharedStore};
pub use page::page_text;
pub use server::Server;
