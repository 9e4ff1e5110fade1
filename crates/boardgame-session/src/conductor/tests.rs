//! Games of a heap from which each side takes one or two counters. The side that takes the last one wins by two points;
//! a last counter is a forced move. From a heap named 0 nobody scores.

mod any_events;

use std::{string::ToString, vec};

use boardgame_core::TimeControl;

use super::*;
use crate::Cause;

#[derive(Clone, Debug)]
struct Heap {
    left: u8,
    black_moves: bool,
    scored: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0} of {1} counters")]
struct TooMany(u8, u8);

impl Game for Heap {
    type Move = u8;
    /// The counters; odd heaps are not scored.
    type Setup = u8;
    type IllegalMove = TooMany;

    const NAME: &'static str = "heap";

    fn new(&counters: &u8) -> Self {
        Self {
            left: counters,
            black_moves: true,
            scored: counters % 2 == 0,
        }
    }

    fn side_to_move(&self) -> Color {
        if self.black_moves { Black } else { White }
    }

    fn forced_move(&self) -> Option<u8> {
        (self.left == 1).then_some(1)
    }

    fn play(&mut self, taken: u8) -> Result<(), TooMany> {
        if !(1..=2).contains(&taken) || taken > self.left {
            return Err(TooMany(taken, self.left));
        }
        self.left -= taken;
        self.black_moves = !self.black_moves;
        Ok(())
    }

    fn status(&self) -> Status {
        match (self.left, self.scored) {
            (1.., _) => Status::Playing,
            (0, true) => Status::Scored(Margin::from_points(2).seen_by(!self.side_to_move())),
            (0, false) => Status::Unscored,
        }
    }
}

use Color::{Black, White};

fn conductor(counters: u8, opening: &[u8], asks_forced_moves: bool) -> Conductor<Heap> {
    let control = TimeControl {
        main: Some(Duration::from_secs(10)),
        ..TimeControl::default()
    };
    timed_conductor(control, counters, opening, asks_forced_moves)
}

fn timed_conductor(
    control: TimeControl,
    counters: u8,
    opening: &[u8],
    asks_forced_moves: bool,
) -> Conductor<Heap> {
    let conventions = Conventions {
        asks_forced_moves,
        closing_moves: false,
    };
    Conductor::new(ConductorOptions {
        setup: counters,
        opening: opening.to_vec(),
        clocks: ByColor::new_with(|_| ClockState::new(control)),
        tolerance: Duration::from_millis(100),
        relays_comments: true,
        conventions: ByColor::new_with(|_| conventions),
    })
    .unwrap()
}

/// Takes the waiting actions, one line each.
fn drain(conductor: &mut Conductor<Heap>) -> Vec<std::string::String> {
    let line = |action| match action {
        ConductorAction::Order(color, Order::Begin { moves, .. }) => {
            std::format!("{color} begin {moves:?}")
        }
        ConductorAction::Order(color, Order::Choose { clocks }) => {
            std::format!("{color} choose {:?}", clocks[color].main().unwrap())
        }
        ConductorAction::Order(color, Order::Played { mv, .. }) => {
            std::format!("{color} told {mv}")
        }
        ConductorAction::Order(color, Order::Said(said)) => std::format!("{color} hears {said:?}"),
        ConductorAction::Order(color, Order::Over { other_closes, .. }) => {
            let closing = if other_closes { ", moves follow" } else { "" };
            std::format!("{color} over{closing}")
        }
        ConductorAction::Order(color, Order::Conclude(_)) => std::format!("{color} conclude"),
        ConductorAction::Order(color, Order::CallOff) => std::format!("{color} called off"),
        ConductorAction::Event(GameEvent::Moved(color, mv, _)) => {
            std::format!("{color} moved {mv}")
        }
        ConductorAction::Event(event) => std::format!("{event:?}"),
        ConductorAction::Score => "score".to_string(),
        ConductorAction::Keep(verdict) => std::format!("keep {verdict}"),
        ConductorAction::Finish(verdict) => std::format!("finish {verdict}"),
    };
    core::iter::from_fn(|| conductor.poll()).map(line).collect()
}

