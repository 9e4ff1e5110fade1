//! The driver that connects a session, a connection and a thinker.

use std::{
    future::{pending, ready},
    io::{self, ErrorKind},
    pin::pin,
    time::Duration,
};

use boardgame_session::{
    Timestamp,
    player::{Ending, PlayerAction, PlayerSession, Question},
};
use thiserror::Error;
use tokio::{
    io::{AsyncRead, AsyncWrite},
    task::{coop::consume_budget, yield_now},
    time::{Instant, sleep_until, timeout},
};
use tracing::Instrument as _;

use super::{
    Thinker, ThinkerAnswer, ThinkingThread,
    clock::SessionClock,
    log::{self, Direction, GameSpan, LineLog},
};
use crate::{Connection, MAX_OUTPUT, is_disconnect};

/// Options of [`drive`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DriveOptions {
    /// The format's name, for the log.
    pub format: &'static str,
    /// The time that the other side may be silent while no move is being chosen. `None` sets no limit,
    /// for a program that may wait hours for its next game.
    pub silence: Option<Duration>,
    /// The time that the other side may read nothing while the output buffer is full.
    pub reading: Duration,
    /// The time limit for the delivery of the last bytes.
    pub delivery: Duration,
    /// The origin of the session's timestamps, such as the launch of the process; `None` means the call of
    /// [`drive`]. Timestamps of CPU time count from the launch.
    pub origin: Option<std::time::Instant>,
}

impl Default for DriveOptions {
    /// No name, no limit of silence, 30 s without reading, 2 s for the delivery, the call as the origin.
    fn default() -> Self {
        Self {
            format: "",
            silence: None,
            reading: Duration::from_secs(30),
            delivery: Duration::from_secs(2),
            origin: None,
        }
    }
}

/// The outcome of a session that was driven to its end.
#[derive(Debug)]
pub struct DriveOutcome<S: PlayerSession> {
    /// The ending. [`Ending::CutOff`] is an end of input in the middle of a game.
    pub ending: Ending<S::Question>,
    /// The session, which knows the state of the game.
    pub session: S,
}

