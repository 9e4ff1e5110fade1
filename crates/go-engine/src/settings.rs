//! The settings of an engine.

use std::time::Duration;

use boardgame_core::Bounded;
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
/// assert_eq!((settings.seed, settings.memory.get()), (1, 128));
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
            max_nodes: (self.memory.get() << 20) / go_search::NODE_BYTES,
            seed: self.seed,
            ..go_search::Options::default()
        }
    }
}

/// The maximum size of a search tree in MiB, from 1 to 65536 (64 GiB); 128 by default. For a moment after each move
/// there are two trees: the old one and the part of it that is kept.
pub type MemorySize = Bounded<65_536, 128>;

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
    fn the_tree_has_the_configured_size() {
        let bytes = Settings::default().options().max_nodes * go_search::NODE_BYTES;
        assert!((127 << 20..=128 << 20).contains(&bytes), "{bytes}");
    }
}
