//! A game of no consequence, whose setup is the size of its board: the sides count up to that number, or pass.

use std::vec;

use boardgame_core::{Margin, Status, TimeControl};

use super::*;
use crate::{
    Cause, ParseError,
    gtp::{InexpressibleSetup, color_word},
};

#[derive(Clone, Debug)]
struct Count {
    size: u8,
    reached: u8,
    side: Color,
}

#[derive(Clone, Debug, thiserror::Error)]
#[error("{0} does not follow {1}")]
struct Illegal(u8, u8);

impl Game for Count {
    /// The next number; 0 is a pass.
    type Move = u8;
    type Setup = u8;
    type IllegalMove = Illegal;

    const NAME: &'static str = "count";

    fn new(&size: &u8) -> Self {
        Self {
            size,
            reached: 0,
            side: Color::Black,
        }
    }

    fn side_to_move(&self) -> Color {
        self.side
    }

    fn forced_move(&self) -> Option<u8> {
        None
    }

    fn play(&mut self, mv: u8) -> Result<(), Illegal> {
        if mv != 0 && mv != self.reached + 1 {
            return Err(Illegal(mv, self.reached));
        }
        self.reached = self.reached.max(mv);
        self.side = !self.side;
        Ok(())
    }

    fn status(&self) -> Status {
        if self.reached == self.size {
            Status::Scored(Margin::DRAW)
        } else {
            Status::Playing
        }
    }
}

#[derive(Clone, Debug)]
struct CountGtp;

impl GtpGame for CountGtp {
    type Game = Count;

    fn board_size(&size: &u8) -> u32 {
        size.into()
    }

    fn setup_commands(
        &size: &u8,
        knows: &dyn Fn(&str) -> bool,
    ) -> Result<Vec<Command>, InexpressibleSetup> {
        if size < 10 {
            return Ok(Vec::new());
        }
        let command = Command::new("huge").argument(color_word(Color::White));
        let missing = InexpressibleSetup {
            commands: "huge",
            part: "a board beyond 9",
        };
        knows("huge").then(|| vec![command]).ok_or(missing)
    }

    fn vertex(_: &Count, mv: u8) -> String {
        match mv {
            0 => "PASS".into(),
            mv => mv.to_string(),
        }
    }

    fn parse_vertex(_: &Count, text: &str) -> Result<u8, ParseError> {
        let error = || ParseError::new("a number", 0, text.as_bytes());
        text.parse().map_err(|_| error())
    }
}

/// A seat under orders at one moment; what it does comes back as lines.
struct Ordered(GtpSeat<CountGtp>);

impl Ordered {
    fn new() -> Self {
        Self(GtpSeat::new(GtpSeatOptions::default()))
    }

    fn begins(&mut self, size: u8, moves: &[u8]) -> Vec<String> {
        self.hears(Order::Begin {
            setup: size,
            moves: moves.to_vec(),
            color: Color::White,
            clocks: clocks(),
            tolerance: Duration::ZERO,
        })
    }

    fn hears(&mut self, order: Order<Count>) -> Vec<String> {
        self.0.order(order, Timestamp::ORIGIN);
        self.drain()
    }

    fn prints(&mut self, text: &str) -> Vec<String> {
        self.0.receive(text.as_bytes(), Timestamp::ORIGIN);
        self.drain()
    }

    fn drain(&mut self) -> Vec<String> {
        let line = |action| match action {
            SeatAction::Send(bytes) => String::from_utf8(bytes).unwrap().trim_end().into(),
            SeatAction::Event(SeatEvent::Fault(fault)) => {
                let by = Color::White;
                Cause::Forfeit { by, fault }.to_string()
            }
            SeatAction::Event(event) => format!("{event:?}"),
            action => format!("{action:?}"),
        };
        core::iter::from_fn(|| self.0.poll()).map(line).collect()
    }
}

fn clocks() -> ByColor<ClockState> {
    ByColor::new_with(|_| ClockState::new(TimeControl::default()))
}

const KNOWN: &str = "= boardsize\nfinal_score\nhuge\n\n";
const DONE: &str = "=\n\n";

#[test]
fn the_board_size_is_told_whenever_it_changes() {
    let mut seat = Ordered::new();
    assert_eq!(seat.begins(5, &[]), ["list_commands"]);
    assert_eq!(seat.prints(KNOWN), ["boardsize 5"]);
    assert_eq!(seat.prints(DONE), ["clear_board"]);
    assert_eq!(seat.prints(DONE), ["Ready"]);
    assert_eq!(seat.begins(5, &[]), ["clear_board"]);
    assert_eq!(seat.prints(DONE), ["Ready"]);
    assert_eq!(seat.begins(10, &[]), ["boardsize 10"]);
    assert_eq!(seat.prints(DONE), ["clear_board"]);
    assert_eq!(seat.prints(DONE), ["huge w"]);
    assert_eq!(seat.prints(DONE), ["Ready"]);
}

#[test]
fn a_setup_that_needs_a_missing_command_cannot_be_played() {
    let mut seat = Ordered::new();
    seat.begins(10, &[]);
    let fault = "White cannot play this game: expected huge among its commands, which a board beyond 9 needs";
    assert_eq!(seat.prints("= genmove\n\n"), [fault]);
    assert_eq!(
        seat.begins(10, &[2]),
        ["White cannot play this game: 2 does not follow 0"]
    );
}

#[test]
fn a_game_without_final_scores_is_not_asked_for_one() {
    let mut seat = Ordered::new();
    seat.begins(2, &[1]);
    for line in ["boardsize 2", "clear_board", "play b 1", "Ready"] {
        let response = if line == "boardsize 2" { KNOWN } else { DONE };
        assert_eq!(seat.prints(response), [line]);
    }
    assert_eq!(
        seat.hears(Order::Choose { clocks: clocks() }),
        ["genmove w"]
    );
    assert_eq!(seat.prints("= 2\n\n").len(), 1);
    let (color, mv) = (Color::White, 2);
    assert!(seat.hears(Order::Played { color, mv }).is_empty());
    let over = Order::Over {
        margin: None,
        other_closes: false,
    };
    assert_eq!(seat.hears(over), ["Completed"]);
}

#[test]
fn a_pass_may_be_refused_in_any_case() {
    let mut seat = Ordered::new();
    seat.begins(3, &[0]);
    for line in ["boardsize 3", "clear_board", "play b PASS"] {
        let response = if line == "boardsize 3" { KNOWN } else { DONE };
        assert_eq!(seat.prints(response), [line]);
    }
    assert_eq!(seat.prints("? I pass by myself\n\n"), ["Ready"]);
}
