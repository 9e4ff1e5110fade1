//! Parallel search.
//!
//! Nodes are split where the work is certain: when the first move of a node does not cut, the other moves will most
//! likely all have to be searched with null windows, and idle threads take them one by one (the young brothers wait
//! concept: R. Feldmann, "Game Tree Search on Massively Parallel Systems", 1993). A thread with no more moves to take
//! at its own node helps the threads still searching below that node (the helpful master), and so on down the tree.
//!
//! | module | topic |
//! |---|---|
//! | `team` | the states of the threads and the open splits |
//! | `split` | a node whose moves several threads search |
//!
//! The threads are created with the searcher and live as long as it does; with one thread there is no team, and none of
//! this code runs. `sharing` has the work of a thread at splits, `pool` the threads.

mod split;
mod team;

#[cfg(test)]
pub(crate) mod tests;

pub(crate) use split::{Best, Pending, Place, Split, SplitMove, Task, locked};
pub(crate) use team::{Order, Team};
