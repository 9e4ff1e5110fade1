#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod append;
mod follow;
mod pipe;
mod replace;
#[cfg(feature = "shards")]
pub mod shards;
mod sync;
mod text;

use std::{
    fs::File,
    io::{self, ErrorKind, Read},
    path::Path,
};

pub use append::{AppendFile, AppendOptions, OpenError};
pub use follow::{LineFollower, Truncated};
pub use pipe::is_closed_pipe;
pub use replace::{ReplaceError, Replacement, check_target, create, overwrite, replace};
pub use sync::sync_folder;
pub use text::{ReadAs, TextReader, decode};

/// A mebibyte in bytes.
pub const MIB: u64 = 1 << 20;

/// The cause of an [`ErrorKind::FileTooLarge`] error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected at most {max} bytes, found more")]
pub struct TooLarge {
    /// The maximum, in bytes.
    pub max: u64,
}

/// The cause of an [`ErrorKind::InvalidData`] error of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected UTF-8 text, found something else at byte {at}")]
pub struct NotUtf8 {
    /// The offset of the first byte that is not UTF-8.
    pub at: usize,
}

/// Reads all bytes of a file that has at most `max`.
///
/// # Errors
///
/// Fails if the file cannot be read or has more bytes; after `max` bytes nothing more is read.
pub fn read(path: &Path, max: u64) -> io::Result<Vec<u8>> {
    read_from(File::open(path)?, max)
}

/// Reads all text of a file that has at most `max` bytes, without a byte order mark, which some editors write.
///
/// # Errors
///
/// Fails if the file cannot be read, has more bytes, or is not UTF-8.
pub fn read_to_string(path: &Path, max: u64) -> io::Result<String> {
    let mut text = read_string_from(File::open(path)?, max)?;
    if text.starts_with('\u{feff}') {
        text.drain(..'\u{feff}'.len_utf8());
    }
    Ok(text)
}

/// Reads all bytes of an input that has at most `max`.
///
/// # Errors
///
/// Fails if the input cannot be read or has more bytes.
pub fn read_from(input: impl Read, max: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    input.take(max.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > max {
        return Err(io::Error::new(ErrorKind::FileTooLarge, TooLarge { max }));
    }
    Ok(bytes)
}

/// Reads all text of an input that has at most `max` bytes.
///
/// # Errors
///
/// Fails if the input cannot be read, has more bytes, or is not UTF-8.
pub fn read_string_from(input: impl Read, max: u64) -> io::Result<String> {
    let bytes = read_from(input, max)?;
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        io::Error::new(ErrorKind::InvalidData, NotUtf8 { at })
    })
}

/// Reads all text of a file of at most `max` bytes, in any encoding, and reports the encoding like [`decode`].
///
/// # Errors
///
/// Fails if the file cannot be read or has more bytes.
pub fn read_any_text(path: &Path, max: u64) -> io::Result<(String, Option<ReadAs>)> {
    Ok(decode(&read(path, max)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_input_without_end_is_read_no_further_than_the_bound() {
        let error = read_from(io::repeat(0), 1000).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::FileTooLarge);
        let mut input = io::repeat(b'x').take(1002);
        assert!(read_string_from(&mut input, 1000).is_err());
        assert_eq!(input.limit(), 1);
    }

    #[test]
    fn text_that_is_no_utf8_is_an_error() {
        let error = read_string_from(&b"a\xff"[..], 10).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidData);
        let expected = "expected UTF-8 text, found something else at byte 1";
        assert_eq!(error.to_string(), expected);
        assert_eq!(read_string_from(&b"ok"[..], 2).unwrap(), "ok");
    }

    #[test]
    fn a_byte_order_mark_is_left_out_of_the_text_of_a_file() {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), "\u{feff}f5\u{feff}").unwrap();
        assert_eq!(read_to_string(file.path(), 10).unwrap(), "f5\u{feff}");
    }
}
