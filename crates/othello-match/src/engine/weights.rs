//! Weights that our engine reads from a file.

use std::{
    io,
    path::{Path, PathBuf},
    sync::Arc,
};

use othello_search::eval::{MAX_FILE_BYTES, Network};

/// The weights of a file, read once and shared by all searches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnWeights {
    path: PathBuf,
    checksum: u32,
    network: Arc<Network>,
}

impl OwnWeights {
    /// Reads a file.
    ///
    /// # Errors
    ///
    /// When the file cannot be read, holds no weights, or is damaged.
    pub fn read(path: &Path) -> io::Result<Self> {
        let bytes = boardgame_files::read(path, MAX_FILE_BYTES)?;
        Ok(Self {
            path: path.to_owned(),
            checksum: crc32fast::hash(&bytes),
            network: Arc::new(Network::read(&bytes).map_err(io::Error::other)?),
        })
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the CRC-32 of the file, which distinguishes it from others of the same name.
    pub const fn checksum(&self) -> u32 {
        self.checksum
    }

    /// The contents.
    pub fn network(&self) -> Arc<Network> {
        Arc::clone(&self.network)
    }
}

#[cfg(test)]
mod tests {
    use othello_search::eval::{Model, Weights};

    use super::*;
    use crate::engine::{EngineSpec, Kind};

    #[test]
    fn an_engine_plays_with_the_weights_of_its_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.weights");
        let bytes = Weights::quantized(&Model::default()).unwrap().to_bytes();
        std::fs::write(&path, &bytes).unwrap();
        let text = format!("a=own:hash=16,threads=1,weights={}", path.display());
        let spec: EngineSpec = text.parse().unwrap();
        assert_eq!(spec.to_string(), text);
        let Kind::Own(settings) = spec.kind else {
            panic!("it is our own");
        };
        let network = settings.weights.unwrap().network();
        assert_eq!(*network, Network::read(&bytes).unwrap());
    }

    #[test]
    fn what_is_no_file_of_weights_is_refused_by_its_name() {
        let refused = |text: &str| text.parse::<EngineSpec>().unwrap_err().to_string();
        let missing = refused("a=own:weights=/no/such/file");
        assert_eq!(
            missing,
            "the weights /no/such/file: No such file or directory (os error 2)"
        );
        if cfg!(unix) {
            let endless = refused("a=own:weights=/dev/zero");
            assert!(endless.ends_with(" bytes, found more"), "{endless}");
        }
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), "weights").unwrap();
        let other = refused(&format!("a=own:weights={}", file.path().display()));
        assert!(other.contains("expected evaluation weights"), "{other}");
    }
}
