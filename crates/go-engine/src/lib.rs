#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod engine;
#[cfg(feature = "session")]
mod session;
mod settings;
mod strategy;

pub use engine::{Clock, Engine, Report};
pub use settings::Settings;
