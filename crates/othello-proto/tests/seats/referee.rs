//! The referee's seat of Sloan's format.

use std::time::Duration;

use boardgame_core::{Margin, TimeControl, TimeMeasure};
use boardgame_session::{Cause, Conventions, Order, Said, SeatSession as _, Verdict};
use othello_core::{Board, Color, Move, Square};
use othello_proto::sloan::{
    MAX_FINISHED_PASSES, OPENING_WAIT, OpeningPass, Player, PlayerOptions, RELAUNCH_WAIT,
    RefereeOptions, RefereeSeat,
};
use proptest::prelude::*;

use super::kit::{MUST_PASS, NOTHING, Ordered, START, Table, at, per_move};

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

// The opening.

#[test]
fn the_opening_pass_asks_the_first_side_for_its_move() {
    let mut seat = ready(OpeningPass::Always, Black, START);
    assert_eq!(seat.chooses(0), ["send (W)"]);
    let mut seat = ready(OpeningPass::Auto, Black, START);
    assert_eq!(seat.chooses(10), NOTHING);
    assert_eq!(seat.deadline(), Some(at(260)));
    assert_eq!(seat.waits_for_deadline(), ["send (W)"]);
    // The clock begins anew with it.
    assert_eq!(seat.deadline(), Some(at(100_260)));
    assert_eq!(seat.prints("(B d 3)", 300), ["d3 in 40ms"]);
    assert_eq!(seat.played(Black, Square::D3, 300), NOTHING);
    assert_eq!(seat.answers(Square::C3, 400), ["send (W c 3)"]);
    assert_eq!(seat.prints("(B c 4)", 450), ["c4 in 50ms"]);
}

#[test]
fn a_move_within_the_grace_period_makes_the_opening_pass_needless() {
    let mut seat = ready(OpeningPass::Auto, Black, START);
    seat.chooses(0);
    // It is there before the pass is sent, however late it is looked at.
    assert_eq!(seat.prints("(B d 3)", 300), ["d3 in 300ms"]);
    assert_eq!(seat.deadline(), None);
    let out_of_turn = ["Black: out of turn: B e 6", "send (C (out of turn B e 6))"];
    assert_eq!(seat.prints("(B e 6)", 301), out_of_turn);
}

#[test]
fn the_grace_period_is_at_most_a_twentieth_of_the_time() {
    let options = RefereeOptions::default();
    let mut seat = Ordered::new(RefereeSeat::new(options), Black, per_move(1000));
    seat.begins(START, &[], 0);
    seat.prints("(R B)", 0);
    seat.chooses(0);
    assert_eq!(seat.deadline(), Some(at(50)));
}

#[test]
fn an_early_first_move_is_kept_until_it_is_asked_for() {
    let mut seat = ready(OpeningPass::Auto, Black, START);
    assert_eq!(seat.prints("(B d 3)", 5), NOTHING);
    let again = [
        "Black: before the game: B c 4",
        "send (C (before the game B c 4))",
    ];
    assert_eq!(seat.prints("(B c 4)", 6), again);
    let lines = ["Black: a move before the opening pass", "d3 in 0ns"];
    assert_eq!(seat.chooses(10), lines);
    // Before it is ready no program moves.
    let mut seat = seat_of(RefereeOptions::default(), Black);
    seat.begins(START, &[], 0);
    assert_eq!(
        seat.prints("(B d 3)", 1)[1..],
        ["send (C (before the game B d 3))"]
    );
}

#[test]
fn an_opening_pass_by_the_second_side_is_ignored() {
    let mut seat = ready(OpeningPass::Auto, White, START);
    let ignored = ["White: the opening pass is the referee's"];
    assert_eq!(seat.prints("(W)", 1), ignored);
    assert_eq!(seat.answers(Square::D3, 2), ["send (B d 3)"]);
    assert_eq!(seat.prints("(W c 3)", 3), ["c3 in 1ms"]);
}

