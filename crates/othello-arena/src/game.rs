//! The one loop that drives a host's session, whatever its format and whoever sits at it.

use std::{
    future::{self, Future},
    pin::{Pin, pin},
    time::{Duration, Instant},
};

use boardgame_io::{Fault, Incoming};
use othello_core::{Color, Game};
use othello_net::Answer;
use othello_proto::session::{HostAction, HostEvent, HostSession, Note, Task, Timestamp, Verdict};
use tokio::time::sleep_until;

use crate::{
    desk::{Desk, FromSeat, Launched},
    report::{GameReport, Outcome, index},
    seat::Seat,
};

/// When the programs of a game are started.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Launch {
    /// Once, right before the session begins.
    #[default]
    AtStart,
    /// Whenever the session asks for it, as formats with a process for each move do.
    OnRequest,
}

/// How a game is driven.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameOptions {
    /// When programs are started.
    pub launch: Launch,
    /// The bytes that may come from a seat between two moves. A seat that sends more is cut off.
    pub turn_bytes: u64,
    /// The bytes that may come from a seat in the whole game. A seat that sends more is cut off.
    pub game_bytes: u64,
    /// The longest that any game may take: a guard for sessions without clocks.
    pub limit: Duration,
    /// The notes kept for the report.
    pub notes: usize,
    /// How long a peer over a stream has to take the last lines.
    pub grace: Duration,
    /// What both peers over streams are sent when the game is called off.
    pub farewell: Vec<u8>,
    /// The moment that the session's timestamps count from; `None` is the start of the game.
    pub origin: Option<Instant>,
}

impl Default for GameOptions {
    /// Programs at the start, 1 MiB a turn and 16 MiB a game, a day a game, 256 notes, 2 s for the last lines, and
    /// no farewell.
    fn default() -> Self {
        Self {
            launch: Launch::AtStart,
            turn_bytes: 1024 * 1024,
            game_bytes: 16 * 1024 * 1024,
            limit: Duration::from_hours(24),
            notes: 256,
            grace: Duration::from_secs(2),
            farewell: Vec::new(),
            origin: None,
        }
    }
}

