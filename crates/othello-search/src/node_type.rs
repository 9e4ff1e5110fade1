//! The expected type of a node of a null-window search, after Knuth and Moore ("An analysis of
//! alpha-beta pruning", Artificial Intelligence 6, 1975).

/// The expected result of a null-window search.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum NodeType {
    /// Some move has a value above the bound.
    Cut,
    /// No move has a value above the bound.
    All,
}

impl NodeType {
    /// The expected type of the children.
    pub(crate) fn of_child(self) -> Self {
        match self {
            Self::Cut => Self::All,
            Self::All => Self::Cut,
        }
    }
}
