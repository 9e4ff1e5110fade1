//! Plays Go for a referee of the USENIX Computer Go Tournament over stdin and stdout.
#![forbid(unsafe_code)]

use go_cli::{start, usenix};

fn main() {
    start(usenix::PROGRAM, usenix::run)
}
