//! The linear reference: a number for each row, in tables by phase, and their sum; the form of Edax,
//! that the network is measured against.
//!
//! It is no part of the engine as it is built, but plays from a file of weights like a network.
//!
//! All numbers of the file are little-endian:
//!
//! | offset | bytes | what |
//! |---:|---:|---|
//! | 0 | 8 | `linear` and two zero bytes |
//! | 8 | 4 | the version of this format, 2 |
//! | 12 | 4 | CRC-32 of all that follows |
//! | 16 | 4 | CRC-32 of the table of patterns that the weights belong to |
//! | 20 | 4 | the number of disc counts that share a table, *p* |
//! | 24 | 60 × 4 | a bias for each count of discs from 4 to 63, in 1/128 disc |
//! | 264 | 269,352 each | ⌈60 / *p*⌉ tables: a weight of 16 bits for each row, in 1/128 disc |

use super::{
    INPUTS, ROWS,
    file::{PATTERNS, ReadWeightsError, check, number, seal},
    indices::Indices,
    kernel::{self, FIRST_MOBILITY_ROW, MARGIN, ROWS_IN_MEMORY},
    mobility,
    model::QuantizeError,
    patterns::PATTERN_ROWS,
    row_map::RowMap,
    weights::{HEADS, head_of},
};
use crate::{score::Units, zeroed::Zeroed};

/// The weights of a linear reference, as they are stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinearWeights {
    /// Numbers of discs that share a table.
    phase: u32,
    biases: Vec<i32>,
    /// One table after the other.
    weights: Vec<i16>,
}

/// The magic number of a file.
pub(super) const MAGIC: [u8; 8] = *b"linear\0\0";
const VERSION: u32 = 2;
const PHASE: usize = 20;
const FIRST_BIAS: usize = 24;
const FIRST_TABLE: usize = FIRST_BIAS + 4 * HEADS;

/// The largest size of a bias: with it no sum leaves 32 bits.
const MAX_BIAS: i32 = i32::MAX - INPUTS as i32 * -(i16::MIN as i32);

impl LinearWeights {
    /// The weights of a model in discs, as near as integers come: a bias for each head, and the
    /// tables of a weight for each row, one after the other; `phase` numbers of discs share one.
    /// Numbers too large for an integer become the largest integer.
    ///
    /// # Errors
    ///
    /// Returns an error if some number is not finite.
    ///
    /// # Panics
    ///
    /// Panics if the lengths do not match, or `phase` is 0.
    pub fn quantized(phase: u32, biases: &[f32], weights: &[f32]) -> Result<Self, QuantizeError> {
        assert_eq!(biases.len(), HEADS, "a bias for each head");
        assert_eq!(weights.len(), tables(phase) * ROWS, "a weight for each row");
        let mut numbers = biases.iter().chain(weights);
        if !numbers.all(|number| number.is_finite()) {
            return Err(QuantizeError::NotFinite);
        }
        let units = |discs: &f32| (discs * Units::DISC.get() as f32).round();
        Ok(Self {
            phase,
            biases: biases
                .iter()
                .map(|bias| (units(bias) as i32).clamp(-MAX_BIAS, MAX_BIAS))
                .collect(),
            weights: weights.iter().map(|weight| units(weight) as i16).collect(),
        })
    }

    /// Reads a file's bytes.
    ///
    /// # Errors
    ///
    /// Returns an error if the bytes are not linear weights for this table of patterns, whole and unchanged.
    pub fn read(bytes: &[u8]) -> Result<Self, ReadWeightsError> {
        let found = bytes.len();
        if !bytes.starts_with(&MAGIC) {
            return Err(ReadWeightsError::Magic {
                expected: "\"linear\" and two zero bytes",
            });
        }
        if found < FIRST_TABLE {
            let expected = FIRST_TABLE;
            return Err(ReadWeightsError::Truncated { expected, found });
        }
        let version = number(bytes, MAGIC.len());
        if version != VERSION {
            return Err(ReadWeightsError::Version {
                expected: VERSION,
                found: version,
            });
        }
        let phase = number(bytes, PHASE);
        if !(1..=HEADS as u32).contains(&phase) {
            return Err(ReadWeightsError::Range {
                offset: PHASE,
                what: "from 1 to 60 numbers of discs a table",
            });
        }
        check(bytes, FIRST_TABLE + 2 * tables(phase) * ROWS)?;
        let mut biases = Vec::with_capacity(HEADS);
        for offset in (FIRST_BIAS..FIRST_TABLE).step_by(4) {
            let bias = number(bytes, offset).cast_signed();
            if !(-MAX_BIAS..=MAX_BIAS).contains(&bias) {
                return Err(ReadWeightsError::Range {
                    offset,
                    what: "a bias whose sums fit into 32 bits",
                });
            }
            biases.push(bias);
        }
        let weights = bytes[FIRST_TABLE..].as_chunks().0;
        Ok(Self {
            phase,
            biases,
            weights: weights
                .iter()
                .map(|bytes| i16::from_le_bytes(*bytes))
                .collect(),
        })
    }

