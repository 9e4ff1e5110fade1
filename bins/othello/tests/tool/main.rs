//! The tool as a user meets it: started as a process, read through pipes.

mod analyze;
mod batches;
mod books;
mod check_rules;
mod drill;
mod examples;
mod files;
mod general;
mod help;
mod hints;
#[cfg(unix)]
mod hostile;
mod hosts;
mod matches;
#[cfg(unix)]
mod memory;
mod play;
mod proofs;
mod readme;
mod records;
#[cfg(target_os = "linux")]
mod signals;
mod solve;
mod support;
#[cfg(unix)]
mod terminal;
#[cfg(unix)]
mod tournament;
mod watch;
mod web;
