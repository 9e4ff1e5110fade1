//! A seat of a program that counts.

use boardgame_core::{ByoYomi, TimeMeasure};

use super::*;
use crate::{
    Cause, Order, SeatAction, SeatSession as _,
    gtp::count::{Count, CountGtp},
};

/// A seat under orders; what it does comes back as lines.
struct Ordered {
    seat: GtpSeat<CountGtp>,
    now: Timestamp,
}

impl Ordered {
    fn new() -> Self {
        Self {
            seat: GtpSeat::new(GtpSeatOptions::default()),
            now: Timestamp::ORIGIN,
        }
    }

    /// White's seat after a move of Black, whose program is ready.
    fn ready(size: u8) -> Self {
        let mut seat = Self::new();
        seat.begins(size, &[1]);
        seat.prints(KNOWN);
        seat.prints(DONE);
        assert_eq!(seat.prints(DONE), ["play b 1"]);
        assert_eq!(seat.prints(DONE), ["Ready"]);
        seat
    }

    /// White's seat after a move of Black, whose program is asked without a limit.
    fn asked(size: u8) -> Self {
        let mut seat = Self::ready(size);
        assert_eq!(seat.chooses(), ["genmove w"]);
        seat
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

    fn chooses(&mut self) -> Vec<String> {
        self.hears(Order::Choose { clocks: clocks() })
    }

    fn played(&mut self, color: Color, mv: u8) -> Vec<String> {
        self.hears(Order::Played { color, mv })
    }

    fn over(&mut self) -> Vec<String> {
        self.hears(Order::Over {
            margin: None,
            other_closes: false,
        })
    }

    fn hears(&mut self, order: Order<Count>) -> Vec<String> {
        self.seat.order(order, self.now);
        self.drain()
    }

    fn prints(&mut self, text: &str) -> Vec<String> {
        self.seat.receive(text.as_bytes(), self.now);
        self.drain()
    }

    fn leaves(&mut self) -> Vec<String> {
        self.seat.end_of_input(self.now);
        self.drain()
    }

    /// Time passes, without a word of the program.
    fn waits(&mut self, seconds: u64) -> Vec<String> {
        self.now = self.now + Duration::from_secs(seconds);
        self.seat.tick(self.now);
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
        core::iter::from_fn(|| self.seat.poll()).map(line).collect()
    }
}

fn clocks() -> ByColor<ClockState> {
    ByColor::new_with(|_| ClockState::new(TimeControl::default()))
}

const KNOWN: &str = "= boardsize\nfinal_score\nhuge\n\n";
const DONE: &str = "=\n\n";
const NOTHING: [&str; 0] = [];
/// The time to become ready in which a program loses, in seconds.
const LATE: u64 = 31;
const OVERTIME: &str = "White ran out of time: 31.00 s of 30.00 s; no answer was received in time";

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
    let mut seat = Ordered::asked(2);
    assert_eq!(seat.prints("= 2\n\n").len(), 1);
    assert_eq!(seat.played(Color::White, 2), NOTHING);
    assert_eq!(seat.over(), ["Completed"]);
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

#[test]
fn the_program_is_told_the_moves_that_it_did_not_make() {
    let mut seat = Ordered::asked(9);
    seat.waits(2);
    let answer = seat.prints("= 2\n\n");
    assert!(
        answer[0].starts_with("Move(2, Thought { took: 2s,"),
        "{answer:?}"
    );
    assert_eq!(seat.played(Color::White, 2), NOTHING);
    assert_eq!(seat.played(Color::Black, 3), NOTHING);
    assert_eq!(seat.chooses(), ["play b 3"]);
    assert_eq!(seat.prints(DONE), ["genmove w"]);
    // Its own side's move may be none of its choice.
    let mut seat = Ordered::ready(9);
    assert_eq!(seat.played(Color::White, 2), NOTHING);
    assert_eq!(seat.played(Color::Black, 3), NOTHING);
    assert_eq!(seat.chooses(), ["play w 2"]);
    assert_eq!(seat.prints(DONE), ["play b 3"]);
}

#[test]
fn an_answer_that_is_no_legal_move_loses_or_resigns() {
    for (answer, line) in [
        ("= 4\n\n", "illegal move by White: 4 does not follow 1"),
        (
            "= x\n\n",
            "White broke the format: the answer to genmove: expected a number at offset 0 of \"x\"",
        ),
        (
            "? no\n\n",
            "White broke the format: expected it to carry out \"genmove w\", got \"no\"",
        ),
        ("= RESIGN\n\n", "Resign"),
    ] {
        assert_eq!(Ordered::asked(9).prints(answer), [line]);
    }
}

#[test]
fn a_command_that_is_refused_loses() {
    let mut seat = Ordered::new();
    seat.begins(5, &[]);
    assert_eq!(seat.prints(KNOWN), ["boardsize 5"]);
    let fault =
        "White broke the format: expected it to carry out \"boardsize 5\", got \"too small\"";
    assert_eq!(seat.prints("? too small\n\n"), [fault]);
}

#[test]
fn what_comes_unasked_is_noted() {
    let mut seat = Ordered::ready(9);
    let lines = seat.prints("= 2\n\nthinking\n");
    assert_eq!(lines.len(), 2);
    assert!(
        lines[0].contains("expected nothing unasked"),
        "{}",
        lines[0]
    );
    assert!(lines[1].contains("between responses"), "{}", lines[1]);
    assert_eq!(seat.chooses(), ["genmove w"]);
}

#[test]
fn a_false_score_is_a_false_claim() {
    for (answer, claimed) in [
        ("= 0\n\n", ""),
        ("= B+10\n\n", "Said(FalseClaim(Margin(20)))"),
        ("= much\n\n", "expected a score such as B+10"),
        ("? no\n\n", ""),
    ] {
        let mut seat = Ordered::ready(1);
        assert_eq!(seat.over(), ["final_score"]);
        let mut lines = seat.prints(answer);
        assert_eq!(lines.pop().as_deref(), Some("Completed"));
        assert!(lines.concat().contains(claimed), "{lines:?}");
        assert_eq!(lines.len(), usize::from(!claimed.is_empty()), "{lines:?}");
        assert_eq!(seat.seat.deadline(), None);
    }
}

#[test]
fn a_program_that_is_not_ready_in_time_loses() {
    let mut seat = Ordered::new();
    seat.begins(5, &[]);
    let deadline = seat.seat.deadline().expect("a limit");
    assert_eq!(
        deadline,
        crate::late_after(seat.now, Duration::from_secs(30))
    );
    assert_eq!(seat.waits(30), NOTHING);
    assert_eq!(seat.waits(1), ["HangUp", OVERTIME]);
    assert_eq!(seat.seat.deadline(), None);
    assert_eq!(seat.waits(LATE), NOTHING);
}

#[test]
fn after_the_end_of_the_game_silence_is_noted() {
    let mut seat = Ordered::ready(1);
    seat.over();
    let lines = seat.waits(LATE);
    assert_eq!(lines[0], "HangUp");
    assert!(lines[1].contains("after the end of the game"), "{lines:?}");
    assert_eq!(lines.last().unwrap(), "Completed");
}

#[test]
fn in_a_game_that_begins_again_an_answer_to_the_void_one_is_awaited() {
    // Within the time that it had.
    let mut seat = Ordered::new();
    seat.begins(9, &[]);
    let deadline = seat.seat.deadline();
    seat.waits(1);
    seat.begins(9, &[]);
    assert_eq!(seat.seat.deadline(), deadline);
    // Or that of becoming ready, if it had no limit.
    let mut seat = Ordered::asked(9);
    assert_eq!(seat.seat.deadline(), None);
    assert_eq!(seat.begins(9, &[]), NOTHING);
    assert_eq!(
        seat.seat.deadline(),
        Some(crate::late_after(seat.now, Duration::from_secs(30)))
    );
    assert_eq!(seat.prints("= 2\n\n"), ["clear_board"]);
}

#[test]
fn a_program_that_leaves_loses_the_game_that_goes_on() {
    let mut seat = Ordered::new();
    assert_eq!(seat.leaves(), NOTHING);
    let mut seat = Ordered::ready(9);
    assert_eq!(seat.leaves(), ["White left"]);
    // The next one is asked for its commands.
    assert_eq!(seat.begins(9, &[]), ["list_commands"]);
}

#[test]
fn a_program_that_owes_an_answer_is_hung_up_on_when_its_game_is_decided() {
    let verdict = || Order::Conclude(Verdict::resigned(Color::Black));
    assert_eq!(Ordered::asked(9).hears(verdict()), ["HangUp", "Closed"]);
    assert_eq!(Ordered::ready(9).hears(verdict()), ["Closed"]);
    assert_eq!(Ordered::asked(9).hears(Order::CallOff), ["HangUp"]);
}

#[test]
fn an_answer_after_the_limit_of_the_clock_on_the_wall_loses() {
    let of = |measure| {
        let control = TimeControl {
            main: Some(Duration::from_mins(1)),
            measure,
            ..TimeControl::default()
        };
        let clocks = ByColor::new_with(|_| ClockState::new(control));
        let mut seat = Ordered::ready(9);
        assert_eq!(seat.hears(Order::Choose { clocks }), ["genmove w"]);
        seat
    };
    let mut seat = of(TimeMeasure::Wall);
    assert_eq!(seat.waits(60), NOTHING);
    let end = "White ran out of time: 61.00 s of 60.00 s; no answer was received in time";
    assert_eq!(seat.waits(1), ["HangUp", end]);
    assert_eq!(of(TimeMeasure::UserCpu).seat.deadline(), None);
}
