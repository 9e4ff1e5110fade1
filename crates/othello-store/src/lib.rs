#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod database;
mod encoding;
mod error;
mod place;
mod size;
mod store;
#[cfg(test)]
mod testing;

pub use error::{StoreError, StoreFault};
pub use place::default_path;
pub use size::{Size, SizeError};
pub use store::DiskStore;
