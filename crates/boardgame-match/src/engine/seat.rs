//! The seat of an engine in a match, whatever the engine is.

use std::{
    future,
    time::{Duration, Instant},
};

use boardgame_core::{ByColor, ClockState, Color, Game, TimeControl, TimeMeasure};
use boardgame_session::{
    Cause, Conventions, NoteKind, Order, Received, Said, SeatEvent, SeatFault, Verdict, wall_limit,
};
use tokio::time::sleep_until;

use super::{
    Engine, OpenError, OpenSeat, Patience, Rules, SeatRequest,
    faults::{Evidence, Observed, Wording},
};
use crate::{
    BoxFuture, FromSeat, GameOptions, GameReport, GameSpec, Outcome, Seat, SeatReport,
    fault::{Fault, StartFailure},
    limit::Limit,
};

/// A move of the game that an engine plays.
type Move<E> = <Rules<E> as Game>::Move;

/// The seat of an engine, which plays any number of games, one at a time.
///
/// The engine is started when a game needs it and ended when it fails. Built-in engines, and programs whose
/// protocol allows more than one game, are kept for the next game; others are started for each.
pub struct EngineSeat<E: Engine> {
    engine: E,
    patience: Patience,
    /// True if no other game is played in this process at the same time.
    alone: bool,
    /// True if the engine misread the opening of an earlier game.
    misreads_opening: bool,
    seat: Option<OpenSeat<Rules<E>>>,
    /// The wording of the engine's faults.
    wording: Wording,
    /// The engine's colour in the game.
    color: Color,
    observed: Observed,
    /// The deadline for a move without a clock.
    deadline: Option<Instant>,
    /// The likely cause of the engine's last fault in the latest game.
    cause: Option<String>,
}

impl<E: Engine> EngineSeat<E> {
    /// Returns the seat of an engine that is not started yet; `alone` if no other game is played in this
    /// process at the same time.
    pub fn new(engine: E, patience: Patience, alone: bool) -> Self {
        Self {
            engine,
            patience,
            alone,
            misreads_opening: false,
            seat: None,
            wording: Wording::Kept,
            color: Color::Black,
            observed: Observed::default(),
            deadline: None,
            cause: None,
        }
    }

    /// Returns the engine.
    pub const fn engine(&self) -> &E {
        &self.engine
    }

    /// Returns the likely cause of the engine's last fault in the latest game, if there was one.
    pub const fn take_cause(&mut self) -> Option<String> {
        self.cause.take()
    }

    /// Sets the limit of the engine from the next game on. A running program keeps its old limit.
    pub fn set_limit(&mut self, limit: Limit) {
        self.engine.set_limit(limit);
    }

    /// Opens the seat for a game in which the engine plays `color`.
    ///
    /// # Errors
    ///
    /// Fails if the engine cannot be started, or cannot play from the opening.
    pub(super) async fn open(
        &mut self,
        game: &GameSpec<Rules<E>>,
        color: Color,
    ) -> Result<(), OpenError> {
        self.color = color;
        self.observed = Observed::default();
        (self.deadline, self.cause) = (None, None);
        if self.seat.is_none() {
            let request = SeatRequest {
                game,
                color,
                patience: &self.patience,
                alone: self.alone,
                misreads_opening: self.misreads_opening,
            };
            let open = self.engine.open(&request).await?;
            self.wording = if open.is_kept {
                Wording::Kept
            } else {
                Wording::OneGame
            };
            self.seat = Some(open);
        }
        Ok(())
    }

    /// Returns the time that the engine has in a game.
    pub(super) fn time(&self) -> TimeControl {
        self.engine.time()
    }

    /// Starts the engine once, prepares it for a game and ends it.
    ///
    /// # Errors
    ///
    /// Fails if it does not start, or does not become ready for the game.
    ///
    /// # Panics
    ///
    /// Panics if a move of the opening is illegal, and outside a tokio runtime with time and I/O enabled.
    pub async fn try_out(mut self, game: &GameSpec<Rules<E>>) -> Result<(), Fault> {
        let position = game.position();
        let color = position.side_to_move();
        let opened = self.open(game, color).await;
        opened.map_err(|error| error.fault())?;
        self.order(Order::Begin {
            setup: game.setup.clone(),
            moves: game.opening.clone(),
            color,
            clocks: self.both_clocks(),
            tolerance: game.tolerance,
        });
        let outcome = self.wait_until_ready(&position).await;
        self.order(Order::CallOff);
        let report = self.end(GameOptions::default().grace).await;
        self.close().await;
        let Some(outcome) = outcome else {
            return Ok(());
        };
        let faults = self.faults(&outcome, &report, &position);
        Err(faults.into_iter().next().unwrap_or(Fault::NotStarted {
            failure: StartFailure::Other,
            reason: outcome.to_string(),
        }))
    }

