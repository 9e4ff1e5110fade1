//! Any events of both seats, in any order.

use std::vec::Vec;

use proptest::prelude::*;

use super::*;

/// An event of the game's driver or of a seat.
#[derive(Clone, Debug)]
enum Input {
    /// The seat obeys its last order, if that is open.
    Obey(Color),
    Seat(Color, SeatEvent<u8>),
    Kept,
    Scored,
    CallOff,
    Forfeit(Color),
}

/// An order to a seat that is not answered yet.
#[derive(Clone, Copy, Debug)]
enum Told {
    Begin,
    Choose,
    Over,
    Conclude,
}

/// A game with the orders and events that its seats and observers got.
#[allow(clippy::struct_excessive_bools)] // Each is a fact of its own.
struct Observed {
    conductor: Conductor<Heap>,
    counters: u8,
    asks_forced_moves: bool,
    /// The position by the moves that the observers saw.
    position: Heap,
    moves: Vec<u8>,
    told: ByColor<Option<Told>>,
    /// The moves not yet sent to a seat.
    untold: ByColor<Vec<(Color, u8)>>,
    /// True while a game is in progress.
    began: bool,
    /// The side that is to answer.
    asked: Option<Color>,
    restarts: u8,
    /// The seat that spoke last, or is to forfeit the game.
    spoke: Option<Color>,
    /// The seats that are not yet ready for a game that starts over.
    stale: ByColor<bool>,
    /// The orders that end the session of a seat.
    ended: ByColor<u8>,
    called_off: bool,
    /// The seats whose sessions have ended, after the order to end them.
    closed: ByColor<bool>,
    verdict: Option<Verdict>,
    finished: bool,
}

impl Observed {
    fn new(counters: u8, asks_forced_moves: bool) -> Self {
        let mut observed = Self {
            conductor: conductor(counters, &[], asks_forced_moves),
            counters,
            asks_forced_moves,
            position: Heap::new(&counters),
            moves: Vec::new(),
            told: ByColor::default(),
            untold: ByColor::default(),
            began: false,
            asked: None,
            restarts: 0,
            spoke: None,
            stale: ByColor::default(),
            ended: ByColor::default(),
            called_off: false,
            closed: ByColor::default(),
            verdict: None,
            finished: false,
        };
        observed.settle();
        observed
    }

    fn feed(&mut self, input: Input) {
        match input {
            Input::Obey(seat) => self.obey(seat),
            Input::Seat(seat, event) => self.event(seat, event),
            Input::Kept => self.conductor.kept(),
            Input::Scored => self.conductor.scored(Margin::from_points(1)),
            Input::CallOff => self.conductor.call_off(),
            Input::Forfeit(seat) => {
                self.spoke = Some(seat);
                self.conductor.forfeit(seat, SeatFault::Left);
            }
        }
        self.settle();
        assert_eq!(self.conductor.moves(), self.moves);
        assert_eq!(self.conductor.position().left, self.position.left);
    }

    fn obey(&mut self, seat: Color) {
        let Some(told) = self.told[seat].take() else {
            return;
        };
        let event = match told {
            Told::Begin => SeatEvent::Ready,
            Told::Choose => SeatEvent::Move(self.position.left.min(2), Thought::default()),
            Told::Over => SeatEvent::Completed,
            Told::Conclude => SeatEvent::Closed,
        };
        self.event(seat, event);
    }

    fn event(&mut self, seat: Color, event: SeatEvent<u8>) {
        match event {
            SeatEvent::Ready => self.stale[seat] = false,
            SeatEvent::Closed => self.closed[seat] = self.ended[seat] > 0,
            _ => {}
        }
        self.spoke = Some(seat);
        let is_void = self.stale[seat] && !matches!(event, SeatEvent::Fault(_));
        let verdict = self.verdict.clone();
        self.conductor.event(seat, event);
        if is_void {
            self.settle();
            assert_eq!(self.verdict, verdict, "a void game is judged");
        }
    }

    fn settle(&mut self) {
        while let Some(action) = self.conductor.poll() {
            assert!(!self.finished, "{action:?} after the end");
            match action {
                ConductorAction::Order(seat, order) => self.ordered(seat, order),
                ConductorAction::Event(event) => self.observed(&event),
                ConductorAction::Score => {
                    assert_eq!(self.position.status(), Status::Unscored);
                    assert_eq!(self.verdict, None);
                }
                ConductorAction::Keep(verdict) => self.decided(verdict),
                ConductorAction::Finish(verdict) => {
                    assert_eq!(self.verdict.as_ref(), Some(&verdict));
                    assert!(self.closed.iter().all(|closed| *closed), "a seat is open");
                    self.finished = true;
                }
            }
        }
        let untold = self.untold.iter().any(|moves| !moves.is_empty());
        assert!(!untold, "a move that a seat is not told");
    }

