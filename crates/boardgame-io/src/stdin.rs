//! Standard input that reports at once whether there is anything to read.
//!
//! Tokio reads standard input on another thread, so that no input is available until that thread has
//! run: a look at the end of a time limit may miss input that came long before. Here a thread only waits
//! for input, and the task that polls reads it.

use std::{
    io,
    os::fd::AsFd as _,
    pin::Pin,
    task::{Context, Poll, ready},
};

use nix::{
    errno::Errno,
    poll::{PollFd, PollFlags, PollTimeout, poll},
    unistd::read,
};
use tokio::{
    io::{AsyncRead, ReadBuf},
    task::{JoinHandle, coop::poll_proceed, spawn_blocking},
};

/// This process's standard input, without a buffer.
#[derive(Debug)]
pub struct Stdin {
    /// Ends when a read would not wait.
    waiting: Option<JoinHandle<io::Result<bool>>>,
}

pub(crate) const fn stdin() -> Stdin {
    Stdin { waiting: None }
}

impl AsyncRead for Stdin {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        // An input that never runs dry must leave time for clocks and signals.
        let budget = ready!(poll_proceed(cx));
        while !is_ready(PollTimeout::ZERO)? {
            let wait = || spawn_blocking(|| is_ready(PollTimeout::NONE));
            let waiting = self.waiting.get_or_insert_with(wait);
            let waited = ready!(Pin::new(waiting).poll(cx));
            self.waiting = None;
            waited??;
        }
        let count = retry(|| read(io::stdin(), buffer.initialize_unfilled()))?;
        buffer.advance(count);
        budget.made_progress();
        Poll::Ready(Ok(()))
    }
}

/// Waits until a read would not wait: for input, its end, or an error.
fn is_ready(timeout: PollTimeout) -> io::Result<bool> {
    let stdin = io::stdin();
    let mut watched = [PollFd::new(stdin.as_fd(), PollFlags::POLLIN)];
    let count = retry(|| poll(&mut watched, timeout))?;
    Ok(count > 0)
}

/// Makes a system call again that a signal has interrupted.
fn retry<T>(mut call: impl FnMut() -> nix::Result<T>) -> io::Result<T> {
    loop {
        match call() {
            Err(Errno::EINTR) => {}
            result => return Ok(result?),
        }
    }
}
