#![doc = include_str!("../README.md")]
#![no_std]
#![forbid(unsafe_code)]

#[cfg(any(doctest, test))]
extern crate std;

mod bounded;
mod by_color;
mod color;
mod game;
mod margin;
mod parse_text_error;
mod reserve;
#[cfg(feature = "serde")]
mod serde_impls;
mod time;

pub use bounded::{Bounded, OutOfRange};
pub use by_color::ByColor;
pub use color::Color;
pub use game::{Game, Status};
pub use margin::Margin;
pub use parse_text_error::ParseTextError;
pub use reserve::{game_reserve, min_share, move_reserve};
#[cfg(feature = "serde")]
pub use serde_impls::deserialize_text;
pub use time::{ByoYomi, ClockState, TimeControl, TimeMeasure};
