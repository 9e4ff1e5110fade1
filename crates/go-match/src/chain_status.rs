//! The status of a chain in a judgement.

use std::fmt;

use go_core::{Board, LifeAndDeath, Point, PointSet};

/// The status of a chain in a judgement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChainStatus {
    /// It is alive.
    Alive,
    /// It is a prisoner.
    Dead,
    /// It lives in seki: its eyes do not count as territory.
    Seki,
}

impl ChainStatus {
    /// All statuses, in the order in which the user interface cycles.
    pub const ALL: [Self; 3] = [Self::Alive, Self::Dead, Self::Seki];

    /// Returns the status of a name, `alive`, `dead` or `seki`.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.name() == name)
    }

    /// Returns the name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Alive => "alive",
            Self::Dead => "dead",
            Self::Seki => "seki",
        }
    }

    /// Returns the next status, in the order of [`Self::ALL`].
    #[must_use]
    pub const fn next(self) -> Self {
        match self {
            Self::Alive => Self::Dead,
            Self::Dead => Self::Seki,
            Self::Seki => Self::Alive,
        }
    }

    /// Returns the status of the stone on a point.
    pub(crate) fn of(status: &LifeAndDeath, point: Point) -> Self {
        if status.dead.contains(point) {
            Self::Dead
        } else if status.seki.contains(point) {
            Self::Seki
        } else {
            Self::Alive
        }
    }

    /// Sets the status of the chain on a point. If a chain leaves a seki, its partners become
    /// alive.
    pub(crate) fn set(self, status: &mut LifeAndDeath, board: &Board, point: Point) {
        let chain: PointSet = board.chain(point).collect();
        if self != Self::Seki && status.seki.contains(point) {
            status.seki = status.seki - seki_of(board, &status.seki, point);
        }
        (status.dead, status.seki) = (status.dead - chain, status.seki - chain);
        status.unsettled = status.unsettled - chain;
        match self {
            Self::Alive => {}
            Self::Dead => status.dead = status.dead | chain,
            Self::Seki => status.seki = status.seki | chain,
        }
    }
}

impl fmt::Display for ChainStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Returns the stones of the seki that a stone is part of: those connected through shared
/// liberties.
fn seki_of(board: &Board, seki: &PointSet, point: Point) -> PointSet {
    let (mut found, mut open) = (PointSet::new(), vec![point]);
    while let Some(stone) = open.pop() {
        if found.contains(stone) {
            continue;
        }
        found.insert(stone);
        open.extend(board.chain(stone));
        for liberty in board.neighbours(stone).filter(|&it| board.is_empty(it)) {
            open.extend(board.neighbours(liberty).filter(|&it| seki.contains(it)));
        }
    }
    found
}
