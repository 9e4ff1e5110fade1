//! The file in which people describe a tournament.

mod edit;
mod settings;

pub use edit::{EditError, add, withdraw};
pub use settings::{Program, Settings, SettingsError};
