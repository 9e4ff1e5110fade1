#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

pub mod book;
mod engine;
pub mod human;
mod level;
mod pace;
#[cfg(feature = "session")]
mod session;
#[cfg(feature = "session")]
mod session_engine;
#[cfg(all(test, feature = "session"))]
mod session_margin;
mod settings;
pub mod text;

pub use engine::{Engine, MoveRequest};
pub use level::{ParseLevelError, PlayLevel, Rating};
pub use othello_search::{
    Clock, Evaluation, Exactness, Instant, Level, Line, Report, StopHandle, TableError,
    eval::Network,
};
#[cfg(feature = "session")]
pub use session_engine::SessionEngine;
pub use settings::{HashSize, Settings, Strength, ThreadCount, available_threads};
