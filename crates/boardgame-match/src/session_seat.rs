//! A seat for a player that speaks a wire format.

mod options;
mod peer;
mod watch;

use std::{
    collections::VecDeque,
    future, mem,
    time::{Duration, Instant},
};

use boardgame_core::{Color, Game};
use boardgame_io::{CommandLine, Family, Fault, Incoming, Link, ProgramOptions};
use boardgame_session::{
    Conventions, Order, SeatAction, SeatEvent, SeatFault, SeatSession, Thought, Timestamp,
};
use tokio::{task::yield_now, time::sleep_until};

use crate::{
    last_output::LastOutput,
    meter::CpuMeter,
    seat::{BoxFuture, FromSeat, Seat, SeatReport},
};
pub use options::{Launch, SessionSeatOptions};
use peer::Peer;
use watch::Watch;
pub use watch::WatchOptions;

/// A seat that drives a [`SeatSession`] over a child program or a stream.
///
/// The session learns everything the program does. A program that floods, does not read or cannot be started
/// again is killed, and the session gets the end of its output. Before the session learns of a passed
/// deadline, pending input is taken once as if in time, since this process may have been stopped meanwhile.
#[derive(Debug)]
pub struct SessionSeat<G: Game, S> {
    session: S,
    options: SessionSeatOptions,
    peer: Peer,
    color: Option<Color>,
    events: VecDeque<FromSeat<G::Move>>,
    origin: Instant,
    /// The latest time reported to the session.
    last: Timestamp,
    /// True once a deadline has passed that the session has not been told of.
    overdue: bool,
    health: Health,
    /// The number of bytes since the last move.
    turn_bytes: u64,
    meter: CpuMeter,
    /// The CPU time since the question.
    question_meter: CpuMeter,
    user_time: CpuMeter,
    watch: Watch,
    /// The moment of [`Order::Choose`] while waiting for the answer.
    asked: Option<Instant>,
    /// True once the last output is known: after a fault, or once the game is decided.
    is_settled: bool,
    /// The cost of a move not yet accepted.
    answered: Option<Thought>,
    report: SeatReport,
}

/// The reason why a seat wakes up.
enum Wake {
    Incoming(Incoming),
    /// The session's deadline has passed.
    Deadline,
    /// It is time to look at the program.
    Look,
}

/// The state of the program at a seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Health {
    /// It can play another game.
    InStep,
    /// It has ended, was hung up on or committed a fault, or there is none.
    OutOfStep,
    /// It cannot go on, and the session has not been told yet.
    Broken,
}

impl<G: Game, S: SeatSession<G>> SessionSeat<G, S> {
    /// Returns the seat of a child program, which is started when the game begins.
    pub fn program(
        name: impl Into<String>,
        session: S,
        line: CommandLine,
        mut program: ProgramOptions,
        options: SessionSeatOptions,
    ) -> Self {
        if options.launch == Launch::Kept {
            // It plays many games, and many programs print search logs there.
            program.stderr_limit = u64::MAX;
        }
        Self::new(name.into(), session, Peer::program(line, program), options)
    }

    /// Returns the seat of a peer at the other end of a stream.
    pub fn link(
        name: impl Into<String>,
        session: S,
        link: Link,
        options: SessionSeatOptions,
    ) -> Self {
        Self::new(name.into(), session, Peer::link(link), options)
    }

    fn new(name: String, session: S, peer: Peer, options: SessionSeatOptions) -> Self {
        Self {
            session,
            peer,
            color: None,
            events: VecDeque::new(),
            origin: options.origin.unwrap_or_else(Instant::now),
            last: Timestamp::ORIGIN,
            overdue: false,
            health: Health::OutOfStep,
            turn_bytes: 0,
            meter: CpuMeter::of_all(options.family.clone()),
            question_meter: CpuMeter::of_all(options.family.clone()),
            user_time: CpuMeter::of_user_time(options.family.clone()),
            watch: Watch::new(options.watch),
            asked: None,
            is_settled: false,
            answered: None,
            report: SeatReport {
                name,
                ..SeatReport::default()
            },
            options,
        }
    }

