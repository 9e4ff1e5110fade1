#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod engine;
mod pace;
mod play_out;
#[cfg(feature = "session")]
mod session;
mod settings;
mod weights;

pub use engine::{Engine, StopHandle};
pub use go_search::{Candidate, Report};
pub use pace::Clock;
pub use play_out::play_out;
pub use settings::{MemorySize, Settings};
pub use weights::{WeightsError, WeightsFile};
