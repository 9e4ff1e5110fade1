//! The lock of a model, which only one process may fit at a time.

use std::{
    fs::{File, OpenOptions, TryLockError},
    path::{Path, PathBuf},
};

use anyhow::{Context as _, anyhow};

/// A locked file beside the model. The model's file cannot be locked, since it is replaced after each
/// epoch.
pub(super) struct Lock {
    /// The file, locked until it is closed.
    _file: File,
}

impl Lock {
    /// Locks a model.
    ///
    /// # Errors
    ///
    /// Fails if another process has locked it, or if the lock file cannot be created.
    pub(super) fn take(model: &Path) -> anyhow::Result<Self> {
        let mut path = model.as_os_str().to_owned();
        path.push(".lock");
        let path = PathBuf::from(path);
        let name = || path.display().to_string();
        // Not truncated: another program may have a file of this name.
        let file = OpenOptions::new()
            .write(true)
            .create(true)
            .truncate(false)
            .open(&path)
            .with_context(name)?;
        file.try_lock().map_err(|error| match error {
            TryLockError::WouldBlock => {
                anyhow!("{}: another process is fitting it", model.display())
            }
            TryLockError::Error(error) => anyhow!(error).context(name()),
        })?;
        Ok(Self { _file: file })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_model_is_locked_once() {
        let folder = tempfile::tempdir().unwrap();
        let model = folder.path().join("a.model");
        let lock = Lock::take(&model).unwrap();
        let refused = Lock::take(&model).err().unwrap().to_string();
        assert!(
            refused.ends_with("a.model: another process is fitting it"),
            "{refused}"
        );
        drop(lock);
        let file = folder.path().join("a.model.lock");
        std::fs::write(&file, "my only notes").unwrap();
        // The file is not removed: a process could otherwise lock a file that another has removed.
        Lock::take(&model).unwrap();
        assert_eq!(std::fs::read(&file).unwrap(), b"my only notes");
    }
}
