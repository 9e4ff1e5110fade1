//! The tool in a folder of its own.

#[path = "../../../../tests/support/folder.rs"]
mod folder;

pub(crate) use folder::{Folder, Ran};

pub(crate) const PROGRAM: &str = env!("CARGO_BIN_EXE_go-game");
