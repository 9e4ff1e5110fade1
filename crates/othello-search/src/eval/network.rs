//! The learned evaluation at work.
//!
//! There is one source for all tiers: integers add up to the same whatever the order, and inside
//! [`Backend::vectorize`] the compiler makes of these loops what can be made by hand, a row to a
//! register.

use std::{
    fmt,
    sync::{Arc, OnceLock},
};

use othello_core::{Backend, Position, Tier, WithBackend};

use super::{
    patterns::{ALL_INSTANCES, CELLS, INSTANCES, Indices, SHAPES},
    weights::{HEADS, HIDDEN, Head, ReadWeightsError, Weights, head_of},
};
use crate::{Evaluation, score::DISC, zeroed::Zeroed};

/// Estimates stay below what only a search to the end can prove.
const MOST: i32 = 64 * DISC - 1;

/// The bytes of the built-in weights, once there are any: `Some(include_bytes!("weights.bin"))`.
const BUILT_IN: Option<&[u8]> = None;

/// The weights of a learned evaluation, ready for use: 14.5 MB.
///
/// # Examples
///
/// ```
/// use othello_core::Position;
/// use othello_search::eval::{Model, Network, Weights};
///
/// let network = Network::new(&Weights::quantised(&Model::default()));
/// assert_eq!(network.evaluate(Position::START).units(), 0);
/// ```
pub struct Network {
    /// A row for every cell, so that an index leads to it in one step.
    cells: Zeroed<Row>,
    heads: [Head; HEADS],
    shift: u32,
}

/// The numbers that an instance adds to the hidden layer: one cache line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
struct Row([i16; HIDDEN]);

impl Network {
    /// Widens weights to what is fast to compute with; it takes a few milliseconds.
    pub fn new(weights: &Weights<'_>) -> Self {
        // SAFETY: zero bits are a row.
        let mut cells = unsafe { Zeroed::<Row>::new(CELLS) };
        let mut rows = weights.all_rows();
        let mut first = 0;
        for shape in &SHAPES {
            let own = &mut cells[first..first + shape.cells()];
            for (cell, reflection) in shape.reflections().enumerate() {
                if reflection < cell {
                    own[cell] = own[reflection];
                } else if let Some(row) = rows.next().flatten() {
                    own[cell] = Row(row.map(|weight| i16::from(weight.cast_signed())));
                }
            }
            first += shape.cells();
        }
        let heads = weights.heads.as_ref().try_into();
        Self {
            cells,
            heads: heads.unwrap_or_else(|_| unreachable!("weights have all heads")),
            shift: weights.shift,
        }
    }

    /// The built-in network, if this version has one, made ready when it is first asked for.
    ///
    /// # Panics
    ///
    /// When the built-in weights are damaged, which the tests would have shown.
    pub fn built_in() -> Option<Arc<Self>> {
        static NETWORK: OnceLock<Option<Arc<Network>>> = OnceLock::new();
        let widen = |bytes| Self::read(bytes).expect("the built-in weights are whole");
        let network = NETWORK.get_or_init(|| BUILT_IN.map(|bytes| Arc::new(widen(bytes))));
        network.clone()
    }

    /// Reads the bytes of a file of weights.
    ///
    /// # Errors
    ///
    /// When they are not weights for this table of patterns, whole and unchanged.
    pub fn read(bytes: &[u8]) -> Result<Self, ReadWeightsError> {
        Ok(Self::new(&Weights::read(bytes)?))
    }

    /// What the network takes a position for, even if the game is over.
    pub fn evaluate(&self, position: Position) -> Evaluation {
        Evaluation::from_units(Tier::best().dispatch(Evaluate(self, position)))
    }

    /// The value in units of a disc of a position with these indices and so many discs.
    #[inline(always)]
    pub(crate) fn value(&self, indices: &Indices, discs: u32) -> i32 {
        let mut hidden = [0i16; HIDDEN];
        for cell in cells(indices) {
            // SAFETY: `cells` gives cells that there are.
            let row = unsafe { self.cells.get_unchecked(cell as usize) };
            for (unit, weight) in hidden.iter_mut().zip(row.0) {
                *unit = unit.wrapping_add(weight);
            }
        }
        let head = &self.heads[head_of(discs)];
        let mut sum = head.bias + (1 << (self.shift - 1));
        for (unit, weight) in hidden.iter().zip(head.weights) {
            sum = sum.wrapping_add(i32::from((*unit).max(0)) * i32::from(weight));
        }
        (sum >> self.shift).clamp(-MOST, MOST)
    }
}

