//! The end of a game.

use super::*;

/// Black wipes White out with three discs.
fn check_end(script: &str, expect: &[&str]) -> RecordedGame {
    let script = format!("B: (B c 1)\n{script}");
    let expect: Vec<&str> = [&["W: (B c 1)"], expect].concat();
    check(from(OVER_AFTER_C1), &script, &expect)
}

#[test]
fn all_orders_of_passes_and_claims_are_taken() {
    for (script, expect) in [
        // The order that our player keeps: pass, then claim.
        (
            "W: (W)\nB: (3)\nW: (3)",
            &["B: (W)", "W: (3)", "B: (3)"][..],
        ),
        (
            "W: (W)\nB: (B)\nW: (3)\nB: (3)",
            &["B: (W)", "W: (B)", "B: (3)", "W: (3)"],
        ),
        // Claimed in place of the pass.
        ("W: (3)\nB: (3)", &["B: (3)", "W: (3)"]),
        // Claimed after the own last move.
        ("B: (3)\nW: (3)", &["W: (3)", "B: (3)"]),
        // Both at once, or each twice.
        ("B: (3)\nB: (3)\nW: (3)", &["W: (3)", "B: (3)"]),
        // A program leaves right after its claim.
        ("W: (3)\nW!\nB: (3)", &["B: (3)", "W: (3)"]),
        // Nobody claims: told by the referee.
        ("B!\nW!", &["B: (3)", "W: (3)"]),
        ("W: (W)\n+5", &["B: (W)", "B: (3)", "W: (3)"]),
        // One does not answer.
        ("B: (3)\n+5", &["W: (3)"]),
    ] {
        let game = check_end(script, expect);
        check_verdict(&game, Some(Color::Black), &Cause::Played);
    }
}

#[test]
fn a_claim_on_the_line_of_the_last_move_is_taken() {
    let game = check(
        from(OVER_AFTER_C1),
        "B: (B c 1)(3)\nW: (3)",
        &["W: (B c 1)", "W: (3)", "B: (3)"],
    );
    check_verdict(&game, Some(Color::Black), &Cause::Played);
}

#[test]
fn all_readings_of_a_value_are_true() {
    let game = check_end("W: (64)\nB: (3)", &["B: (64)", "W: (3)"]);
    assert!(game.notes("claim-with-empties"));
    let end = "XXXX---- -------- -------- -------- -------- -------- -------- OOOOOO-- O";
    let game = check(from(end), "W: (4)\nB: (-2)", &["B: (4)", "W: (-2)"]);
    assert!(game.notes("claim-of-black-discs"));
    check_verdict(&game, Some(Color::White), &Cause::Played);
}

#[test]
fn a_false_claim_is_not_relayed() {
    let complaint = "(C (the game is not over the value 0))";
    check(
        standard(),
        "B: (0)\nB: (B d 3)",
        &["B: (W)", &format!("B: {complaint}"), "W: (B d 3)"],
    );
    // After the end the board decides, whatever is claimed.
    let complaint = "W: (C (the value -3 does not fit the board))";
    let game = check_end("W: (-3)\n+5", &[complaint, "B: (3)", "W: (3)"]);
    check_verdict(&game, Some(Color::Black), &Cause::Played);
    let game = check_end("B: (3)\nW: (-3)", &["W: (3)", complaint]);
    check_verdict(&game, Some(Color::Black), &Cause::Played);
}

#[test]
fn programs_that_only_pass_are_stopped() {
    let game = check_end(
        "W: (W)\nB: (B)\nW: (W)\nB: (B)\nW: (W)",
        &["B: (W)", "W: (B)", "B: (W)", "W: (B)", "B: (3)", "W: (3)"],
    );
    check_verdict(&game, Some(Color::Black), &Cause::Played);
}

#[test]
fn who_gives_up_loses() {
    let game = check(
        standard(),
        "B: (-64)\nW: (-64)",
        &["B: (W)", "B: (-64)", "W: (-64)"],
    );
    check_verdict(
        &game,
        Some(Color::White),
        &Cause::Resigned { by: Color::Black },
    );
}

#[test]
fn a_claim_before_both_are_ready_is_refused_and_decides_nothing() {
    let game = RecordedGame::new(standard()).feed("B: (R B)\nB: (-64)\nW: (R W)");
    let refused = "B: (C (the game is not over the value -64))";
    assert_eq!(game.sent()[2..], [refused, "B: (W)"]);
    assert!(!game.transcript.contains("falsely"), "{}", game.transcript);
}

#[test]
fn a_draw_has_no_winner() {
    let end = "XX------ -------- -------- -------- -------- -------- -------- OO------ X";
    let game = check(from(end), "B: (0)\nW: (0)", &["W: (0)", "B: (0)"]);
    check_verdict(&game, None, &Cause::Played);
}
