//! A stream of bytes to and from one seat, served in the background.
//!
//! The driver of a game never waits for a peer: one task writes queued output, another reads input
//! and hands it over with the time of its arrival.

use std::{
    io,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use tokio::{
    io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt},
    sync::mpsc,
    time::{sleep, timeout},
};

use crate::{AbortOnDrop, ExchangeKind, Trace};

/// The maximum bytes per read.
const CHUNK: usize = 4096;

/// The number of chunks that may wait for the driver before reading pauses.
const MAX_QUEUED_CHUNKS: usize = 16;

/// The time after the end of its input within which a peer writes output that it has not flushed.
const FLUSH_TIME: Duration = Duration::from_millis(500);

/// The number of pieces that bytes are sent in, and the pause after each.
const PIECES: usize = 16;
const PIECE_PAUSE: Duration = Duration::from_millis(1);

/// Options of a [`Link`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkOptions {
    /// The maximum number of bytes that wait for a peer that does not read.
    pub max_pending: usize,
    /// The form in which bytes are sent.
    pub form: SendForm,
    /// The trace of all bytes, if there is to be one.
    pub trace: Option<Trace>,
}

/// The form in which bytes are sent to a peer. Tests of programs change it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SendForm {
    /// Unchanged.
    #[default]
    Plain,
    /// With a carriage return before each newline.
    CrLf,
    /// In up to 16 pieces.
    Pieces,
}

impl Default for LinkOptions {
    /// 256 KiB may wait; bytes are sent unchanged and not traced.
    fn default() -> Self {
        Self {
            max_pending: 256 * 1024,
            form: SendForm::Plain,
            trace: None,
        }
    }
}

/// An event of a link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Incoming {
    /// Bytes, cut anywhere.
    Bytes {
        /// The bytes: never empty.
        bytes: Vec<u8>,
        /// The time when they were read.
        at: Instant,
    },
    /// The end of the peer's output: closed, reset or broken.
    End,
    /// The end of the seat's program, after the end of its output.
    Exited {
        /// True if its exit status was 0.
        success: bool,
    },
}

/// The peer does not read: more bytes than allowed wait for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{pending} bytes wait for a peer that does not read")]
pub struct SendBufferFull {
    /// The number of bytes that would wait.
    pub pending: usize,
}

/// A stream of bytes in both directions, with its tasks.
///
/// Dropping it stops the tasks and closes the stream.
///
/// # Examples
///
/// ```
/// use boardgame_io::{Incoming, Link, LinkOptions};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() {
/// let (here, there) = tokio::io::duplex(64);
/// let mut host = Link::of(here, LinkOptions::default());
/// let mut peer = Link::of(there, LinkOptions::default());
/// host.send(b"go\n").unwrap();
/// let Some(Incoming::Bytes { bytes, .. }) = peer.next().await else {
///     panic!("the bytes arrive");
/// };
/// assert_eq!(bytes, b"go\n");
/// # }
/// ```
#[derive(Debug)]
pub struct Link {
    incoming: mpsc::Receiver<Incoming>,
    outbox: Option<mpsc::UnboundedSender<Vec<u8>>>,
    pending: Arc<AtomicUsize>,
    limit: usize,
    /// The moment at which the peer's input was closed.
    closed: Option<Instant>,
    /// The number of bytes that came right after it.
    flushed: u64,
    /// `None` when a supervisor has it.
    background: Option<AbortOnDrop<()>>,
    writer: AbortOnDrop<()>,
}

/// The reading end of a [`Link`] in the hands of a supervisor.
#[derive(Debug)]
pub(crate) struct LinkReader {
    /// The task that reads.
    pub(crate) reader: AbortOnDrop<()>,
    /// The way to the driver.
    pub(crate) driver: mpsc::Sender<Incoming>,
}

impl Link {
    /// Returns the link over the two halves of a stream.
    ///
    /// # Panics
    ///
    /// Outside a tokio runtime.
    pub fn new<R, W>(reader: R, writer: W, options: LinkOptions) -> Self
    where
        R: AsyncRead + Send + Unpin + 'static,
        W: AsyncWrite + Send + Unpin + 'static,
    {
        let (mut link, feed) = Self::supervised(reader, writer, options);
        link.background = Some(feed.reader);
        link
    }

