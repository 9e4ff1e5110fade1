//! Output files that a run replaces.

use std::{
    fs::{self, File},
    io::{self, Read as _},
    path::Path,
};

use anyhow::{Context as _, ensure};

/// The number of bytes at the beginning of a file that identify its kind.
const KIND: usize = 8;

/// Writes a file. A file that exists is replaced only if it is of the same kind, so that a mistaken
/// path does not overwrite a model or games.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    let name = || path.display().to_string();
    let kind = &bytes[..KIND.min(bytes.len())];
    let found = beginning(path).with_context(name)?;
    ensure!(
        kind.starts_with(&found),
        "{}: expected no file or one that begins with \"{}\", found \"{}\"",
        name(),
        kind.escape_ascii(),
        found.escape_ascii(),
    );
    fs::write(path, bytes).with_context(name)
}

/// The first bytes of a file; none if it does not exist or is not a regular file.
fn beginning(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    if path.is_file() {
        File::open(path)?
            .take(KIND as u64)
            .read_to_end(&mut bytes)?;
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_of_another_kind_is_not_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out");
        write(&path, b"<svg xmlns one").unwrap();
        write(&path, b"<svg xmlns two").unwrap();
        let error = write(&path, b"othello\0weights").unwrap_err().to_string();
        assert!(
            error.ends_with(
                r#"expected no file or one that begins with "othello\x00", found "<svg xml""#
            ),
            "{error}"
        );
        assert_eq!(fs::read(&path).unwrap(), b"<svg xmlns two");
    }
}
