//! Nothing but a graph without std; see Cargo.toml.
#![no_std]

use go_core as _;
use go_proto as _;
use othello_core as _;
use othello_proto as _;

#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    loop {}
}
