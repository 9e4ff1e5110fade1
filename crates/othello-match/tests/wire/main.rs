//! Engines that speak the wire formats: whole games, and everything that can go wrong in one.
#![cfg(unix)]

mod faults;
mod games;
mod kit;
