//! The seat of an engine in a match, whatever the engine is.

mod commands;
mod faults;
mod lth;
mod open;
mod own;
mod patience;
mod wire;

use std::time::{Duration, Instant};

use boardgame_core::{ByColor, ClockState, Color, TimeControl};
use boardgame_match::{
    BoxFuture, FromSeat, GameOptions, GameReport, Outcome, Seat, SeatReport, fault::Fault,
    limit::Limit,
};
use boardgame_session::{Conventions, NoteKind, Order, Said, SeatEvent, SeatFault, Verdict};
use othello_core::{Board, Game, Move};
use tokio::time::sleep_until;

pub(crate) use open::OpenError;
pub use patience::Patience;

use crate::{
    engine::{EngineSpec, Kind},
    protocol::{Allowance, Protocol, WireFormat},
};
use faults::{Evidence, Observed, Wording};
use open::{OpenSeat, SeatRequest};

/// The seat of an engine, which plays any number of games, one at a time.
///
/// The engine is started when a game needs it and ended when it fails. Our own, and programs whose
/// protocol has more than one game, are kept for the next game; others are started for each.
///
/// # Examples
///
/// ```
/// use std::time::Duration;
///
/// use boardgame_core::ByColor;
/// use boardgame_match::{EngineId, GameId};
/// use othello_core::Game;
/// use othello_match::{
///     engine::EngineSpec,
///     engine_seat::{EngineSeat, Patience},
///     game,
/// };
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let seat = |text: &str| -> Result<_, Box<dyn std::error::Error>> {
///     let spec = EngineSpec { limit: "depth:1".parse()?, ..text.parse()? };
///     Ok(EngineSeat::new(spec, Patience::default(), true))
/// };
/// let mut seats = ByColor { black: seat("a=own:hash=1")?, white: seat("b=own:hash=1")? };
/// let id = GameId { opening: 0, black: EngineId(0), white: EngineId(1) };
/// let played = game::play(id, Game::default(), seats.as_mut(), Duration::ZERO, |_| {}).await;
/// assert!(played.faults.is_empty());
/// # Ok(())
/// # }
/// ```
pub struct EngineSeat {
    spec: EngineSpec,
    patience: Patience,
    /// True if no other game is played in this process at the same time.
    alone: bool,
    /// True if the engine once took an opening pass for an answer: the next games are begun without.
    misreads_opening: bool,
    seat: Option<OpenSeat>,
    /// The engine's colour in the game.
    color: Color,
    observed: Observed,
    /// The moment at which a move without a clock is given up.
    deadline: Option<Instant>,
}

impl EngineSeat {
    /// Returns the seat of an engine that is not started yet; `alone` if no other game is played in this
    /// process at the same time.
    pub fn new(spec: EngineSpec, patience: Patience, alone: bool) -> Self {
        Self {
            spec,
            patience,
            alone,
            misreads_opening: false,
            seat: None,
            color: Color::Black,
            observed: Observed::default(),
            deadline: None,
        }
    }

    /// Returns the engine.
    pub const fn spec(&self) -> &EngineSpec {
        &self.spec
    }

    /// Changes the limit of our own engine from here on; programs know theirs once they are started.
    pub(crate) fn set_limit(&mut self, limit: Limit) {
        self.spec.limit = limit;
        if let Some(own) = self.seat.as_ref().and_then(|open| open.own.as_ref()) {
            own.set_limit(limit);
        }
    }

    /// Returns the time that the engine has in a game: that of its limit, or the format's own.
    pub(crate) fn time(&self) -> TimeControl {
        let own = self
            .wire_format()
            .and_then(|format| Allowance::new(format, self.spec.limit).ok());
        own.map_or_else(
            || *self.spec.limit.clock().control(),
            Allowance::time_control,
        )
    }

    /// Opens the seat for a game that begins with an opening, in which the engine plays `color`.
    ///
    /// # Errors
    ///
    /// When the engine cannot be started, or cannot play from there.
    pub(crate) async fn open(&mut self, opening: &Game, color: Color) -> Result<(), OpenError> {
        self.color = color;
        self.observed = Observed::default();
        self.deadline = None;
        if self.seat.is_none() {
            let request = SeatRequest {
                engine: &self.spec,
                patience: &self.patience,
                alone: self.alone,
                color,
                misreads_opening: self.misreads_opening,
            };
            self.seat = Some(request.open(opening).await?);
        }
        Ok(())
    }

    /// Starts the engine, has it begin a game and ends it. It is started once.
    ///
    /// # Errors
    ///
    /// When it does not start, or does not become ready for the game.
    pub async fn try_out(mut self, opening: &Game) -> Result<(), Fault> {
        let color = opening.side_to_move();
        let opened = self.open(opening, color).await;
        opened.map_err(|error| error.fault())?;
        self.order(Order::Begin {
            setup: opening.start(),
            moves: opening.moves().to_vec(),
            color,
            clocks: ByColor::new_with(|_| ClockState::new(self.time())),
        });
        let outcome = self.wait_until_ready(opening.board()).await;
        self.order(Order::CallOff);
        let report = self.end(GameOptions::default().grace).await;
        self.close().await;
        let Some(outcome) = outcome else {
            return Ok(());
        };
        let faults = self.faults(&outcome, &report, &opening.board());
        Err(faults.into_iter().next().unwrap_or(Fault::NotStarted {
            reason: outcome.to_string(),
        }))
    }

    /// Waits until the engine is ready for a game from a board, and its program runs; returns the end of the
    /// game if it is not. A program that is started for each move is asked for one.
    async fn wait_until_ready(&mut self, board: Board) -> Option<Outcome> {
        let for_each_move = WireFormat::has_a_process_for_each_move;
        let mut is_awaited = self.wire_format().is_some_and(for_each_move) && !board.must_pass();
        loop {
            match self.next().await {
                FromSeat::Event(SeatEvent::Ready) if is_awaited => {
                    let clocks = ByColor::new_with(|_| ClockState::new(self.time()));
                    self.order(Order::Choose { clocks });
                }
                FromSeat::Event(SeatEvent::Ready) => return None,
                FromSeat::Launched { .. } if self.observed.ready => return None,
                FromSeat::Launched { .. } => is_awaited = false,
                FromSeat::Event(SeatEvent::Fault(fault)) => {
                    return Some(Outcome::Decided(Verdict::forfeit(self.color, fault)));
                }
                FromSeat::NotStarted => return Some(Outcome::NotStarted { seat: self.color }),
                _ => {}
            }
        }
    }

    /// Returns the wire format that the engine speaks, if it speaks one.
    const fn wire_format(&self) -> Option<WireFormat> {
        match self.spec.kind {
            Kind::Program {
                protocol: Protocol::Wire(format),
                ..
            } => Some(format),
            _ => None,
        }
    }

    /// Returns the faults of the engine in a game that has ended.
    pub(crate) fn faults_in(&self, game: &GameReport<Board>) -> Vec<Fault> {
        self.faults(&game.outcome, &game.seats[self.color], &game.position)
    }

    fn faults(&self, outcome: &Outcome, report: &SeatReport, position: &Board) -> Vec<Fault> {
        let evidence = Evidence {
            color: self.color,
            wording: match self.wire_format() {
                Some(_) => Wording::Wire,
                None => Wording::Commands,
            },
            patience: &self.patience,
            observed: &self.observed,
            outcome,
            report,
            position,
        };
        evidence.faults()
    }

    /// Takes note of what comes from the seat.
    fn observe(&mut self, from: &FromSeat<Move>) {
        let event = match from {
            FromSeat::Event(event) => event,
            FromSeat::Note(note) if self.observed.over && note.kind == NoteKind::Fault => {
                let complaint = || note.text.clone();
                self.observed.complaint.get_or_insert_with(complaint);
                return;
            }
            _ => return,
        };
        match event {
            SeatEvent::Ready => self.observed.ready = true,
            SeatEvent::Move(_, thought) => {
                self.observed.took = Some(thought.took);
                self.deadline = None;
            }
            SeatEvent::Said(Said::FalseClaim(margin)) => {
                self.observed.claim.get_or_insert(*margin);
            }
            SeatEvent::Restart => {
                self.observed.restarted = true;
                self.misreads_opening = true;
            }
            _ => {}
        }
    }

    async fn next_event(&mut self) -> FromSeat<Move> {
        let Some(open) = &mut self.seat else {
            return std::future::pending().await;
        };
        let deadline = self.deadline;
        let overtime = async {
            match deadline {
                Some(deadline) => sleep_until(deadline.into()).await,
                None => std::future::pending().await,
            }
        };
        let from = tokio::select! {
            biased;
            from = open.seat.next() => from,
            () = overtime => FromSeat::Event(SeatEvent::Fault(SeatFault::Overtime)),
        };
        if matches!(
            from,
            FromSeat::Event(SeatEvent::Fault(_)) | FromSeat::NotStarted
        ) {
            open.is_kept = false;
            self.deadline = None;
        }
        self.observe(&from);
        from
    }

    async fn end_game(&mut self, grace: Duration) -> SeatReport {
        self.deadline = None;
        let Some(open) = &mut self.seat else {
            return SeatReport::default();
        };
        let report = open.seat.end(grace).await;
        if !open.is_kept {
            self.close().await;
        }
        report
    }
}

impl Seat<Board> for EngineSeat {
    fn conventions(&self) -> Conventions {
        let none = Conventions {
            asks_forced_moves: false,
            closing_moves: false,
        };
        (self.seat.as_ref()).map_or(none, |open| open.seat.conventions())
    }

    fn order(&mut self, order: Order<Board>) {
        let Some(open) = &mut self.seat else {
            return;
        };
        match &order {
            Order::Begin { .. } => {
                (self.observed.asked, self.observed.took) = (None, None);
                self.deadline = None;
                if let Some(own) = &open.own {
                    own.new_game();
                }
            }
            Order::Choose { clocks } => {
                let clock = clocks[self.color];
                (self.observed.asked, self.observed.took) = (Some(clock), None);
                if clock.allowed().is_none() {
                    self.deadline = Instant::now().checked_add(self.patience.untimed);
                }
            }
            Order::Over { .. } => self.observed.over = true,
            Order::Conclude(_) | Order::CallOff => self.deadline = None,
            _ => {}
        }
        open.seat.order(order);
    }

    fn next(&mut self) -> BoxFuture<'_, FromSeat<Move>> {
        Box::pin(self.next_event())
    }

    fn is_silent(&self) -> bool {
        let waits = self.deadline.is_some();
        !waits && self.seat.as_ref().is_none_or(|open| open.seat.is_silent())
    }

    fn end(&mut self, grace: Duration) -> BoxFuture<'_, SeatReport> {
        Box::pin(self.end_game(grace))
    }

    fn close(&mut self) -> BoxFuture<'_, ()> {
        Box::pin(async {
            if let Some(mut open) = self.seat.take() {
                open.seat.close().await;
            }
        })
    }
}