fn both(conductor: &mut Conductor<Heap>, event: &SeatEvent<u8>) -> Vec<std::string::String> {
    for seat in Color::ALL {
        conductor.event(seat, event.clone());
    }
    drain(conductor)
}

fn took(seconds: f64) -> Thought {
    Thought {
        took: Duration::from_secs_f64(seconds),
        ..Thought::default()
    }
}

/// A game in which both seats are ready.
fn begun(conductor: &mut Conductor<Heap>) {
    drain(conductor);
    assert_eq!(both(conductor, &SeatEvent::Ready)[0], "Began");
}

#[test]
fn a_game_is_conducted_from_its_opening_to_the_verdict() {
    let mut conductor = conductor(6, &[2], false);
    assert_eq!(
        drain(&mut conductor),
        ["Black begin [2]", "White begin [2]"]
    );
    conductor.event(White, SeatEvent::Ready);
    assert_eq!(drain(&mut conductor), [""; 0]);
    conductor.event(Black, SeatEvent::Ready);
    assert_eq!(drain(&mut conductor), ["Began", "White choose 10s"]);
    conductor.event(White, SeatEvent::Move(1, took(4.0)));
    let turn = [
        "White moved 1",
        "Black told 1",
        "White told 1",
        "Black choose 10s",
    ];
    assert_eq!(drain(&mut conductor), turn);
    // The last counter is forced: nobody is asked.
    conductor.event(Black, SeatEvent::Move(2, took(1.0)));
    let forced = [
        "Black moved 2",
        "Black told 2",
        "White told 2",
        "White moved 1",
        "Black told 1",
        "White told 1",
        "Black over",
        "White over",
    ];
    assert_eq!(drain(&mut conductor), forced);
    assert_eq!(
        conductor.clocks()[White].main(),
        Some(Duration::from_secs(6))
    );
    conductor.event(White, SeatEvent::Completed);
    assert_eq!(drain(&mut conductor), [""; 0]);
    conductor.event(Black, SeatEvent::Completed);
    assert_eq!(drain(&mut conductor), ["keep White won: played to the end"]);
    conductor.kept();
    assert_eq!(drain(&mut conductor), ["Black conclude", "White conclude"]);
    let closed = both(&mut conductor, &SeatEvent::Closed);
    assert_eq!(closed, ["finish White won: played to the end"]);
    assert_eq!(conductor.moves(), [2, 1, 2, 1]);
}

#[test]
fn a_program_that_is_asked_for_forced_moves_makes_them() {
    let mut conductor = conductor(3, &[], true);
    begun(&mut conductor);
    conductor.event(Black, SeatEvent::Move(2, took(0.0)));
    assert_eq!(drain(&mut conductor).last().unwrap(), "White choose 10s");
    conductor.event(White, SeatEvent::Move(1, took(0.0)));
    drain(&mut conductor);
    assert_eq!(both(&mut conductor, &SeatEvent::Completed), ["score"]);
    conductor.scored(Margin::from_half_points(-1));
    assert_eq!(drain(&mut conductor), ["keep White won: played to the end"]);
}

#[test]
fn a_clock_of_user_time_counts_neither_waiting_nor_the_system() {
    let control = TimeControl {
        main: Some(Duration::from_secs(10)),
        measure: TimeMeasure::UserCpu,
        ..TimeControl::default()
    };
    let thought = |user| Thought {
        cpu: Some(Duration::from_mins(1)),
        user_cpu: user,
        ..took(60.0)
    };
    let left = |user: Option<u64>| {
        let mut conductor = timed_conductor(control, 6, &[], false);
        begun(&mut conductor);
        let thought = thought(user.map(Duration::from_secs));
        conductor.event(Black, SeatEvent::Move(1, thought));
        let left = conductor.clocks()[Black].main().unwrap().as_secs();
        (left, drain(&mut conductor)[0].clone())
    };
    assert_eq!(left(Some(4)), (6, "Black moved 1".to_string()));
    let late = |used: &str| {
        std::format!("keep White won: Black ran out of time: {used} s of 10.00 s; received 1")
    };
    assert_eq!(left(Some(11)), (10, late("11.00")));
    // It could not be measured: the wall time counts.
    assert_eq!(left(None), (10, late("60.00")));
}

