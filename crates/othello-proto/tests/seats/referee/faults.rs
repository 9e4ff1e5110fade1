//! Faults, the verdict and what else the program says.

use super::*;

#[test]
fn a_faulty_program_is_told_the_verdict_and_answers() {
    let mut seat = asked(START);
    let fault = "illegal move by Black: illegal move a1: it flips nothing";
    assert_eq!(seat.prints("(B a 1)", 5), [fault]);
    assert_eq!(seat.chooses(6), NOTHING);
    assert_eq!(seat.deadline(), None);
    assert_eq!(seat.concludes(10), ["send (-64)"]);
    assert_eq!(seat.deadline(), Some(at(5010)));
    let answered = ["Black answers (-64)", "hang up", "Closed"];
    assert_eq!(seat.prints("(-64)", 20), answered);
    assert_eq!(seat.prints("(B d 3)", 21), NOTHING);
    assert_eq!(seat.exits(true, 22), NOTHING);
}

#[test]
fn a_program_that_ends_has_left_even_while_its_output_is_open() {
    let mut seat = asked(START);
    seat.exited(true, at(5));
    assert_eq!(seat.drain(), [LEFT]);
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
fn before_the_first_move_no_claim_resigns() {
    let mut seat = ready(OpeningPass::Auto, White, START);
    let complaint = [
        "White: the game is not over: the value 64",
        "send (C (the game is not over the value 64))",
    ];
    assert_eq!(seat.prints("(64)", 1), complaint);
    assert_eq!(seat.answers(Square::D3, 2), ["send (B d 3)"]);
    assert_eq!(seat.prints("(64)", 3).last().unwrap(), "Resign");
}

#[test]
fn complaints_are_sent_a_few_times_until_a_message_can_be_used() {
    let mut seat = asked(START);
    for now in 1..3 {
        let lines = seat.prints(&"(x)".repeat(100), now);
        assert_eq!(sent(&lines), MAX_COMPLAINTS as usize);
        assert_eq!(sent(&seat.prints("(x)(C (sorry))", now)), 0);
    }
}

#[test]
fn messages_that_are_not_the_programs_to_say_change_nothing() {
    for (message, complaint) in [
        ("W c 3", "not yours to say"),
        ("W d 3", "not yours to say"),
        ("W", "not yours to say"),
        ("I B", "not yours to say"),
        ("R W", "not yours to say"),
        ("R B", "the game has begun"),
    ] {
        let mut seat = asked(START);
        let refused = [
            format!("Black: {complaint}: {message}"),
            format!("send (C ({complaint} {message}))"),
        ];
        assert_eq!(seat.prints(&format!("({message})"), 1), refused);
        assert_eq!(seat.prints("(B d 3)", 5), ["d3 in 5ms"]);
    }
}

#[test]
fn a_program_is_told_the_moves_of_the_other_side_alone() {
    for (color, told) in [(White, &["send (B d 3)"][..]), (Black, &[])] {
        let mut seat = ready(OpeningPass::Never, color, START);
        assert_eq!(seat.played(Black, Square::D3, 1), told);
    }
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
    assert_eq!(seat.prints(&flood, 102), NOTHING);
}

#[test]
fn output_and_notes_are_counted_in_each_turn() {
    let options = RefereeOptions {
        opening_pass: OpeningPass::Never,
        output_per_turn: 3000,
        ..RefereeOptions::default()
    };
    let mut seat = seat_of(options, Black);
    seat.begins(START, &[], 0);
    seat.prints("(R B)", 0);
    seat.chooses(0);
    let unreadable = "(x)".repeat(900);
    let notes = seat.prints(&unreadable, 1).len();
    seat.prints("(B d 3)", 2);
    seat.played(Black, Square::D3, 2);
    assert_eq!(seat.prints(&unreadable, 3).len(), notes);
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
    assert_eq!(said(&mut seat, Said::Comment("late".into())), NOTHING);
    assert_eq!(seat.deadline(), None);
    assert_eq!(seat.exits(true, 2), NOTHING);
    assert_eq!(seat.begins(START, &[], 3), [LEFT]);
}
