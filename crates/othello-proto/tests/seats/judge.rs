//! The judge's seat of Code Warriors.

use std::time::Duration;

use boardgame_core::{ClockState, Margin, TimeControl, TimeMeasure};
use boardgame_session::{Cause, Conventions, Order, Said, SeatSession as _};
use othello_core::{Board, Color, Move, Square};
use othello_proto::codewarriors::{JudgeSeat, Player, PlayerOptions};
use proptest::prelude::*;

use super::kit::{
    LAST_SQUARE, MUST_PASS, NOTHING, OneSeatGame, Ordered, START, WIPE_OUT, at, per_move,
};

use Color::{Black, White};

const FULL: &str = "XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXX O";
const LEFT: &str = "Black left";
const OVERTIME: &str = "Black ran out of time";

fn seat(color: Color) -> Ordered<JudgeSeat> {
    let grace = Duration::from_millis(50);
    Ordered::new(JudgeSeat::new(grace), color, per_move(2000))
}

/// A seat whose game has begun.
fn begun(color: Color, start: &str) -> Ordered<JudgeSeat> {
    let mut seat = seat(color);
    assert_eq!(seat.begins(start, &[], 0), ["Ready"]);
    seat
}

/// The opener's seat, which was asked at the origin.
fn asked(start: &str) -> Ordered<JudgeSeat> {
    let mut seat = begun(Black, start);
    assert_eq!(seat.chooses(0), ["send ST"]);
    seat
}

/// A seat in the game that Black has ended with e4.
fn wiped_out(color: Color) -> Ordered<JudgeSeat> {
    let mut seat = begun(color, WIPE_OUT);
    if color == Black {
        seat.chooses(0);
        assert_eq!(seat.prints("E4\n", 100), ["e4 in 100ms"]);
    }
    assert_eq!(seat.played(Black, Square::E4, 100), NOTHING);
    seat
}

fn pass_of_other(seat: &mut Ordered<JudgeSeat>, now: u64) -> Vec<String> {
    seat.hears(Order::Said(Said::ClosingMove(Move::Pass)), now)
}

// Questions and answers.

#[test]
fn the_opener_is_told_st_and_each_later_question_is_the_opponents_move() {
    let mut seat = asked(START);
    assert_eq!(seat.prints("D3\n", 40), ["d3 in 40ms"]);
    assert_eq!(seat.played(Black, Square::D3, 40), NOTHING);
    assert_eq!(seat.answers(Square::C3, 100), ["send C3"]);
    assert_eq!(seat.prints("C4", 170), ["c4 in 70ms"]);
}

#[test]
fn the_side_that_moves_after_an_opening_opens_for_its_program() {
    let opening = [Move::Place(Square::D3)];
    let mut white = seat(White);
    white.begins(START, &opening, 0);
    assert_eq!(white.chooses(0), ["send ST"]);
    assert_eq!(white.prints("C3\n", 1), ["c3 in 1ms"]);
    let mut black = seat(Black);
    black.begins(START, &opening, 0);
    assert_eq!(black.answers(Square::C3, 0), ["send C3"]);
}

#[test]
fn the_opponents_move_is_told_with_the_question_from_which_the_time_runs() {
    let mut seat = begun(White, START);
    assert_eq!(seat.played(Black, Square::D3, 10), NOTHING);
    assert_eq!(seat.deadline(), None);
    assert_eq!(seat.chooses(500), ["send D3"]);
    assert_eq!(seat.prints("C3", 501), ["c3 in 1ms"]);
}

#[test]
fn forced_passes_are_asked_for_and_told() {
    let mut black = asked(MUST_PASS);
    assert_eq!(black.prints("PS\n", 5), ["pass in 5ms"]);
    let mut white = begun(White, MUST_PASS);
    assert_eq!(white.answers(Move::Pass, 0), ["send PS"]);
    assert_eq!(white.prints("A1\n", 5), ["a1 in 5ms"]);
    assert!(white.conventions().asks_forced_moves && white.conventions().closing_moves);
}

#[test]
fn an_illegal_move_is_shown_with_the_board() {
    let mut seat = asked(START);
    let fault = format!("illegal move by Black: illegal move a1: it flips nothing; {START}");
    assert_eq!(seat.prints("A1", 5), [fault]);
    // Nothing matters any more.
    assert_eq!(seat.prints("D3", 6), NOTHING);
    assert_eq!(seat.chooses(7), NOTHING);
    assert_eq!(seat.over(true, 8), NOTHING);
    assert_eq!(seat.concludes(9), ["hang up", "Closed"]);
}

