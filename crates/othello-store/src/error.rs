//! Errors of the store.

use std::{
    io,
    path::{Path, PathBuf},
};

use rusqlite::ErrorCode;

/// An error of a store of analyses.
#[derive(Debug, thiserror::Error)]
#[error("{}: {cause}", path.display())]
pub struct StoreError {
    /// The file.
    pub path: PathBuf,
    /// The cause.
    pub cause: StoreFault,
}

/// The cause of a [`StoreError`].
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreFault {
    /// The folder of the file cannot be created.
    #[error("cannot create the folder: {0}")]
    Folder(io::Error),
    /// The file cannot be opened.
    #[error("cannot open or create the file")]
    Open,
    /// The file is of another kind.
    #[error("expected a store of analyses, found another kind of file")]
    OtherFile,
    /// The file has another version of the format.
    #[error(
        "expected version {expected} of the format, found {found}, of another version of this program; \
         delete the file to begin a new one"
    )]
    Version {
        /// The version that is read and written.
        expected: i64,
        /// The version of the file.
        found: i64,
    },
    /// The file is not as it was written.
    #[error("damaged ({0}); delete the file to begin a new one")]
    Damaged(String),
    /// An entry is not as it was written; others may be.
    #[error("an entry is damaged ({0})")]
    DamagedEntry(String),
    /// The disk is full.
    #[error("the disk is full")]
    DiskFull,
    /// The file or its folder cannot be written.
    #[error("no permission to write the file or its folder")]
    ReadOnly,
    /// Another process kept the file locked for too long.
    #[error("another process keeps it locked")]
    Locked,
    /// Any other failure of the database.
    #[error("{0}")]
    Database(rusqlite::Error),
}

impl From<rusqlite::Error> for StoreFault {
    fn from(error: rusqlite::Error) -> Self {
        match error.sqlite_error_code() {
            Some(ErrorCode::CannotOpen) => Self::Open,
            Some(ErrorCode::NotADatabase) => Self::OtherFile,
            Some(ErrorCode::DiskFull) => Self::DiskFull,
            Some(ErrorCode::ReadOnly | ErrorCode::PermissionDenied) => Self::ReadOnly,
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => Self::Locked,
            // Without a code it is a row that is not as it was written: a column of another type, or none.
            Some(ErrorCode::DatabaseCorrupt) | None => Self::Damaged(error.to_string()),
            Some(_) => Self::Database(error),
        }
    }
}

impl StoreFault {
    /// Returns the error of a file.
    pub(crate) fn of(self, path: &Path) -> StoreError {
        StoreError {
            path: path.into(),
            cause: self,
        }
    }
}
