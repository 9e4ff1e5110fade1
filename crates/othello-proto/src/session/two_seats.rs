//! A host's session of a game between two seats, made of the conductor and a session for each seat.

use alloc::collections::VecDeque;
use core::time::Duration;

use boardgame_core::{ByColor, ClockState, Margin, TimeControl};
use boardgame_session::{
    Conductor, ConductorAction, ConductorOptions, GameEvent, Said, SeatAction, SeatFault,
    SeatSession,
};
use othello_core::{Board, Color, Game, Move, Score};

use super::{Cause, HostAction, HostEvent, HostSession, Timestamp, Verdict};

/// A game between two seats that speak wire formats, with the [`Conductor`] between them.
#[derive(Clone, Debug)]
pub struct TwoSeats<S> {
    conductor: Conductor<Board>,
    seats: ByColor<S>,
    game: Game,
    /// True if the driver is asked to keep the verdict before the seats are told.
    keeps: bool,
    /// True once an order has reached the seats.
    started: bool,
    actions: VecDeque<HostAction>,
}

/// Options of a game between two seats.
#[derive(Clone, Debug)]
pub struct TwoSeatsOptions {
    /// The board that the game begins on.
    pub start: Board,
    /// The time of each side.
    pub time: ByColor<TimeControl>,
    /// The time that a move may take beyond that.
    pub tolerance: Duration,
    /// True if comments are relayed to the other seat.
    pub relays_comments: bool,
    /// True if the driver is asked to [keep](HostAction::Keep) the verdict before the seats are told.
    pub keeps: bool,
}

impl<S: SeatSession<Board>> TwoSeats<S> {
    /// Returns a game between two seats that has not begun.
    pub fn between(options: &TwoSeatsOptions, seats: ByColor<S>) -> Self {
        let conductor = Conductor::new(ConductorOptions {
            setup: options.start,
            opening: alloc::vec::Vec::new(),
            clocks: options.time.map(ClockState::new),
            tolerance: options.tolerance,
            relays_comments: options.relays_comments,
            conventions: seats.as_ref().map(S::conventions),
        });
        Self {
            conductor: conductor.unwrap_or_else(|_| unreachable!("there is no opening")),
            seats,
            game: Game::new(options.start),
            keeps: options.keeps,
            started: false,
            actions: VecDeque::new(),
        }
    }

    /// Passes actions, events and orders on until only actions of the driver are left.
    fn carry(&mut self, now: Timestamp) {
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

    /// Lets time pass for a seat. A seat that takes bytes does so by itself, since input may count before
    /// a deadline that has passed.
    fn tick_seat(&mut self, seat: Color, now: Timestamp) {
        self.seats[seat].tick(now);
        self.carry(now);
    }

    fn act(&mut self, seat: Color, action: SeatAction<Move>) {
        let action = match action {
            SeatAction::Launch => HostAction::Launch(seat),
            SeatAction::Send(bytes) => HostAction::Send { seat, bytes },
            SeatAction::HangUp => HostAction::HangUp(seat),
            SeatAction::Note(note) => HostAction::Note(note),
            SeatAction::Event(event) => return self.conductor.event(seat, event),
        };
        self.actions.push_back(action);
    }

    fn conduct(&mut self, action: ConductorAction<Board>, now: Timestamp) {
        match action {
            ConductorAction::Order(seat, order) => self.seats[seat].order(order, now),
            ConductorAction::Event(event) => self.watch(event),
            ConductorAction::Keep(verdict) if self.keeps => {
                let verdict = self.verdict(&verdict);
                self.actions.push_back(HostAction::Keep(verdict));
            }
            ConductorAction::Keep(_) => self.conductor.kept(),
            // The rules of Othello score every game.
            ConductorAction::Score => self.conductor.scored(Margin::DRAW),
            ConductorAction::Finish(verdict) => {
                let verdict = self.verdict(&verdict);
                self.actions.push_back(HostAction::Finish(verdict));
            }
        }
    }

    fn watch(&mut self, event: GameEvent<Move>) {
        let event = match event {
            GameEvent::Began => HostEvent::Began,
            GameEvent::Restarted => {
                self.game = Game::new(self.game.start());
                HostEvent::Restarted
            }
            GameEvent::Moved(seat, mv, thought) => {
                // The conductor has played it.
                let _ = self.game.play(mv);
                let took = thought.took;
                HostEvent::Moved { seat, mv, took }
            }
            GameEvent::Said(seat, Said::Comment(text)) => HostEvent::Comment { seat, text },
            GameEvent::Said(seat, Said::FalseClaim(margin)) => HostEvent::FalseClaim {
                seat,
                value: Score::new(margin.half_points() / 2).unwrap_or(Score::MAX),
            },
            GameEvent::Said(_, Said::Claim(_) | Said::ClosingMove(_)) => return,
        };
        self.actions.push_back(HostAction::Event(event));
    }

    fn verdict(&self, verdict: &boardgame_session::Verdict) -> Verdict {
        Verdict {
            winner: verdict.winner,
            cause: cause(&verdict.cause),
            board: self.game.board(),
        }
    }
}

fn cause(cause: &boardgame_session::Cause) -> Cause {
    use boardgame_session::Cause as From;
    match cause.clone() {
        From::Forfeit { by, fault } => match fault {
            SeatFault::IllegalMove { detail } => Cause::IllegalMove { by, detail },
            SeatFault::Overtime => Cause::Overtime { by },
            SeatFault::Format { detail } | SeatFault::CannotBegin { detail } => {
                Cause::Format { by, detail }
            }
            _ => Cause::Left { by },
        },
        // A program that resigns has left the game.
        From::Resigned { by } => Cause::Left { by },
        _ => Cause::Played,
    }
}

impl<S: SeatSession<Board>> HostSession for TwoSeats<S> {
    fn start(&mut self, now: Timestamp) {
        self.started = true;
        self.carry(now);
    }

    fn receive(&mut self, seat: Color, bytes: &[u8], now: Timestamp) {
        self.tick_seat(!seat, now);
        self.seats[seat].receive(bytes, now);
        self.carry(now);
    }

    fn end_of_input(&mut self, seat: Color, now: Timestamp) {
        self.tick_seat(!seat, now);
        self.seats[seat].end_of_input(now);
        self.carry(now);
    }

    fn exited(&mut self, seat: Color, success: bool, now: Timestamp) {
        self.tick_seat(!seat, now);
        self.seats[seat].exited(success, now);
        self.carry(now);
    }

    fn kept(&mut self, now: Timestamp) {
        self.conductor.kept();
        self.carry(now);
    }

    fn deadline(&self) -> Option<Timestamp> {
        self.seats.iter().filter_map(S::deadline).min()
    }

    fn tick(&mut self, now: Timestamp) {
        for seat in Color::ALL {
            self.tick_seat(seat, now);
        }
    }

    fn poll(&mut self) -> Option<HostAction> {
        self.actions.pop_front()
    }

    fn game(&self) -> &Game {
        &self.game
    }
}
