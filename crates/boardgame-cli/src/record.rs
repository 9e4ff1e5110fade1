//! Files of games.

use std::{error::Error, fs, io};

/// The largest record that is read, in bytes.
const MAX_RECORD: u64 = 1 << 20;

/// Reads the record of a game, such as an SGF file, of at most 1 MiB in any encoding.
///
/// # Errors
///
/// Fails if the file cannot be read.
pub fn read_record(path: &str) -> Result<String, Box<dyn Error>> {
    // Opening a pipe would wait for its writer indefinitely.
    if !fs::metadata(path)?.is_file() {
        return Err(io::Error::other("expected a regular file").into());
    }
    let (text, read_as) = boardgame_files::read_any_text(path.as_ref(), MAX_RECORD)?;
    if let Some(read_as) = read_as {
        tracing::info!(path, "{read_as}");
    }
    Ok(text)
}

/// Writes the record of a game in place of what is at the path; on failure logs the error and returns `false`.
pub fn write_record(path: &str, text: &str) -> bool {
    let written = boardgame_files::overwrite(path.as_ref(), text.as_bytes());
    if let Err(error) = &written {
        tracing::warn!(path, %error, "the record cannot be written");
    }
    written.is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_is_read_and_a_folder_is_none() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("game.sgf");
        fs::write(&path, "(;GM[2])").unwrap();
        assert_eq!(read_record(path.to_str().unwrap()).unwrap(), "(;GM[2])");
        fs::write(&path, b"(;GM[2]CA[Shift_JIS]PB[\x95\\])").unwrap();
        assert_eq!(
            read_record(path.to_str().unwrap()).unwrap(),
            "(;GM[2]CA[Shift_JIS]PB[表])"
        );
        assert!(read_record(folder.path().to_str().unwrap()).is_err());
        assert!(read_record("/no/such/record.sgf").is_err());
    }

    #[test]
    fn a_record_that_is_too_large_is_not_read_in_part() {
        let file = tempfile::NamedTempFile::new().unwrap();
        file.as_file().set_len(MAX_RECORD).unwrap();
        let path = file.path().to_str().unwrap();
        assert!(read_record(path).is_ok());
        file.as_file().set_len(MAX_RECORD + 1).unwrap();
        assert!(read_record(path).is_err());
    }

    #[cfg(unix)]
    #[test]
    fn what_is_no_regular_file_is_not_waited_for() {
        let error = read_record("/dev/null").unwrap_err().to_string();
        assert_eq!(error, "expected a regular file");
    }
}
