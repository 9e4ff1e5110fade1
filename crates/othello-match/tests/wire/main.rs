//! Programs that speak the wire formats as contenders: whole games, and everything that can go
//! wrong in one.
#![cfg(unix)]

mod faults;
mod games;
mod kit;
