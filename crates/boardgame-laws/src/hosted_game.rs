//! A game between the host's sessions of two seats, without I/O.

use std::{collections::VecDeque, time::Duration};

use boardgame_core::{ByColor, ClockState, Color, Game, Margin, TimeControl};
use boardgame_session::{
    Conductor, ConductorAction, ConductorOptions, GameEvent, Note, Said, SeatAction, SeatSession,
    Timestamp, Verdict,
};

/// A game between the host's sessions of two seats, with the [`Conductor`] between them.
///
/// Its driver works as for one session: it calls [`start`](Self::start) once, then feeds what the
/// programs at both seats do and passing time, and after each call polls actions until there are none.
pub struct HostedGame<G: Game, S> {
    conductor: Conductor<G>,
    seats: ByColor<S>,
    options: HostedGameOptions<G>,
    /// True once an order has reached the seats.
    started: bool,
    actions: VecDeque<HostAction<G::Move>>,
}

/// Options of a [`HostedGame`].
#[derive(Clone, Debug)]
pub struct HostedGameOptions<G: Game> {
    /// The setup of the game.
    pub setup: G::Setup,
    /// The time of each side.
    pub time: ByColor<TimeControl>,
    /// The time that a move may take beyond that.
    pub tolerance: Duration,
    /// True if comments are relayed to the other seat.
    pub relays_comments: bool,
    /// True if the driver is asked to [keep](HostAction::Keep) the verdict before the seats get it.
    pub keeps: bool,
    /// Returns the result of a finished game that the rules do not score.
    pub score: fn(&G) -> Margin,
}

/// An action of the driver of a [`HostedGame`].
#[derive(Clone, Debug, PartialEq)]
pub enum HostAction<M> {
    /// Start the program of a seat, in place of the one before.
    Launch(Color),
    /// Write these bytes to the program of a seat.
    Send {
        /// The seat.
        seat: Color,
        /// The bytes.
        bytes: Vec<u8>,
    },
    /// Close the input of the program of a seat.
    HangUp(Color),
    /// Keep the verdict and call [`HostedGame::kept`].
    Keep(Verdict),
    /// Tell the observers.
    Event(GameEvent<M>),
    /// Write this to the log.
    Note(Note),
    /// Stop: the game is decided and nothing follows.
    Finish(Verdict),
}

impl<G: Game> HostedGameOptions<G> {
    /// Returns a game that the rules score, with the same time for both sides.
    pub fn new(setup: G::Setup, time: TimeControl) -> Self {
        Self {
            setup,
            time: ByColor::new_with(|_| time),
            tolerance: Duration::ZERO,
            relays_comments: false,
            keeps: false,
            score: |_| panic!("the rules score every game"),
        }
    }
}

impl<G: Game, S: SeatSession<G>> HostedGame<G, S> {
    /// Returns a game that has not started.
    pub fn new(options: HostedGameOptions<G>, seats: ByColor<S>) -> Self {
        let conductor = Conductor::new(ConductorOptions {
            setup: options.setup.clone(),
            opening: Vec::new(),
            clocks: options.time.map(ClockState::new),
            tolerance: options.tolerance,
            relays_comments: options.relays_comments,
            conventions: seats.as_ref().map(S::conventions),
        });
        Self {
            conductor: conductor.expect("there is no opening"),
            seats,
            options,
            started: false,
            actions: VecDeque::new(),
        }
    }

    /// Starts the game. Called once, before anything else.
    pub fn start(&mut self, now: Timestamp) {
        self.started = true;
        self.settle(now);
    }

    /// Takes bytes from the program of a seat, split anywhere.
    pub fn receive(&mut self, seat: Color, bytes: &[u8], now: Timestamp) {
        self.tick_seat(!seat, now);
        self.seats[seat].receive(bytes, now);
        self.settle(now);
    }

    /// Takes the end of the output of a seat's program.
    pub fn end_of_input(&mut self, seat: Color, now: Timestamp) {
        self.tick_seat(!seat, now);
        self.seats[seat].end_of_input(now);
        self.settle(now);
    }

    /// Takes the end of a seat's program, after the end of its output; `success` is whether its exit status was 0.
    pub fn exited(&mut self, seat: Color, success: bool, now: Timestamp) {
        self.tick_seat(!seat, now);
        self.seats[seat].exited(success, now);
        self.settle(now);
    }

    /// Takes the answer to [`HostAction::Keep`].
    pub fn kept(&mut self, now: Timestamp) {
        self.conductor.kept();
        self.settle(now);
    }

    /// Returns when to call [`tick`](Self::tick) next, if needed.
    pub fn deadline(&self) -> Option<Timestamp> {
        self.seats.iter().filter_map(S::deadline).min()
    }

    /// Takes the passing of time.
    pub fn tick(&mut self, now: Timestamp) {
        for seat in Color::ALL {
            self.tick_seat(seat, now);
        }
    }

    /// Returns the next action, or `None` until the game is fed again.
    pub fn poll(&mut self) -> Option<HostAction<G::Move>> {
        self.actions.pop_front()
    }

    /// Returns the setup.
    pub const fn setup(&self) -> &G::Setup {
        &self.options.setup
    }

    /// Returns the position after the moves so far.
    pub const fn position(&self) -> &G {
        self.conductor.position()
    }

    /// Returns the moves so far.
    pub fn moves(&self) -> &[G::Move] {
        self.conductor.moves()
    }

    /// Relays actions, events and orders until only actions of the driver are left.
    fn settle(&mut self, now: Timestamp) {
        if !self.started {
            return;
        }
        loop {
            if let Some(action) = self.conductor.poll() {
                self.conduct(action, now);
                continue;
            }
            let next = |seat: Color, seats: &mut ByColor<S>| Some((seat, seats[seat].poll()?));
            let polled = Color::ALL
                .into_iter()
                .find_map(|seat| next(seat, &mut self.seats));
            match polled {
                Some((seat, action)) => self.act(seat, action),
                None => return,
            }
        }
    }

    /// Lets time pass for a seat. A seat that takes bytes handles time itself, since input may count before a deadline
    /// that has passed.
    fn tick_seat(&mut self, seat: Color, now: Timestamp) {
        self.seats[seat].tick(now);
        self.settle(now);
    }

    fn act(&mut self, seat: Color, action: SeatAction<G::Move>) {
        let action = match action {
            SeatAction::Launch => HostAction::Launch(seat),
            SeatAction::Send(bytes) => HostAction::Send { seat, bytes },
            SeatAction::HangUp => HostAction::HangUp(seat),
            SeatAction::Note(note) => HostAction::Note(note),
            SeatAction::Event(event) => return self.conductor.event(seat, event),
        };
        self.actions.push_back(action);
    }

    fn conduct(&mut self, action: ConductorAction<G>, now: Timestamp) {
        let action = match action {
            ConductorAction::Order(seat, order) => return self.seats[seat].order(order, now),
            // Visible in the output to the other seat.
            ConductorAction::Event(GameEvent::Said(_, Said::Claim(_) | Said::ClosingMove(_))) => {
                return;
            }
            ConductorAction::Event(event) => HostAction::Event(event),
            ConductorAction::Keep(verdict) if self.options.keeps => HostAction::Keep(verdict),
            ConductorAction::Keep(_) => return self.conductor.kept(),
            ConductorAction::Score => {
                let margin = (self.options.score)(self.conductor.position());
                return self.conductor.scored(margin);
            }
            ConductorAction::Finish(verdict) => HostAction::Finish(verdict),
        };
        self.actions.push_back(action);
    }
}
