//! The settings of an engine.

use std::{fmt, str::FromStr, time::Duration};

use go_search::{Searcher, Weights};
use serde::{Deserialize, Serialize};

use crate::weights::{WeightsFile, checksum};

/// The settings of an [`Engine`](crate::Engine). By default it plays at full strength within the clock.
///
/// # Examples
///
/// ```
/// use std::time::Duration;
///
/// use go_engine::Settings;
///
/// let settings = Settings { move_time: Some(Duration::from_millis(500)), ..Settings::default() };
/// assert_eq!((settings.seed, settings.memory.mib()), (1, 128));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// The seed of all random choices (default 1). The same seed, questions and number of playouts give the same moves.
    pub seed: u64,
    /// The maximum number of playouts for a move, or `None` for no limit.
    pub playouts: Option<u32>,
    /// The maximum time for a move, or `None` for no limit.
    pub move_time: Option<Duration>,
    /// The size of the tree (default 128 MiB).
    pub memory: MemorySize,
    /// The weights of the search, or `None` for the built-in ones. Not serialized: deserialized settings have the
    /// built-in ones.
    #[serde(skip)]
    pub weights: Option<WeightsFile>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            seed: 1,
            playouts: None,
            move_time: None,
            memory: MemorySize::default(),
            weights: None,
        }
    }
}

impl Settings {
    /// Creates a searcher with these settings, for a program that limits its searches itself. An
    /// [`Engine`](crate::Engine) takes its limits from the settings and a clock.
    pub fn searcher(&self) -> Searcher {
        let weights = match &self.weights {
            Some(file) => file.weights().clone(),
            None => Weights::default(),
        };
        Searcher::with_weights(self.options(), weights)
    }

    /// Returns the CRC-32 of the weights in text form.
    pub fn weights_checksum(&self) -> u32 {
        match &self.weights {
            Some(file) => file.checksum(),
            None => checksum(&Weights::default()),
        }
    }

    /// Returns the search options of these settings.
    fn options(&self) -> go_search::Options {
        go_search::Options {
            max_nodes: (self.memory.mib() << 20) / go_search::NODE_BYTES,
            seed: self.seed,
            ..go_search::Options::default()
        }
    }
}

/// The maximum size of a search tree in MiB, from 1 to 65536 (64 GiB). For a moment after each move there are two
/// trees: the old one and the part of it that is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "u64", into = "u64")]
pub struct MemorySize(u32);

/// The error of a memory size out of range.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected a number of MiB from 1 to {}", MemorySize::MAX)]
pub struct MemorySizeError;

impl MemorySize {
    /// The maximum size in MiB.
    pub const MAX: u64 = 65_536;

    /// Creates a size, or returns `None` if it is outside 1 to [`MAX`](Self::MAX).
    pub const fn new(mib: u64) -> Option<Self> {
        match mib {
            1..=Self::MAX => Some(Self(mib as u32)),
            _ => None,
        }
    }

    /// Returns the number of MiB.
    pub const fn mib(self) -> usize {
        self.0 as usize
    }
}

impl Default for MemorySize {
    /// Returns 128 MiB.
    fn default() -> Self {
        Self(128)
    }
}

impl TryFrom<u64> for MemorySize {
    type Error = MemorySizeError;

    fn try_from(mib: u64) -> Result<Self, MemorySizeError> {
        Self::new(mib).ok_or(MemorySizeError)
    }
}

impl From<MemorySize> for u64 {
    fn from(size: MemorySize) -> Self {
        size.0.into()
    }
}

impl FromStr for MemorySize {
    type Err = MemorySizeError;

    fn from_str(text: &str) -> Result<Self, MemorySizeError> {
        text.parse().ok().and_then(Self::new).ok_or(MemorySizeError)
    }
}

impl fmt::Display for MemorySize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_have_defaults_and_reject_unknown_fields() {
        let read = serde_json::from_str::<Settings>;
        assert_eq!(read("{}").unwrap(), Settings::default());
        let settings = Settings {
            seed: 9,
            playouts: Some(50),
            move_time: Some(Duration::from_millis(1500)),
            memory: MemorySize::new(7).unwrap(),
            weights: None,
        };
        let text = serde_json::to_string(&settings).unwrap();
        assert_eq!(read(&text).unwrap(), settings);
        for wrong in [r#"{"seeds":1}"#, r#"{"seed":-1}"#, r#"{"memory":0}"#] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn memory_outside_its_range_is_rejected() {
        let mib = |text: &str| text.parse().map(MemorySize::mib);
        assert_eq!((mib("1"), mib("65536")), (Ok(1), Ok(65_536)));
        for wrong in ["0", "65537", "x", ""] {
            assert_eq!(mib(wrong), Err(MemorySizeError), "{wrong}");
        }
        assert_eq!(
            MemorySizeError.to_string(),
            "expected a number of MiB from 1 to 65536"
        );
    }

    #[test]
    fn the_tree_has_the_configured_size() {
        let bytes = Settings::default().options().max_nodes * go_search::NODE_BYTES;
        assert!((127 << 20..=128 << 20).contains(&bytes), "{bytes}");
    }
}