    fn observed(&mut self, event: &GameEvent<u8>) {
        match *event {
            GameEvent::Said(..) => {}
            GameEvent::Began => {
                assert!(
                    !std::mem::replace(&mut self.began, true),
                    "a second beginning"
                );
            }
            GameEvent::Restarted => {
                (self.began, self.asked) = (false, None);
                self.stale = ByColor::new_with(|_| true);
                self.restarts += 1;
                assert!(
                    self.restarts <= 2,
                    "each seat has the game begin again once"
                );
                self.position = Heap::new(&self.counters);
                self.moves.clear();
            }
            GameEvent::Moved(color, mv, _) => {
                assert!(self.began && self.asked.is_none_or(|asked| asked == color));
                self.asked = None;
                assert_eq!(color, self.position.side_to_move());
                assert_eq!(self.position.play(mv), Ok(()));
                self.moves.push(mv);
                for moves in self.untold.iter_mut() {
                    moves.push((color, mv));
                }
            }
        }
    }

    fn ordered(&mut self, seat: Color, order: Order<Heap>) {
        // After the order that ends a session only remarks follow.
        let is_remark = matches!(order, Order::Said(Said::Comment(_)));
        assert!(
            self.ended[seat] == 0 || is_remark,
            "{order:?} after the end"
        );
        let is_open = self.verdict.is_none() && !self.called_off;
        match order {
            Order::Begin { moves, color, .. } => {
                assert!(is_open && moves.is_empty() && color == seat);
                self.told[seat] = Some(Told::Begin);
            }
            Order::Choose { .. } => {
                assert!(is_open, "a question after the end");
                assert_eq!(self.conductor.asked(), Some(seat));
                assert_eq!(self.position.side_to_move(), seat);
                assert!(self.asks_forced_moves || self.position.forced_move().is_none());
                assert_eq!(self.asked.replace(seat), None, "a second question");
                self.told[seat] = Some(Told::Choose);
            }
            Order::Played { color, mv } => {
                assert!(is_open, "a move after the end");
                assert_eq!(self.untold[seat].remove(0), (color, mv));
            }
            Order::Said(_) => {}
            Order::Over { margin, .. } => {
                assert!(is_open && self.position.status().is_over());
                assert_eq!(margin.is_some(), self.position.scored);
                self.told[seat] = Some(Told::Over);
            }
            Order::Conclude(verdict) => {
                assert_eq!(self.verdict.as_ref(), Some(&verdict));
                self.ended[seat] += 1;
                self.told[seat] = Some(Told::Conclude);
            }
            Order::CallOff => {
                assert_eq!(self.verdict, None);
                self.called_off = true;
                self.ended[seat] += 1;
                self.told[seat] = None;
            }
        }
    }

    fn decided(&mut self, verdict: Verdict) {
        assert!(!self.called_off);
        assert_eq!(self.verdict, None, "a second verdict");
        if let Some(culprit) = verdict.cause.culprit() {
            assert_eq!(verdict.winner, Some(!culprit));
            // A game that cannot start over is lost by the seat that needed it.
            let is_own = self.spoke == Some(culprit);
            assert!(is_own || self.restarts > 0, "the other seat is blamed");
        } else {
            let margin = match self.position.status() {
                Status::Scored(margin) => margin,
                Status::Unscored => Margin::from_points(1),
                Status::Playing => panic!("a result in mid-game"),
            };
            assert_eq!(verdict, Verdict::played(margin));
        }
        self.verdict = Some(verdict);
    }

    /// Ends the game with two seats that obey.
    fn end(&mut self) {
        for _ in 0..100 {
            for seat in Color::ALL {
                self.feed(Input::Obey(seat));
            }
            self.feed(Input::Scored);
            self.feed(Input::Kept);
        }
        assert_eq!(self.finished, !self.called_off);
        assert_eq!(self.ended, ByColor { black: 1, white: 1 });
    }
}

fn event() -> impl Strategy<Value = SeatEvent<u8>> {
    let margin = Margin::from_points(2);
    prop_oneof![
        3 => Just(SeatEvent::Ready),
        3 => (0..4u8, 0..12u64).prop_map(|(mv, seconds)| {
            SeatEvent::Move(mv, took(seconds as f64))
        }),
        1 => Just(SeatEvent::Resign),
        2 => prop::sample::select(vec![
            Said::Comment("well".into()),
            Said::Claim(margin),
            Said::FalseClaim(margin),
            Said::ClosingMove(1),
        ])
        .prop_map(SeatEvent::Said),
        2 => Just(SeatEvent::Restart),
        2 => Just(SeatEvent::Completed),
        1 => prop::sample::select(vec![
            SeatFault::Left,
            SeatFault::format("no move"),
            SeatFault::CannotBegin { detail: "no board".into() },
        ])
        .prop_map(SeatEvent::Fault),
        2 => Just(SeatEvent::Closed),
    ]
}

fn input() -> impl Strategy<Value = Input> {
    let seat = || prop::sample::select(Color::ALL.to_vec());
    prop_oneof![
        60 => seat().prop_map(Input::Obey),
        10 => (seat(), event()).prop_map(|(seat, event)| Input::Seat(seat, event)),
        4 => Just(Input::Kept),
        4 => Just(Input::Scored),
        1 => Just(Input::CallOff),
        1 => seat().prop_map(Input::Forfeit),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1024))]

    #[test]
    fn a_game_is_conducted_by_the_rules_whatever_the_seats_do(
        counters in 1..12u8,
        asks_forced_moves: bool,
        inputs in prop::collection::vec(input(), 0..80),
    ) {
        let mut observed = Observed::new(counters, asks_forced_moves);
        for input in inputs {
            observed.feed(input);
        }
        observed.end();
    }
}