#[test]
fn what_comes_out_of_turn_is_a_fault_but_for_blanks() {
    let fault = "Black broke the format: one message a turn was expected, but D came out of turn";
    assert_eq!(begun(White, START).prints(" \r\nD3", 1), [fault]);
    assert_eq!(asked(START).prints("D3 D", 1), ["d3 in 1ms", fault]);
}

#[test]
fn a_message_with_a_blank_in_it_is_a_fault_of_format() {
    for (start, text, message) in [(START, "D 3", "D3"), (MUST_PASS, "P\nS", "PS")] {
        let fault = format!(
            "Black broke the format: two characters in a row were expected, but {message} came cut"
        );
        assert_eq!(asked(start).prints(text, 1), [fault]);
    }
}

#[test]
fn a_byte_order_mark_is_noted_by_colour() {
    let mut seat = begun(White, START);
    let note = "White printed a byte order mark";
    assert_eq!(seat.prints("\u{feff}", 1), [note]);
}

// Time.

#[test]
fn the_limit_and_the_grace_are_kept_by_the_seat() {
    let mut seat = asked(START);
    let deadline = at(2050) + Duration::from_nanos(1);
    assert_eq!(seat.deadline(), Some(deadline));
    assert_eq!(seat.waits_for_deadline(), [OVERTIME]);
    assert_eq!(seat.deadline(), None);
    assert_eq!(asked(START).prints("D3", 2051), [OVERTIME]);
    assert_eq!(asked(START).exits(true, 2051), [OVERTIME]);
}

#[test]
fn without_a_limit_on_the_wall_clock_no_answer_is_late() {
    let cpu = TimeControl {
        measure: TimeMeasure::UserCpu,
        ..per_move(2000)
    };
    for control in [TimeControl::default(), cpu] {
        let mut seat = Ordered::new(JudgeSeat::new(Duration::ZERO), Black, control);
        seat.begins(START, &[], 0);
        seat.chooses(0);
        assert_eq!(seat.deadline(), None);
        assert_eq!(seat.prints("D3", 3_600_000), ["d3 in 3600s"]);
    }
}

// The end of the game.

#[test]
fn on_a_full_board_the_last_move_is_told_and_nothing_is_asked() {
    let mut white = begun(White, LAST_SQUARE);
    white.played(Black, Square::H8, 10);
    assert_eq!(white.over(true, 10), ["send H8", "Completed"]);
    let mut black = asked(LAST_SQUARE);
    // What follows the last move is not read, and the program may end.
    assert_eq!(black.prints("H8 and more", 10), ["h8 in 10ms"]);
    assert_eq!(black.exits(true, 11), NOTHING);
    assert_eq!(black.over(true, 12), ["Completed"]);
    assert_eq!(black.concludes(13), ["hang up", "Closed"]);
}

#[test]
fn on_a_board_that_is_full_at_the_beginning_nobody_is_told_anything() {
    for color in Color::ALL {
        let mut seat = begun(color, FULL);
        assert_eq!(seat.over(true, 0), ["Completed"]);
    }
}

#[test]
fn the_side_to_move_passes_first_and_hears_the_other_pass() {
    let mut white = wiped_out(White);
    assert_eq!(white.over(true, 100), ["send E4"]);
    let passed = [
        "White passed: neither side can move",
        "Said(ClosingMove(Pass))",
    ];
    assert_eq!(white.prints("PS\n", 200), passed);
    assert_eq!(pass_of_other(&mut white, 300), ["send PS", "Completed"]);
    // Its part is done.
    assert_eq!(pass_of_other(&mut white, 301), NOTHING);
    assert_eq!(white.exits(true, 302), NOTHING);
}

#[test]
fn the_other_side_passes_once_it_has_heard_the_first_pass() {
    let mut black = wiped_out(Black);
    assert_eq!(black.over(true, 100), NOTHING);
    assert_eq!(
        black.hears(Order::Said(Said::Comment("gg".into())), 110),
        NOTHING
    );
    assert_eq!(pass_of_other(&mut black, 200), ["send PS"]);
    let passed = [
        "Black passed: neither side can move",
        "Said(ClosingMove(Pass))",
        "Completed",
    ];
    assert_eq!(black.prints("PS\n", 300), passed);
}

