//! One process at a time to a model.

use std::{
    fs::{File, TryLockError},
    path::{Path, PathBuf},
};

use anyhow::{Context as _, anyhow};

/// A file beside the model, locked while a fit runs: the model's own is replaced after each epoch.
pub(super) struct Lock {
    /// Locked until it is closed.
    _file: File,
}

impl Lock {
    /// Keeps other fits off a model.
    pub(super) fn take(model: &Path) -> anyhow::Result<Self> {
        let mut path = model.as_os_str().to_owned();
        path.push(".lock");
        let path = PathBuf::from(path);
        let name = || path.display().to_string();
        let file = File::create(&path).with_context(name)?;
        file.try_lock().map_err(|error| match error {
            TryLockError::WouldBlock => {
                anyhow!("{}: another process fits it", model.display())
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
    fn one_fit_at_a_time_has_a_model() {
        let folder = tempfile::tempdir().unwrap();
        let model = folder.path().join("a.model");
        let lock = Lock::take(&model).unwrap();
        let refused = Lock::take(&model).err().unwrap().to_string();
        assert!(
            refused.ends_with("a.model: another process fits it"),
            "{refused}"
        );
        drop(lock);
        // The file stays: whoever removed it could part two that wait for it.
        Lock::take(&model).unwrap();
    }
}