impl PartialEq for Network {
    fn eq(&self, other: &Self) -> bool {
        *self.cells == *other.cells && self.heads == other.heads && self.shift == other.shift
    }
}

impl Eq for Network {}

impl fmt::Debug for Network {
    /// Says nothing of its seven million numbers.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Network").finish_non_exhaustive()
    }
}

/// The first cell and the greatest index of each instance.
struct Ranges {
    origins: [i32; INSTANCES],
    most: [i16; INSTANCES],
}

static RANGES: Ranges = {
    let mut ranges = Ranges {
        origins: [0; INSTANCES],
        most: [0; INSTANCES],
    };
    let mut at = 0;
    while at < INSTANCES {
        let instance = &ALL_INSTANCES[at];
        ranges.origins[at] = instance.cell(0) as i32;
        ranges.most[at] = (SHAPES[instance.shape].cells() / 2) as i16;
        at += 1;
    }
    ranges
};

/// The cell of each instance, below [`CELLS`] whatever the indices.
#[inline(always)]
fn cells(indices: &Indices) -> [u32; INSTANCES] {
    let mut cells = [0; INSTANCES];
    for (at, index) in indices.all().iter().enumerate() {
        // A move that flips what no move can flip might lead anywhere.
        let most = RANGES.most[at];
        let index = (*index).clamp(-most, most);
        cells[at] = (RANGES.origins[at] + i32::from(index)).cast_unsigned();
    }
    cells
}

/// The evaluation of a position from scratch, for whichever tier.
struct Evaluate<'a>(&'a Network, Position);

impl WithBackend for Evaluate<'_> {
    type Output = i32;

    fn run<B: Backend>(self, backend: B) -> i32 {
        let Self(network, position) = self;
        backend.vectorize(
            #[inline(always)]
            || network.value(&Indices::of(position), 64 - position.empties().count()),
        )
    }
}

#[cfg(test)]
pub(super) mod tests {
    use std::sync::LazyLock;

    use super::*;
    use crate::{
        eval::{model::tests::RANDOM, patterns::RowMap},
        testing::{orientations, random_play, scattered},
    };

    pub(crate) static NETWORK: LazyLock<Network> =
        LazyLock::new(|| Network::new(&Weights::quantised(&RANDOM)));

    fn positions() -> impl Iterator<Item = Position> {
        let played = (0..120).map(|seed| random_play(seed, seed as u32 % 60));
        played.chain((0..60).map(|seed| scattered(seed, seed as usize)))
    }

    #[test]
    fn the_value_is_that_of_the_model() {
        let map = RowMap::new();
        for position in positions() {
            let head = head_of(64 - position.empties().count());
            let expected = RANDOM.value(&map.rows(position), head);
            let value = NETWORK.evaluate(position).discs();
            // A unit's sum of 46 rows is half a step off for each at most, and 32 of them add up.
            assert!(
                (value - expected.clamp(-64.0, 64.0)).abs() < 0.5,
                "{position:?}: {value}, {expected}"
            );
        }
    }

    #[test]
    fn the_tiers_agree_to_the_bit() {
        for position in positions() {
            let values = Tier::ALL.map(|tier| tier.dispatch(Evaluate(&NETWORK, position)));
            assert_eq!(values, [values[0]; 3], "{position:?}");
        }
    }

    #[test]
    fn all_orientations_evaluate_alike() {
        for position in positions() {
            let values = orientations(position).map(|position| NETWORK.evaluate(position));
            assert_eq!(values, [values[0]; 8], "{position:?}");
        }
    }

    #[test]
    fn positions_have_values_of_their_own() {
        let mut values: Vec<_> = positions()
            .map(|position| NETWORK.evaluate(position))
            .collect();
        values.sort_unstable();
        values.dedup();
        assert!(values.len() > 100, "{}", values.len());
        assert!(values.iter().all(|value| value.units().abs() <= MOST));
    }

    #[test]
    fn indices_of_no_position_lead_to_cells_that_there_are() {
        let position = random_play(6, 30);
        let most = position.empties().first().unwrap();
        let mut indices = Indices::of(position);
        for _ in 0..50 {
            indices = indices.after(most, othello_core::Bitboard(u64::MAX));
            assert!(cells(&indices).iter().all(|cell| (*cell as usize) < CELLS));
        }
    }
}
