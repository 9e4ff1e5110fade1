//! Engines that are programs: whole games in every format, and everything that can go wrong in one.
#![cfg(unix)]

mod faults;
mod games;
mod kit;
#[path = "../../../../tests/support/processes.rs"]
mod processes;
#[path = "../../../../tests/support/scripts.rs"]
mod scripts;
