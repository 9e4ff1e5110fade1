//! The server over real connections on the loopback address.

mod access;
mod client;
mod load;
mod openapi;
mod requests;
mod searches;
