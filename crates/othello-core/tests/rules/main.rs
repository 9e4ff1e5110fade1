//! The rules against a naive oracle: every back end, and perft.

mod back_ends;
mod oracle;
mod perft;