#[test]
fn after_the_moves_of_an_opening_the_side_to_move_opens() {
    let options = RefereeOptions {
        opening_pass: OpeningPass::Always,
        ..RefereeOptions::default()
    };
    let mut seat = seat_of(options, White);
    seat.begins(START, &[Move::Place(Square::D3)], 0);
    seat.prints("(R W)", 0);
    assert_eq!(seat.chooses(0), ["send (B)"]);
    assert_eq!(seat.prints("(W c 3)", 1), ["c3 in 1ms"]);
}

#[test]
fn a_program_that_is_not_ready_in_time_loses() {
    let mut seat = seat_of(RefereeOptions::default(), Black);
    seat.begins(START, &[], 0);
    assert_eq!(seat.deadline(), Some(at(60_000)));
    let lines = ["Black is not ready in time", OVERTIME];
    assert_eq!(seat.waits_for_deadline(), lines);
    assert_eq!(seat.deadline(), None);
}

// Games that begin again.

#[test]
fn a_misread_opening_pass_wants_the_game_begun_again() {
    let mut seat = in_doubt();
    let misread = [
        "Black took the opening pass for the answer to its first move",
        "Restart",
    ];
    // What follows is read once the colour is assigned again.
    assert_eq!(seat.prints("(B e 6)(R B)(B f 5)", 300), misread);
    assert_eq!(seat.deadline(), None);
    assert_eq!(seat.begins(START, &[], 300), [VOID, "send (I B)", "Ready"]);
    let first = ["Black: a move before the opening pass", "f5 in 0ns"];
    assert_eq!(seat.chooses(301), first);
    // The new game knows no doubt.
    seat.played(Black, Square::F5, 301);
    assert_eq!(
        seat.prints("(B d 6)", 302)[1..],
        ["send (C (out of turn B d 6))"]
    );
}

#[test]
fn in_the_second_game_the_opening_pass_waits_long() {
    let mut seat = in_doubt();
    seat.prints("(B e 6)", 300);
    seat.begins(START, &[], 300);
    let stale = ["Black: (6) is of the void game"];
    assert_eq!(seat.prints("(6)", 301), stale);
    assert_eq!(seat.prints("(R B)", 302), ["Ready"]);
    seat.chooses(302);
    assert_eq!(seat.deadline(), Some(at(302) + OPENING_WAIT));
    assert_eq!(seat.waits_for_deadline(), ["send (W)"]);
    assert_eq!(seat.prints("(B d 3)", 10_303), ["d3 in 1ms"]);
    seat.played(Black, Square::D3, 10_303);
    assert_eq!(seat.exits(true, 10_304), [LEFT]);
}

#[test]
fn a_program_that_leaves_in_doubt_is_replaced() {
    let mut seat = in_doubt();
    seat.end_of_input(at(300));
    assert_eq!(seat.drain()[1..], ["Restart"]);
    let launched = ["launch", "send (I B)"];
    assert_eq!(seat.begins(START, &[], 300), launched);
    // Once.
    assert_eq!(seat.prints("(R B)", 301), ["Ready"]);
    assert_eq!(seat.exits(true, 302), [LEFT]);
}

#[test]
fn a_program_that_is_not_ready_for_a_second_game_is_started_anew_once() {
    let again = || {
        let mut seat = ready(OpeningPass::Auto, White, START);
        seat.played(Black, Square::D3, 100);
        assert_eq!(seat.begins(START, &[], 1000), [VOID, "send (I W)"]);
        seat
    };
    let anew = ["White is started anew", "launch", "send (I W)"];
    let mut seat = again();
    assert_eq!(seat.deadline(), Some(at(1000) + RELAUNCH_WAIT));
    assert_eq!(seat.waits_for_deadline(), anew);
    assert_eq!(seat.deadline(), Some(at(63_000)));
    let mut seat = again();
    seat.end_of_input(at(1100));
    assert_eq!(seat.drain(), anew);
    assert_eq!(seat.exits(true, 1200), [LEFT]);
    let mut seat = again();
    assert_eq!(seat.prints("(R W)", 1100), ["Ready"]);
    assert_eq!(seat.answers(Square::C4, 1200), ["send (B c 4)"]);
}