#[test]
fn the_seat_answers_for_an_opponent_that_makes_no_closing_moves() {
    let mut white = wiped_out(White);
    assert_eq!(white.over(false, 100), ["send E4"]);
    let passed = [
        "White passed: neither side can move",
        "Said(ClosingMove(Pass))",
        "send PS",
        "Completed",
    ];
    assert_eq!(white.prints("PS", 200), passed);
    let mut black = wiped_out(Black);
    assert_eq!(black.over(false, 100), ["send PS"]);
    let passed = [
        "Black passed: neither side can move",
        "Said(ClosingMove(Pass))",
        "Completed",
    ];
    assert_eq!(black.prints("PS", 200), passed);
}

#[test]
fn a_closing_pass_that_comes_before_its_turn_is_kept() {
    let mut white = wiped_out(White);
    white.over(true, 100);
    assert_eq!(pass_of_other(&mut white, 150), NOTHING);
    let lines = white.prints("PS", 200);
    assert_eq!(
        lines[1..],
        ["Said(ClosingMove(Pass))", "send PS", "Completed"]
    );
}

#[test]
fn a_claim_of_the_result_counts_as_the_opponents_closing_pass() {
    let mut white = wiped_out(White);
    white.over(true, 100);
    white.prints("PS", 200);
    let claim = Order::Said(Said::Claim(Margin::from_points(64)));
    assert_eq!(white.hears(claim, 300), ["send PS", "Completed"]);
}

#[test]
fn an_opponent_on_a_long_clock_is_waited_for_no_longer_than_a_move() {
    let mut black = seat(Black);
    black.clocks[White] = ClockState::new(per_move(1_800_000));
    black.begins(WIPE_OUT, &[], 0);
    black.chooses(0);
    black.prints("E4", 0);
    black.over(true, 0);
    assert_eq!(black.deadline(), Some(at(2050) + Duration::from_nanos(1)));
}

#[test]
fn closing_passes_of_the_opponent_are_not_waited_for_without_end() {
    let mut black = wiped_out(Black);
    black.over(true, 100);
    let deadline = at(2150) + Duration::from_nanos(1);
    assert_eq!(black.deadline(), Some(deadline));
    assert_eq!(black.waits_for_deadline(), ["Completed"]);
    let mut white = wiped_out(White);
    white.over(true, 100);
    white.prints("PS", 1000);
    let deadline = at(3050) + Duration::from_nanos(1);
    assert_eq!(white.deadline(), Some(deadline));
    assert_eq!(white.waits_for_deadline(), ["Completed"]);
    // The limit is the opponent's.
    let mut black = seat(Black);
    black.clocks[White] = ClockState::new(per_move(500));
    black.begins(WIPE_OUT, &[], 0);
    black.chooses(0);
    black.prints("E4", 0);
    black.over(true, 0);
    assert_eq!(black.deadline(), Some(at(550) + Duration::from_nanos(1)));
    // An opponent without a limit is given the document's.
    let mut black = Ordered::new(
        JudgeSeat::new(Duration::ZERO),
        Black,
        TimeControl::default(),
    );
    black.begins(WIPE_OUT, &[], 0);
    black.chooses(0);
    black.prints("E4", 0);
    black.over(true, 0);
    assert_eq!(black.deadline(), Some(at(2000) + Duration::from_nanos(1)));
}

#[test]
fn faults_after_the_end_lose_as_before() {
    let over = || {
        let mut white = wiped_out(White);
        white.over(true, 100);
        white
    };
    assert_eq!(over().waits_for_deadline(), [OVERTIME]);
    assert_eq!(over().exits(true, 200), [LEFT]);
    let board = "--------------------------XXX----------------------------------- O";
    let illegal = format!("illegal move by Black: illegal move f4: it flips nothing; {board}");
    assert_eq!(over().prints("F4", 200), [illegal]);
    // Out of turn: before the opponent's pass, and after the program's own.
    let fault = "Black broke the format: one message a turn was expected, but P came out of turn";
    let mut black = wiped_out(Black);
    black.over(true, 100);
    assert_eq!(black.prints("PS", 200), [fault]);
    assert_eq!(over().prints("PSPS", 200)[2..], [fault]);
    // The second passer is shown the board after the first pass.
    let mut black = wiped_out(Black);
    black.over(false, 100);
    let board = "--------------------------XXX----------------------------------- X";
    let illegal = format!("illegal move by Black: illegal move f4: it flips nothing; {board}");
    assert_eq!(black.prints("F4", 200), [illegal]);
}

