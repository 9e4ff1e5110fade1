//! Recorded sessions: the output of each program, byte for byte, for a fixed input.
//!
//! Depths, nodes and seeds are fixed, so every run gives the same bytes. Figures that depend on the clock, such as
//! times and dates, are replaced by `[…]` before the comparison. A changed snapshot is a change that users see: accept
//! one with `INSTA_UPDATE=always cargo test -p othello --test recorded`, and name it in the commit.
#![cfg(unix)] // Faulty programs are made with `sh`.

mod hosts;
mod matches;
mod players;
mod server;
mod support;