// Faults and the verdict.

#[test]
fn a_faulty_program_is_told_the_verdict_and_answers() {
    let mut seat = asked(START);
    let fault = "illegal move by Black: illegal move a1: it flips nothing";
    assert_eq!(seat.prints("(B a 1)", 5), [fault]);
    assert_eq!(seat.deadline(), None);
    assert_eq!(seat.concludes(10), ["send (-64)"]);
    assert_eq!(seat.deadline(), Some(at(5010)));
    let answered = ["Black answers (-64)", "hang up", "Closed"];
    assert_eq!(seat.prints("(-64)", 20), answered);
    assert_eq!(seat.prints("(B d 3)", 21), NOTHING);
    assert_eq!(seat.exits(true, 22), NOTHING);
}

#[test]
fn the_verdict_is_not_answered_without_end() {
    let mut seat = ready(OpeningPass::Never, White, START);
    assert_eq!(seat.concludes(10), ["send (-64)"]);
    assert_eq!(seat.waits_for_deadline(), CLOSED);
    let mut seat = ready(OpeningPass::Never, White, START);
    seat.concludes(10);
    assert_eq!(seat.exits(true, 20), CLOSED);
    let mut seat = asked(START);
    assert_eq!(seat.exits(true, 5), [LEFT]);
    assert_eq!(seat.concludes(6), ["send (-64)", "hang up", "Closed"]);
}

#[test]
fn what_comes_with_a_fault_is_read_after_the_verdict() {
    let mut seat = asked(START);
    assert_eq!(seat.prints("(B a 1)(-64)", 5).len(), 1);
    let lines = ["send (-64)", "Black answers (-64)", "hang up", "Closed"];
    assert_eq!(seat.concludes(6), lines);
}

#[test]
fn a_claim_against_itself_resigns_and_another_is_false() {
    let false_claim = "Said(FalseClaim(Margin(24)))";
    let complaint = [
        false_claim,
        "Black: the game is not over: the value 12",
        "send (C (the game is not over the value 12))",
    ];
    let mut seat = asked(START);
    assert_eq!(seat.prints("(12)", 5), complaint);
    let lines = [
        "Black gives up with (-64)",
        "Said(FalseClaim(Margin(-128)))",
        "Resign",
    ];
    assert_eq!(seat.prints("(-64)", 6), lines);
    // It has answered already.
    assert_eq!(seat.concludes(7), ["send (-64)", "hang up", "Closed"]);
}

#[test]
fn the_clock_and_the_tolerance_are_kept_by_the_seat() {
    let mut seat = asked(START);
    assert_eq!(seat.deadline(), Some(at(100_000)));
    assert_eq!(seat.waits_for_deadline(), [OVERTIME]);
    let options = RefereeOptions {
        opening_pass: OpeningPass::Never,
        tolerance: Duration::from_millis(50),
        ..RefereeOptions::default()
    };
    let mut seat = seat_of(options, Black);
    seat.begins(START, &[], 0);
    seat.prints("(R B)", 0);
    seat.chooses(0);
    assert_eq!(seat.deadline(), Some(at(100_050)));
    assert_eq!(seat.prints("(B d 3)", 100_049), ["d3 in 100.049s"]);
    assert_eq!(asked(START).prints("(B d 3)", 100_000), [OVERTIME]);
}

