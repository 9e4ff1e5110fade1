//! Plays Othello for a Sloan (IAGO) referee over stdin and stdout.
#![forbid(unsafe_code)]

use othello_cli::{sloan, start};

fn main() {
    start(sloan::PROGRAM, sloan::run)
}
