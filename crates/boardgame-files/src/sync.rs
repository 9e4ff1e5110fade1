//! Synchronization with the disk.

use std::{
    fs::File,
    io::{self, ErrorKind},
    path::Path,
};

/// Waits until a file's entry in its folder, and the folder's own entry, are on disk. Otherwise a power
/// failure can lose a new file with all its synced data. Does nothing if folders cannot be synced.
///
/// # Errors
///
/// Fails if a folder does not exist or the disk does not take its entries.
pub fn sync_folder(path: &Path) -> io::Result<()> {
    if cfg!(not(unix)) {
        return Ok(());
    }
    for folder in path.ancestors().skip(1).take(2) {
        let is_here = folder.as_os_str().is_empty();
        let folder = if is_here { Path::new(".") } else { folder };
        match if_possible(File::open(folder).and_then(|folder| folder.sync_all())) {
            // A folder that may be entered but not read was not made by this process.
            Err(error) if error.kind() == ErrorKind::PermissionDenied => {}
            synced => synced?,
        }
    }
    Ok(())
}

/// Treats a file that cannot be synced, such as a device or a pipe, as success.
pub(crate) fn if_possible(synced: io::Result<()>) -> io::Result<()> {
    match synced {
        Err(error) if error.kind() == ErrorKind::InvalidInput => Ok(()),
        synced => synced,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_synced_is_no_error() {
        if_possible(Err(ErrorKind::InvalidInput.into())).unwrap();
        if_possible(Ok(())).unwrap();
        let error = if_possible(Err(ErrorKind::StorageFull.into())).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::StorageFull);
    }

    #[test]
    fn the_folders_of_absolute_and_relative_paths_are_synced() {
        let folder = tempfile::tempdir().unwrap();
        sync_folder(&folder.path().join("file")).unwrap();
        sync_folder(Path::new("file")).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn a_missing_folder_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let error = sync_folder(&folder.path().join("none/file")).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::NotFound);
    }
}
