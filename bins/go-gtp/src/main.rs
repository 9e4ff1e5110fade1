//! Plays Go as a GTP engine over stdin and stdout, for GoGui, kgsGtp and match tools.
#![forbid(unsafe_code)]

use go_cli::{gtp, start};

fn main() {
    start(gtp::PROGRAM, gtp::run)
}
