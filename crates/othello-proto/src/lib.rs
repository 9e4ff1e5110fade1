//! The wire formats of Othello competitions.
//!
//! Each format is a module with its message types, parsers and printers, and two sans-I/O
//! sessions: the player's side and the host's (referee, server, judge, GUI). A session is a state
//! machine: bytes and time go in, [actions](session::Action) come out; sockets, pipes, clocks and
//! engines are the driver's.
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;
#[cfg(test)]
extern crate std;

pub mod codewarriors;
mod error;
pub mod framing;
pub mod ggf;
mod grammar;
pub mod gtp;
pub mod gui;
pub mod lth;
pub mod nboard;
mod remarks;
pub mod session;
pub mod sloan;

pub use error::ParseError;
