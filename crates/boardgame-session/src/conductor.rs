//! The one game loop, as a state machine.

use alloc::{collections::VecDeque, string::ToString as _, vec::Vec};
use core::time::Duration;

use boardgame_core::{ByColor, ClockState, Color, Game, Margin, Status, TimeMeasure};

use crate::{Conventions, Order, Received, Said, SeatEvent, SeatFault, Thought, Verdict};

/// Conducts a game between two seats: keeps the position and the clocks, asks for moves, judges them, relays messages,
/// and gives the verdict.
///
/// The driver feeds it the [events](SeatEvent) of both seats and carries out the [actions](ConductorAction) that it
/// polls after each call.
#[derive(Clone, Debug)]
pub struct Conductor<G: Game> {
    options: ConductorOptions<G>,
    position: G,
    /// All moves since the setup, the opening's included.
    moves: Vec<G::Move>,
    clocks: ByColor<ClockState>,
    /// The number of moves after which the current position is judged.
    max_moves: Option<usize>,
    seats: ByColor<SeatState>,
    /// The seat for which the game starts over, until it has started.
    restarted_by: Option<Color>,
    stage: Stage,
    actions: VecDeque<ConductorAction<G>>,
}

/// A game to be conducted.
#[derive(Clone, Debug)]
pub struct ConductorOptions<G: Game> {
    /// The setup agreed on before the first move.
    pub setup: G::Setup,
    /// The moves made before the seats play.
    pub opening: Vec<G::Move>,
    /// The clocks of both sides.
    pub clocks: ByColor<ClockState>,
    /// The time that a move may take beyond what the clock allows.
    pub tolerance: Duration,
    /// True if comments are relayed to the other seat.
    pub relays_comments: bool,
    /// The conventions of the formats of both seats.
    pub conventions: ByColor<Conventions>,
}

/// An action of the driver of a game.
// Actions are taken one at a time; a box would cost an allocation for each order.
#[allow(clippy::large_enum_variant)]
#[derive(Clone, Debug)]
pub enum ConductorAction<G: Game> {
    /// Give an order to the seat of a colour.
    Order(Color, Order<G>),
    /// Tell the observers.
    Event(GameEvent<G::Move>),
    /// The game is over without a result by the rules, or has reached the maximum number of moves: judge the final
    /// position and call [`Conductor::scored`].
    Score,
    /// Keep the verdict and call [`Conductor::kept`]: no seat gets it before.
    Keep(Verdict),
    /// The game is decided and both seats are closed. Nothing follows.
    Finish(Verdict),
}

/// An event for the observers of a game.
#[derive(Clone, Debug, PartialEq)]
pub enum GameEvent<M> {
    /// Both seats are ready and the game begins.
    Began,
    /// The game so far is void and starts over; its earlier events do not count.
    Restarted,
    /// A move was accepted, or a forced one was made; without a thought if its side was not asked, so that its clock
    /// did not run.
    Moved(Color, M, Option<Thought>),
    /// The program of a seat said something.
    Said(Color, Said<M>),
}

#[derive(Clone, Copy, Debug)]
struct SeatState {
    conventions: Conventions,
    /// True once the seat has done what the stage waits for.
    done: bool,
    restarted: bool,
    /// True while the seat may still speak of a void game: it is not yet ready for the one that starts over.
    stale: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Stage {
    /// Waiting for both seats to be ready.
    Beginning,
    /// The side to move is asked.
    Playing,
    /// The rules have ended the game: waiting until both seats have completed it.
    Ending,
    /// Waiting for the result of a game that the rules do not score.
    Scoring,
    /// Waiting for the verdict to be kept.
    Keeping(Verdict),
    /// Waiting for both seats to close.
    Concluding(Verdict),
    Done,
}

impl<G: Game> Conductor<G> {
    /// Creates a game that starts with orders to both seats.
    ///
    /// # Errors
    ///
    /// Fails if a move of the opening is illegal.
    pub fn new(options: ConductorOptions<G>) -> Result<Self, G::IllegalMove> {
        let mut position = G::new(&options.setup);
        for &mv in &options.opening {
            position.play(mv)?;
        }
        let seat = |conventions| SeatState {
            conventions,
            done: false,
            restarted: false,
            stale: false,
        };
        let mut conductor = Self {
            position,
            moves: options.opening.clone(),
            clocks: options.clocks,
            max_moves: None,
            seats: options.conventions.map(seat),
            restarted_by: None,
            stage: Stage::Beginning,
            actions: VecDeque::new(),
            options,
        };
        conductor.begin();
        Ok(conductor)
    }

    /// Stops a game after a number of moves, the opening's included: the current position is then
    /// [judged](ConductorAction::Score). Rules that permit cycles, as Go's simple ko does, need such a limit.
    #[must_use]
    pub fn with_max_moves(self, max_moves: usize) -> Self {
        Self {
            max_moves: Some(max_moves),
            ..self
        }
    }

    /// Returns the position after the moves so far.
    pub const fn position(&self) -> &G {
        &self.position
    }

    /// Returns all moves so far, the opening's included.
    pub fn moves(&self) -> &[G::Move] {
        &self.moves
    }

