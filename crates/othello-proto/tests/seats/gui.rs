//! The host's seat of the GUI's format.

use std::time::Duration;

use boardgame_core::{TimeControl, TimeMeasure};
use boardgame_session::{Cause, Conventions, Order, Said, SeatSession as _};
use othello_core::{Board, Color, Move, Square};
use othello_proto::gui::{
    Form, HostSeat, HostSeatOptions, Mode, Player, PlayerOptions, Request, Version,
};
use proptest::prelude::*;

use super::kit::{LAST_SQUARE, MUST_PASS, NOTHING, OneSeatGame, Ordered, START, at, per_move};

use Color::{Black, White};

const LEFT: &str = "Black left";
const OVERTIME: &str = "Black ran out of time";
const STAY: Form = Form::Stay(Version::V2);
const DOCUMENT: Form = Form::Document(Version::V2);
const VERSION: &str = "v1.0.0\n";

fn options(form: Form) -> HostSeatOptions {
    HostSeatOptions {
        form,
        startup: Duration::from_secs(2),
        grace: Duration::from_millis(50),
        ..HostSeatOptions::default()
    }
}

fn seat(form: Form, color: Color) -> Ordered<HostSeat> {
    Ordered::new(HostSeat::new(options(form)), color, per_move(1500))
}

/// A seat whose game has begun.
fn begun(form: Form, color: Color, start: &str) -> Ordered<HostSeat> {
    let mut seat = seat(form, color);
    let launched: &[&str] = if form == STAY { &["launch"] } else { &[] };
    assert_eq!(seat.begins(start, &[], 0), [launched, &["Ready"]].concat());
    seat
}

/// Black's seat, whose program has been sent the board at the origin.
fn asked(form: Form, start: &str) -> Ordered<HostSeat> {
    let mut seat = begun(form, Black, start);
    let mut lines = seat.chooses(0);
    if form != Form::Released {
        lines.extend(seat.prints(VERSION, 0));
    }
    let request = request(lines.last().expect("a request"));
    assert_eq!(request.board(Black).to_string(), start);
    seat
}

/// The request that a line shows.
fn request(line: &str) -> Request {
    let text = line.strip_prefix("send ").expect("a request");
    Request::parse(text.replace("\\n", "\n").as_bytes()).unwrap()
}

// Processes and answers.

#[test]
fn a_process_for_each_move_is_launched_with_the_question_and_its_end_ends_the_answer() {
    let mut seat = begun(Form::Released, Black, START);
    let lines = seat.chooses(1000);
    assert_eq!(lines[0], "launch");
    assert!(
        lines[1].ends_with("X\\n1500\\n4 c4 d3 e6 f5"),
        "{}",
        lines[1]
    );
    assert_eq!(seat.prints("d3\n", 1100), NOTHING);
    assert_eq!(seat.exits(true, 1200), ["d3 in 200ms"]);
    assert_eq!(seat.played(Black, Square::D3, 1200), NOTHING);
    let lines = seat.answers(Square::C3, 1300);
    assert_eq!(lines[0], "launch");
    let board = request(&lines[1]).board(Black);
    assert_eq!(board.disc(Square::C3), Some(White));
    seat.prints("b3", 1400);
    assert_eq!(seat.exits(true, 1400), ["b3 in 100ms"]);
    assert_eq!(seat.over(false, 1500), ["Completed"]);
    assert_eq!(seat.concludes(1500), ["Closed"]);
}

#[test]
fn one_process_is_launched_at_the_beginning_and_answers_at_once() {
    let mut seat = begun(STAY, White, START);
    assert_eq!(seat.prints(VERSION, 5), NOTHING);
    assert_eq!(request(&seat.answers(Square::D3, 10)[0]).side, Some(White));
    assert_eq!(seat.prints("c3\n", 70), ["c3 in 60ms"]);
    assert_eq!(seat.concludes(80), ["hang up", "Closed"]);
    assert_eq!(seat.exits(true, 90), NOTHING);
}

#[test]
fn version_1_does_not_name_the_side_to_move() {
    for (form, side) in [
        (Form::Document(Version::V1), None),
        (DOCUMENT, Some(Black)),
        (Form::Stay(Version::V1), None),
        (STAY, Some(Black)),
    ] {
        let mut seat = seat(form, Black);
        seat.begins(START, &[], 0);
        seat.chooses(0);
        let sent = seat.prints(VERSION, 0);
        assert_eq!(request(&sent[0]).side, side, "{form:?}");
    }
}

#[test]
fn the_time_runs_from_the_board_not_from_the_launch() {
    for form in [DOCUMENT, STAY] {
        let mut seat = begun(form, Black, START);
        seat.chooses(0);
        assert_eq!(seat.prints(VERSION, 1999).len(), 1);
        assert_eq!(seat.deadline(), Some(at(3549) + Duration::from_nanos(1)));
        let mut lines = seat.prints("d3\n", 3400);
        lines.extend(seat.exits(true, 3499));
        let took = if form == STAY { "1.401s" } else { "1.5s" };
        assert_eq!(lines[0], format!("d3 in {took}"));
    }
}

