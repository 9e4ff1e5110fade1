//! A toy format for any game: the host sends the moves of both sides as lines, and a line `?` to ask
//! for a move; the player answers with a line.
#![allow(dead_code, unreachable_pub, reason = "each test file uses its part")]

use std::{collections::VecDeque, future::ready, time::Duration};

use boardgame_core::{ByColor, Color, Game};
use boardgame_match::{
    Choice, GameOptions, GameReport, GameSpec, LocalPlayer, Seat, Turn, conduct,
};
use boardgame_session::{
    Conventions, Note, Order, SeatAction, SeatEvent, SeatFault, SeatSession, Thought, Timestamp,
};

/// The options of the toy format.
#[derive(Clone, Copy, Debug, Default)]
pub struct Rules {
    /// The time for each move.
    pub limit: Option<Duration>,
    /// True if a program is started for each move.
    pub launches: bool,
    /// True if a program keeps running after a game.
    pub stays: bool,
    /// The number of extra bytes sent with each question.
    pub padding: usize,
}

/// The host's side of the toy format.
pub struct LineSession<G: Game> {
    rules: Rules,
    asked: Option<Timestamp>,
    over: bool,
    unread: Vec<u8>,
    actions: VecDeque<SeatAction<G::Move>>,
}

impl<G: Game> LineSession<G> {
    pub fn new(rules: Rules) -> Self {
        Self {
            rules,
            asked: None,
            over: false,
            unread: Vec::new(),
            actions: VecDeque::new(),
        }
    }

    fn tell(&mut self, event: SeatEvent<G::Move>) {
        self.actions.push_back(SeatAction::Event(event));
    }

    fn fault(&mut self, fault: SeatFault) {
        self.asked = None;
        if !self.over {
            self.tell(SeatEvent::Fault(fault));
        }
    }

    fn send(&mut self, line: &str) {
        let line = format!("{line}\n").into_bytes();
        self.actions.push_back(SeatAction::Send(line));
    }

    fn ask(&mut self, now: Timestamp) {
        self.asked = Some(now);
        if self.rules.launches {
            self.actions.push_back(SeatAction::Launch);
        }
        self.send(&format!("{}?", " ".repeat(self.rules.padding)));
        if self.rules.launches {
            self.actions.push_back(SeatAction::HangUp);
        }
    }

    fn answer(&mut self, line: &str, now: Timestamp) {
        match (line, line.parse()) {
            ("again", _) => self.tell(SeatEvent::Restart),
            (_, Ok(mv)) => {
                let took = now - self.asked.take().unwrap_or(now);
                let thought = Thought {
                    took,
                    ..Thought::default()
                };
                self.tell(SeatEvent::Move(mv, thought));
            }
            _ => self.actions.push_back(SeatAction::Note(Note::fault(line))),
        }
    }
}

impl<G: Game> SeatSession<G> for LineSession<G> {
    fn conventions(&self) -> Conventions {
        Conventions {
            asks_forced_moves: false,
            closing_moves: false,
        }
    }

    fn order(&mut self, order: Order<G>, now: Timestamp) {
        match order {
            Order::Begin { .. } => {
                self.asked = None;
                self.over = false;
                self.unread.clear();
                self.tell(SeatEvent::Ready);
            }
            Order::Choose { .. } => self.ask(now),
            Order::Played { mv, .. } if !self.rules.launches => self.send(&mv.to_string()),
            Order::Played { .. } | Order::Said(_) => {}
            Order::Over { .. } => {
                self.over = true;
                self.tell(SeatEvent::Completed);
            }
            Order::Conclude(_) | Order::CallOff => {
                self.over = true;
                self.asked = None;
                if !self.rules.stays {
                    self.actions.push_back(SeatAction::HangUp);
                }
                self.tell(SeatEvent::Closed);
            }
        }
    }

    fn receive(&mut self, bytes: &[u8], now: Timestamp) {
        self.unread.extend(bytes);
        // Late input does not count, as in any format.
        self.tick(now);
        while let Some(end) = self.unread.iter().position(|&byte| byte == b'\n') {
            let line: Vec<u8> = self.unread.drain(..=end).collect();
            self.answer(String::from_utf8_lossy(&line).trim(), now);
        }
    }

    fn end_of_input(&mut self, _: Timestamp) {
        if !self.rules.launches {
            self.fault(SeatFault::Left);
        }
    }

    fn exited(&mut self, _: bool, _: Timestamp) {
        if self.asked.is_some() {
            self.fault(SeatFault::Left);
        }
    }

    fn deadline(&self) -> Option<Timestamp> {
        Some(self.asked? + self.rules.limit?)
    }

    fn tick(&mut self, now: Timestamp) {
        if self.deadline().is_some_and(|deadline| deadline <= now) {
            self.fault(SeatFault::Overtime {
                detail: String::new(),
            });
        }
    }

    fn poll(&mut self) -> Option<SeatAction<G::Move>> {
        self.actions.pop_front()
    }
}

/// Plays a game that nobody observes, until it is over or `cancel` resolves.
pub async fn play_game(
    game: GameSpec<Heap>,
    seats: ByColor<&mut (dyn Seat<Heap> + 'static)>,
    cancel: impl Future<Output = ()>,
) -> GameReport<Heap> {
    let keep = |_: &_, _: &_| ready(());
    let options = GameOptions::default();
    let game = conduct(game, seats, |_, _| {}, keep, &options, cancel);
    game.await.expect("there is no opening")
}

/// A player that takes one counter at a time.
pub struct One;

impl LocalPlayer<Heap> for One {
    fn choose(&mut self, _: &Turn<Heap>) -> Choice<u8> {
        Choice::Move(1, Thought::default())
    }
}

/// A heap from which each side takes one or two counters. Taking the last one wins by two points.
#[derive(Clone, Debug)]
pub struct Heap {
    pub left: u8,
    to_move: Color,
}

#[derive(Clone, Debug, thiserror::Error)]
#[error("{0} of {1} counters")]
pub struct TooMany(u8, u8);

impl Game for Heap {
    type Move = u8;
    /// The counters.
    type Setup = u8;
    type IllegalMove = TooMany;
    const NAME: &'static str = "heap";

    fn new(&left: &u8) -> Self {
        let to_move = Color::Black;
        Self { left, to_move }
    }

    fn side_to_move(&self) -> Color {
        self.to_move
    }

    fn forced_move(&self) -> Option<u8> {
        None
    }

    fn play(&mut self, taken: u8) -> Result<(), TooMany> {
        if !(1..=2).contains(&taken) || taken > self.left {
            return Err(TooMany(taken, self.left));
        }
        self.left -= taken;
        self.to_move = !self.to_move;
        Ok(())
    }

    fn status(&self) -> boardgame_core::Status {
        use boardgame_core::{Margin, Status};
        match self.left {
            0 => Status::Scored(Margin::from_points(2).seen_by(!self.to_move)),
            _ => Status::Playing,
        }
    }
}
