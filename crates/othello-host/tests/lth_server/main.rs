//! The LTH server over loopback sockets.

mod course;
mod crash;
mod games;
mod limits;
mod shutdown;
mod support;
