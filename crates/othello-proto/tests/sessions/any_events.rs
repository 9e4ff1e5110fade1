//! Seats in games in which anything may happen.

use std::time::Duration;

use boardgame_core::{ByColor, ClockState};
use boardgame_session::{
    Conductor, ConductorAction, ConductorOptions, Conventions, Order, Said, SeatAction, SeatEvent,
    SeatFault, SeatSession, Thought,
};
use othello_core::{Board, Color, Move, Square};
use othello_proto::{
    codewarriors::{JudgeSeat, Message},
    gtp,
    gui::{Form, HostSeat, HostSeatOptions, Version},
    nboard,
    session::Timestamp,
    sloan::{self, OpeningPass, RefereeOptions, RefereeSeat},
};
use proptest::prelude::*;

use crate::hosts::per_move;

const STARTS: [&str; 4] = [
    "---------------------------OX------XO--------------------------- X",
    // Black takes the last empty square with h8, or the last disc of White with e4.
    "XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXO- X",
    "--------------------------XO------------------------------------ X",
    // Black must pass; White may take a1.
    "-XOOOOOO-------------------------------------------------------- X",
];

/// A seat, and what its programs print.
struct Case<S> {
    seat: S,
    print: fn(Move) -> String,
    /// The output before the first move.
    greeting: &'static str,
    /// True if a fault shows the board that an illegal move was made on.
    shows_board: bool,
}

/// A game between a seat, which plays Black, and events made up for White.
struct Run<S> {
    case: Case<S>,
    conductor: Conductor<Board>,
    now: Timestamp,
    /// True once the seat's program has ended.
    gone: bool,
    /// True while White owes an answer to the order.
    asked: bool,
    finished: bool,
}

impl<S: SeatSession<Board>> Run<S> {
    fn new(case: Case<S>, start: Board, closing_moves: bool) -> Self {
        let white = Conventions {
            asks_forced_moves: false,
            closing_moves,
        };
        let conductor = Conductor::new(ConductorOptions {
            setup: start,
            opening: Vec::new(),
            clocks: ByColor::new_with(|_| ClockState::new(per_move(Duration::from_secs(1)))),
            tolerance: Duration::ZERO,
            relays_comments: true,
            conventions: [case.seat.conventions(), white].into(),
        });
        let mut run = Self {
            case,
            conductor: conductor.unwrap(),
            now: Timestamp::ORIGIN,
            gone: false,
            asked: false,
            finished: false,
        };
        run.settle();
        run
    }

    /// Carries orders and events until nothing is left to do.
    fn settle(&mut self) {
        for _ in 0..1000 {
            if let Some(action) = self.conductor.poll() {
                assert!(!self.finished, "{action:?} after the end");
                self.conduct(action);
            } else if let Some(action) = self.case.seat.poll() {
                self.act(action);
            } else {
                return;
            }
        }
        panic!("no end of actions");
    }

    fn conduct(&mut self, action: ConductorAction<Board>) {
        match action {
            ConductorAction::Order(Color::Black, order) => self.case.seat.order(order, self.now),
            ConductorAction::Order(_, order) => match order {
                Order::Begin { .. } => self.white(SeatEvent::Ready),
                Order::Choose { .. } => self.asked = true,
                Order::Over { .. } => self.white(SeatEvent::Completed),
                Order::Conclude(_) => self.white(SeatEvent::Closed),
                _ => {}
            },
            ConductorAction::Keep(_) => self.conductor.kept(),
            ConductorAction::Finish(verdict) => {
                assert!(verdict.winner.is_some() || self.conductor.position().is_over());
                self.finished = true;
            }
            ConductorAction::Score => panic!("Othello is scored by its rules"),
            ConductorAction::Event(_) => {}
        }
    }

    fn white(&mut self, event: SeatEvent<Move>) {
        self.conductor.event(Color::White, event);
    }

    fn act(&mut self, action: SeatAction<Move>) {
        match action {
            SeatAction::Launch => self.gone = false,
            SeatAction::Send(bytes) => assert!(bytes.ends_with(b"\n")),
            SeatAction::Event(SeatEvent::Fault(SeatFault::IllegalMove { detail })) => {
                let board = self.conductor.position().to_string();
                assert!(
                    !self.case.shows_board || detail.contains(&board[..64]),
                    "{detail}"
                );
                self.conductor.forfeit(Color::Black, SeatFault::Left);
            }
            SeatAction::Event(event) => {
                if let SeatEvent::Move(mv, _) = event {
                    let mut board = *self.conductor.position();
                    assert_eq!(self.conductor.asked(), Some(Color::Black));
                    assert_eq!(board.play(mv), Ok(()));
                }
                self.conductor.event(Color::Black, event);
            }
            _ => {}
        }
    }