    /// Returns a link whose reading end belongs to a supervisor.
    pub(crate) fn supervised<R, W>(reader: R, writer: W, options: LinkOptions) -> (Self, LinkReader)
    where
        R: AsyncRead + Send + Unpin + 'static,
        W: AsyncWrite + Send + Unpin + 'static,
    {
        let (driver, incoming) = mpsc::channel(MAX_QUEUED_CHUNKS);
        let (outbox, queue) = mpsc::unbounded_channel();
        let pending = Arc::new(AtomicUsize::new(0));
        let reader = AbortOnDrop(tokio::spawn(read(
            reader,
            driver.clone(),
            options.trace.clone(),
        )));
        let limit = options.max_pending;
        let write = write(writer, queue, Arc::clone(&pending), options);
        let link = Self {
            incoming,
            outbox: Some(outbox),
            pending,
            limit,
            closed: None,
            flushed: 0,
            background: None,
            writer: AbortOnDrop(tokio::spawn(write)),
        };
        (link, LinkReader { reader, driver })
    }

    /// Returns the link over a stream of both directions.
    ///
    /// # Panics
    ///
    /// Outside a tokio runtime.
    pub fn of<S>(stream: S, options: LinkOptions) -> Self
    where
        S: AsyncRead + AsyncWrite + Send + 'static,
    {
        let (reader, writer) = tokio::io::split(stream);
        Self::new(reader, writer, options)
    }

    /// Queues bytes for the peer; after [`hang_up`](Self::hang_up) they are dropped.
    ///
    /// # Errors
    ///
    /// When more bytes would wait than [`LinkOptions::max_pending`] allows; these are not sent.
    pub fn send(&mut self, bytes: &[u8]) -> Result<(), SendBufferFull> {
        let Some(outbox) = &self.outbox else {
            return Ok(());
        };
        let pending = self.pending.load(Ordering::Relaxed) + bytes.len();
        if pending > self.limit {
            return Err(SendBufferFull { pending });
        }
        self.pending.fetch_add(bytes.len(), Ordering::Relaxed);
        if outbox.send(bytes.to_vec()).is_err() {
            // The peer closed its side: the driver learns that from the end of its output.
            self.outbox = None;
        }
        Ok(())
    }

    /// Closes the peer's input, once all output is delivered.
    pub fn hang_up(&mut self) {
        self.outbox = None;
        self.closed.get_or_insert_with(Instant::now);
    }

    /// Returns the next event of the peer. Cancel-safe.
    ///
    /// `None` when nothing can come any more.
    pub async fn next(&mut self) -> Option<Incoming> {
        let incoming = self.incoming.recv().await;
        self.count(incoming.as_ref());
        incoming
    }

    /// Counts the bytes that come right after the end of the peer's input.
    fn count(&mut self, incoming: Option<&Incoming>) {
        if let (Some(closed), Some(Incoming::Bytes { bytes, at })) = (self.closed, incoming)
            && at.saturating_duration_since(closed) < FLUSH_TIME
        {
            self.flushed += bytes.len() as u64;
        }
    }

    /// Returns the number of bytes that came within half a second after the end of the peer's input: a program that
    /// does not flush its output writes it when it ends.
    pub const fn flushed(&self) -> u64 {
        self.flushed
    }

    /// Hangs up, reads on until the peer closes too, and closes the stream, all within `grace`. Returns the number of
    /// bytes that were [flushed](Self::flushed).
    ///
    /// Closing a socket with unread input resets the connection, and the peer may then lose the
    /// last lines sent to it.
    pub async fn close(mut self, grace: Duration) -> u64 {
        self.hang_up();
        let both = async {
            let (mut written, mut ended) = (false, false);
            while !(written && ended) {
                tokio::select! {
                    incoming = self.incoming.recv(), if !ended => {
                        self.count(incoming.as_ref());
                        ended = matches!(incoming, None | Some(Incoming::End));
                    }
                    _ = &mut self.writer.0, if !written => written = true,
                }
            }
        };
        // A peer that takes longer is cut off.
        let _ = timeout(grace, both).await;
        self.flushed
    }
}

async fn read(
    mut stream: impl AsyncRead + Unpin,
    sender: mpsc::Sender<Incoming>,
    trace: Option<Trace>,
) {
    let mut chunk = vec![0; CHUNK];
    loop {
        let message = match stream.read(&mut chunk).await {
            // A reset is the end of input like any other.
            Ok(0) | Err(_) => Incoming::End,
            Ok(count) => {
                if let Some(trace) = &trace {
                    trace.record(ExchangeKind::Received, &chunk[..count]);
                }
                Incoming::Bytes {
                    bytes: chunk[..count].to_vec(),
                    at: Instant::now(),
                }
            }
        };
        let last = message == Incoming::End;
        if sender.send(message).await.is_err() || last {
            return;
        }
    }
}

