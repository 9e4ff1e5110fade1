//! The byte streams that a connection is made of: standard streams, sockets, any stream.

use tokio::{
    io::{AsyncRead, AsyncWrite, ReadHalf, WriteHalf},
    net::{
        TcpStream,
        tcp::{OwnedReadHalf, OwnedWriteHalf},
    },
};

// Elsewhere no system call tells whether a read of any standard input would wait.
#[cfg(not(target_os = "linux"))]
use tokio::io::{Stdin, Stdout, stdin, stdout};

use crate::Connection;
#[cfg(target_os = "linux")]
use crate::standard::{Stdin, Stdout, stdin, stdout};

/// A connection over TCP.
pub type TcpConnection = Connection<OwnedReadHalf, OwnedWriteHalf>;

/// A connection over this process's standard input and output.
pub type StdioConnection = Connection<Stdin, Stdout>;

/// The connection over this process's standard input and output.
///
/// Elsewhere than on Linux, waiting for standard input occupies a thread that cannot be interrupted, and the end of
/// a tokio runtime waits for it. So a program that may leave before its input ends does so by
/// [`std::process::exit`], or ends its runtime by
/// [`shutdown_background`](tokio::runtime::Runtime::shutdown_background); what a session has sent
/// is delivered once [`Connection::close`] returns. Standard output stays open until then: only
/// the end of the process closes it.
pub fn stdio() -> StdioConnection {
    Connection::new(stdin(), stdout())
}

impl TcpConnection {
    /// The connection over a socket, [lingering](Connection::lingering).
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
    /// The connection over a stream of both directions, such as [`tokio::io::duplex`]'s.
    pub fn from_stream(stream: S) -> Self
    where
        S: Unpin,
    {
        let (reader, writer) = tokio::io::split(stream);
        Self::new(reader, writer)
    }
}
