//! The file in which people describe a tournament.

mod edit;
mod settings;

pub use edit::{EditError, NewProgram, add, withdraw};
pub use settings::{Program, Settings, SettingsError};
