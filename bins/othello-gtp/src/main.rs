//! Plays Othello as a GTP engine over stdin and stdout, for GoGui, Quarry and match tools.
#![forbid(unsafe_code)]

use othello_cli::{gtp, start};

fn main() {
    start(gtp::PROGRAM, gtp::run)
}
