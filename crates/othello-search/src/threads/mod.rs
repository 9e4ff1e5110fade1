//! Several threads at one search.
//!
//! The work is split where it is known to be work: at a node whose first move did not cut, the other
//! moves will most likely all have to be searched with null windows, and idle threads take them one
//! by one (the young brothers wait concept: R. Feldmann, "Game Tree Search on
//! Massively Parallel Systems", 1993). A thread that has no more moves to take at a node of its own
//! helps those who still search there, below them (the helpful master), and so on down the tree.
//!
//! | module | topic |
//! |---|---|
//! | `team` | the states of the threads and the open splits |
//! | `split` | a node whose moves several threads search |
//!
//! The threads are created with the searcher and wait for its whole life; with one thread there is
//! no team, and none of this code runs. `sharing` has the work of a thread at splits, `pool` the threads.

mod split;
mod team;

#[cfg(test)]
pub(crate) mod tests;

pub(crate) use split::{Best, Pending, Place, Split, SplitMove, Task, locked};
pub(crate) use team::{Order, Team};