    /// Returns the clocks of both sides.
    pub const fn clocks(&self) -> &ByColor<ClockState> {
        &self.clocks
    }

    /// Returns the side whose answer is awaited, if one is.
    pub fn asked(&self) -> Option<Color> {
        (self.stage == Stage::Playing).then(|| self.position.side_to_move())
    }

    /// Returns the next action, or `None` until more input or time is fed.
    pub fn poll(&mut self) -> Option<ConductorAction<G>> {
        self.actions.pop_front()
    }

    /// Takes an event of a seat. Events after the verdict change nothing, and events after the end are
    /// dropped.
    pub fn event(&mut self, seat: Color, event: SeatEvent<G::Move>) {
        match event {
            _ if self.stage == Stage::Done => {}
            SeatEvent::Said(said) => self.said(seat, said),
            SeatEvent::Closed => self.closed(seat),
            _ if self.is_decided() => {}
            SeatEvent::Ready => self.ready(seat),
            SeatEvent::Fault(fault) => self.faulted(seat, fault),
            // It was on its way when the game started over.
            _ if self.seats[seat].stale => {}
            SeatEvent::Move(mv, thought) => self.answered(seat, mv, thought),
            SeatEvent::Resign => self.decide(Verdict::resigned(seat)),
            SeatEvent::Restart => self.restart(seat),
            SeatEvent::Completed => self.completed(seat),
        }
    }

    /// Takes the result of the final position, asked for by [`ConductorAction::Score`].
    pub fn scored(&mut self, margin: Margin) {
        if self.stage == Stage::Scoring {
            self.decide(match self.position.status() {
                Status::Playing => Verdict::stopped(margin),
                Status::Scored(_) | Status::Unscored => Verdict::played(margin),
            });
        }
    }

    /// Takes the report that the verdict is kept, or cannot be; asked for by [`ConductorAction::Keep`].
    pub fn kept(&mut self) {
        if let Stage::Keeping(verdict) = &self.stage {
            let verdict = verdict.clone();
            self.enter(Stage::Concluding(verdict.clone()));
            self.order_both(&Order::Conclude(verdict));
        }
    }

    /// Calls the game off, unless it is decided. Only the orders to both seats follow.
    pub fn call_off(&mut self) {
        if !self.is_decided() {
            self.enter(Stage::Done);
            self.order_both(&Order::CallOff);
        }
    }

    /// Ends an undecided game by the fault of a seat.
    pub fn forfeit(&mut self, seat: Color, fault: SeatFault) {
        if !self.is_decided() {
            self.decide(Verdict::forfeit(seat, fault));
        }
    }

    /// Takes the fault of a seat. If the game cannot start over, the seat that needed it is at fault.
    fn faulted(&mut self, seat: Color, fault: SeatFault) {
        match (self.restarted_by, fault) {
            (Some(by), SeatFault::CannotBegin { detail }) if by != seat => {
                let detail = alloc::format!(
                    "misread the opening of a game that cannot begin again: {detail}"
                );
                self.forfeit(by, SeatFault::Format { detail });
            }
            (_, fault) => self.forfeit(seat, fault),
        }
    }

    const fn is_decided(&self) -> bool {
        matches!(
            self.stage,
            Stage::Keeping(_) | Stage::Concluding(_) | Stage::Done
        )
    }

    fn enter(&mut self, stage: Stage) {
        self.stage = stage;
        self.seats.iter_mut().for_each(|seat| seat.done = false);
    }

    /// Notes that a seat has done what the stage waits for; returns whether both have.
    fn both_done(&mut self, seat: Color) -> bool {
        self.seats[seat].done = true;
        self.seats.iter().all(|seat| seat.done)
    }

    fn order(&mut self, seat: Color, order: Order<G>) {
        self.actions.push_back(ConductorAction::Order(seat, order));
    }

    fn order_both(&mut self, order: &Order<G>) {
        for seat in Color::ALL {
            self.order(seat, order.clone());
        }
    }

    fn tell(&mut self, event: GameEvent<G::Move>) {
        self.actions.push_back(ConductorAction::Event(event));
    }

    fn begin(&mut self) {
        self.enter(Stage::Beginning);
        for color in Color::ALL {
            self.order(
                color,
                Order::Begin {
                    setup: self.options.setup.clone(),
                    moves: self.options.opening.clone(),
                    color,
                    clocks: self.clocks,
                    tolerance: self.options.tolerance,
                },
            );
        }
    }

    fn ready(&mut self, seat: Color) {
        self.seats[seat].stale = false;
        if self.stage == Stage::Beginning && self.both_done(seat) {
            self.restarted_by = None;
            self.enter(Stage::Playing);
            self.tell(GameEvent::Began);
            self.next_turn();
        }
    }

