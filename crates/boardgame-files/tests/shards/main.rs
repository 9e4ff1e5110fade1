//! Parts of divided work: begun, killed, resumed, damaged and merged.
#![forbid(unsafe_code)]

mod common;
mod merge;
mod parts;
