//! Plays Othello for a GUI that starts the player and sends it a board.
#![forbid(unsafe_code)]

use othello_cli::guibot;

fn main() {
    guibot::start()
}