#[test]
fn a_game_that_nobody_can_play_begins_with_the_passes() {
    let over = "XX-------------------------------------------------------------- X";
    let mut black = begun(Black, over);
    assert_eq!(black.over(false, 0), ["send ST"]);
    assert_eq!(
        black.prints("PS", 1)[1..],
        ["Said(ClosingMove(Pass))", "send PS", "Completed"]
    );
    let mut white = begun(White, over);
    assert_eq!(white.over(false, 0), ["send PS"]);
}

// More than one game, and games that are cut short.

#[test]
fn a_program_that_knows_of_a_game_is_launched_anew_for_another() {
    let mut seat = begun(White, START);
    // Nothing was said yet.
    assert_eq!(seat.begins(START, &[], 1), ["Ready"]);
    assert_eq!(seat.answers(Square::D3, 2), ["send D3"]);
    assert_eq!(seat.begins(START, &[], 3), ["launch", "Ready"]);
    assert_eq!(seat.deadline(), None);
    // The new program is told of the new game alone.
    let note = "White printed a byte order mark";
    assert_eq!(seat.prints("\u{feff}", 4), [note]);
    assert_eq!(seat.answers(Square::C4, 5), ["send C4"]);
    assert_eq!(seat.prints("E3", 6), ["e3 in 1ms"]);
    assert_eq!(seat.hears(Order::CallOff, 7), ["hang up"]);
    assert_eq!(seat.exits(true, 8), NOTHING);
    assert_eq!(seat.begins(START, &[], 9), ["launch", "Ready"]);
}

#[test]
fn a_program_that_leaves_loses_from_the_beginning_on() {
    assert_eq!(begun(White, START).exits(true, 1), [LEFT]);
    // Even while its output is open.
    let mut ended = begun(White, START);
    ended.exited(true, at(1));
    assert_eq!(ended.drain(), [LEFT]);
    let mut seat = seat(Black);
    assert_eq!(seat.exits(true, 0), NOTHING);
    assert_eq!(seat.begins(START, &[], 1), [LEFT]);
    assert_eq!(seat.chooses(2), NOTHING);
}

fn play(start: Board, color: Color, mover: Conventions, seed: u64) -> String {
    let make = || {
        Player::new(PlayerOptions {
            start,
            ..PlayerOptions::default()
        })
    };
    let played = OneSeatGame {
        seat: JudgeSeat::new(Duration::ZERO),
        color,
        make: || panic!("the first game's program is launched by the driver"),
        program: Some(make()),
        start,
        control: per_move(2000),
        mover,
        seed,
    }
    .play();
    assert_eq!(played.verdict.cause, Cause::Played, "{:?}", played.moves);
    let mut board = start;
    for mv in played.moves {
        board.play(mv).unwrap();
    }
    assert_eq!(played.verdict.winner, board.leader());
    let passed = |note: &String| note.contains("neither side can move");
    // A mover that is said to pass and does not leaves a program that waits for it without a question.
    let is_asked = !mover.closing_moves || board.side_to_move() == color;
    let closed = is_asked && !board.empties().is_empty();
    assert_eq!(
        played.notes.iter().filter(|note| passed(note)).count(),
        closed.into()
    );
    played.sent
}

#[test]
fn the_program_is_told_the_passes_of_a_mover_that_makes_none_itself() {
    let mover = Conventions {
        asks_forced_moves: false,
        closing_moves: false,
    };
    let sent = play(MUST_PASS.parse().unwrap(), White, mover, 0);
    assert_eq!(sent, "PS\nPS\n");
}

proptest! {
    #[test]
    fn games_against_a_mover_without_a_format_are_played_to_the_end(
        seed in any::<u64>(),
        white in any::<bool>(),
        asks_forced_moves in any::<bool>(),
        closing_moves in any::<bool>(),
    ) {
        let mover = Conventions { asks_forced_moves, closing_moves };
        let color = if white { White } else { Black };
        let sent = play(Board::START, color, mover, seed);
        prop_assert_eq!(sent.starts_with("ST\n"), !white);
    }
}
