//! The LTH server over loopback sockets.

mod crash;
mod games;
mod limits;
mod shutdown;
mod support;
