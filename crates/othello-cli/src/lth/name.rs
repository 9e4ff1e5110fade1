//! The source of the id: an option, a file, or the environment.

use std::{
    env,
    ffi::OsStr,
    io,
    path::{Path, PathBuf},
};

use othello_proto::lth::{Id, InvalidId};

/// The maximum size of a file with an id, in bytes.
const MAX_FILE: u64 = 64 << 10;

/// The environment variable that holds the id.
const VARIABLE: &str = "OTHELLO_NAME";

/// There is no id to play under.
#[derive(Debug, thiserror::Error)]
pub enum NameError {
    /// None was given.
    #[error("expected an id: give --name ID or --name-file FILE, or set {VARIABLE}")]
    Missing,
    /// The file with the id cannot be read.
    #[error("cannot read the id from {}: {reason}", file.display())]
    Unreadable {
        /// The file.
        file: PathBuf,
        /// The error of the system.
        reason: io::Error,
    },
    /// The text is not a valid id.
    #[error("{origin}: {reason}")]
    Invalid {
        /// The source of the text.
        origin: String,
        /// The error of the id.
        reason: InvalidId,
    },
}

/// Returns the given id, else the file's first line, else the environment's.
pub(super) fn find(given: Option<Id>, file: Option<&Path>) -> Result<Id, NameError> {
    match (given, file) {
        (Some(id), _) => Ok(id),
        (None, Some(file)) => read(file),
        (None, None) => {
            let text = env::var_os(VARIABLE).filter(|text| !text.is_empty());
            let text = text.ok_or(NameError::Missing)?;
            from_variable(&text)
        }
    }
}

fn from_variable(text: &OsStr) -> Result<Id, NameError> {
    let origin = || VARIABLE.to_owned();
    match str::from_utf8(text.as_encoded_bytes()) {
        Ok(text) => parse(text, origin),
        Err(error) => Err(NameError::Invalid {
            origin: origin(),
            reason: InvalidId::NotUtf8 {
                offset: error.valid_up_to(),
            },
        }),
    }
}

fn read(file: &Path) -> Result<Id, NameError> {
    let text = boardgame_files::read_to_string(file, MAX_FILE).map_err(|reason| {
        NameError::Unreadable {
            file: file.to_owned(),
            reason,
        }
    })?;
    let line = text.lines().next().unwrap_or_default();
    parse(line.trim(), || file.display().to_string())
}

fn parse(text: &str, origin: impl FnOnce() -> String) -> Result<Id, NameError> {
    text.parse().map_err(|reason| NameError::Invalid {
        origin: origin(),
        reason,
    })
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn the_first_line_of_a_file_is_the_id() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("id");
        for text in ["da7308ca-s \r\nmore\n", "\u{feff}da7308ca-s\r\n"] {
            fs::write(&file, text).unwrap();
            assert_eq!(find(None, Some(&file)).unwrap().as_str(), "da7308ca-s");
        }
        let given: Id = "x".parse().unwrap();
        assert_eq!(find(Some(given.clone()), Some(&file)).unwrap(), given);
    }

    #[cfg(unix)]
    #[test]
    fn a_variable_outside_utf_8_is_an_error() {
        use std::os::unix::ffi::OsStrExt as _;
        let error = from_variable(OsStr::from_bytes(b"a\xff")).unwrap_err();
        assert_eq!(
            error.to_string(),
            "OTHELLO_NAME: expected an id of 1 to 128 printable characters, found other bytes at offset 1"
        );
    }

    #[cfg(unix)]
    #[test]
    fn a_file_without_end_is_an_error() {
        let error = find(None, Some(Path::new("/dev/zero"))).unwrap_err();
        assert_eq!(
            error.to_string(),
            "cannot read the id from /dev/zero: expected at most 65536 bytes, found more"
        );
    }

    #[test]
    fn a_file_without_an_id_is_an_error_that_names_it() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("id");
        let told = |file: &Path| find(None, Some(file)).unwrap_err().to_string();
        assert!(told(&file).starts_with("cannot read the id from "));
        fs::write(&file, "\nid\n").unwrap();
        assert!(told(&file).contains("expected an id of 1 to 128"));
        assert!(told(&file).starts_with(&file.display().to_string()));
    }
}