#[test]
fn cpu_time_is_not_measured_by_the_seat() {
    let cpu = TimeControl {
        measure: TimeMeasure::UserCpu,
        ..per_move(1000)
    };
    let options = RefereeOptions {
        opening_pass: OpeningPass::Never,
        ..RefereeOptions::default()
    };
    let mut seat = Ordered::new(RefereeSeat::new(options), Black, cpu);
    seat.begins(START, &[], 0);
    seat.prints("(R B)", 0);
    seat.chooses(0);
    assert_eq!(seat.deadline(), None);
}

#[test]
fn a_flood_loses_the_game_or_is_not_heard_after_it() {
    let flood = format!("(C ({}))", "x".repeat(70_000));
    let fault = "Black broke the format: expected at most 65536 bytes of output in a turn";
    assert_eq!(asked(START).prints(&flood, 1), [fault]);
    let mut seat = wiped_out(White);
    seat.over(true, 100);
    let lines = [
        "White: expected at most 65536 bytes of output in a turn",
        "Completed",
    ];
    assert_eq!(seat.prints(&flood, 101), lines);
}

#[test]
fn comments_are_told_in_both_directions() {
    let mut seat = asked(START);
    assert_eq!(
        seat.prints("(C (hello, you))", 1),
        ["Said(Comment(\"hello, you\"))"]
    );
    let lines = said(&mut seat, Said::Comment("a: b".into()));
    assert_eq!(lines, ["send (C (a b))"]);
}

#[test]
fn a_game_that_is_called_off_lets_the_program_go() {
    let mut seat = asked(START);
    assert_eq!(seat.hears(Order::CallOff, 1), ["hang up"]);
    assert_eq!(seat.deadline(), None);
    assert_eq!(seat.exits(true, 2), NOTHING);
    assert_eq!(seat.begins(START, &[], 3), [LEFT]);
}

// The end of the game.

#[test]
fn forced_passes_are_asked_for_and_told() {
    let mut black = asked(MUST_PASS);
    assert_eq!(black.prints("(B)", 5), ["pass in 5ms"]);
    let mut white = ready(OpeningPass::Never, White, MUST_PASS);
    assert_eq!(white.answers(Move::Pass, 0), ["send (B)"]);
    assert_eq!(white.prints("(W a 1)", 5), ["a1 in 5ms"]);
    let conventions = white.conventions();
    assert!(conventions.asks_forced_moves && conventions.closing_moves);
}

#[test]
fn true_claims_are_passed_on_and_end_the_part_of_the_program() {
    let mut black = ready(OpeningPass::Never, Black, OVER_AFTER_C1);
    black.chooses(0);
    let info = "Black: (3) is true as the disc difference";
    let lines = ["c1 in 5ms", info, "Said(Claim(Margin(6)))", "Completed"];
    assert_eq!(black.prints("(B c 1)(3)", 5), lines);
    black.played(Black, Square::C1, 5);
    assert_eq!(black.over(true, 5), NOTHING);
    assert_eq!(black.deadline(), None);
    assert_eq!(said(&mut black, claim(64)), ["send (64)"]);
    assert_eq!(played_out(&mut black, 10), CLOSED);
    // A program that was told the other's claim is not told the value again.
    let mut white = wiped_out(White);
    white.over(true, 100);
    assert_eq!(said(&mut white, claim(3)), ["send (3)"]);
    assert_eq!(white.deadline(), Some(at(5100)));
    assert_eq!(white.waits_for_deadline(), ["Completed"]);
    assert_eq!(white.deadline(), None);
    assert_eq!(played_out(&mut white, 5100), CLOSED);
}

#[test]
fn a_false_claim_at_the_end_counts_as_an_answer_alone() {
    let lines = [
        "Said(FalseClaim(Margin(-6)))",
        "White: the value -3 does not fit the board",
        "send (C (the value -3 does not fit the board))",
    ];
    let mut white = wiped_out(White);
    white.over(true, 100);
    assert_eq!(white.prints("(-3)", 101), lines);
    said(&mut white, claim(3));
    assert_eq!(
        white.prints("(-3)", 102),
        [&lines[..], &["Completed"]].concat()
    );
}