    /// The bytes of a file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(FIRST_TABLE + 2 * self.weights.len());
        bytes.extend(MAGIC);
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend([0; 4]);
        bytes.extend(PATTERNS.to_le_bytes());
        bytes.extend(self.phase.to_le_bytes());
        bytes.extend(self.biases.iter().flat_map(|bias| bias.to_le_bytes()));
        bytes.extend(self.weights.iter().flat_map(|weight| weight.to_le_bytes()));
        seal(&mut bytes);
        bytes
    }
}

fn tables(phase: u32) -> usize {
    HEADS.div_ceil(phase as usize)
}

/// Linear weights, ready for use.
pub(super) struct Linear {
    phase: usize,
    biases: Vec<i32>,
    /// In each table a number for every cell, so that an index leads to it in one step, between
    /// margins; those of the mobility begin the second.
    numbers: Zeroed<i16>,
}

impl Linear {
    pub(super) fn new(weights: &LinearWeights) -> Self {
        let tables = weights.weights.chunks_exact(ROWS);
        // SAFETY: zero bits are a number.
        let numbers = unsafe { Zeroed::<i16>::new(tables.len() * ROWS_IN_MEMORY) };
        let mut numbers = numbers.expect("the system has memory for the evaluation");
        let map = RowMap::new();
        for (own, table) in numbers.chunks_exact_mut(ROWS_IN_MEMORY).zip(tables) {
            for (number, row) in own[MARGIN..].iter_mut().zip(map.all()) {
                *number = table[*row as usize];
            }
            own[FIRST_MOBILITY_ROW..][..ROWS - PATTERN_ROWS]
                .copy_from_slice(&table[PATTERN_ROWS..]);
        }
        Self {
            phase: weights.phase as usize,
            biases: weights.biases.clone(),
            numbers,
        }
    }

    /// The sum for a position with these indices, these mobility rows and this number of discs, in units.
    #[inline(always)]
    pub(super) fn sum(
        &self,
        indices: &Indices,
        mobility: [usize; mobility::TABLES],
        discs: u32,
    ) -> i32 {
        let head = head_of(discs);
        let from = head / self.phase * ROWS_IN_MEMORY;
        let table = &self.numbers[from..from + ROWS_IN_MEMORY];
        self.biases[head] + kernel::sum_numbers(table, indices, mobility)
    }
}