async fn write(
    mut stream: impl AsyncWrite + Unpin,
    mut queue: mpsc::UnboundedReceiver<Vec<u8>>,
    pending: Arc<AtomicUsize>,
    options: LinkOptions,
) {
    while let Some(bytes) = queue.recv().await {
        if let Some(trace) = &options.trace {
            trace.record(ExchangeKind::Sent, &bytes);
        }
        if send(&mut stream, &bytes, options.form).await.is_err() {
            return;
        }
        pending.fetch_sub(bytes.len(), Ordering::Relaxed);
    }
    if let Some(trace) = &options.trace {
        trace.record(ExchangeKind::Closed, b"");
    }
    // The peer may have left already.
    let _ = stream.shutdown().await;
}

async fn send(
    stream: &mut (impl AsyncWrite + Unpin),
    bytes: &[u8],
    form: SendForm,
) -> io::Result<()> {
    match form {
        SendForm::Plain => stream.write_all(bytes).await?,
        SendForm::CrLf => {
            for line in bytes.split_inclusive(|&byte| byte == b'\n') {
                match line.strip_suffix(b"\n") {
                    Some(line) => stream.write_all(&[line, b"\r\n"].concat()).await?,
                    None => stream.write_all(line).await?,
                }
            }
        }
        SendForm::Pieces => {
            for piece in bytes.chunks(bytes.len().div_ceil(PIECES).max(1)) {
                stream.write_all(piece).await?;
                stream.flush().await?;
                sleep(PIECE_PAUSE).await;
            }
        }
    }
    stream.flush().await
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::io::duplex;

    async fn collect(link: &mut Link) -> Vec<u8> {
        let mut all = Vec::new();
        while let Some(Incoming::Bytes { bytes, .. }) = link.next().await {
            all.extend(bytes);
        }
        all
    }

    #[tokio::test]
    async fn what_was_sent_before_hanging_up_is_delivered() {
        let (here, there) = duplex(3);
        let mut host = Link::of(here, LinkOptions::default());
        let mut peer = Link::of(there, LinkOptions::default());
        host.send(b"one\ntwo\n").unwrap();
        host.send(b"three\n").unwrap();
        host.hang_up();
        host.send(b"never\n").unwrap();
        assert_eq!(collect(&mut peer).await, b"one\ntwo\nthree\n");
    }

    #[tokio::test]
    async fn a_peer_that_does_not_read_is_noticed() {
        let (here, _there) = duplex(1);
        let options = LinkOptions {
            max_pending: 10,
            ..LinkOptions::default()
        };
        let mut link = Link::of(here, options);
        link.send(b"12345678").unwrap();
        assert_eq!(link.send(b"901"), Err(SendBufferFull { pending: 11 }));
        link.send(b"90").unwrap();
    }

    #[tokio::test]
    async fn bytes_are_traced_and_sent_in_the_form_asked_for() {
        for (form, received) in [(SendForm::CrLf, "a\r\nb"), (SendForm::Pieces, "a\nb")] {
            let trace = Trace::default();
            let options = LinkOptions {
                form,
                trace: Some(trace.clone()),
                ..LinkOptions::default()
            };
            let (here, there) = duplex(64);
            let mut host = Link::of(here, options);
            let mut peer = Link::of(there, LinkOptions::default());
            host.send(b"a\nb").unwrap();
            host.hang_up();
            assert_eq!(collect(&mut peer).await, received.as_bytes());
            let traced = trace.take().into_iter();
            let traced: Vec<_> = traced.map(|it| (it.kind, it.bytes)).collect();
            let expected = [
                (ExchangeKind::Sent, b"a\nb".to_vec()),
                (ExchangeKind::Closed, Vec::new()),
            ];
            assert_eq!(traced, expected);
        }
    }

    #[tokio::test]
    async fn closing_delivers_the_last_lines_and_takes_the_peers() {
        let (here, there) = duplex(4);
        let mut host = Link::of(here, LinkOptions::default());
        let mut peer = Link::of(there, LinkOptions::default());
        host.send(b"The game is finished\n").unwrap();
        peer.send(b"too late to be read\n").unwrap();
        let peer = tokio::spawn(async move {
            let all = collect(&mut peer).await;
            drop(peer);
            all
        });
        host.close(Duration::from_secs(20)).await;
        assert_eq!(peer.await.unwrap(), b"The game is finished\n");
    }
}
