//! The expected type of a node of a null-window search, after Knuth and Moore ("An analysis of
//! alpha-beta pruning", Artificial Intelligence 6, 1975).

/// The expected result of a null-window search.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum NodeType {
    /// A move whose value is above the bound exists.
    Cut,
    /// No value of a move is above the bound.
    All,
}

impl NodeType {
    /// Returns the type of the children of a node of this type.
    pub(crate) fn of_child(self) -> Self {
        match self {
            Self::Cut => Self::All,
            Self::All => Self::Cut,
        }
    }
}
