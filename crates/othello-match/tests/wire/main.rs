//! Engines that are programs: whole games in every format, and all their faults.
#![cfg(unix)]

mod faults;
mod games;
mod kit;
#[path = "../../../../tests/support/processes.rs"]
mod processes;
#[path = "../../../../tests/support/scripts.rs"]
mod scripts;
