//! The file of a game that a person saves.

use std::{io, path::Path};

/// The error of a game that is not saved.
#[derive(Debug, thiserror::Error)]
pub enum SaveError {
    /// The file exists and is not to be replaced.
    #[error("{file} exists; type save! {file} to replace it")]
    Exists {
        /// The name of the file.
        file: String,
    },
    /// The file cannot be written.
    #[error("{file}: {reason}")]
    Write {
        /// The name of the file.
        file: String,
        /// The reason.
        reason: io::Error,
    },
}

/// Writes the text of a game to a file. An existing one is replaced only if `replaces`, as with the command
/// `save!`.
///
/// # Errors
///
/// If the file exists and is not to be replaced, or cannot be written.
pub fn save_text(file: &str, text: &[u8], replaces: bool) -> Result<(), SaveError> {
    let path = Path::new(file);
    let written = if replaces {
        boardgame_files::overwrite(path, text).map(|()| true)
    } else {
        boardgame_files::create(path, text)
    };
    let file = file.to_owned();
    match written {
        Ok(true) => Ok(()),
        Ok(false) => Err(SaveError::Exists { file }),
        Err(reason) => Err(SaveError::Write { file, reason }),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_file_that_exists_is_replaced_only_on_request() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("game.sgf");
        let file = file.to_str().unwrap();
        save_text(file, b"mine", false).unwrap();
        let error = save_text(file, b"other", false).unwrap_err().to_string();
        assert_eq!(
            error,
            format!("{file} exists; type save! {file} to replace it")
        );
        assert_eq!(fs::read(file).unwrap(), b"mine");
        save_text(file, b"other", true).unwrap();
        assert_eq!(fs::read(file).unwrap(), b"other");
    }

    #[test]
    fn a_file_that_cannot_be_written_is_named() {
        let error = save_text("/no/such/folder/x.sgf", b"", false).unwrap_err();
        assert!(error.to_string().starts_with("/no/such/folder/x.sgf: "));
    }
}
