//! Faults of the referee.

use super::*;

#[test]
fn each_bad_message_gets_one_complaint_and_changes_nothing() {
    let began = "(I B)\n(W)\n!d3\n";
    for (bad, complaint) in [
        ("(W a 1)", "refused W a 1 illegal move a1 it flips nothing"),
        (
            "(W d 3)",
            "refused W d 3 illegal move d3 the square is occupied",
        ),
        ("(B c 3)", "not yours to say B c 3"),
        ("(R W)", "not yours to say R W"),
        (
            "(resign)",
            "expected a message [I R C B W a number or play] at offset 1 of [resign]",
        ),
        (
            "(W i 9)",
            "expected a column [a to h] at offset 3 of [W i 9]",
        ),
        (
            "(99)",
            "expected a value from -64 to 64 at offset 1 of [99]",
        ),
        (
            "W c 3",
            "expected an opening parenthesis at offset 0 of W c 3",
        ),
    ] {
        check(
            standard(),
            &format!("{began}{bad}\n(W c 3)\n!c4"),
            &["(R B)", "(B d 3)", &format!("(C ({complaint}))"), "(B c 4)"],
        );
    }
}

#[test]
fn messages_of_a_game_are_refused_before_one() {
    let complaint = |m: &str| format!("(C (no colour is assigned yet {m}))");
    check(
        standard(),
        "(W c 3)\n(64)\n(I B)",
        &[&complaint("W c 3"), &complaint("64"), "(R B)"],
    );
}

#[test]
fn a_move_out_of_turn_leaves_the_task_open() {
    check(
        standard(),
        "(I B)\n(W)\n(W c 3)\n!d3",
        &["(R B)", "(C (out of turn W c 3))", "(B d 3)"],
    );
    // Once the other side has moved, its pass is no late opening pass.
    let sent = ["(R B)", "(B d 3)", "(C (out of turn W))", "(B c 4)"];
    check(standard(), "(I B)\n(W)\n!d3\n(W c 3)\n(W)\n!c4", &sent);
}

#[test]
fn a_flood_of_garbage_is_answered_a_few_times() {
    let flood = "(x)".repeat(1000);
    let transcript = transcript(standard(), &flood);
    let complaints = transcript.lines().filter(|l| l.starts_with("(C")).count();
    assert_eq!(complaints, MAX_COMPLAINTS as usize);
}

#[test]
fn remarks_on_a_flood_are_bounded() {
    for flood in ["(x)", "(C (so what))", ")x\n", "( C x )"] {
        let script = format!("(I B)\n{}", flood.repeat(1000));
        let transcript = transcript(standard(), &script);
        let remarks = transcript.lines().filter(|l| l.starts_with('[')).count();
        assert!(remarks < 300, "{remarks} on {flood}");
    }
}

#[test]
fn after_a_false_pass_the_other_side_is_still_to_move() {
    let script = "(I B)\n(W)\n!d3\n(W c 3)\n!c4\n(W)\n(W c 5)\n!d6";
    let complaint = "(C (refused W illegal move pass there is a legal move))";
    let sent = ["(R B)", "(B d 3)", "(B c 4)", complaint, "(B d 6)"];
    check(standard(), script, &sent);
}

#[test]
fn input_over_the_caps_is_skipped_to_its_end() {
    let deep = format!("{}{}(I B)", "(".repeat(5000), ")".repeat(5000));
    let long = format!("(C ({}))(I B)", "x".repeat(50_000));
    let complaint = |what: &str| format!("(C (expected {what} at offset 0 of))");
    check(
        standard(),
        &deep,
        &[&complaint("parentheses at most 32 deep"), "(R B)"],
    );
    check(
        standard(),
        &long,
        &[&complaint("a message of at most 4096 bytes"), "(R B)"],
    );
}
