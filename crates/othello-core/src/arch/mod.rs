//! Legal moves and flips, once for each instruction set, behind one interface.

pub(crate) mod portable;
