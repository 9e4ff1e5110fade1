//! The tool as a user meets it: started as a process, read through pipes.

mod analyze;
mod play;
#[cfg(target_os = "linux")]
mod referee;
mod score;
mod support;
