//! The settings of an engine.

use std::{fmt, str::FromStr, time::Duration};

use go_search::{Searcher, Weights};
use serde::{Deserialize, Serialize};

use crate::weights::{WeightsFile, checksum};

/// The settings of an [`Engine`](crate::Engine): by default it plays as well as it can within the clock.
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
    /// The seed of all random choices; 1 by default. The same seed, questions and number of playouts give the same
    /// moves.
    pub seed: u64,
    /// The largest number of playouts for a move; `None` for no limit.
    pub playouts: Option<u32>,
    /// The longest time for a move; `None` for no limit.
    pub move_time: Option<Duration>,
    /// The size of the tree; 128 MiB by default.
    pub memory: MemorySize,
    /// The weights of the search; `None` for the built-in ones. They are not serialized: settings that are read have
    /// the built-in ones.
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
    /// Returns a searcher with these settings, for a program whose searches have limits of their own: an
    /// [`Engine`](crate::Engine) takes its limits from the settings and a clock.
    pub fn searcher(&self) -> Searcher {
        let weights = match &self.weights {
            Some(file) => file.weights().clone(),
            None => Weights::default(),
        };
        Searcher::with_weights(self.options(), weights)
    }

    /// Returns the CRC-32 of the weights as they are printed.
    pub fn weights_checksum(&self) -> u32 {
        match &self.weights {
            Some(file) => file.checksum(),
            None => checksum(&Weights::default()),
        }
    }

    /// Returns the options of a search with these settings.
    fn options(&self) -> go_search::Options {
        go_search::Options {
            max_nodes: (self.memory.mib() << 20) / go_search::NODE_BYTES,
            seed: self.seed,
            ..go_search::Options::default()
        }
    }
}

/// The size of the tree of a search in MiB, from 1 to 65536 (64 GiB). It grows to it; for a moment after each move
/// there are two trees, the old one and what is kept of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "u64", into = "u64")]
pub struct MemorySize(u32);

/// The error of a size of memory that is out of range.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected a number of MiB from 1 to {}", MemorySize::MAX)]
pub struct MemorySizeError;

impl MemorySize {
    /// The largest size in MiB.
    pub const MAX: u64 = 65_536;

    /// Returns the size of a number of MiB, or `None` outside 1 to [`MAX`](Self::MAX).
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
    fn settings_are_read_with_defaults_and_without_unknown_fields() {
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
    fn memory_outside_its_range_is_refused() {
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
    fn the_tree_has_the_size_of_the_memory() {
        let bytes = Settings::default().options().max_nodes * go_search::NODE_BYTES;
        assert!((127 << 20..=128 << 20).contains(&bytes), "{bytes}");
    }
}
