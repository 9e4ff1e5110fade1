//! Standard streams that report at once whether they would block, without threads.
//!
//! Tokio reads standard input and writes standard output on other threads: no input is available until such a
//! thread has run, so a look at a deadline may miss input that came long before; each message waits for a
//! processor twice more; and a process that cannot start threads panics. Here the polling task asks the system
//! whether a stream is ready, and reads or writes itself.

use std::{
    io,
    os::fd::{AsFd, AsRawFd},
    pin::Pin,
    task::{Context, Poll, ready},
};

use nix::{
    errno::Errno,
    poll::{PollFd, PollFlags, PollTimeout, poll},
    unistd::{read, write},
};
use tokio::{
    io::{AsyncRead, AsyncWrite, Interest, ReadBuf, unix::AsyncFd},
    task::coop::poll_proceed,
};

/// The number of bytes that a writable pipe takes without blocking: one page.
const MAX_WRITE: usize = 4096;

/// This process's standard input, without a buffer.
#[derive(Debug, Default)]
pub struct Stdin {
    registered: Option<AsyncFd<io::Stdin>>,
}

/// This process's standard output, without a buffer.
#[derive(Debug, Default)]
pub struct Stdout {
    registered: Option<AsyncFd<io::Stdout>>,
}

pub(crate) fn stdin() -> Stdin {
    Stdin::default()
}

pub(crate) fn stdout() -> Stdout {
    Stdout::default()
}

impl AsyncRead for Stdin {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        // Endless input must leave time for timers and signals.
        let budget = ready!(poll_proceed(cx));
        ready!(poll_ready(
            &mut self.registered,
            io::stdin,
            PollFlags::POLLIN,
            cx
        ))?;
        let count = retry(|| read(io::stdin(), buffer.initialize_unfilled()))?;
        buffer.advance(count);
        budget.made_progress();
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for Stdout {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        ready!(poll_ready(
            &mut self.registered,
            io::stdout,
            PollFlags::POLLOUT,
            cx
        ))?;
        let bytes = &bytes[..bytes.len().min(MAX_WRITE)];
        Poll::Ready(retry(|| write(io::stdout(), bytes)))
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}

/// Waits until a stream is ready. One that the runtime cannot watch, such as a file, always is.
fn poll_ready<S: AsFd + AsRawFd>(
    registered: &mut Option<AsyncFd<S>>,
    stream: fn() -> S,
    flag: PollFlags,
    cx: &mut Context<'_>,
) -> Poll<io::Result<()>> {
    let reads = flag == PollFlags::POLLIN;
    let interest = if reads {
        Interest::READABLE
    } else {
        Interest::WRITABLE
    };
    while !is_ready(&stream(), flag, PollTimeout::ZERO)? {
        let watched = if let Some(watched) = registered {
            watched
        } else {
            // Its successor is unsafe, since a descriptor might be closed; a standard stream never is.
            #[expect(deprecated)]
            let watched = AsyncFd::with_interest(stream(), interest)?;
            registered.insert(watched)
        };
        let mut guard = ready!(if reads {
            watched.poll_read_ready(cx)
        } else {
            watched.poll_write_ready(cx)
        })?;
        // The runtime's information may be outdated.
        if !is_ready(&stream(), flag, PollTimeout::ZERO)? {
            guard.clear_ready();
        }
    }
    Poll::Ready(Ok(()))
}

/// Waits until a read or a write would not block: for input, room, the other side's end, or an error.
pub(crate) fn is_ready(
    stream: &impl AsFd,
    flag: PollFlags,
    timeout: PollTimeout,
) -> io::Result<bool> {
    let mut watched = [PollFd::new(stream.as_fd(), flag)];
    let count = retry(|| poll(&mut watched, timeout))?;
    Ok(count > 0)
}

/// Repeats a system call that a signal interrupted.
pub(crate) fn retry<T>(mut call: impl FnMut() -> nix::Result<T>) -> io::Result<T> {
    loop {
        match call() {
            Err(Errno::EINTR) => {}
            result => return Ok(result?),
        }
    }
}
