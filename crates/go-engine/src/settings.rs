//! The settings of an engine.

use serde::{Deserialize, Serialize};

/// The settings of an [`Engine`](crate::Engine).
///
/// # Examples
///
/// ```
/// use go_engine::Settings;
///
/// let settings = Settings { seed: 7, ..Settings::default() };
/// assert_ne!(settings, Settings::default());
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// The seed of all random choices; 1 by default. The same seed and questions give the same moves.
    pub seed: u64,
}

impl Default for Settings {
    fn default() -> Self {
        Self { seed: 1 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_read_with_defaults_and_without_unknown_fields() {
        let read = serde_json::from_str::<Settings>;
        assert_eq!(read("{}").unwrap(), Settings::default());
        let settings = Settings { seed: 9 };
        let text = serde_json::to_string(&settings).unwrap();
        assert_eq!(read(&text).unwrap(), settings);
        for wrong in [r#"{"seeds":1}"#, r#"{"seed":-1}"#, r#"{"seed":"x"}"#] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }
}
