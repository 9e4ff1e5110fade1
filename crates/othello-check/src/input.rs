//! The bytes of a proof: counted, checksummed, and decoded to choices.

use std::io::{self, BufReader, Read};

use crate::error::{CheckError, CheckErrorKind};

/// A reader that counts the bytes and computes their CRC-32.
pub(crate) struct Input<R> {
    bytes: io::Bytes<BufReader<R>>,
    offset: u64,
    crc: u32,
}

impl<R: Read> Input<R> {
    pub(crate) fn new(reader: R) -> Self {
        Self {
            bytes: BufReader::new(reader).bytes(),
            offset: 0,
            crc: !0,
        }
    }

    /// Creates an error at the current offset.
    pub(crate) fn error(&self, kind: CheckErrorKind) -> CheckError {
        CheckError {
            offset: self.offset,
            kind,
        }
    }

    /// Returns the next byte.
    pub(crate) fn byte(&mut self) -> Result<u8, CheckError> {
        match self.bytes.next() {
            None => Err(self.error(CheckErrorKind::Truncated)),
            Some(Err(error)) => Err(self.error(CheckErrorKind::Read(error))),
            Some(Ok(byte)) => {
                self.offset += 1;
                self.crc = crc_with(self.crc, byte);
                Ok(byte)
            }
        }
    }

    /// Checks that the file ends with the checksum of all bytes before it.
    pub(crate) fn finish(mut self) -> Result<u64, CheckError> {
        let computed = !self.crc;
        let mut stored = [0; 4];
        for byte in &mut stored {
            *byte = self.byte()?;
        }
        let stored = u32::from_le_bytes(stored);
        if stored != computed {
            return Err(self.error(CheckErrorKind::Checksum { computed, stored }));
        }
        match self.bytes.next() {
            None => Ok(self.offset),
            Some(Err(error)) => Err(self.error(CheckErrorKind::Read(error))),
            Some(Ok(_)) => Err(self.error(CheckErrorKind::TooLong)),
        }
    }
}

/// Adds a byte to a CRC-32 (the one of zip and PNG), bit by bit.
fn crc_with(crc: u32, byte: u8) -> u32 {
    (0..8).fold(crc ^ u32::from(byte), |crc, _| {
        if crc & 1 == 1 {
            crc >> 1 ^ 0xedb8_8320
        } else {
            crc >> 1
        }
    })
}

/// The binary arithmetic decoder of choices.
pub(crate) struct Decoder<R> {
    input: Input<R>,
    low: u32,
    high: u32,
    code: u32,
    /// For each number of empty squares and each index in the list of moves, the probability, in 65536ths, that the
    /// move is chosen if none before it is.
    probabilities: [[u32; PLACES]; 65],
}

/// The number of indices in the list of moves with a probability of their own; later ones share the last.
const PLACES: usize = 8;

impl<R: Read> Decoder<R> {
    pub(crate) fn new(mut input: Input<R>) -> Result<Self, CheckError> {
        let mut code = 0;
        for _ in 0..4 {
            code = code << 8 | u32::from(input.byte()?);
        }
        Ok(Self {
            input,
            low: 0,
            high: u32::MAX,
            code,
            probabilities: [[1 << 15; PLACES]; 65],
        })
    }

    /// Decodes the index of the chosen move out of `count` moves.
    pub(crate) fn choice(&mut self, empties: usize, count: usize) -> Result<usize, CheckError> {
        let mut place = 0;
        while place + 1 < count && !self.is_chosen(empties, place.min(PLACES - 1))? {
            place += 1;
        }
        Ok(place)
    }

    fn is_chosen(&mut self, empties: usize, place: usize) -> Result<bool, CheckError> {
        let probability = &mut self.probabilities[empties][place];
        let share = (u64::from(self.high - self.low) * u64::from(*probability)) >> 16;
        let middle = self.low + share as u32;
        let chosen = self.code <= middle;
        if chosen {
            self.high = middle;
            *probability += (65536 - *probability) >> 5;
        } else {
            self.low = middle + 1;
            *probability -= *probability >> 5;
        }
        while self.low >> 24 == self.high >> 24 {
            self.low <<= 8;
            self.high = self.high << 8 | 0xff;
            self.code = self.code << 8 | u32::from(self.input.byte()?);
        }
        Ok(chosen)
    }

    pub(crate) fn input(&self) -> &Input<R> {
        &self.input
    }

    pub(crate) fn into_input(self) -> Input<R> {
        self.input
    }
}
