//! The versions of the programs of a ladder.
//!
//! A new version of a program is copied to `versions/NAME/N/` and checked there. If it makes no fault, the file
//! `versions/NAME/N.toml` is written, which lets it play. Its first line is the digest of the program's files.
//! `versions/NAME/check.txt` has the digest and the report of the last check, `versions/NAME/stderr.txt` what the
//! program writes to standard error.

use std::{fs, io::ErrorKind, path::Path};

use anyhow::Context as _;

/// Returns the folders in a folder, by name; none if it is missing.
pub(super) fn folders(path: &Path) -> anyhow::Result<Vec<String>> {
    let mut names = Vec::new();
    let entries = match fs::read_dir(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(names),
        entries => entries.with_context(|| path.display().to_string())?,
    };
    for entry in entries {
        let entry = entry.with_context(|| path.display().to_string())?;
        let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
        let name = entry.file_name().into_string();
        names.extend(name.ok().filter(|_| is_folder));
    }
    names.sort();
    Ok(names)
}

/// Returns the tables of all versions that may play; those that have a newer one, or whose program is gone, have
/// withdrawn.
pub(super) fn versions(folder: &Path) -> anyhow::Result<String> {
    let mut text = String::new();
    for name in folders(&folder.join("versions"))? {
        let is_there = folder.join("programs").join(&name).is_dir();
        let versions = versions_of(folder, &name)?;
        for (number, version) in (1..).zip(&versions) {
            text += version;
            if number < versions.len() || !is_there {
                text += "withdrawn_after = 0\n";
            }
        }
    }
    Ok(text)
}

/// Returns the tables of a program's versions.
pub(super) fn versions_of(folder: &Path, name: &str) -> anyhow::Result<Vec<String>> {
    let mut versions = Vec::new();
    loop {
        let path = folder.join(format!("versions/{name}/{}.toml", versions.len() + 1));
        match boardgame_files::read_to_string(&path, boardgame_files::MIB) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(versions),
            text => versions.push(text.with_context(|| path.display().to_string())?),
        }
    }
}
