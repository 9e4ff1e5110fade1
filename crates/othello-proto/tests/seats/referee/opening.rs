//! The opening of a game, and games that begin again.

use super::*;

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
    seat.played(White, Square::C3, 3);
    let out_of_turn = ["White: out of turn: W", "send (C (out of turn W))"];
    assert_eq!(seat.prints("(W)", 4), out_of_turn);
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
    let hint = "; --no-parentheses speaks without them from the start";
    for (dialect, assigned, hint) in [
        (Dialect::Expressions, "send I B", hint),
        (Dialect::Lines, "send (I B)", ""),
    ] {
        let options = RefereeOptions {
            dialect,
            ..RefereeOptions::default()
        };
        let mut seat = seat_of(options, Black);
        seat.begins(START, &[], 0);
        assert_eq!(seat.deadline(), Some(at(30_000)));
        let silent = "Black says nothing: it is assigned its colour in both dialects";
        assert_eq!(seat.waits_for_deadline(), [silent, assigned]);
        assert_eq!(seat.deadline(), Some(at(60_000)));
        let unready = format!("Black is not ready in time, spoken to in both dialects{hint}");
        assert_eq!(seat.waits_for_deadline(), [&unready, OVERTIME]);
        assert_eq!(seat.deadline(), None);
    }
}

#[test]
fn a_program_that_has_spoken_is_held_to_its_dialect() {
    let mut seat = seat_of(RefereeOptions::default(), Black);
    seat.begins(START, &[], 0);
    assert_eq!(
        seat.prints("(C (loading))", 1),
        ["Said(Comment(\"loading\"))"]
    );
    assert_eq!(seat.deadline(), Some(at(60_000)));
    let lines = ["Black is not ready in time", OVERTIME];
    assert_eq!(seat.waits_for_deadline(), lines);
}

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
fn a_move_out_of_turn_that_fits_no_mistaken_board_is_complained_of() {
    let mut seat = in_doubt();
    let out_of_turn = ["Black: out of turn: B d 3", "send (C (out of turn B d 3))"];
    assert_eq!(seat.prints("(B d 3)", 300), out_of_turn);
}

/// Black's seat after c1 and c8, with which White has nothing left unless it has answered c1. It has, with
/// d6, but Black's program may take the opening pass for the answer.
fn mistaken_end() -> Ordered<RefereeSeat> {
    let start = "XO------ -------- -------- -------- -------- -------- --X----- XO------ X";
    let mut seat = ready(OpeningPass::Auto, Black, start);
    seat.chooses(0);
    assert_eq!(seat.waits_for_deadline(), ["send (W)"]);
    assert_eq!(seat.prints("(B c 1)", 251), ["c1 in 1ms"]);
    seat.played(Black, Square::C1, 251);
    assert_eq!(seat.answers(Square::D6, 252), ["send (W d 6)"]);
    assert_eq!(seat.prints("(B c 8)", 253), ["c8 in 1ms"]);
    seat.played(Black, Square::C8, 253);
    seat
}

#[test]
fn a_claim_of_the_end_on_the_mistaken_board_wants_the_game_begun_again() {
    assert_eq!(mistaken_end().prints("(7)", 254)[1..], ["Restart"]);
    let not_over = |value: &str| {
        [
            format!("Black: the game is not over: the value {value}"),
            format!("send (C (the game is not over the value {value}))"),
        ]
    };
    assert_eq!(mistaken_end().prints("(6)", 254)[1..], not_over("6"));
    // Where the mistaken board is not at an end either, what fits it does not matter.
    assert_eq!(in_doubt().prints("(3)", 254)[1..], not_over("3"));
}

#[test]
fn silence_at_the_end_on_the_mistaken_board_wants_the_game_begun_again() {
    let mut seat = mistaken_end();
    assert_eq!(seat.answers(Move::Pass, 254), ["send (W)"]);
    assert_eq!(seat.waits_for_deadline()[1..], ["Restart"]);
    let mut seat = in_doubt();
    seat.answers(Square::C3, 254);
    assert_eq!(seat.waits_for_deadline(), [OVERTIME]);
}

#[test]
fn a_game_that_begins_again_counts_output_and_complaints_anew() {
    let options = RefereeOptions {
        output_per_turn: 100,
        ..RefereeOptions::default()
    };
    let mut seat = seat_of(options, White);
    for now in [0, 1] {
        seat.begins(START, &[], now);
        let lines = seat.prints(&"(x)".repeat(30), now);
        assert_eq!(sent(&lines), MAX_COMPLAINTS as usize);
    }
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