    /// Updates the accounts of the seat before the session takes an order.
    fn account(&mut self, order: &Order<G>) {
        match order {
            Order::Begin { color, .. } => {
                let first = self.color.replace(*color).is_none();
                self.turn_bytes = 0;
                (self.asked, self.is_settled) = (None, false);
                self.watch.answered();
                self.answered = None;
                if first {
                    self.start_program();
                } else {
                    self.report.begin_again();
                }
            }
            Order::Choose { clocks } => {
                self.asked = Some(Instant::now());
                self.question_meter = self.meter.clone();
                self.question_meter.restart();
                if let Some(color) = self.color {
                    self.watch.ask(&clocks[color], Instant::now());
                }
            }
            Order::Played { color, .. } => {
                self.turn_bytes = 0;
                if self.color == Some(*color) {
                    let thought = self.answered.take().unwrap_or_default();
                    self.report.moved(&thought);
                }
            }
            Order::Conclude(_) => self.settle(),
            Order::CallOff => {
                self.settle();
                self.peer.part(&self.options.farewell);
            }
            _ => {}
        }
    }

    /// Stops the account of the last output.
    fn settle(&mut self) {
        if mem::replace(&mut self.is_settled, true) {
            return;
        }
        if let Some(asked) = self.asked {
            self.question_meter.read();
            let used = self.question_meter.take().unwrap_or_default();
            self.report.last_output.is_busy = used > asked.elapsed() / 2;
        }
    }

    /// Starts the program for a game, unless one was kept and still runs.
    fn start_program(&mut self) {
        match self.options.launch {
            Launch::OnRequest => {}
            Launch::AtStart => self.launch(),
            Launch::Kept => {
                // It may have ended since the last game.
                while let Some(incoming) = self.peer.try_next() {
                    self.take(incoming);
                }
                if self.health != Health::InStep {
                    self.cut();
                    self.discard();
                    self.launch();
                }
                self.user_time.restart();
            }
        }
    }

    /// Marks the program as unable to play another game.
    fn lose_step(&mut self) {
        if self.health == Health::InStep {
            self.health = Health::OutOfStep;
        }
    }

    /// Carries out the actions of the session until there are none.
    fn act(&mut self) {
        while let Some(action) = self.session.poll() {
            match action {
                SeatAction::Launch => self.launch(),
                SeatAction::Send(bytes) => self.send(&bytes),
                SeatAction::HangUp => {
                    self.lose_step();
                    self.peer.hang_up();
                }
                SeatAction::Event(SeatEvent::Move(mv, thought)) => self.answer(mv, thought),
                SeatAction::Event(event) => {
                    match event {
                        SeatEvent::Fault(_) => {
                            self.lose_step();
                            self.settle();
                        }
                        SeatEvent::Resign => self.asked = None,
                        _ => {}
                    }
                    self.events.push_back(FromSeat::Event(event));
                }
                SeatAction::Note(note) => self.events.push_back(FromSeat::Note(note)),
            }
        }
    }

    /// Passes the answer on, unless a last look finds that the program has forked since the one before.
    fn answer(&mut self, mv: G::Move, mut thought: Thought) {
        self.asked = None;
        self.watch.answered();
        if let Some(fault) = self.watch.fork(&self.user_time) {
            self.lose(fault);
            return;
        }
        let cpu = self.meter.take();
        thought.cpu = thought.cpu.or(cpu);
        thought.user_cpu = self.user_time.take();
        self.answered = Some(thought);
        let event = SeatEvent::Move(mv, thought);
        self.events.push_back(FromSeat::Event(event));
    }