#[test]
fn a_remark_is_passed_on_and_what_others_say_is_not() {
    let mut seat = asked(Form::Released, START);
    let said = Order::Said(Said::Comment("hello".into()));
    assert_eq!(seat.hears(said, 9), NOTHING);
    assert_eq!(seat.prints("d3\nexpected", 10), NOTHING);
    assert_eq!(seat.prints(" +2 \n", 11), NOTHING);
    let remark = "Said(Comment(\"expected +2\"))";
    assert_eq!(seat.exits(true, 12), [remark, "d3 in 12ms"]);
}

#[test]
fn lines_after_the_answer_are_noted_once() {
    let note = "Black prints more than its answer: ignored";
    let mut seat = asked(DOCUMENT, START);
    assert_eq!(seat.prints("d3\nremark\nmore\n", 10), [note]);
}

#[test]
fn what_the_document_does_not_allow_in_an_answer_is_noted() {
    let mut seat = asked(DOCUMENT, START);
    let notes = ["Black answered  D3", "Black answered \" D3\""];
    assert_eq!(seat.prints(" D3\n", 10), notes);
}

#[test]
fn passes_are_played_by_the_conductor() {
    let mut seat = begun(Form::Released, Black, MUST_PASS);
    assert!(!seat.conventions().asks_forced_moves && !seat.conventions().closing_moves);
    assert_eq!(seat.played(Black, Move::Pass, 0), NOTHING);
    assert_eq!(seat.played(White, Square::A1, 1), NOTHING);
    assert_eq!(seat.over(true, 1), ["Completed"]);
    let mut seat = begun(Form::Released, White, MUST_PASS);
    let lines = seat.answers(Move::Pass, 0);
    assert_eq!(request(&lines[1]).moves, [Square::A1]);
}

#[test]
fn an_illegal_move_is_shown_with_the_board() {
    for form in [Form::Released, DOCUMENT, STAY] {
        let mut seat = asked(form, START);
        let fault = format!("illegal move by Black: illegal move a1: it flips nothing; {START}");
        let mut lines = seat.prints("a1\nd3\n", 5);
        lines.extend(seat.exits(true, 6));
        assert_eq!(lines.last(), Some(&fault));
        assert_eq!(seat.chooses(7), NOTHING);
    }
}

#[test]
fn one_process_says_nothing_out_of_turn() {
    let fault = "Black broke the format: nothing out of turn was expected, \"c4\" came";
    assert_eq!(
        asked(STAY, START).prints("d3\nc4\n", 5),
        ["d3 in 5ms", fault]
    );
    assert_eq!(begun(STAY, White, START).prints("c4\n", 5), [fault]);
    // After its last move nothing matters.
    let mut seat = asked(STAY, LAST_SQUARE);
    assert_eq!(seat.prints("h8\nc4\n", 5), ["h8 in 5ms"]);
    assert_eq!(seat.exits(false, 6), NOTHING);
    assert_eq!(seat.over(false, 7), ["Completed"]);
}

#[test]
fn another_line_than_the_version_is_a_fault() {
    let mut seat = begun(DOCUMENT, Black, START);
    assert_eq!(seat.chooses(0), ["launch"]);
    let fault = "Black broke the format: v1.0.0 was expected, \"v2\" came";
    assert_eq!(seat.prints("v2\n", 5), [fault]);
}

#[test]
fn a_process_that_leaves_without_an_answer_loses() {
    for form in [Form::Released, DOCUMENT, STAY] {
        assert_eq!(asked(form, START).exits(true, 5), [LEFT]);
    }
    assert_eq!(begun(STAY, White, START).exits(true, 5), [LEFT]);
    let mut seat = asked(DOCUMENT, START);
    seat.prints("d3\n", 5);
    let fault = "Black broke the format: exit status 0 was expected after the move";
    assert_eq!(seat.exits(false, 6), [fault]);
    // The process has ended, so there is nobody to hang up on.
    assert_eq!(seat.concludes(7), ["Closed"]);
}

// Time.

#[test]
fn the_limits_and_the_grace_are_kept_by_the_seat() {
    let mut seat = begun(DOCUMENT, Black, START);
    assert_eq!(seat.deadline(), None);
    seat.chooses(10);
    assert_eq!(seat.deadline(), Some(at(2060) + Duration::from_nanos(1)));
    assert_eq!(seat.waits_for_deadline(), [OVERTIME]);
    assert_eq!(seat.concludes(2061), ["hang up", "Closed"]);
    let mut seat = asked(STAY, START);
    assert_eq!(seat.deadline(), Some(at(1550) + Duration::from_nanos(1)));
    assert_eq!(seat.waits_for_deadline(), [OVERTIME]);
    // The end of the process counts.
    let mut seat = asked(Form::Released, START);
    seat.prints("d3\n", 10);
    assert_eq!(seat.deadline(), Some(at(1550) + Duration::from_nanos(1)));
    assert_eq!(seat.exits(true, 1551), [OVERTIME]);
}