#[test]
fn nobody_claims_and_the_program_is_told_the_value() {
    let mut white = wiped_out(White);
    white.over(true, 100);
    assert_eq!(white.exits(true, 101), ["Completed"]);
    assert_eq!(
        played_out(&mut white, 102),
        ["send (3)", "hang up", "Closed"]
    );
}

#[test]
fn passes_after_the_end_are_counted_on_both_seats() {
    let passed = |color: &str| {
        [
            format!("{color} passes after the end of the game"),
            "Said(ClosingMove(Pass))".into(),
        ]
    };
    let last = |color: &str| {
        [
            format!("{color} passes but does not claim"),
            "Said(ClosingMove(Pass))".into(),
            "Completed".into(),
        ]
    };
    let pass = Said::ClosingMove(Move::Pass);
    let (mut white, mut black) = (wiped_out(White), wiped_out(Black));
    white.over(true, 100);
    black.over(true, 100);
    assert_eq!(black.prints("(B)", 101)[1..], ["send (C (out of turn B))"]);
    for _ in 0..MAX_FINISHED_PASSES / 2 {
        assert_eq!(white.prints("(W)", 101), passed("White"));
        assert_eq!(said(&mut black, pass.clone()), ["send (W)"]);
        assert_eq!(black.prints("(B)", 101), passed("Black"));
        assert_eq!(said(&mut white, pass.clone()), ["send (B)"]);
    }
    assert_eq!(white.prints("(W)", 101), last("White"));
    assert_eq!(said(&mut black, pass), ["Completed"]);
}

#[test]
fn the_seat_answers_for_an_opponent_that_makes_no_closing_moves() {
    // A pass after the program's move, a claim after its pass.
    let mut black = wiped_out(Black);
    assert_eq!(black.over(false, 100), ["send (W)"]);
    assert_eq!(
        black.prints("(B)", 101)[1..],
        ["Said(ClosingMove(Pass))", "send (3)"]
    );
    assert_eq!(
        black.prints("(3)", 102)[1..],
        ["Said(Claim(Margin(6)))", "Completed"]
    );
    let mut white = wiped_out(White);
    assert_eq!(white.over(false, 100), NOTHING);
    assert_eq!(
        white.prints("(W)", 101)[1..],
        ["Said(ClosingMove(Pass))", "send (3)"]
    );
    // A claim for a claim, once.
    let mut white = wiped_out(White);
    white.over(false, 100);
    let lines = ["Said(Claim(Margin(6)))", "send (3)", "Completed"];
    assert_eq!(white.prints("(3)", 101)[1..], lines);
    assert_eq!(white.prints("(3)", 102).len(), 1);
    assert_eq!(played_out(&mut white, 103), CLOSED);
    // A claim on the line of the last move is answered at once.
    let mut black = asked(OVER_AFTER_C1);
    black.prints("(B c 1)(3)", 5);
    black.played(Black, Square::C1, 5);
    assert_eq!(black.over(false, 5), ["send (3)"]);
}

fn play(start: Board, color: Color, mover: Conventions, seed: u64) -> String {
    let player = Player::new(PlayerOptions {
        start,
        ..PlayerOptions::default()
    });
    let played = Table {
        seat: RefereeSeat::new(RefereeOptions::default()),
        color,
        make: || panic!("the first game's program is launched by the driver"),
        program: Some(player),
        start,
        control: TimeControl::default(),
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
    let claims = |note: &&String| note.contains("is true as the disc difference");
    let claimed = played.notes.iter().filter(claims).count();
    // Our player waits for an answer to its pass where the mover is said to give one.
    assert!(claimed == 1 || mover.closing_moves, "{:?}", played.notes);
    played.sent
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
        prop_assert_eq!(sent.starts_with("(I B)\n(W)\n"), !white);
    }
}