#[test]
fn late_and_illegal_moves_and_moves_out_of_turn_lose() {
    let verdict = |seat, mv, seconds| {
        let mut conductor = conductor(6, &[], false);
        begun(&mut conductor);
        conductor.event(seat, SeatEvent::Move(mv, took(seconds)));
        drain(&mut conductor).pop().unwrap()
    };
    assert_eq!(verdict(Black, 1, 10.1), "White choose 10s", "tolerated");
    assert_eq!(
        verdict(Black, 1, 10.2),
        "keep White won: Black ran out of time: 10.20 s of 10.00 s; received 1"
    );
    assert_eq!(
        verdict(Black, 3, 0.0),
        "keep White won: illegal move by Black: 3 of 6 counters"
    );
    let out_of_turn =
        "keep Black won: White broke the format: expected nothing out of turn, but the move 1 came";
    assert_eq!(verdict(White, 1, 0.0), out_of_turn);
}

#[test]
fn a_game_begins_again_once_for_each_seat() {
    let mut conductor = conductor(6, &[2], false);
    begun(&mut conductor);
    conductor.event(White, SeatEvent::Move(1, took(4.0)));
    drain(&mut conductor);
    conductor.event(Black, SeatEvent::Restart);
    assert_eq!(
        drain(&mut conductor),
        ["Restarted", "Black begin [2]", "White begin [2]"]
    );
    assert_eq!(
        both(&mut conductor, &SeatEvent::Ready),
        ["Began", "White choose 10s"]
    );
    conductor.event(Black, SeatEvent::Restart);
    let verdict = drain(&mut conductor).pop().unwrap();
    assert!(
        verdict.starts_with("keep White won: Black broke the format"),
        "{verdict}"
    );
}

#[test]
fn a_move_on_its_way_when_the_game_begins_again_is_void() {
    let mut conductor = conductor(6, &[], false);
    begun(&mut conductor);
    conductor.event(Black, SeatEvent::Move(1, took(0.0)));
    drain(&mut conductor);
    conductor.event(Black, SeatEvent::Restart);
    drain(&mut conductor);
    for stale in [
        SeatEvent::Move(1, took(0.0)),
        SeatEvent::Resign,
        SeatEvent::Restart,
    ] {
        conductor.event(White, stale);
        assert_eq!(drain(&mut conductor), [""; 0]);
    }
    let began = both(&mut conductor, &SeatEvent::Ready);
    assert_eq!(began, ["Began", "Black choose 10s"]);
    conductor.event(White, SeatEvent::Resign);
    assert_eq!(drain(&mut conductor), ["keep Black won: White resigned"]);
}

#[test]
fn who_misreads_the_opening_of_a_game_that_cannot_begin_again_loses() {
    // Black misreads it; then one of the seats cannot start over.
    for (seat, cause) in [
        (White, "Black broke the format"),
        (Black, "Black cannot play this game"),
    ] {
        let mut conductor = conductor(6, &[], false);
        begun(&mut conductor);
        conductor.event(Black, SeatEvent::Restart);
        drain(&mut conductor);
        let detail = "one game a connection".to_string();
        conductor.event(seat, SeatEvent::Fault(SeatFault::CannotBegin { detail }));
        let verdict = drain(&mut conductor).pop().unwrap();
        let expected = std::format!("keep White won: {cause}");
        assert!(verdict.starts_with(&expected), "{verdict}");
    }
}

#[test]
fn what_is_said_is_passed_on_unless_it_is_false() {
    let mut conductor = conductor(6, &[], false);
    begun(&mut conductor);
    for (said, is_passed_on) in [
        (Said::Comment("hello".to_string()), true),
        (Said::Claim(Margin::DRAW), true),
        (Said::FalseClaim(Margin::DRAW), false),
        (Said::ClosingMove(1), true),
    ] {
        conductor.event(Black, SeatEvent::Said(said.clone()));
        let heard = is_passed_on.then(|| std::format!("White hears {said:?}"));
        assert_eq!(drain(&mut conductor)[1..], heard.as_slice()[..]);
    }
}

