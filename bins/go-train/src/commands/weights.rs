//! The weights used to play games.

use clap::builder::{PathBufValueParser, TypedValueParser as _};
use go_engine::{Settings, WeightsFile};

/// The weights used to play games.
#[derive(clap::Args)]
pub(crate) struct WeightsOption {
    /// Weights to play with [default: the built-in ones]
    #[arg(long, value_name = "FILE", value_parser = PathBufValueParser::new().try_map(|path| WeightsFile::read(&path)))]
    weights: Option<WeightsFile>,
}

impl WeightsOption {
    /// Returns the settings of an engine with these weights.
    pub(crate) fn settings(&self) -> Settings {
        Settings {
            weights: self.weights.clone(),
            ..Settings::default()
        }
    }
}