/// What whoever watches a game is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum News<'a> {
    /// A program was started for a seat, or a player of this process.
    Launched {
        /// The seat.
        seat: Color,
        /// The system's number of the program's process.
        process: Option<u32>,
    },
    /// Something happened in the game.
    Event(&'a HostEvent),
    /// The session wrote a line for the log.
    Note(&'a Note),
    /// The game is decided. Programs are ended and last lines delivered only after this.
    Decided(&'a Verdict),
}

/// Drives a session with two seats, Black's first, to its end, and keeps no result.
///
/// It serves both seats, clocks and the host's own player, starts programs, and ends when the
/// session does, when `cancel` resolves, after [`GameOptions::limit`], or when nothing can happen
/// any more. Whatever the seats do, it returns, every program has ended then, and what they did
/// is in the report. Dropping the future ends the programs too.
///
/// # Panics
///
/// Outside a tokio runtime with time and I/O enabled.
pub async fn run<S: HostSession>(
    session: S,
    seats: [Seat; 2],
    observer: impl FnMut(&Game, News<'_>),
    options: &GameOptions,
    cancel: impl Future<Output = ()>,
) -> GameReport {
    let keep = |_: &Game, _: &Verdict| future::ready(());
    run_keeping(session, seats, observer, keep, options, cancel).await
}

/// As [`run`], but keeps the result: a session that [asks for it](HostAction::Keep) tells the seats
/// once the future that `keep` returns has resolved. From then on the game cannot be called off: when
/// `cancel` resolves, the last lines still have [`GameOptions::grace`], and the outcome is the result kept.
///
/// # Panics
///
/// Outside a tokio runtime with time and I/O enabled.
pub async fn run_keeping<S: HostSession, K: Future<Output = ()>>(
    session: S,
    seats: [Seat; 2],
    mut observer: impl FnMut(&Game, News<'_>),
    mut keep: impl FnMut(&Game, &Verdict) -> K,
    options: &GameOptions,
    cancel: impl Future<Output = ()>,
) -> GameReport {
    let begun = Instant::now();
    let mut driver = Driver {
        session,
        desks: seats.map(Desk::new),
        origin: options.origin.unwrap_or(begun),
        last: Timestamp::ORIGIN,
        broken: Vec::new(),
        kept: None,
        notes: Vec::new(),
        options,
    };
    let outcome = driver.play(&mut observer, &mut keep, cancel).await;
    let elapsed = begun.elapsed();
    if outcome.verdict().is_none() {
        driver
            .desks
            .iter_mut()
            .for_each(|desk| desk.part(&options.farewell));
    }
    let [black, white] = driver.desks;
    let (black, white) = tokio::join!(black.end(options.grace), white.end(options.grace));
    GameReport {
        outcome,
        game: driver.session.game().clone(),
        elapsed,
        notes: driver.notes,
        seats: [black, white],
    }
}

struct Driver<'o, S> {
    session: S,
    desks: [Desk; 2],
    origin: Instant,
    /// The latest moment that the session was told.
    last: Timestamp,
    /// Seats that cannot go on, which the session does not know yet.
    broken: Vec<Color>,
    /// The result, once it is kept.
    kept: Option<Verdict>,
    notes: Vec<Note>,
    options: &'o GameOptions,
}

/// What the driver waits for.
enum Wake {
    Seat(Color, FromSeat),
    Tick,
    Over(Outcome),
}

impl<S: HostSession> Driver<'_, S> {
    async fn play<K: Future<Output = ()>>(
        &mut self,
        observer: &mut impl FnMut(&Game, News<'_>),
        keep: &mut impl FnMut(&Game, &Verdict) -> K,
        cancel: impl Future<Output = ()>,
    ) -> Outcome {
        if self.options.launch == Launch::AtStart {
            for seat in Color::ALL {
                if let Some(outcome) = self.launch(seat, observer) {
                    return outcome;
                }
            }
        }
        let now = self.now();
        self.session.start(now);
        let over = pin!(over(cancel, self.options.limit));
        let outcome = self.drive(observer, keep, over).await;
        let Some(verdict) = self.kept.clone() else {
            return outcome;
        };
        if outcome.verdict().is_none() {
            let grace = self.options.grace;
            let over = pin!(over_after(grace));
            let told = self.drive(observer, keep, over).await;
            if told.verdict().is_none() {
                observer(self.session.game(), News::Decided(&verdict));
            }
        }
        Outcome::Decided(verdict)
    }

    /// Drives the session that has started to its end, or until `over` resolves.
    async fn drive<K: Future<Output = ()>>(
        &mut self,
        observer: &mut impl FnMut(&Game, News<'_>),
        keep: &mut impl FnMut(&Game, &Verdict) -> K,
        mut over: Pin<&mut impl Future<Output = Outcome>>,
    ) -> Outcome {
        loop {
            if let Some(outcome) = self.act(observer, keep).await {
                return outcome;
            }
            if let Some(seat) = self.broken.pop() {
                self.cut(seat);
                continue;
            }
            if self.is_stalled() {
                return Outcome::Stalled;
            }
            match self.wake(over.as_mut()).await {
                Wake::Seat(seat, FromSeat::Incoming(incoming)) => self.take(seat, incoming),
                Wake::Seat(seat, FromSeat::Answer(answer)) => self.take_answer(seat, answer),
                Wake::Tick => {
                    let now = self.now();
                    self.session.tick(now);
                }
                Wake::Over(outcome) => return outcome,
            }
        }
    }

    /// Does what the session asks, until it asks nothing more. What comes while a result is being kept
    /// waits: it changes nothing any more.
    async fn act<K: Future<Output = ()>>(
        &mut self,
        observer: &mut impl FnMut(&Game, News<'_>),
        keep: &mut impl FnMut(&Game, &Verdict) -> K,
    ) -> Option<Outcome> {
        while let Some(action) = self.session.poll() {
            match action {
                HostAction::Launch(seat) => {
                    if let Some(outcome) = self.launch(seat, observer) {
                        return Some(outcome);
                    }
                }
                HostAction::Send { seat, bytes } => self.send(seat, &bytes),
                HostAction::HangUp(seat) => self.desk(seat).hang_up(),
                HostAction::Think(task) => self.think(task),
                HostAction::Keep(verdict) => {
                    keep(self.session.game(), &verdict).await;
                    self.kept = Some(verdict);
                    let now = self.now();
                    self.session.kept(now);
                }
                HostAction::Event(event) => {
                    self.account(&event);
                    observer(self.session.game(), News::Event(&event));
                }
                HostAction::Note(note) => {
                    observer(self.session.game(), News::Note(&note));
                    if self.notes.len() < self.options.notes {
                        self.notes.push(note);
                    }
                }
                HostAction::Finish(verdict) => {
                    observer(self.session.game(), News::Decided(&verdict));
                    return Some(Outcome::Decided(verdict));
                }
            }
        }
        None
    }

    /// Waits for the next thing to happen. What came in time is taken before the clock is.
    async fn wake(&mut self, over: impl Future<Output = Outcome>) -> Wake {
        let deadline = instant(self.origin, self.session.deadline());
        let [black, white] = &mut self.desks;
        tokio::select! {
            biased;
            outcome = over => Wake::Over(outcome),
            news = black.next() => Wake::Seat(Color::Black, news),
            news = white.next() => Wake::Seat(Color::White, news),
            () = reach(deadline) => Wake::Tick,
        }
    }

    fn take(&mut self, seat: Color, incoming: Incoming) {
        let GameOptions {
            turn_bytes,
            game_bytes,
            ..
        } = *self.options;
        if let Err(fault) = self.desk(seat).account(&incoming, turn_bytes, game_bytes) {
            self.desk(seat).fault(fault);
            self.broken.push(seat);
            return;
        }
        let now = match &incoming {
            Incoming::Bytes { at, .. } => self.moment(*at),
            _ => self.now(),
        };
        match incoming {
            Incoming::Bytes { bytes, .. } => self.session.receive(seat, &bytes, now),
            Incoming::End => self.session.end_of_input(seat, now),
            Incoming::Exited { success } => self.session.exited(seat, success, now),
        }
    }

    fn take_answer(&mut self, seat: Color, answer: Answer) {
        if let Some(reason) = answer.panic {
            self.desk(seat).fault(Fault::PlayerFailed { reason });
        }
        let now = self.now();
        self.session.decide(answer.decision, now);
    }

    /// Starts a seat's program. Without one that starts there is no game; one that started before
    /// and does not again loses.
    fn launch(
        &mut self,
        seat: Color,
        observer: &mut impl FnMut(&Game, News<'_>),
    ) -> Option<Outcome> {
        match self.desk(seat).launch() {
            Launched::Nothing => {}
            Launched::Peer { process } => {
                observer(self.session.game(), News::Launched { seat, process });
            }
            Launched::Failed if self.desk(seat).report.launches == 0 => {
                return Some(Outcome::NotStarted { seat });
            }
            Launched::Failed => self.broken.push(seat),
        }
        None
    }

    fn send(&mut self, seat: Color, bytes: &[u8]) {
        if let Err(full) = self.desk(seat).send(bytes) {
            let pending = full.pending;
            self.desk(seat).fault(Fault::NotReading { pending });
            self.broken.push(seat);
        }
    }

    fn think(&mut self, task: Task) {
        let seat = task.board.side_to_move();
        let started = instant(self.origin, Some(task.clock.started)).unwrap_or_else(Instant::now);
        if !self.desk(seat).think(task, started) {
            self.broken.push(seat);
        }
    }

    /// Ends a seat that cannot go on, and tells the session.
    fn cut(&mut self, seat: Color) {
        let now = self.now();
        let (end, exit) = self.desk(seat).cut();
        if end {
            self.session.end_of_input(seat, now);
        }
        if exit {
            self.session.exited(seat, false, now);
        }
    }

    fn account(&mut self, event: &HostEvent) {
        match event {
            HostEvent::Moved { seat, took, .. } => {
                self.desk(*seat).moved(*took);
                self.desks.iter_mut().for_each(Desk::begin_turn);
            }
            HostEvent::Restarted => self.desks.iter_mut().for_each(Desk::begin_again),
            _ => {}
        }
    }

    /// Whether nothing can happen any more.
    fn is_stalled(&self) -> bool {
        self.desks.iter().all(Desk::is_silent) && self.session.deadline().is_none()
    }

    fn desk(&mut self, seat: Color) -> &mut Desk {
        &mut self.desks[index(seat)]
    }

    fn now(&mut self) -> Timestamp {
        self.moment(Instant::now())
    }

    /// The moment as the session is told it: never before one that it was told already.
    fn moment(&mut self, at: Instant) -> Timestamp {
        let at = Timestamp::from_origin(at.saturating_duration_since(self.origin));
        self.last = self.last.max(at);
        self.last
    }
}

async fn over_after(limit: Duration) -> Outcome {
    tokio::time::sleep(limit).await;
    Outcome::TimedOut
}

async fn over(cancel: impl Future<Output = ()>, limit: Duration) -> Outcome {
    tokio::select! {
        biased;
        () = cancel => Outcome::Cancelled,
        outcome = over_after(limit) => outcome,
    }
}

/// The moment of a timestamp, or `None` when it is too far away to come.
pub(crate) fn instant(origin: Instant, timestamp: Option<Timestamp>) -> Option<Instant> {
    origin.checked_add(timestamp?.since_origin())
}

/// Waits for a moment; for ever, if there is none.
pub(crate) async fn reach(deadline: Option<Instant>) {
    match deadline {
        Some(deadline) => sleep_until(deadline.into()).await,
        None => future::pending().await,
    }
}