#[test]
fn comments_are_passed_on_in_a_game_that_has_begun_if_that_is_asked_for() {
    for (relays_comments, has_begun, is_passed_on) in [
        (true, true, true),
        (true, false, false),
        (false, true, false),
        (false, false, false),
    ] {
        let mut conductor = Conductor::new(ConductorOptions {
            relays_comments,
            ..conductor(6, &[], false).options
        })
        .unwrap();
        if has_begun {
            begun(&mut conductor);
        }
        drain(&mut conductor);
        conductor.event(White, SeatEvent::Said(Said::Comment("hello".to_string())));
        let count = 1 + usize::from(is_passed_on);
        assert_eq!(drain(&mut conductor).len(), count);
    }
}

#[test]
fn each_seat_is_told_that_the_other_makes_closing_moves() {
    let mut options = conductor(2, &[], false).options;
    options.conventions.black.closing_moves = true;
    let mut conductor = Conductor::new(options).unwrap();
    begun(&mut conductor);
    conductor.event(Black, SeatEvent::Move(2, took(1.0)));
    assert_eq!(
        drain(&mut conductor)[3..],
        ["Black over", "White over, moves follow"]
    );
}

#[test]
fn the_first_reason_for_an_end_counts() {
    let mut conductor = conductor(6, &[], false);
    begun(&mut conductor);
    conductor.event(White, SeatEvent::Resign);
    conductor.event(Black, SeatEvent::Fault(SeatFault::Left));
    conductor.call_off();
    let Some(ConductorAction::Keep(verdict)) = conductor.poll() else {
        panic!()
    };
    assert_eq!(
        (verdict.winner, verdict.cause),
        (Some(Black), Cause::Resigned { by: White })
    );
    assert_eq!(drain(&mut conductor), [""; 0]);
}

#[test]
fn a_game_with_too_many_moves_is_judged_as_it_stands() {
    let mut conductor = conductor(9, &[2], false).with_max_moves(3);
    begun(&mut conductor);
    for (seat, mv) in [(White, 1), (Black, 2)] {
        conductor.event(seat, SeatEvent::Move(mv, took(1.0)));
    }
    let actions = drain(&mut conductor);
    assert_eq!(actions[actions.len() - 2..], ["Black over", "White over"]);
    assert_eq!(both(&mut conductor, &SeatEvent::Completed), ["score"]);
    conductor.scored(Margin::from_points(-3));
    assert_eq!(
        drain(&mut conductor),
        ["keep White won: judged as it stands after the maximum number of moves"]
    );
    assert_eq!(conductor.moves(), [2, 1, 2]);
}

#[test]
fn a_game_that_ends_with_the_last_move_permitted_is_played_to_the_end() {
    let mut conductor = conductor(4, &[2], true).with_max_moves(2);
    begun(&mut conductor);
    conductor.event(White, SeatEvent::Move(2, took(1.0)));
    drain(&mut conductor);
    let actions = both(&mut conductor, &SeatEvent::Completed);
    assert_eq!(actions, ["keep White won: played to the end"]);
}

#[test]
fn a_game_that_is_called_off_asks_nothing_more() {
    let mut conductor = conductor(6, &[], false);
    begun(&mut conductor);
    conductor.call_off();
    assert_eq!(
        drain(&mut conductor),
        ["Black called off", "White called off"]
    );
    conductor.event(Black, SeatEvent::Move(1, took(0.0)));
    conductor.event(Black, SeatEvent::Said(Said::Comment("late".to_string())));
    assert_eq!(both(&mut conductor, &SeatEvent::Closed), [""; 0]);
    let illegal = conductor.options.clone();
    assert!(
        Conductor::<Heap>::new(ConductorOptions {
            opening: vec![2, 3],
            ..illegal
        })
        .is_err()
    );
}