    /// Waits until the engine is ready for a game from a position and its program runs; returns the outcome on
    /// failure. A program that is started for each move is asked for one.
    async fn wait_until_ready(&mut self, position: &Rules<E>) -> Option<Outcome> {
        let is_asked = position.forced_move().is_none();
        let mut is_awaited = self.engine.has_process_per_move() && is_asked;
        loop {
            match self.next().await {
                FromSeat::Event(SeatEvent::Ready) if is_awaited => {
                    let clocks = self.both_clocks();
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

    /// Returns the engine's clock before its first move, for both sides.
    fn both_clocks(&self) -> ByColor<ClockState> {
        ByColor::new_with(|_| ClockState::new(self.time()))
    }

    /// Returns the faults of the engine in a game that has ended, and notes the likely cause of the last.
    pub(super) fn faults_in(&mut self, game: &GameReport<Rules<E>>) -> Vec<Fault> {
        let faults = self.faults(&game.outcome, &game.seats[self.color], &game.position);
        let verdict = game.outcome.verdict();
        self.cause = match verdict.map(|verdict| &verdict.cause) {
            Some(Cause::Forfeit { by, fault })
                if *by == self.color && faults.last().is_some_and(Fault::has_other_cause) =>
            {
                self.engine.likely_cause(fault, *by, game)
            }
            _ => None,
        };
        faults
    }

    fn faults(&self, outcome: &Outcome, report: &SeatReport, position: &Rules<E>) -> Vec<Fault> {
        let claim = self.observed.claim;
        let evidence = Evidence {
            color: self.color,
            wording: self.wording,
            patience: &self.patience,
            observed: &self.observed,
            outcome,
            report,
            is_over: position.status().is_over(),
            side_to_move: position.side_to_move(),
            false_result: claim.map(|claim| self.engine.false_result(claim, position)),
        };
        evidence.faults()
    }

    /// Records an event of the seat.
    fn observe(&mut self, from: &FromSeat<Move<E>>) {
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
                let measure = self.observed.asked.map(|clock| clock.control().measure);
                self.observed.took = match measure {
                    Some(TimeMeasure::UserCpu) => thought.user_cpu,
                    _ => Some(thought.took),
                };
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

    async fn next_event(&mut self) -> FromSeat<Move<E>> {
        let Some(open) = &mut self.seat else {
            return future::pending().await;
        };
        let deadline = self.deadline;
        let overtime = async {
            match deadline {
                Some(deadline) => sleep_until(deadline.into()).await,
                None => future::pending().await,
            }
        };
        let from = tokio::select! {
            biased;
            from = open.seat.next() => from,
            () = overtime => {
                let clock = self.observed.asked.as_ref();
                let waited = clock.map(|clock| self.patience.without_wall_clock(clock));
                self.observed.gave_up = waited;
                let waited = waited.unwrap_or_default();
                let fault = SeatFault::overtime(waited, waited, Received::NoAnswer);
                FromSeat::Event(SeatEvent::Fault(fault))
            }
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

impl<E: Engine> Seat<Rules<E>> for EngineSeat<E> {
    fn conventions(&self) -> Conventions {
        let none = Conventions {
            asks_forced_moves: false,
            closing_moves: false,
        };
        (self.seat.as_ref()).map_or(none, |open| open.seat.conventions())
    }

    fn order(&mut self, mut order: Order<Rules<E>>) {
        let Some(open) = &mut self.seat else {
            return;
        };
        match &mut order {
            Order::Begin { tolerance, .. } => {
                // So that a record shows how late a move beyond the tolerance was.
                *tolerance = self.patience.overtime;
                (self.observed.asked, self.observed.took) = (None, None);
                self.deadline = None;
                if let Some(new_game) = &open.new_game {
                    new_game(self.engine.limit());
                }
            }
            Order::Choose { clocks } => {
                let clock = clocks[self.color];
                (self.observed.asked, self.observed.took) = (Some(clock), None);
                if wall_limit(&clock).is_none() {
                    let patience = self.patience.without_wall_clock(&clock);
                    self.deadline = Instant::now().checked_add(patience);
                }
            }
            Order::Over { .. } => self.observed.over = true,
            Order::Conclude(_) | Order::CallOff => self.deadline = None,
            _ => {}
        }
        open.seat.order(order);
    }

    fn next(&mut self) -> BoxFuture<'_, FromSeat<Move<E>>> {
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
