//! Checkpoints: files with the numbers of a model and the progress of its fit.
//!
//! A file has `OTHMODEL`, the format (1), the number of completed epochs, the length of a text that
//! identifies the fit, the text, the count of numbers, the numbers in 32-bit floating point, and a
//! CRC-32 of everything before. All numbers are little-endian.

use std::path::Path;

use anyhow::{Context as _, ensure};
use boardgame_files::replace;

/// The state of a fit.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Checkpoint {
    /// A text that identifies the fit: all settings and inputs that it depends on.
    pub(crate) fit: String,
    /// The number of completed epochs.
    pub(crate) epochs: u32,
    /// The [numbers](super::Network::numbers) of the model.
    pub(crate) numbers: Vec<f32>,
}

const FORMAT: u32 = 1;

impl Checkpoint {
    /// The first bytes of a file.
    pub(crate) const MAGIC: &[u8; 8] = b"OTHMODEL";

    /// The maximum size of a file in bytes, several times that of any model.
    pub(crate) const MAX_BYTES: u64 = 1024 * boardgame_files::MIB;

    /// Reads a checkpoint.
    pub(crate) fn read(path: &Path) -> anyhow::Result<Self> {
        let bytes = boardgame_files::read(path, Self::MAX_BYTES)
            .with_context(|| format!("cannot read the model {}", path.display()))?;
        Self::decode(&bytes).with_context(|| path.display().to_string())
    }

    /// Writes the checkpoint. An existing model is replaced atomically.
    pub(crate) fn write(&self, path: &Path) -> anyhow::Result<()> {
        Ok(replace(path, &self.encode())?)
    }

    /// Returns a checksum of the checkpoint, by which a later fit identifies its starting point.
    pub(crate) fn signature(&self) -> u32 {
        crc32fast::hash(&self.body())
    }

    fn encode(&self) -> Vec<u8> {
        let mut bytes = self.body();
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        bytes
    }

    /// The contents without the checksum.
    fn body(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(32 + self.fit.len() + self.numbers.len() * 4);
        bytes.extend(Self::MAGIC);
        bytes.extend(FORMAT.to_le_bytes());
        bytes.extend(self.epochs.to_le_bytes());
        bytes.extend((self.fit.len() as u32).to_le_bytes());
        bytes.extend(self.fit.as_bytes());
        bytes.extend((self.numbers.len() as u32).to_le_bytes());
        bytes.extend(self.numbers.iter().flat_map(|number| number.to_le_bytes()));
        bytes
    }

    fn decode(bytes: &[u8]) -> anyhow::Result<Self> {
        let length = || {
            let found = bytes.len();
            format!("expected the length that follows from the model's counts, found {found} bytes")
        };
        let rest = bytes.strip_prefix(Self::MAGIC);
        let rest = rest.context("expected a model, which begins with OTHMODEL")?;
        let (format, _) = word(rest).with_context(length)?;
        ensure!(
            format == FORMAT,
            "expected a model of format {FORMAT}, found {format}"
        );
        let (body, stored) = bytes.split_last_chunk().with_context(length)?;
        let (expected, found) = (crc32fast::hash(body), u32::from_le_bytes(*stored));
        ensure!(
            expected == found,
            "expected the checksum {expected:08x}, found {found:08x}"
        );
        Self::parts(&body[Self::MAGIC.len() + 4..]).with_context(length)
    }

    /// Decodes the part after the format.
    fn parts(bytes: &[u8]) -> Option<Self> {
        let (epochs, rest) = word(bytes)?;
        let (length, rest) = word(rest)?;
        let (fit, rest) = rest.split_at_checked(length as usize)?;
        let (count, rest) = word(rest)?;
        let (numbers, _) = rest.as_chunks();
        (rest.len() == count as usize * 4).then(|| Self {
            fit: String::from_utf8_lossy(fit).into_owned(),
            epochs,
            numbers: numbers.iter().copied().map(f32::from_le_bytes).collect(),
        })
    }
}

fn word(bytes: &[u8]) -> Option<(u32, &[u8])> {
    let (word, rest) = bytes.split_first_chunk()?;
    Some((u32::from_le_bytes(*word), rest))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_checkpoint_round_trips_and_damage_is_detected() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.model");
        let checkpoint = Checkpoint {
            fit: "network of 2, seed 1".to_owned(),
            epochs: 3,
            numbers: vec![1.5, -0.25, f32::MIN_POSITIVE],
        };
        checkpoint.write(&path).unwrap();
        checkpoint.write(&path).unwrap();
        assert_eq!(Checkpoint::read(&path).unwrap(), checkpoint);
        let whole = fs::read(&path).unwrap();
        let other = Checkpoint {
            epochs: 2,
            ..checkpoint.clone()
        };
        assert_ne!(other.signature(), checkpoint.signature());
        for at in 0..whole.len() {
            let mut changed = whole.clone();
            changed[at] ^= 1;
            Checkpoint::decode(&changed).unwrap_err();
            Checkpoint::decode(&whole[..at]).unwrap_err();
        }
        let refused = |bytes: &[u8]| {
            fs::write(&path, bytes).unwrap();
            let error = format!("{:#}", Checkpoint::read(&path).unwrap_err());
            error.replace(&path.display().to_string(), "FILE")
        };
        assert_eq!(
            refused(b"OTHGAMES"),
            "FILE: expected a model, which begins with OTHMODEL"
        );
        assert_eq!(
            refused(b"OTHMODEL\x02\0\0\0"),
            "FILE: expected a model of format 1, found 2"
        );
        // Neither another file nor one next to the model is overwritten.
        fs::write(&path, "my only notes").unwrap();
        checkpoint.write(&path).unwrap_err();
        assert_eq!(fs::read(&path).unwrap(), b"my only notes");
        let (other, beside) = (
            folder.path().join("b.model"),
            folder.path().join("b.model.new"),
        );
        fs::write(&beside, "my only notes").unwrap();
        checkpoint.write(&other).unwrap();
        assert_eq!(fs::read(&beside).unwrap(), b"my only notes");
        let short = refused(&whole[..30]);
        assert!(short.starts_with("FILE: expected the checksum "), "{short}");
    }
}
