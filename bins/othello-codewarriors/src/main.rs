//! Plays Othello for a Code Warriors judge over stdin and stdout.
#![forbid(unsafe_code)]

use othello_cli::{codewarriors, start};

fn main() {
    start(codewarriors::PROGRAM, codewarriors::run)
}
