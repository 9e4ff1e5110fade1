//! A pair of byte streams with buffers.

use std::{
    fmt,
    future::poll_fn,
    io::{self, ErrorKind},
    ops::Range,
    pin::Pin,
    task::{Context, Poll, ready},
    time::Duration,
};

use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    time::timeout,
};

/// The maximum number of bytes that one [`Connection::read`] returns.
pub const MAX_INPUT: usize = 8 * 1024;

/// The maximum number of bytes that wait to be sent, which bounds the memory for a peer that does not read.
pub const MAX_OUTPUT: usize = 64 * 1024;

/// A connection to the other side: a reader, a writer, and a capped buffer for each.
///
/// Every method is cancel-safe: input not yet returned and output not yet written stay in the buffers.
/// [`read`](Self::read) also writes pending output, so one call in a `select!` serves both directions, and
/// neither can block the other.
///
/// # Examples
///
/// ```
/// use boardgame_io::Connection;
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> std::io::Result<()> {
/// let (near, far) = tokio::io::duplex(64);
/// let (mut near, mut far) = (Connection::from_stream(near), Connection::from_stream(far));
/// near.queue(b"hello\n")?;
/// near.flush().await?;
/// assert_eq!(far.read().await?, Some(&b"hello\n"[..]));
/// near.shutdown().await?;
/// assert_eq!(far.read().await?, None);
/// # Ok(())
/// # }
/// ```
pub struct Connection<R, W> {
    reader: R,
    input: Box<[u8]>,
    /// The part of `input` not yet returned.
    unread: Range<usize>,
    ended: bool,
    writer: W,
    output: Vec<u8>,
    /// The number of written bytes of `output`.
    written: usize,
    flushed: bool,
    output_state: OutputState,
    lingers: bool,
}

/// The state of the write side.
#[derive(Clone, Copy, Debug)]
enum OutputState {
    Open,
    /// Half-closed by this side.
    Shut,
    Failed(ErrorKind),
}

impl<R, W> Connection<R, W>
where
    R: AsyncRead + Unpin,
    W: AsyncWrite + Unpin,
{
    /// A connection that reads from `reader` and writes to `writer`.
    pub fn new(reader: R, writer: W) -> Self {
        Self {
            reader,
            input: vec![0; MAX_INPUT].into(),
            unread: 0..0,
            ended: false,
            writer,
            output: Vec::new(),
            written: 0,
            flushed: true,
            output_state: OutputState::Open,
            lingers: false,
        }
    }

    /// Returns the connection in lingering mode: [`close`](Self::close) ends it only after the other side
    /// has closed too. For sockets: one dropped with unread input sends a reset, which can overtake earlier
    /// output.
    #[must_use]
    pub fn lingering(mut self) -> Self {
        self.lingers = true;
        self
    }

    /// Returns the next input, at most [`MAX_INPUT`] bytes, or `None` after its end.
    ///
    /// Writes pending output meanwhile.
    ///
    /// # Errors
    ///
    /// When reading fails; or when writing has failed and no input is at hand, so that the last input of
    /// the other side is still read.
    pub async fn read(&mut self) -> io::Result<Option<&[u8]>> {
        if !self.readable().await? {
            return Ok(None);
        }
        Ok(Some(self.take_input()))
    }

    /// Waits for input without taking it: `true` when there is some, `false` after its end.
    ///
    /// # Errors
    ///
    /// Those of [`read`](Self::read).
    pub async fn readable(&mut self) -> io::Result<bool> {
        poll_fn(|cx| self.poll_readable(cx)).await
    }

    /// Takes the input that [`readable`](Self::readable) waited for, otherwise returns an empty slice.
    pub fn take_input(&mut self) -> &[u8] {
        let unread = std::mem::replace(&mut self.unread, 0..0);
        &self.input[unread]
    }

    /// Queues bytes to be sent by [`read`](Self::read) and [`flush`](Self::flush).
    ///
    /// # Errors
    ///
    /// When writing has failed or this side has closed; [`ErrorKind::StorageFull`] when more than
    /// [`MAX_OUTPUT`] bytes would wait. None of `bytes` is queued then.
    pub fn queue(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.check_output()?;
        if self.unsent() + bytes.len() > MAX_OUTPUT {
            return Err(ErrorKind::StorageFull.into());
        }
        self.output.drain(..self.written);
        self.written = 0;
        self.output.extend_from_slice(bytes);
        Ok(())
    }

    /// Returns the number of bytes that wait to be sent.
    pub fn unsent(&self) -> usize {
        self.output.len() - self.written
    }

    /// Waits until everything queued is written and flushed.
    ///
    /// It does not read: a peer that reads only after it has written needs [`read`](Self::read).
    ///
    /// # Errors
    ///
    /// When writing fails or has failed.
    pub async fn flush(&mut self) -> io::Result<()> {
        poll_fn(|cx| self.poll_transmit(cx)).await
    }

    /// Writes as much as possible without waiting. The next [`queue`](Self::queue) or [`read`](Self::read)
    /// reports a failure.
    pub async fn write_ready(&mut self) {
        poll_fn(|cx| {
            let _ = self.poll_transmit(cx);
            Poll::Ready(())
        })
        .await;
    }

    /// Waits until at most `count` bytes wait to be sent.
    ///
    /// # Errors
    ///
    /// When writing fails or has failed.
    pub async fn unsent_at_most(&mut self, count: usize) -> io::Result<()> {
        poll_fn(|cx| match self.poll_transmit(cx) {
            Poll::Pending if self.unsent() <= count => Poll::Ready(Ok(())),
            result => result,
        })
        .await
    }

    /// Queues the bytes and waits until they are written and flushed.
    ///
    /// When the future is dropped before, the bytes stay queued.
    ///
    /// # Errors
    ///
    /// Those of [`queue`](Self::queue) and [`flush`](Self::flush).
    pub async fn send(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.queue(bytes)?;
        self.flush().await
    }

    /// Delivers queued bytes, then closes the write side: the other side sees the end of input.
    ///
    /// # Errors
    ///
    /// When writing fails or has failed.
    pub async fn shutdown(&mut self) -> io::Result<()> {
        poll_fn(|cx| self.poll_shutdown(cx)).await
    }

    /// Delivers queued bytes and closes, dropping input meanwhile, so that a peer that writes before it
    /// reads is no obstacle.
    ///
    /// A [lingering](Self::lingering) connection then waits for the other side to close as well. All this
    /// takes at most `limit`.
    ///
    /// # Errors
    ///
    /// When bytes could not be delivered; [`ErrorKind::TimedOut`] if not in time. A peer that does not
    /// close in time is no error.
    pub async fn close(mut self, limit: Duration) -> io::Result<()> {
        let mut delivered = None;
        let closing = poll_fn(|cx| {
            let drained = self.poll_drain(cx).is_ready();
            if delivered.is_none()
                && let Poll::Ready(result) = self.poll_shutdown(cx)
            {
                delivered = Some(result);
            }
            match &delivered {
                Some(Ok(())) if self.lingers && !drained => Poll::Pending,
                Some(_) => Poll::Ready(()),
                None => Poll::Pending,
            }
        });
        // `delivered` shows whether it took too long.
        let _ = timeout(limit, closing).await;
        delivered.unwrap_or_else(|| Err(ErrorKind::TimedOut.into()))
    }

    /// Returns the reader and the writer; buffered input and output are lost.
    pub fn into_parts(self) -> (R, W) {
        (self.reader, self.writer)
    }

    fn check_output(&self) -> io::Result<()> {
        match self.output_state {
            OutputState::Open => Ok(()),
            OutputState::Shut => Err(ErrorKind::NotConnected.into()),
            OutputState::Failed(kind) => Err(kind.into()),
        }
    }

    fn poll_readable(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<bool>> {
        let _ = self.poll_transmit(cx);
        if !self.unread.is_empty() {
            return Poll::Ready(Ok(true));
        }
        if self.ended {
            return Poll::Ready(Ok(false));
        }
        let mut buffer = ReadBuf::new(&mut self.input);
        match Pin::new(&mut self.reader).poll_read(cx, &mut buffer) {
            Poll::Ready(Ok(())) => {
                self.unread = 0..buffer.filled().len();
                self.ended = self.unread.is_empty();
                Poll::Ready(Ok(!self.ended))
            }
            Poll::Ready(Err(error)) => Poll::Ready(Err(error)),
            Poll::Pending => match self.output_state {
                OutputState::Failed(kind) => Poll::Ready(Err(kind.into())),
                OutputState::Open | OutputState::Shut => Poll::Pending,
            },
        }
    }

    /// Writes queued bytes. A failure is remembered, since it may happen during a read.
    fn poll_transmit(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        if let OutputState::Failed(kind) = self.output_state {
            return Poll::Ready(Err(kind.into()));
        }
        let result = ready!(self.poll_write_and_flush(cx));
        if let Err(error) = &result {
            self.output_state = OutputState::Failed(error.kind());
        }
        Poll::Ready(result)
    }

    fn poll_write_and_flush(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        while self.unsent() > 0 {
            let unsent = &self.output[self.written..];
            match ready!(Pin::new(&mut self.writer).poll_write(cx, unsent))? {
                0 => return Poll::Ready(Err(ErrorKind::WriteZero.into())),
                written => self.written += written,
            }
            self.flushed = false;
        }
        self.output.clear();
        self.written = 0;
        if !self.flushed {
            ready!(Pin::new(&mut self.writer).poll_flush(cx))?;
            self.flushed = true;
        }
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        if let OutputState::Shut = self.output_state {
            return Poll::Ready(Ok(()));
        }
        ready!(self.poll_transmit(cx))?;
        let result = match ready!(Pin::new(&mut self.writer).poll_shutdown(cx)) {
            // The other side has closed both directions: everything is written, nothing to close.
            Err(error) if is_disconnect(error.kind()) => Ok(()),
            result => result,
        };
        self.output_state = match &result {
            Ok(()) => OutputState::Shut,
            Err(error) => OutputState::Failed(error.kind()),
        };
        Poll::Ready(result)
    }

    /// Drops input until its end or an error.
    fn poll_drain(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        while let Ok(true) = ready!(self.poll_readable(cx)) {
            self.unread = 0..0;
        }
        Poll::Ready(())
    }
}

/// Returns true if an error means that the other side is gone.
pub fn is_disconnect(kind: ErrorKind) -> bool {
    matches!(
        kind,
        ErrorKind::BrokenPipe
            | ErrorKind::ConnectionAborted
            | ErrorKind::ConnectionReset
            | ErrorKind::NotConnected
    )
}

/// A connection over streams of any type.
pub type BoxedConnection =
    Connection<Box<dyn AsyncRead + Send + Unpin>, Box<dyn AsyncWrite + Send + Unpin>>;

impl<R, W> Connection<R, W>
where
    R: AsyncRead + Send + Unpin + 'static,
    W: AsyncWrite + Send + Unpin + 'static,
{
    /// Returns the same connection and buffers, without the types of the streams.
    pub fn boxed(self) -> BoxedConnection {
        Connection {
            reader: Box::new(self.reader),
            input: self.input,
            unread: self.unread,
            ended: self.ended,
            writer: Box::new(self.writer),
            output: self.output,
            written: self.written,
            flushed: self.flushed,
            output_state: self.output_state,
            lingers: self.lingers,
        }
    }
}

impl<R, W> fmt::Debug for Connection<R, W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Connection")
            .field("unread", &self.unread.len())
            .field("ended", &self.ended)
            .field("unsent", &(self.output.len() - self.written))
            .field("output_state", &self.output_state)
            .finish_non_exhaustive()
    }
}
