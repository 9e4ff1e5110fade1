//! The referee's seat of Sloan's format.

mod ending;
mod faults;
mod opening;

use std::time::Duration;

use boardgame_core::{Margin, TimeControl, TimeMeasure};
use boardgame_session::{Cause, Conventions, Order, Said, SeatSession as _, Verdict};
use othello_core::{Board, Color, Move, Square};
use othello_proto::sloan::{
    Dialect, MAX_COMPLAINTS, MAX_FINISHED_PASSES, OPENING_WAIT, OpeningPass, Player, PlayerOptions,
    RELAUNCH_WAIT, RefereeOptions, RefereeSeat,
};
use proptest::prelude::*;

use crate::kit::{MUST_PASS, NOTHING, OneSeatGame, Ordered, START, at, per_move};

use Color::{Black, White};

/// Black, to move, wipes White out by c1, with three discs.
const OVER_AFTER_C1: &str = "XO-------------------------------------------------------------- X";
const VOID: &str = "send (C (the opening pass is void and the game begins again))";
const LEFT: &str = "Black left";
const OVERTIME: &str = "Black ran out of time";
const CLOSED: [&str; 2] = ["hang up", "Closed"];

fn seat_of(options: RefereeOptions, color: Color) -> Ordered<RefereeSeat> {
    let control = TimeControl {
        main: Some(Duration::from_secs(100)),
        ..TimeControl::default()
    };
    Ordered::new(RefereeSeat::new(options), color, control)
}

/// A seat whose program is ready.
fn ready(opening_pass: OpeningPass, color: Color, start: &str) -> Ordered<RefereeSeat> {
    let options = RefereeOptions {
        opening_pass,
        ..RefereeOptions::default()
    };
    let mut seat = seat_of(options, color);
    let letter = &color.to_string()[..1];
    assert_eq!(seat.begins(start, &[], 0), [format!("send (I {letter})")]);
    assert_eq!(seat.prints(&format!("(R {letter})"), 0), ["Ready"]);
    seat
}

/// Black's seat, which was asked at the origin and sent nothing.
fn asked(start: &str) -> Ordered<RefereeSeat> {
    let mut seat = ready(OpeningPass::Never, Black, start);
    assert_eq!(seat.chooses(0), NOTHING);
    seat
}

/// Black's seat, whose first move may have crossed the opening pass.
fn in_doubt() -> Ordered<RefereeSeat> {
    let mut seat = ready(OpeningPass::Auto, Black, START);
    seat.chooses(0);
    assert_eq!(seat.waits_for_deadline(), ["send (W)"]);
    assert_eq!(seat.prints("(B d 3)", 251), ["d3 in 1ms"]);
    assert_eq!(seat.played(Black, Square::D3, 251), NOTHING);
    seat
}

/// A seat in the game that Black has ended with c1.
fn wiped_out(color: Color) -> Ordered<RefereeSeat> {
    let mut seat = ready(OpeningPass::Never, color, OVER_AFTER_C1);
    let told: &[&str] = if color == Black {
        seat.chooses(0);
        assert_eq!(seat.prints("(B c 1)", 100), ["c1 in 100ms"]);
        &[]
    } else {
        &["send (B c 1)"]
    };
    assert_eq!(seat.played(Black, Square::C1, 100), told);
    seat
}

/// Returns the number of messages that were sent.
fn sent(lines: &[String]) -> usize {
    lines.iter().filter(|line| line.starts_with("send")).count()
}

fn said(seat: &mut Ordered<RefereeSeat>, said: Said<Move>) -> Vec<String> {
    seat.hears(Order::Said(said), 200)
}

fn claim(points: i32) -> Said<Move> {
    Said::Claim(Margin::from_points(points))
}

fn played_out(seat: &mut Ordered<RefereeSeat>, now: u64) -> Vec<String> {
    let verdict = Verdict::played(Margin::from_points(64));
    seat.hears(Order::Conclude(verdict), now)
}
