//! The LTH server's protocol in both roles.

mod client;
mod kit;
mod lines;
mod reception;
mod seat;
