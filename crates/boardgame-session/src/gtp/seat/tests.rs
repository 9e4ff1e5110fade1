//! A seat of a program that counts.

use boardgame_core::ByoYomi;

use super::*;
use crate::{
    Cause,
    gtp::count::{Count, CountGtp},
};

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

#[test]
fn overtime_of_several_periods_is_told_in_the_programs_words() {
    let control = TimeControl {
        main: Some(Duration::from_mins(1)),
        byo_yomi: Some(ByoYomi::japanese(Duration::from_secs(10), 3)),
        ..TimeControl::default()
    };
    let clocks = ByColor::new_with(|_| ClockState::new(control));
    for (known, settings, left) in [
        ("", "time_settings 80 10 1", "time_left w 80 0"),
        (
            "kgs-time_settings\n",
            "kgs-time_settings byoyomi 60 10 3",
            "time_left w 60 0",
        ),
    ] {
        let mut seat = Ordered::new();
        let begin = Order::Begin {
            setup: 3,
            moves: Vec::from([1]),
            color: Color::White,
            clocks,
            tolerance: Duration::ZERO,
        };
        assert_eq!(seat.hears(begin), ["list_commands"]);
        let list = format!("= time_left\n{known}time_settings\n\n");
        assert_eq!(seat.prints(&list), ["clear_board"]);
        assert_eq!(seat.prints(DONE), [settings]);
        assert_eq!(seat.prints(DONE), ["play b 1"]);
        assert_eq!(seat.prints(DONE), ["Ready"]);
        assert_eq!(seat.hears(Order::Choose { clocks }), [left]);
    }
}