impl PartialEq for Linear {
    fn eq(&self, other: &Self) -> bool {
        (self.phase, &self.biases) == (other.phase, &other.biases)
            && *self.numbers == *other.numbers
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::{
        eval::Network,
        testing::{Random, orientations, random_play},
    };

    fn discs(random: &mut Random, most: f32) -> f32 {
        (random.below(2001) as f32 / 1000.0 - 1.0) * most
    }

    fn sample() -> (LinearWeights, Vec<f32>, Vec<f32>) {
        let random = &mut Random::new(4);
        let biases: Vec<f32> = (0..HEADS).map(|_| discs(random, 2.0)).collect();
        let weights: Vec<f32> = (0..4 * ROWS).map(|_| discs(random, 3.0)).collect();
        let stored = LinearWeights::quantized(16, &biases, &weights).unwrap();
        (stored, biases, weights)
    }

    #[test]
    fn the_value_is_the_sum_of_the_rows() {
        let (stored, biases, weights) = sample();
        let network = Network::read(&stored.to_bytes()).unwrap();
        assert_eq!(network, Network::linear(&stored));
        let map = RowMap::new();
        for seed in 0..120 {
            let position = random_play(seed, seed as u32 % 60);
            let head = head_of(64 - position.empties().count());
            let table = &weights[head / 16 * ROWS..][..ROWS];
            let rows = map.rows(position);
            let sum: f32 = rows.iter().map(|row| table[*row as usize]).sum();
            let expected = (sum + biases[head]).clamp(-64.0, 64.0);
            for position in orientations(position) {
                let value = network.evaluate(position).discs();
                // Each of the 49 numbers is half a unit off at most.
                assert!(
                    (value - expected).abs() < 0.2,
                    "{value} {expected} {position:?}"
                );
            }
        }
    }

    #[test]
    fn biases_whose_sums_could_leave_32_bits_are_refused() {
        let (stored, ..) = sample();
        let position = random_play(2, 50);
        let offset = FIRST_BIAS + 4 * head_of(14);
        let with_bias = |bias: i32| {
            let mut bytes = stored.to_bytes();
            bytes[offset..offset + 4].copy_from_slice(&bias.to_le_bytes());
            seal(&mut bytes);
            LinearWeights::read(&bytes)
        };
        let error = Err(ReadWeightsError::Range {
            offset,
            what: "a bias whose sums fit into 32 bits",
        });
        for bias in [MAX_BIAS + 1, -MAX_BIAS - 1, i32::MAX, i32::MIN] {
            assert_eq!(with_bias(bias), error, "{bias}");
        }
        for (bias, weight, discs) in [(MAX_BIAS, i16::MAX, 64), (-MAX_BIAS, i16::MIN, -64)] {
            let mut extreme = with_bias(bias).expect("it fits");
            extreme.weights.fill(weight);
            let value = Network::linear(&extreme).evaluate(position);
            assert_eq!(value.to_score().discs(), discs);
        }
    }

    #[test]
    fn what_is_too_large_becomes_the_largest() {
        let stored = LinearWeights::quantized(60, &[-1e30; HEADS], &vec![1e30; ROWS]).unwrap();
        assert_eq!(stored.biases, [-MAX_BIAS; HEADS]);
        assert_eq!(stored.weights, vec![i16::MAX; ROWS]);
        assert_eq!(LinearWeights::read(&stored.to_bytes()), Ok(stored));
    }

    #[test]
    fn a_weight_that_is_not_a_number_is_refused() {
        let mut weights = vec![0.5; ROWS];
        weights[1000] = f32::NAN;
        let refused = LinearWeights::quantized(60, &[0.0; HEADS], &weights);
        assert_eq!(refused, Err(QuantizeError::NotFinite));
    }

    #[test]
    fn what_is_no_file_of_linear_weights_is_refused() {
        let (stored, ..) = sample();
        let whole = stored.to_bytes();
        assert_eq!(LinearWeights::read(&whole).unwrap(), stored);
        let error = |bytes: &[u8]| Network::read(bytes).unwrap_err();
        for found in [9, FIRST_TABLE - 1, FIRST_TABLE, whole.len() - 1] {
            let ReadWeightsError::Truncated { found: said, .. } = error(&whole[..found]) else {
                panic!("{found} bytes are too few");
            };
            assert_eq!(said, found);
        }
        let mut long = whole.clone();
        long.push(0);
        let (expected, found) = (whole.len(), whole.len() + 1);
        assert_eq!(error(&long), ReadWeightsError::TooLong { expected, found });
        for at in [12, 16, FIRST_BIAS, FIRST_TABLE + 5, whole.len() - 1] {
            let mut bytes = whole.clone();
            bytes[at] ^= 4;
            assert!(
                matches!(error(&bytes), ReadWeightsError::Checksum { .. }),
                "{at}"
            );
        }
        let mut bytes = whole.clone();
        bytes[8] = 1;
        assert_eq!(
            error(&bytes).to_string(),
            "expected version 2 of the format of weights at offset 8, but found 1"
        );
        bytes.clone_from(&whole);
        bytes[PHASE] = 0;
        assert!(matches!(
            error(&bytes),
            ReadWeightsError::Range { offset: PHASE, .. }
        ));
        bytes.clone_from(&whole);
        bytes[16] ^= 1;
        seal(&mut bytes);
        assert!(matches!(error(&bytes), ReadWeightsError::Patterns { .. }));
        assert_eq!(
            LinearWeights::read(b"othello\0"),
            Err(ReadWeightsError::Magic {
                expected: "\"linear\" and two zero bytes"
            })
        );
    }
}
