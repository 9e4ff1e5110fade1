//! Connections over standard streams, sockets and other byte streams.

use tokio::{
    io::{AsyncRead, AsyncWrite, ReadHalf, WriteHalf},
    net::{
        TcpStream,
        tcp::{OwnedReadHalf, OwnedWriteHalf},
    },
};

// Elsewhere no system call reports whether reading standard input would block.
#[cfg(not(target_os = "linux"))]
use tokio::io::{Stdin, Stdout, stdin, stdout};

use crate::Connection;
#[cfg(target_os = "linux")]
use crate::standard::{Stdin, Stdout, stdin, stdout};

/// A connection over TCP.
pub type TcpConnection = Connection<OwnedReadHalf, OwnedWriteHalf>;

/// A connection over this process's standard input and output.
pub type StdioConnection = Connection<Stdin, Stdout>;

/// Returns the connection over this process's standard input and output.
///
/// Except on Linux, waiting for standard input occupies a thread that cannot be interrupted, and dropping a tokio
/// runtime waits for it. A program that may exit before its input ends must call [`std::process::exit`], or end its
/// runtime with [`shutdown_background`](tokio::runtime::Runtime::shutdown_background). A session's output is
/// delivered once [`Connection::close`] returns. Standard output stays open until the process ends.
pub fn stdio() -> StdioConnection {
    Connection::new(stdin(), stdout())
}

impl TcpConnection {
    /// Returns the connection over a socket, [lingering](Connection::lingering).
    ///
    /// Small messages are sent at once (`TCP_NODELAY`).
    pub fn from_tcp(stream: TcpStream) -> Self {
        if let Err(error) = stream.set_nodelay(true) {
            tracing::debug!(%error, "the socket keeps delaying small messages");
        }
        let (reader, writer) = stream.into_split();
        Self::new(reader, writer).lingering()
    }
}

impl<S: AsyncRead + AsyncWrite> Connection<ReadHalf<S>, WriteHalf<S>> {
    /// Returns the connection over a two-way stream, such as [`tokio::io::duplex`]'s.
    pub fn from_stream(stream: S) -> Self
    where
        S: Unpin,
    {
        let (reader, writer) = tokio::io::split(stream);
        Self::new(reader, writer)
    }
}
