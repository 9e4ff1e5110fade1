//! Passes and claims at the end of a game.

use super::*;

#[test]
fn without_a_move_after_a_move_we_pass_even_when_the_game_is_over() {
    check(from(OVER_AFTER_C1), "(I W)\n(B c 1)", &["(R W)", "(W)"]);
}

#[test]
fn without_a_move_after_a_pass_we_claim() {
    // Black made the last move, and White passes in the finished position.
    let sent = ["(R B)", "(B c 1)", "(3)"];
    check(from(OVER_AFTER_C1), "(I B)\n(W)\n!c1\n(W)", &sent);
}

#[test]
fn after_our_own_last_move_we_wait() {
    check(
        from(OVER_AFTER_C1),
        "(I B)\n(W)\n!c1",
        &["(R B)", "(B c 1)"],
    );
}

#[test]
fn a_true_claim_is_accepted_at_any_moment_and_answered_once() {
    // Right after their move and on its line; we have passed by then.
    let sent = ["(R W)", "(W)", "(3)"];
    check(from(OVER_AFTER_C1), "(I W)\n(B c 1)(3)", &sent);
    check(from(OVER_AFTER_C1), "(I W)\n(B c 1)\n(3)\n(3)\n(3)", &sent);
    // In place of a pass after our last move.
    let sent = ["(R B)", "(B c 1)", "(3)"];
    check(from(OVER_AFTER_C1), "(I B)\n(W)\n!c1\n(3)\n(3)", &sent);
    // As the answer to our own.
    check(from(OVER_AFTER_C1), "(I B)\n(W)\n!c1\n(W)\n(3)", &sent);
}

#[test]
fn all_readings_of_a_claim_are_answered_with_our_figure() {
    let answer = |claim: &str, comment: &str| {
        let script = format!("(I B)\n(W)\n!c1\n({claim})");
        let answer = format!("{comment}(3)");
        let sent = ["(R B)", "(B c 1)", answer.as_str()];
        check(from(OVER_AFTER_C1), &script, &sent);
    };
    answer("3", "");
    answer(
        "64",
        "(C (the value 64 is accepted as the disc difference with the empties given to the winner)) ",
    );
    // Here the count of black discs is the difference, so another position shows it.
    let end = "XXXX---- -------- -------- -------- -------- -------- -------- OOOOOO-- O";
    check(
        from(end),
        "(I B)\n(4)",
        &[
            "(R B)",
            "(C (the value 4 is accepted as the count of black discs)) (-2)",
        ],
    );
    check_notes(from(end), "(I B)\n(4)", "claim-of-black-discs");
    check_notes(from(end), "(I B)\n(-56)", "claim-with-empties");
}

#[test]
fn a_wrong_value_at_the_end_gets_a_comment_and_our_figure() {
    check(
        from(OVER_AFTER_C1),
        "(I B)\n(W)\n!c1\n(-3)",
        &[
            "(R B)",
            "(B c 1)",
            "(C (the value -3 does not fit the board)) (3)",
        ],
    );
}

#[test]
fn a_full_board_is_no_exception() {
    let full = "XXXXXXXX OOOOOOOO XXXXXXXX OOOOOOOO XXXXXXXX OOOOOOOO XXXXXXXX OOOOOO-X O";
    check(from(full), "(I B)\n(W g 8)", &["(R B)", "(B)"]);
}

#[test]
fn a_forfeit_is_answered_in_kind() {
    let sent = ["(R B)", "(B d 3)", "(64)"];
    check(standard(), "(I B)\n(W)\n!d3\n(64)", &sent);
    let transcript = transcript(standard(), "(I W)\n(B f 5)\n(-64)");
    assert!(transcript.contains("[abandon]\n[info] (-64) taken as a forfeit\n(-64)\n"));
}

#[test]
fn a_false_claim_gets_a_comment_and_play_goes_on() {
    let complaint = |n: i32| format!("(C (the game is not over the value {n}))");
    for value in [-64, 0, 3] {
        check(
            standard(),
            &format!("(I B)\n(W)\n({value})\n!d3"),
            &["(R B)", &complaint(value), "(B d 3)"],
        );
    }
}

#[test]
fn after_the_end_the_input_is_read_until_it_ends() {
    let script = "(I B)\n(W)\n!c1\n(3)\n(C (good game))\n(W)";
    let transcript = transcript(from(OVER_AFTER_C1), script);
    assert!(transcript.ends_with("[info] a pass after the end\n[finish Orderly]\n"));
    // A new game begins on the same board.
    check(
        from(OVER_AFTER_C1),
        "(I B)\n(W)\n!c1\n(3)\n(I W)",
        &["(R B)", "(B c 1)", "(3)", "(R W)"],
    );
}