    /// Starts the game over, once for each seat.
    fn restart(&mut self, seat: Color) {
        if core::mem::replace(&mut self.seats[seat].restarted, true) {
            return self.forfeit(
                seat,
                SeatFault::format("expected a move, but the game was to begin a third time"),
            );
        }
        self.position = G::new(&self.options.setup);
        self.moves.clear();
        for mv in self.options.opening.clone() {
            // It was legal before.
            let _ = self.make(mv);
        }
        self.clocks = self.options.clocks;
        self.restarted_by = Some(seat);
        self.seats.iter_mut().for_each(|seat| seat.stale = true);
        self.tell(GameEvent::Restarted);
        self.begin();
    }

    /// Makes the moves that need no question, then asks the side to move, or ends the game.
    fn next_turn(&mut self) {
        while let Some(mv) = self.unasked_move() {
            let color = self.position.side_to_move();
            if self.make(mv).is_err() {
                break;
            }
            self.moved(color, mv, None);
        }
        match self.position.status() {
            Status::Playing if self.max_moves.is_some_and(|max| self.moves.len() >= max) => {
                self.over(None);
            }
            Status::Playing => {
                let clocks = self.clocks;
                self.order(self.position.side_to_move(), Order::Choose { clocks });
            }
            Status::Scored(margin) => self.over(Some(margin)),
            Status::Unscored => self.over(None),
        }
    }

    fn unasked_move(&self) -> Option<G::Move> {
        let side = self.position.side_to_move();
        let asks = self.seats[side].conventions.asks_forced_moves;
        self.position.forced_move().filter(|_| !asks)
    }

    fn make(&mut self, mv: G::Move) -> Result<(), G::IllegalMove> {
        self.position.play(mv)?;
        self.moves.push(mv);
        Ok(())
    }

    fn moved(&mut self, color: Color, mv: G::Move, thought: Option<Thought>) {
        self.tell(GameEvent::Moved(color, mv, thought));
        self.order_both(&Order::Played { color, mv });
    }

    fn answered(&mut self, seat: Color, mv: G::Move, thought: Thought) {
        if self.asked() != Some(seat) {
            let detail = alloc::format!("expected nothing out of turn, but the move {mv} came");
            return self.forfeit(seat, SeatFault::Format { detail });
        }
        let took = self.counted(seat, &thought);
        let Some(clock) = self.clock_after(seat, took) else {
            let limit = self.clocks[seat].allowed().unwrap_or(took);
            let fault = SeatFault::overtime(took, limit, Received::Late(&mv));
            return self.forfeit(seat, fault);
        };
        if let Err(illegal) = self.make(mv) {
            let detail = illegal.to_string();
            return self.forfeit(
                seat,
                SeatFault::IllegalMove {
                    mv: mv.to_string(),
                    detail,
                },
            );
        }
        self.clocks[seat] = clock;
        self.moved(seat, mv, Some(thought));
        self.next_turn();
    }

    /// Returns the time that counts for a move. If a clock counts user CPU time and it could not be measured, the wall
    /// time counts, which a single thread cannot exceed.
    fn counted(&self, seat: Color, thought: &Thought) -> Duration {
        match self.clocks[seat].control().measure {
            TimeMeasure::Wall => thought.took,
            TimeMeasure::UserCpu => thought.user_cpu.unwrap_or(thought.took),
        }
    }

    /// Returns a side's clock after a move, or `None` if the move was late.
    fn clock_after(&self, seat: Color, took: Duration) -> Option<ClockState> {
        let clock = self.clocks[seat];
        let tolerated = match clock.allowed() {
            Some(allowed) if took <= allowed.saturating_add(self.options.tolerance) => {
                took.min(allowed)
            }
            _ => took,
        };
        clock.after(tolerated)
    }

    fn said(&mut self, seat: Color, said: Said<G::Move>) {
        let is_relayed = match said {
            Said::Comment(_) => self.options.relays_comments && self.stage != Stage::Beginning,
            Said::Claim(_) | Said::ClosingMove(_) => !self.is_decided(),
            Said::FalseClaim(_) => false,
        };
        self.tell(GameEvent::Said(seat, said.clone()));
        if is_relayed {
            self.order(!seat, Order::Said(said));
        }
    }

    fn over(&mut self, margin: Option<Margin>) {
        self.enter(Stage::Ending);
        for seat in Color::ALL {
            let other_closes = self.seats[!seat].conventions.closing_moves;
            self.order(
                seat,
                Order::Over {
                    margin,
                    other_closes,
                },
            );
        }
    }

    fn completed(&mut self, seat: Color) {
        if self.stage != Stage::Ending || !self.both_done(seat) {
            return;
        }
        if let Status::Scored(margin) = self.position.status() {
            self.decide(Verdict::played(margin));
        } else {
            self.enter(Stage::Scoring);
            self.actions.push_back(ConductorAction::Score);
        }
    }

    fn decide(&mut self, verdict: Verdict) {
        self.enter(Stage::Keeping(verdict.clone()));
        self.actions.push_back(ConductorAction::Keep(verdict));
    }

    fn closed(&mut self, seat: Color) {
        let Stage::Concluding(verdict) = &self.stage else {
            return;
        };
        let verdict = verdict.clone();
        if self.both_done(seat) {
            self.enter(Stage::Done);
            self.actions.push_back(ConductorAction::Finish(verdict));
        }
    }
}

#[cfg(test)]
mod tests;
