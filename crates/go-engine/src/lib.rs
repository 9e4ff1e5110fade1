#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod engine;
mod pace;
#[cfg(feature = "session")]
mod session;
mod settings;
mod weights;

pub use engine::{Engine, StopHandle};
pub use go_search::{Candidate, Report};
pub use pace::Clock;
pub use settings::{MemorySize, Settings};
pub use weights::{WeightsError, WeightsFile};
