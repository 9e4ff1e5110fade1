//! Inference of the network.

use std::{
    fmt,
    sync::{Arc, OnceLock},
};

use othello_core::{Backend, Bitboard, Position, Tier, WithBackend};

use super::{
    file::ReadWeightsError,
    indices::Indices,
    kernel::{self, FIRST_MOBILITY_ROW, GUARD_ROWS, ROWS_IN_MEMORY, Row},
    mobility,
    patterns::SHAPES,
    weights::{HEADS, Head, Weights, head_of},
};
use crate::{Evaluation, score::Units, zeroed::Zeroed};

/// The maximum of an estimate. It exceeds every score, so lopsided positions still have distinct estimates; until the
/// search reaches the end, such an estimate ranks above a certain wipe-out.
pub(crate) const MAX_ESTIMATE: Units = Units::new(80 * Units::DISC.get());

/// The file of the built-in weights.
const BUILT_IN: &[u8] = include_bytes!("weights.bin");

const _: () = assert!(BUILT_IN.len() <= 4_000_000, "at most 4 MB");

/// A network with the layout that evaluation uses: 17.0 MB.
///
/// # Examples
///
/// ```
/// use othello_core::Position;
/// use othello_search::eval::{Model, Network, Weights};
///
/// let network = Network::new(&Weights::quantized(&Model::default())?);
/// assert_eq!(network.evaluate(Position::START).units(), 0);
/// # Ok::<(), othello_search::eval::QuantizeError>(())
/// ```
pub struct Network {
    /// A row for every cell, so that an index selects it in one step, between guard rows; the second block of guard
    /// rows starts with the mobility rows.
    rows: Zeroed<Row>,
    heads: [Head; HEADS],
    shift: u32,
}

impl Network {
    /// Creates a network from weights; this takes a few milliseconds.
    ///
    /// # Panics
    ///
    /// Panics if there is not enough memory.
    pub fn new(weights: &Weights<'_>) -> Self {
        Self::try_new(weights).unwrap_or_else(|error| panic!("{error}"))
    }

    /// The built-in network, created on first use.
    ///
    /// # Panics
    ///
    /// Panics if there is not enough memory; [`try_built_in`](Self::try_built_in) returns an error instead.
    pub fn built_in() -> Arc<Self> {
        Self::try_built_in().unwrap_or_else(|error| panic!("{error}"))
    }

    /// The built-in network, created on first use.
    ///
    /// # Errors
    ///
    /// Fails if there is not enough memory.
    pub fn try_built_in() -> Result<Arc<Self>, ReadWeightsError> {
        static NETWORK: OnceLock<Arc<Network>> = OnceLock::new();
        if let Some(network) = NETWORK.get() {
            return Ok(Arc::clone(network));
        }
        let network = Arc::new(Self::read(BUILT_IN)?);
        Ok(Arc::clone(NETWORK.get_or_init(|| network)))
    }

    /// The CRC-32 of the file of the built-in weights.
    pub fn built_in_checksum() -> u32 {
        crc32fast::hash(BUILT_IN)
    }

    /// Reads a file of weights.
    ///
    /// # Errors
    ///
    /// Fails if the bytes are damaged, incomplete, or for another pattern table.
    pub fn read(bytes: &[u8]) -> Result<Self, ReadWeightsError> {
        Self::try_new(&Weights::read(bytes)?)
    }

    /// The raw network output, even for terminal positions, limited to ±64 discs.
    pub fn evaluate(&self, position: Position) -> Evaluation {
        self.units(position).into()
    }

    /// The raw network output as the search uses it, limited to ±80 discs.
    pub(crate) fn units(&self, position: Position) -> Units {
        Tier::best().dispatch(Evaluate(self, position))
    }

    /// The raw network output for a position with these indices, legal moves and disc count, limited to ±80 discs. The
    /// search calls it inside [`Backend::vectorize`]; public only for benchmarks.
    #[inline(always)]
    pub fn value<B: Backend>(
        &self,
        backend: B,
        indices: &Indices,
        moves: Bitboard,
        discs: u32,
    ) -> Units {
        let mobility = mobility::rows(moves);
        let hidden = kernel::sum(backend, &self.rows, indices, mobility);
        let head = &self.heads[head_of(discs)];
        let sum = head.bias + (1 << (self.shift - 1)) + kernel::weigh(&hidden, head);
        Units::new(sum >> self.shift).clamp(-MAX_ESTIMATE, MAX_ESTIMATE)
    }

