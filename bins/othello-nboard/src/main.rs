//! Plays Othello for the NBoard front end over stdin and stdout.
#![forbid(unsafe_code)]

use othello_cli::{nboard, start};

fn main() {
    start(nboard::PROGRAM, nboard::run)
}