/// A session could not be driven to its end.
#[derive(Debug, Error)]
#[non_exhaustive]
#[allow(missing_docs)] // The messages name the fields.
pub enum DriveError {
    /// The other side broke the connection off in the middle of a game.
    #[error("the other side reset the connection")]
    Reset(#[source] io::Error),
    /// The other side stopped talking.
    #[error("nothing came from the other side for {0:?}")]
    Silent(Duration),
    /// The other side does not read what is sent to it.
    #[error("the other side does not read: {waiting} bytes wait to be sent")]
    NotReading { waiting: usize },
    /// The session ended, but its last bytes could not be delivered to a peer that had not closed its
    /// side before.
    #[error("the session ended, but what it sent last was not delivered")]
    Undelivered(#[source] io::Error),
    /// The awaited shutdown came.
    #[error("interrupted")]
    Interrupted,
    /// Reading or writing failed otherwise.
    #[error("the connection failed")]
    Io(#[source] io::Error),
}

impl DriveError {
    pub(super) fn from_io(error: io::Error) -> Self {
        if is_disconnect(error.kind()) {
            Self::Reset(error)
        } else {
            Self::Io(error)
        }
    }
}

/// Drives a player's session to its end.
///
/// The thinker works on a [thread of its own](ThinkingThread); input, output, the session's deadlines and `shutdown`
/// are served meanwhile, and no peer can block one by withholding another. Before this returns, the session's output
/// is delivered and the connection closed, within [`DriveOptions::delivery`].
///
/// Timestamps count the time that the session [measures](PlayerSession::measure). A wait for a deadline of CPU time
/// starts again if the process did not run meanwhile.
///
/// Before the session learns of a passed deadline, a pending answer or input is taken once: it may have come in
/// time, while this process did not run.
///
/// A reset is first taken as the end of input: it is no error if the session has received everything it needs to end
/// properly.
///
/// # Errors
///
/// When the connection fails, the other side falls silent or does not read, or `shutdown` is ready
/// before the session has ended.
pub async fn drive<S, R, W>(
    session: S,
    connection: Connection<R, W>,
    thinker: impl Thinker<S::Question>,
    shutdown: impl Future<Output = ()>,
    options: &DriveOptions,
) -> Result<DriveOutcome<S>, DriveError>
where
    S: PlayerSession,
    R: AsyncRead + Unpin,
    W: AsyncWrite + Unpin,
{
    let thread = ThinkingThread::start(thinker);
    let origin = options.origin.map_or_else(Instant::now, Instant::from_std);
    let clock = SessionClock::new(session.measure(), origin);
    let mut driver = Driver {
        session,
        connection,
        thread,
        clock,
        heard: Instant::now(),
        input: Input::Open,
        overdue: false,
        options,
        span: GameSpan::new(options.format),
        lines: LineLog::default(),
    };
    let mut shutdown = pin!(shutdown);
    let ending = tokio::select! {
        biased;
        () = &mut shutdown => Err(DriveError::Interrupted),
        ending = driver.run() => ending,
    }?;
    driver.lines.finish();
    tokio::select! {
        biased;
        () = &mut shutdown => Err(DriveError::Interrupted),
        outcome = driver.close(ending) => outcome,
    }
}

struct Driver<'a, S: PlayerSession, R, W> {
    session: S,
    connection: Connection<R, W>,
    thread: ThinkingThread<S::Question>,
    /// The clock of the session's timestamps.
    clock: SessionClock,
    /// The time when the other side was last heard or last answered: silence counts from here.
    heard: Instant,
    input: Input,
    /// True once a deadline has passed that the session has not been told of.
    overdue: bool,
    options: &'a DriveOptions,
    span: GameSpan,
    lines: LineLog,
}

/// The state of the input.
#[derive(Debug)]
pub(super) enum Input {
    Open,
    Ended,
    Failed(io::Error),
}

/// An event that a driver waits for.
enum Event<Q: Question> {
    Answer(ThinkerAnswer<Q>),
    Input(io::Result<bool>),
    Deadline,
    Silence(Duration),
}

impl<S, R, W> Driver<'_, S, R, W>
where
    S: PlayerSession,
    R: AsyncRead + Unpin,
    W: AsyncWrite + Unpin,
{
    async fn run(&mut self) -> Result<Ending<S::Question>, DriveError> {
        self.session.start(self.now());
        loop {
            self.span.update(&self.session);
            let span = self.span.current();
            if let Some(ending) = self.act().instrument(span.clone()).await? {
                return self.judge(ending);
            }
            if self.is_over() {
                tracing::warn!("the session does not finish after the end of its input");
                return self.judge(Ending::CutOff);
            }
            // Otherwise endless input would stop the runtime's timers.
            consume_budget().await;
            let event = self.next_event().instrument(span.clone()).await;
            span.in_scope(|| self.take(event))?;
        }
    }

    /// Carries out the actions of the session until there are none.
    ///
    /// Between actions pending output is written and a shutdown is checked for: one input may hold commands that
    /// take long to answer.
    async fn act(&mut self) -> Result<Option<Ending<S::Question>>, DriveError> {
        while let Some(action) = self.session.poll() {
            match action {
                PlayerAction::Send(bytes) => self.send(&bytes).await?,
                PlayerAction::Think(task) => {
                    let started = self.clock.instant(task.clock.started);
                    let started = started.unwrap_or_else(Instant::now);
                    self.thread.think(task, started.into_std());
                }
                PlayerAction::Abandon => self.thread.abandon(),
                PlayerAction::Hurry => self.thread.hurry(),
                PlayerAction::Note(note) => log::note(&note),
                PlayerAction::Finish(ending) => return Ok(Some(ending)),
            }
            yield_now().await;
        }
        Ok(None)
    }

    async fn send(&mut self, bytes: &[u8]) -> Result<(), DriveError> {
        self.lines.add(Direction::Out, bytes);
        for piece in bytes.chunks(MAX_OUTPUT) {
            self.make_room(piece.len()).await?;
            match self.connection.queue(piece) {
                Ok(()) => self.connection.write_ready().await,
                Err(error) if error.kind() == ErrorKind::StorageFull => {
                    return Err(self.not_reading());
                }
                // `read` reports it, once all input is read: it may hold the end of the game.
                Err(error) => tracing::debug!(%error, "not sent"),
            }
        }
        Ok(())
    }

    /// Waits until the buffer has room for a number of bytes, as long as the other side reads.
    ///
    /// No input is taken meanwhile, so that a peer that only writes costs no memory.
    async fn make_room(&mut self, length: usize) -> Result<(), DriveError> {
        let room = MAX_OUTPUT.saturating_sub(length);
        while self.connection.unsent() > room {
            let fewer = self.connection.unsent() - 1;
            let progress = self.connection.unsent_at_most(fewer);
            match timeout(self.options.reading, progress).await {
                Ok(Ok(())) => {}
                // The next output meets the same error.
                Ok(Err(_)) => return Ok(()),
                Err(_) => return Err(self.not_reading()),
            }
        }
        Ok(())
    }

    fn not_reading(&self) -> DriveError {
        DriveError::NotReading {
            waiting: self.connection.unsent(),
        }
    }

    /// Returns the next event; a deadline only after other events that are ready.
    async fn next_event(&mut self) -> Event<S::Question> {
        if std::mem::take(&mut self.overdue) {
            return Event::Deadline;
        }
        let event = self.any_event().await;
        if !matches!(event, Event::Deadline | Event::Silence(_)) {
            return event;
        }
        // Lets the runtime poll sockets and pipes again, which it may not have done for long.
        yield_now().await;
        let Some(earlier) = self.event_at_hand().await else {
            return event;
        };
        self.overdue = matches!(event, Event::Deadline);
        earlier
    }

    /// Returns a pending answer or input.
    async fn event_at_hand(&mut self) -> Option<Event<S::Question>> {
        let open = matches!(self.input, Input::Open);
        tokio::select! {
            biased;
            answer = self.thread.answer() => Some(Event::Answer(answer)),
            input = self.connection.readable(), if open => Some(Event::Input(input)),
            () = ready(()) => None,
        }
    }

    async fn any_event(&mut self) -> Event<S::Question> {
        let deadline = self.session.deadline();
        let deadline = deadline.and_then(|deadline| self.clock.instant(deadline));
        let silence = self.silence_limit();
        let traffic = async {
            match self.input {
                Input::Open => self.connection.readable().await,
                Input::Ended | Input::Failed(_) => match self.connection.flush().await {
                    Ok(()) | Err(_) => pending().await,
                },
            }
        };
        // In random order, so that neither a flood nor a deadline can starve the rest.
        tokio::select! {
            answer = self.thread.answer() => Event::Answer(answer),
            input = traffic => Event::Input(input),
            () = sleep_until_some(deadline) => Event::Deadline,
            limit = silence_after(self.heard, silence) => Event::Silence(limit),
        }
    }

    fn take(&mut self, event: Event<S::Question>) -> Result<(), DriveError> {
        let now = self.now();
        match event {
            Event::Answer(answer) => {
                log_panic(&answer);
                self.heard = Instant::now();
                self.session.decide(answer.decision, now);
            }
            Event::Input(Ok(true)) => {
                self.heard = Instant::now();
                let bytes = self.connection.take_input();
                self.lines.add(Direction::In, bytes);
                self.session.receive(bytes, now);
            }
            Event::Input(Ok(false)) => self.end_input(Input::Ended),
            Event::Input(Err(error)) => self.end_input(Input::Failed(error)),
            Event::Deadline => self.session.tick(now),
            Event::Silence(limit) => return Err(DriveError::Silent(limit)),
        }
        Ok(())
    }

    fn end_input(&mut self, input: Input) {
        tracing::debug!(?input, "the input is at its end");
        self.lines.finish();
        self.input = input;
        self.session.end_of_input(self.now());
    }

    /// Returns true if nothing more can come from the peer, the thinker or the clock.
    fn is_over(&self) -> bool {
        !matches!(self.input, Input::Open)
            && self.thread.open_task().is_none()
            && self.session.deadline().is_none()
    }

    /// A broken connection is an error, unless the session has got all it needs.
    fn judge(&mut self, ending: Ending<S::Question>) -> Result<Ending<S::Question>, DriveError> {
        match (&ending, std::mem::replace(&mut self.input, Input::Ended)) {
            (Ending::CutOff, Input::Failed(error)) => Err(DriveError::from_io(error)),
            (_, input) => {
                self.input = input;
                Ok(ending)
            }
        }
    }

    async fn close(self, ending: Ending<S::Question>) -> Result<DriveOutcome<S>, DriveError> {
        let span = self.span.current();
        let delivered = self
            .connection
            .close(self.options.delivery)
            .instrument(span)
            .await;
        match (delivered, self.input) {
            (Err(error), Input::Open) => Err(DriveError::Undelivered(error)),
            (delivered, _) => {
                if let Err(error) = delivered {
                    tracing::warn!(%error, "the other side left before the last bytes reached it");
                }
                Ok(DriveOutcome {
                    ending,
                    session: self.session,
                })
            }
        }
    }

    /// Returns the limit of the other side's silence while it is its turn.
    fn silence_limit(&self) -> Option<Duration> {
        match self.input {
            Input::Open if self.thread.open_task().is_none() => self.options.silence,
            _ => None,
        }
    }

    fn now(&self) -> Timestamp {
        self.clock.now()
    }
}

/// Logs that an answer is not the thinker's own.
pub(super) fn log_panic<Q: Question>(answer: &ThinkerAnswer<Q>) {
    if let Some(panic) = &answer.panic {
        let answer = &answer.decision.answer;
        tracing::error!(%panic, %answer, "the thinker failed; another answer is given");
    }
}

async fn sleep_until_some(deadline: Option<Instant>) {
    match deadline {
        Some(deadline) => sleep_until(deadline).await,
        None => pending().await,
    }
}

async fn silence_after(heard: Instant, limit: Option<Duration>) -> Duration {
    let end = limit.and_then(|limit| heard.checked_add(limit));
    sleep_until_some(end).await;
    limit.unwrap_or_default()
}