    /// Starts the program. If it never starts, there is no game; if it cannot be started again, it loses.
    fn launch(&mut self) {
        let launched = self.peer.launch(&mut self.report);
        match launched {
            None => {}
            Some(Ok(family)) => {
                self.turn_bytes = 0;
                // A failure of the previous program no longer counts.
                self.health = Health::InStep;
                let process = family.as_ref().map(Family::leader);
                self.meter = CpuMeter::of_all(family.clone());
                self.question_meter = self.meter.clone();
                self.user_time = CpuMeter::of_user_time(family);
                self.events.push_back(FromSeat::Launched { process });
            }
            Some(Err(fault)) => {
                self.report.fault(fault);
                if self.report.launches == 0 {
                    self.events.push_back(FromSeat::NotStarted);
                } else {
                    self.health = Health::Broken;
                }
            }
        }
    }

    fn send(&mut self, bytes: &[u8]) {
        if !self.is_settled {
            self.report.last_output.answer.clear();
        }
        if self.asked.is_some() && self.options.launch == Launch::Kept {
            // The last message before the answer is the question.
            self.meter.restart();
        }
        if let Err(full) = self.peer.send(bytes) {
            let pending = full.pending;
            self.report.fault(Fault::NotReading { pending });
            self.health = Health::Broken;
        }
    }

    async fn next_event(&mut self) -> FromSeat<G::Move> {
        loop {
            if let Some(event) = self.events.pop_front() {
                return event;
            }
            if self.health == Health::Broken {
                self.cut();
            } else if mem::take(&mut self.overdue) {
                let now = self.now();
                self.session.tick(now);
            } else {
                match self.wake().await {
                    Wake::Incoming(incoming) => self.take(incoming),
                    Wake::Deadline => self.overdue = true,
                    Wake::Look => self.look(),
                }
            }
            self.act();
        }
    }

    /// Looks at the program. A fault found while it is to move ends the watch over the move.
    fn look(&mut self) {
        if let Some(fault) = self.watch.look(&mut self.user_time, Instant::now()) {
            self.watch.answered();
            self.lose(fault);
        }
    }

    /// Returns the moment of the next look at the program.
    fn next_look(&self) -> Option<Instant> {
        self.watch.next_look(self.peer.has_program())
    }

    /// Reports a fault that the session does not see to the conductor.
    fn lose(&mut self, fault: SeatFault) {
        self.lose_step();
        self.settle();
        let event = SeatEvent::Fault(fault);
        self.events.push_back(FromSeat::Event(event));
    }

    /// Waits for input, for the session's deadline to pass without input, or for the next look at the
    /// program.
    async fn wake(&mut self) -> Wake {
        let deadline = self.session.deadline();
        let deadline = deadline.and_then(|at| self.origin.checked_add(at.since_origin()));
        let look = self.next_look();
        tokio::select! {
            biased;
            incoming = self.peer.next() => return Wake::Incoming(incoming),
            () = reach(deadline) => {}
            () = reach(look), if look.is_some() => return Wake::Look,
        }
        // Lets the runtime poll sockets and pipes again, and the reading task run.
        for _ in 0..2 {
            yield_now().await;
        }
        tokio::select! {
            biased;
            incoming = self.peer.next() => Wake::Incoming(incoming),
            () = future::ready(()) => Wake::Deadline,
        }
    }

    fn take(&mut self, incoming: Incoming) {
        if !matches!(incoming, Incoming::Bytes { .. }) {
            self.lose_step();
        }
        match incoming {
            Incoming::Bytes { bytes, at } => {
                self.turn_bytes += bytes.len() as u64;
                self.report.bytes += bytes.len() as u64;
                if !self.is_settled {
                    self.report.last_output.push(&bytes);
                }
                if let Some(fault) = self.flood() {
                    self.report.fault(fault);
                    self.health = Health::Broken;
                    return;
                }
                self.meter.read();
                self.user_time.read();
                let now = self.moment_of_input(at);
                self.session.receive(&bytes, now);
            }
            Incoming::End => {
                let now = self.moment_of_input(Instant::now());
                self.session.end_of_input(now);
            }
            Incoming::Exited { success } => {
                self.peer.retire(&mut self.report);
                let now = self.moment_of_input(Instant::now());
                self.session.exited(success, now);
            }
        }
    }

