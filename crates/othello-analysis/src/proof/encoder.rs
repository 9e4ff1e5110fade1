//! The binary arithmetic coder of choices, and the checksum of the file.

use std::io::{self, Write};

/// The number of places in the list of moves with a probability of their own; all later ones share the last.
const PLACES: usize = 8;

/// A file that is being written: the first line, then choices, then the checksum.
pub(crate) struct Encoder<W> {
    out: W,
    checksum: crc32fast::Hasher,
    written: u64,
    low: u32,
    high: u32,
    /// For each number of empty squares and each place in the list of moves, the probability, in 65536ths, that the
    /// move is chosen if no earlier one is.
    probabilities: [[u32; PLACES]; 65],
}

impl<W: Write> Encoder<W> {
    /// Writes the first line.
    pub(crate) fn new(out: W, line: &str) -> io::Result<Self> {
        let mut encoder = Self {
            out,
            checksum: crc32fast::Hasher::new(),
            written: 0,
            low: 0,
            high: u32::MAX,
            probabilities: [[1 << 15; PLACES]; 65],
        };
        encoder.write(line.as_bytes())?;
        encoder.write(b"\n")?;
        Ok(encoder)
    }

    /// Returns the number of bytes written so far.
    pub(crate) fn written(&self) -> u64 {
        self.written
    }

    /// Writes the choice of move `chosen` out of `count`.
    pub(crate) fn choice(&mut self, empties: u32, chosen: usize, count: usize) -> io::Result<()> {
        for place in 0..count - 1 {
            self.bit(empties, place.min(PLACES - 1), place == chosen)?;
            if place == chosen {
                break;
            }
        }
        Ok(())
    }

    fn bit(&mut self, empties: u32, place: usize, chosen: bool) -> io::Result<()> {
        let probability = &mut self.probabilities[empties as usize][place];
        let share = (u64::from(self.high - self.low) * u64::from(*probability)) >> 16;
        let middle = self.low + share as u32;
        if chosen {
            self.high = middle;
            *probability += (65536 - *probability) >> 5;
        } else {
            self.low = middle + 1;
            *probability -= *probability >> 5;
        }
        while self.low >> 24 == self.high >> 24 {
            self.write(&[(self.low >> 24) as u8])?;
            self.low <<= 8;
            self.high = self.high << 8 | 0xff;
        }
        Ok(())
    }

    /// Writes the end of the choices and the checksum, and returns the total number of bytes and the checksum.
    pub(crate) fn finish(mut self) -> io::Result<(u64, u32)> {
        self.write(&self.low.to_be_bytes())?;
        let checksum = self.checksum.clone().finalize();
        self.write(&checksum.to_le_bytes())?;
        self.out.flush()?;
        Ok((self.written, checksum))
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.checksum.update(bytes);
        self.written += bytes.len() as u64;
        self.out.write_all(bytes)
    }
}