    fn try_new(weights: &Weights<'_>) -> Result<Self, ReadWeightsError> {
        // SAFETY: a row of zero bits is valid.
        let rows = unsafe { Zeroed::<Row>::new(ROWS_IN_MEMORY) };
        let mut rows = rows.ok_or(ReadWeightsError::Memory)?;
        let mut stored = weights.all_rows();
        let mut first = GUARD_ROWS;
        for shape in &SHAPES {
            let own = &mut rows[first..first + shape.cells()];
            for (cell, reflection) in shape.reflections().enumerate() {
                if reflection < cell {
                    own[cell] = own[reflection];
                } else if let Some(row) = stored.next().flatten() {
                    own[cell] = Row::new(row);
                }
            }
            first += shape.cells();
        }
        for (row, stored) in rows[FIRST_MOBILITY_ROW..].iter_mut().zip(stored) {
            if let Some(stored) = stored {
                *row = Row::new(stored);
            }
        }
        let heads = weights.heads.as_ref().try_into();
        Ok(Self {
            rows,
            heads: heads.unwrap_or_else(|_| unreachable!("weights have all heads")),
            shift: weights.shift,
        })
    }
}

impl PartialEq for Network {
    fn eq(&self, other: &Self) -> bool {
        *self.rows == *other.rows && self.heads == other.heads && self.shift == other.shift
    }
}

impl Eq for Network {}

impl fmt::Debug for Network {
    /// Formats only the name, without the millions of weights.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Network").finish_non_exhaustive()
    }
}

/// The evaluation of a position from scratch, generic over the tier.
struct Evaluate<'a>(&'a Network, Position);

impl WithBackend for Evaluate<'_> {
    type Output = Units;

    fn run<B: Backend>(self, backend: B) -> Units {
        let Self(network, position) = self;
        backend.vectorize(
            #[inline(always)]
            || {
                let indices = Indices::of(position);
                let moves = backend.legal_moves(position);
                network.value(backend, &indices, moves, 64 - position.empties().count())
            },
        )
    }
}

#[cfg(test)]
pub(super) mod tests {
    use std::sync::LazyLock;

    use super::*;
    use crate::{
        eval::{model::tests::RANDOM, row_map::RowMap},
        testing::{random_play, scattered},
    };

    pub(crate) static NETWORK: LazyLock<Network> =
        LazyLock::new(|| Network::new(&Weights::quantized(&RANDOM).unwrap()));

    fn positions() -> impl Iterator<Item = Position> {
        let played = (0..120).map(|seed| random_play(seed, seed as u32 % 60));
        played.chain((0..60).map(|seed| scattered(seed, seed as usize)))
    }

    #[test]
    fn the_value_is_close_to_the_model() {
        let map = RowMap::new();
        for position in positions() {
            let head = head_of(64 - position.empties().count());
            let expected = RANDOM.value(&map.rows(position), head);
            let value = NETWORK.evaluate(position).discs();
            // A unit's sum of 48 rows is off by at most half a step per row, and the errors of 64 units add up.
            assert!(
                (value - expected.clamp(-64.0, 64.0)).abs() < 0.5,
                "{position:?}: {value}, {expected}"
            );
        }
    }

    #[test]
    fn all_tiers_give_the_same_values() {
        for position in positions() {
            let tiers = Tier::ALL.into_iter().filter(|tier| tier.is_supported());
            let values: Vec<_> = tiers
                .map(|tier| tier.dispatch(Evaluate(&NETWORK, position)))
                .collect();
            assert!(
                values.iter().all(|value| *value == values[0]),
                "{position:?}: {values:?}"
            );
        }
    }

    #[test]
    fn positions_have_distinct_values() {
        let mut values: Vec<_> = positions()
            .map(|position| NETWORK.evaluate(position))
            .collect();
        values.sort_unstable();
        values.dedup();
        assert!(values.len() > 100, "{}", values.len());
    }
}
