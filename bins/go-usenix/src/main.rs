//! Plays Go for a referee of the USENIX Computer Go Tournament over stdin and stdout.
#![forbid(unsafe_code)]

use go_cli::usenix;

fn main() {
    usenix::start()
}
