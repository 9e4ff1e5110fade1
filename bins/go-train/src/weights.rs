//! The weights that games are played with.

use std::{fs, path::Path};

use anyhow::Context as _;
use go_search::Weights;

/// Returns the weights of a file, or the built-in ones, with a checksum of their text.
pub(crate) fn read(path: Option<&Path>) -> anyhow::Result<(Weights, u32)> {
    let weights = match path {
        Some(path) => parse(path).with_context(|| path.display().to_string())?,
        None => Weights::default(),
    };
    let checksum = crc32fast::hash(weights.to_string().as_bytes());
    Ok((weights, checksum))
}

fn parse(path: &Path) -> anyhow::Result<Weights> {
    Ok(fs::read_to_string(path)?.parse()?)
}
