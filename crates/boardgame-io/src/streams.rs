//! The standard streams of a child program.
//!
//! On Unix they are sockets: on Linux a process can open the pipes of its user's other processes by names such
//! as `/proc/PID/fd/1`, and so could answer in place of its opponent.

use std::{fmt, io, pin::Pin};

use process_wrap::tokio::ChildWrapper;
use tokio::{
    io::{AsyncRead, AsyncWrite},
    process::Command,
};

/// A stream that a program writes to.
pub(crate) type Output = Pin<Box<dyn AsyncRead + Send>>;

/// This side's ends of a program's standard streams.
pub(crate) struct Streams {
    pub(crate) stdin: Pin<Box<dyn AsyncWrite + Send>>,
    pub(crate) stdout: Output,
    pub(crate) stderr: Output,
}

impl fmt::Debug for Streams {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Streams").finish_non_exhaustive()
    }
}

/// The streams of a program that is about to start.
#[derive(Debug)]
pub(crate) struct Connected(#[cfg(unix)] Streams);

#[cfg(unix)]
impl Connected {
    /// Connects the standard streams of a program.
    ///
    /// # Errors
    ///
    /// When the system allows no more streams.
    pub(crate) fn new(command: &mut Command) -> io::Result<Self> {
        use std::{
            net::Shutdown,
            os::{fd::OwnedFd, unix::net::UnixStream},
            process::Stdio,
        };

        // A one-way pair, like a pipe.
        let pair = |unused| {
            let (here, there) = UnixStream::pair()?;
            here.shutdown(unused)?;
            here.set_nonblocking(true)?;
            let here = tokio::net::UnixStream::from_std(here)?;
            io::Result::Ok((here, Stdio::from(OwnedFd::from(there))))
        };
        let (stdin, from) = pair(Shutdown::Read)?;
        let (stdout, to) = pair(Shutdown::Write)?;
        let (stderr, error) = pair(Shutdown::Write)?;
        command.stdin(from).stdout(to).stderr(error);
        Ok(Self(Streams {
            stdin: Box::pin(stdin),
            stdout: Box::pin(stdout),
            stderr: Box::pin(stderr),
        }))
    }

    /// The streams of the program that was started.
    #[allow(clippy::unnecessary_wraps)] // As elsewhere.
    pub(crate) fn streams(self, _child: &mut dyn ChildWrapper) -> io::Result<Streams> {
        Ok(self.0)
    }
}

#[cfg(not(unix))]
impl Connected {
    pub(crate) fn new(command: &mut Command) -> io::Result<Self> {
        use std::process::Stdio;

        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        command.stderr(Stdio::piped());
        Ok(Self())
    }

    pub(crate) fn streams(self, child: &mut dyn ChildWrapper) -> io::Result<Streams> {
        let missing = || io::Error::other("a pipe is missing");
        Ok(Streams {
            stdin: Box::pin(child.stdin().take().ok_or_else(missing)?),
            stdout: Box::pin(child.stdout().take().ok_or_else(missing)?),
            stderr: Box::pin(child.stderr().take().ok_or_else(missing)?),
        })
    }
}
