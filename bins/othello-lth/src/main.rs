//! Plays Othello on an LTH course server over TCP.
#![forbid(unsafe_code)]

use othello_cli::{lth, start};

fn main() {
    start(lth::PROGRAM, lth::run)
}