    /// Returns the fault of a program that sent more than it may.
    fn flood(&self) -> Option<Fault> {
        let (turn, game) = (self.turn_bytes, self.report.bytes);
        if turn > self.options.max_turn_bytes {
            Some(Fault::Flooded { bytes: turn })
        } else if game > self.options.max_game_bytes {
            Some(Fault::FloodedGame { bytes: game })
        } else {
            None
        }
    }

    /// Kills a program that cannot go on, and informs the session.
    fn cut(&mut self) {
        self.health = Health::OutOfStep;
        let now = self.now();
        let (end, exit) = self.peer.cut(&mut self.report);
        if end {
            self.session.end_of_input(now);
        }
        if exit {
            self.session.exited(false, now);
        }
    }

    /// Drops the pending actions and events of a game that is over.
    fn discard(&mut self) {
        while self.session.poll().is_some() {}
        self.events.clear();
        (self.overdue, self.asked) = (false, None);
        self.watch.answered();
    }

    /// Ends the program or the stream, and tells the session.
    async fn part(&mut self, grace: Duration) {
        if self.options.launch == Launch::Kept && self.peer.has_program() {
            // A program that does not read it notices the end of its input.
            let _ = self.peer.send(&self.options.farewell);
        }
        self.peer.end(&mut self.report, grace).await;
        self.cut();
    }

    async fn end_game(&mut self, grace: Duration) -> SeatReport {
        let can_go_on = self.health == Health::InStep && self.asked.is_none();
        if self.options.launch != Launch::Kept || !can_go_on {
            self.part(grace).await;
        }
        self.discard();
        self.color = None;
        self.answered = None;
        self.report.take()
    }

    fn now(&mut self) -> Timestamp {
        self.moment(Instant::now())
    }

    /// Returns the timestamp for the session, never before an earlier one.
    fn moment(&mut self, at: Instant) -> Timestamp {
        let at = Timestamp::from_origin(at.saturating_duration_since(self.origin));
        self.last = self.last.max(at);
        self.last
    }

    /// Returns the moment of input. It counts as in time if the passed deadline is not yet reported; the
    /// deadline is then reported before any more input.
    fn moment_of_input(&mut self, at: Instant) -> Timestamp {
        let Some(deadline) = self.session.deadline() else {
            return self.moment(at);
        };
        let read = at.saturating_duration_since(self.origin);
        let deadline = deadline.since_origin();
        if read < deadline {
            return self.moment(at);
        }
        self.overdue = true;
        let in_time = deadline.saturating_sub(Duration::from_nanos(1));
        self.moment(self.origin + in_time)
    }
}

impl<G: Game, S: SeatSession<G> + Send + 'static> Seat<G> for SessionSeat<G, S> {
    fn conventions(&self) -> Conventions {
        self.session.conventions()
    }

    fn order(&mut self, order: Order<G>) {
        self.account(&order);
        let now = self.now();
        self.session.order(order, now);
        self.act();
    }

    fn next(&mut self) -> BoxFuture<'_, FromSeat<G::Move>> {
        Box::pin(self.next_event())
    }

    fn is_silent(&self) -> bool {
        let waits = !self.events.is_empty() || self.health == Health::Broken || self.overdue;
        !waits
            && self.next_look().is_none()
            && self.peer.is_silent()
            && self.session.deadline().is_none()
    }

    fn last_output(&self) -> Option<&LastOutput> {
        Some(&self.report.last_output)
    }

    fn end(&mut self, grace: Duration) -> BoxFuture<'_, SeatReport> {
        Box::pin(self.end_game(grace))
    }

    fn close(&mut self) -> BoxFuture<'_, ()> {
        Box::pin(async {
            if self.peer.has_program() {
                self.part(Duration::ZERO).await;
                self.discard();
            }
        })
    }
}

/// Waits for a moment, or forever without one.
pub(crate) async fn reach(deadline: Option<Instant>) {
    match deadline {
        Some(deadline) => sleep_until(deadline.into()).await,
        None => future::pending().await,
    }
}
