//! Matches between Othello engines of any protocol: engines, openings, schedules, records and
//! statistics.
//!
//! Nothing here reads a command line or prints.
#![forbid(unsafe_code)]

pub mod calibrate;
pub mod contender;
pub mod cpu;
pub mod engine;
pub mod fault;
pub mod game;
pub mod limit;
pub mod log;
pub mod openings;
pub mod player;
pub mod protocol;
pub mod record;
pub mod runner;
pub mod schedule;
pub mod standings;
pub mod stats;
pub mod tally;