    fn step(&mut self, kind: u8, choice: u16, bytes: &[u8]) {
        let board = *self.conductor.position();
        let moves: Vec<Square> = board.legal_moves().iter().collect();
        let legal = moves.get(usize::from(choice) % moves.len().max(1));
        let mv = legal.map_or(Move::Pass, |&square| square.into());
        match kind {
            0 => self.receive(bytes),
            1 => self.leave(!choice.is_multiple_of(8)),
            2 => {
                self.now = self.now + Duration::from_millis(choice.into());
                self.case.seat.tick(self.now);
            }
            3 => self.white(SeatEvent::Said(Said::ClosingMove(Move::Pass))),
            4 if choice.is_multiple_of(4) => self.white(SeatEvent::Restart),
            5 | 6 => self.receive(self.case.greeting.as_bytes()),
            _ if std::mem::take(&mut self.asked) => {
                self.white(SeatEvent::Move(mv, Thought::default()));
            }
            7..22 => {
                let text = (self.case.print)(mv);
                self.receive(text.as_bytes());
            }
            _ => {}
        }
        self.settle();
    }

    fn receive(&mut self, bytes: &[u8]) {
        if !self.gone {
            self.case.seat.receive(bytes, self.now);
        }
    }

    fn leave(&mut self, success: bool) {
        if !std::mem::replace(&mut self.gone, true) {
            self.case.seat.end_of_input(self.now);
            self.settle();
            if self.gone {
                self.case.seat.exited(success, self.now);
            }
        }
    }

    /// Checks that the game comes to its end once the seat's programs leave and White plays on.
    fn end(mut self) {
        for _ in 0..256 {
            if self.finished {
                return;
            }
            self.step(255, 0, &[]);
            self.leave(true);
            self.settle();
            self.now = self.case.seat.deadline().unwrap_or(self.now).max(self.now);
            self.case.seat.tick(self.now);
            self.settle();
        }
        panic!("no end after the seat's programs have left");
    }
}

/// An event: its kind, a choice, and bytes of the program.
type Step = (u8, u16, Vec<u8>);

fn check<S: SeatSession<Board>>(case: Case<S>, start: usize, closes: bool, steps: &[Step]) {
    let mut run = Run::new(case, STARTS[start].parse().unwrap(), closes);
    for (kind, choice, bytes) in steps {
        if run.finished {
            return;
        }
        run.step(*kind, *choice, bytes);
    }
    run.end();
}

proptest! {
    #[test]
    fn whatever_happens_moves_are_legal_and_in_turn_and_the_game_ends(
        start in 0..STARTS.len(),
        closes in any::<bool>(),
        steps in prop::collection::vec(
            (0u8..22, any::<u16>(), prop::collection::vec(any::<u8>(), 0..8)),
            0..100,
        ),
    ) {
        let judge = Case {
            seat: JudgeSeat::new(Duration::ZERO),
            print: |mv| Message::from(mv).to_string(),
            greeting: "\r\n",
            shows_board: true,
        };
        check(judge, start, closes, &steps);
        let controller = Case {
            seat: gtp::GtpSeat::new(gtp::GtpSeatOptions::default()),
            print: |mv| format!("= {mv}\n\n"),
            greeting: "= gogui-setup\ngogui-setup_player\nfinal_score\n\n",
            shows_board: false,
        };
        check(controller, start, closes, &steps);
        let front_end = Case {
            seat: nboard::NBoardSeat::new(nboard::NBoardSeatOptions::default()),
            print: |mv| nboard::Response::Move(mv.into()).to_string() + "\n",
            greeting: "pong 1\npong 2\npong 3\npong 4\npong 5\n",
            shows_board: false,
        };
        check(front_end, start, closes, &steps);
        for form in [Form::Released, Form::Document(Version::V1), Form::Stay(Version::V2)] {
            let host = Case {
                seat: HostSeat::new(HostSeatOptions { form, ..HostSeatOptions::default() }),
                print: |mv| format!("{mv}\n"),
                greeting: if form == Form::Released { "" } else { "v1.0.0\n" },
                shows_board: true,
            };
            check(host, start, closes, &steps);
        }
        for opening_pass in [OpeningPass::Auto, OpeningPass::Always] {
            let referee = Case {
                seat: RefereeSeat::new(RefereeOptions { opening_pass, ..RefereeOptions::default() }),
                print: |mv| format!("{}\n", sloan::Message::Move { color: Color::Black, mv }),
                greeting: "(R B)\n",
                shows_board: false,
            };
            check(referee, start, closes, &steps);
        }
    }
}
