//! Values kept from one analysis to the next.

use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
};

use othello_core::{Position, Symmetry};
use serde::{Deserialize, Serialize};

use crate::{Bound, Effort, MoveValue};

/// The known values of a position's moves.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stored {
    /// The thoroughness of the search of all moves.
    pub effort: Effort,
    /// The values of all legal moves.
    pub moves: Vec<MoveValue>,
}

impl Stored {
    /// Returns `true` if each move has a value of its own, not only a bound.
    pub fn has_each_value(&self) -> bool {
        self.moves.iter().all(|mv| mv.bound == Bound::Exact)
    }

    /// Returns `true` if this should replace `known`: it has more effort, otherwise more confidence, otherwise
    /// the values of more moves.
    pub fn replaces(&self, known: &Self) -> bool {
        self.rank() > known.rank()
    }

    fn rank(&self) -> (Effort, u8, usize) {
        let confidence = self.moves.iter().map(|mv| mv.source.confidence());
        let values = self.moves.iter().filter(|mv| mv.bound == Bound::Exact);
        (self.effort, confidence.min().unwrap_or(0), values.count())
    }

    /// Returns the same about the image of the position under a symmetry.
    #[must_use]
    pub fn turned(&self, symmetry: Symmetry) -> Self {
        let moves = self.moves.iter().map(|value| value.turned(symmetry));
        Self {
            effort: self.effort,
            moves: moves.collect(),
        }
    }
}

/// A store of values, by [canonical](Position::canonical) position.
pub trait Store {
    /// Returns the known values of a canonical position.
    fn get(&mut self, position: Position) -> Option<Stored>;

    /// Stores the values of a canonical position, if they [replace](Stored::replaces) the known ones.
    fn put(&mut self, position: Position, stored: Stored);
}

/// A store in memory.
#[derive(Clone, Debug, Default)]
pub struct MemoryStore(HashMap<Position, Stored>);

impl MemoryStore {
    /// The number of positions.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns `true` if the store is empty.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// A store of several threads, locked for each access.
impl<S: Store + ?Sized> Store for &Mutex<S> {
    fn get(&mut self, position: Position) -> Option<Stored> {
        let mut store = self.lock().unwrap_or_else(PoisonError::into_inner);
        store.get(position)
    }

    fn put(&mut self, position: Position, stored: Stored) {
        let mut store = self.lock().unwrap_or_else(PoisonError::into_inner);
        store.put(position, stored);
    }
}

impl Store for MemoryStore {
    fn get(&mut self, position: Position) -> Option<Stored> {
        self.0.get(&position).cloned()
    }

    fn put(&mut self, position: Position, stored: Stored) {
        let known = self.0.get(&position);
        if known.is_none_or(|known| stored.replaces(known)) {
            self.0.insert(position, stored);
        }
    }
}

/// Returns a store's values of a position in any orientation.
pub fn look_up(store: &mut dyn Store, position: Position) -> Option<Stored> {
    let (canonical, symmetry) = position.canonical();
    Some(store.get(canonical)?.turned(symmetry.inverse()))
}

/// Returns a store's values of all moves of a position, best first, unless some are only bounds.
pub fn look_up_values(store: &mut dyn Store, position: Position) -> Option<Stored> {
    let mut stored = look_up(store, position)?;
    MoveValue::sort(&mut stored.moves);
    stored.has_each_value().then_some(stored)
}

/// Stores the values of a position in any orientation.
pub fn keep(store: &mut dyn Store, position: Position, stored: &Stored) {
    let (canonical, symmetry) = position.canonical();
    store.put(canonical, stored.turned(symmetry));
}

#[cfg(test)]
mod tests {
    use othello_core::Square;

    use super::*;
    use crate::{Discs, Source};

    fn stored(effort: Effort, bounds: &[Bound]) -> Stored {
        let value = |(&bound, square): (&Bound, Square)| MoveValue {
            mv: square.into(),
            score: Discs::ZERO,
            bound,
            source: Source::Exact,
            line: vec![square.into(), Square::A1.into()],
        };
        let squares = [Square::F5, Square::D3];
        let moves = bounds.iter().zip(squares).map(value).collect();
        Stored { effort, moves }
    }

    #[test]
    fn only_what_is_deeper_or_more_detailed_replaces() {
        use Bound::{AtMost, Exact};
        let mut store = MemoryStore::default();
        let mut ranks = vec![
            stored(Effort::Depth(4), &[Exact, Exact]),
            stored(Effort::Depth(9), &[Exact, Exact]),
            stored(Effort::Exact, &[Exact, AtMost]),
            stored(Effort::Exact, &[Exact, Exact]),
        ];
        for entry in &ranks {
            store.put(Position::START, entry.clone());
            assert_eq!(store.get(Position::START).as_ref(), Some(entry));
        }
        let best = ranks.pop();
        for entry in ranks {
            store.put(Position::START, entry);
            assert_eq!(store.get(Position::START), best);
        }
        assert_eq!(store.len(), 1);
    }

    #[test]
    fn of_the_same_depth_the_value_of_more_confidence_stays() {
        let searched = |confidence| {
            let mut stored = stored(Effort::Depth(9), &[Bound::Exact, Bound::Exact]);
            for value in &mut stored.moves {
                value.source = Source::Depth {
                    depth: 9,
                    confidence,
                };
            }
            stored
        };
        let mut store = MemoryStore::default();
        for (confidence, expected) in [(79, 79), (95, 95), (79, 95), (99, 99)] {
            store.put(Position::START, searched(confidence));
            assert_eq!(store.get(Position::START), Some(searched(expected)));
        }
    }

    #[test]
    fn values_are_only_found_where_no_move_has_a_bound() {
        use Bound::{AtMost, Exact};
        let mut store = MemoryStore::default();
        keep(
            &mut store,
            Position::START,
            &stored(Effort::Exact, &[Exact, AtMost]),
        );
        assert_eq!(look_up_values(&mut store, Position::START), None);
        keep(
            &mut store,
            Position::START,
            &stored(Effort::Exact, &[Exact, Exact]),
        );
        assert!(look_up_values(&mut store, Position::START).is_some());
    }

    #[test]
    fn moves_and_lines_are_found_however_the_position_is_turned() {
        let after = Position::START.play_unchecked(Square::F5);
        let known = stored(Effort::Depth(2), &[Bound::Exact]);
        for symmetry in Symmetry::ALL {
            let mut store = MemoryStore::default();
            keep(
                &mut store,
                symmetry.position(after),
                &known.turned(symmetry),
            );
            assert_eq!(
                look_up(&mut store, after),
                Some(known.clone()),
                "{symmetry:?}"
            );
        }
    }
}