#[test]
fn the_program_is_told_what_its_clock_allows() {
    let control = TimeControl {
        main: Some(Duration::from_secs(90)),
        ..TimeControl::default()
    };
    let mut seat = Ordered::new(HostSeat::new(options(STAY)), Black, control);
    seat.begins(START, &[], 0);
    seat.chooses(0);
    let lines = seat.prints(VERSION, 0);
    assert_eq!(request(&lines[0]).time, Duration::from_secs(90));
}

#[test]
fn without_a_limit_the_program_is_told_one_and_held_to_none() {
    let control = TimeControl::default();
    let mut seat = Ordered::new(HostSeat::new(options(STAY)), Black, control);
    seat.begins(START, &[], 0);
    seat.chooses(0);
    assert_eq!(seat.deadline(), None);
    let lines = seat.prints(VERSION, 60_000);
    assert_eq!(request(&lines[0]).time, HostSeatOptions::default().limit);
    assert_eq!(seat.deadline(), None);
    assert_eq!(seat.prints("d3\n", 3_660_000), ["d3 in 3600s"]);
}

#[test]
fn a_limit_of_cpu_time_is_told_but_not_kept_by_the_wall_clock() {
    let control = TimeControl {
        measure: TimeMeasure::UserCpu,
        ..per_move(1500)
    };
    let mut seat = Ordered::new(HostSeat::new(options(STAY)), Black, control);
    seat.begins(START, &[], 0);
    seat.chooses(0);
    assert_eq!(seat.deadline(), Some(at(2050) + Duration::from_nanos(1)));
    let lines = seat.prints(VERSION, 100);
    assert_eq!(request(&lines[0]).time, Duration::from_millis(1500));
    assert_eq!(seat.deadline(), None);
}

// More than one game.

#[test]
fn one_process_plays_game_after_game_unless_it_owes_an_answer() {
    let mut seat = begun(STAY, Black, START);
    seat.chooses(0);
    // The version line is awaited still.
    assert_eq!(seat.begins(START, &[], 1), ["Ready"]);
    assert_eq!(seat.deadline(), None);
    assert_eq!(seat.prints(VERSION, 2), NOTHING);
    assert_eq!(seat.chooses(3).len(), 1);
    // What the old process has begun to print is not the new one's.
    assert_eq!(seat.prints("d", 3), NOTHING);
    assert_eq!(seat.begins(START, &[], 4), ["launch", "Ready"]);
    assert_eq!(seat.chooses(5), NOTHING);
    seat.prints(VERSION, 6);
    assert_eq!(seat.prints("d3\n", 7), ["d3 in 1ms"]);
    let opening = [Move::Place(Square::F5), Move::Place(Square::D6)];
    assert_eq!(seat.begins(START, &opening, 8), ["Ready"]);
    let lines = seat.chooses(9);
    assert_eq!(request(&lines[0]).discs.empties().count(), 58);
    seat.concludes(10);
    assert_eq!(seat.begins(START, &[], 11), ["launch", "Ready"]);
    assert_eq!(seat.hears(Order::CallOff, 12), ["hang up"]);
    assert_eq!(seat.begins(START, &[], 13), ["launch", "Ready"]);
}

#[test]
fn a_process_that_thinks_on_a_void_game_is_let_go() {
    let mut seat = asked(Form::Released, START);
    assert_eq!(seat.begins(START, &[], 1), ["hang up", "Ready"]);
    assert_eq!(seat.prints("d3\n", 2), NOTHING);
    assert_eq!(seat.exits(true, 3), NOTHING);
    assert_eq!(seat.chooses(4)[0], "launch");
    assert_eq!(seat.prints("d3\n", 5), NOTHING);
    assert_eq!(seat.exits(true, 6), ["d3 in 2ms"]);
}

const FORMS: [(Form, Mode); 5] = [
    (Form::Released, Mode::Released),
    (Form::Document(Version::V1), Mode::Document),
    (DOCUMENT, Mode::Document),
    (Form::Stay(Version::V1), Mode::Stay),
    (STAY, Mode::Stay),
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn games_against_a_mover_without_a_format_are_played_to_the_end(
        seed in any::<u64>(),
        white in any::<bool>(),
        asks_forced_moves in any::<bool>(),
    ) {
        for (form, mode) in FORMS {
            let color = if white { White } else { Black };
            let make = || Player::new(PlayerOptions { mode, ..PlayerOptions::default() });
            let mover = Conventions { asks_forced_moves, closing_moves: true };
            let played = OneSeatGame {
                seat: HostSeat::new(HostSeatOptions { form, ..HostSeatOptions::default() }),
                color,
                make,
                program: None,
                start: Board::START,
                control: per_move(1500),
                mover,
                seed,
            }.play();
            prop_assert_eq!(played.verdict.cause, Cause::Played);
            prop_assert!(played.notes.is_empty(), "{:?}", played.notes);
            prop_assert!(played.moves.len() > 8);
            let requests = played.sent.matches("1500").count();
            let own = played.moves.iter().skip(color.index()).step_by(2);
            prop_assert_eq!(requests, own.filter(|&&mv| mv != Move::Pass).count());
        }
    }
}
