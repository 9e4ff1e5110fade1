//! Comments, and the form in which a program is spoken to.

use othello_proto::sloan::Dialect;

use super::*;

#[test]
fn comments_are_filtered_or_passed_on_made_safe() {
    let script = "B: (C (a: 1.5,\tb))(B d 3)";
    let game = check(standard(), script, &["B: (W)", "W: (B d 3)"]);
    assert!(game.transcript.contains("[Black remarks: a: 1.5, b]"));
    let options = Options::from(standard()).relaying_comments();
    check(
        options,
        script,
        &["B: (W)", "W: (C (a 1 5 b))", "W: (B d 3)"],
    );
}

#[test]
fn a_program_without_parentheses_is_answered_in_kind() {
    let game =
        RecordedGame::new(standard()).feed("B: R B\nW: (R W)\nB: B d 3\nW: (W c 3)\nB: what");
    assert_eq!(
        &game.sent()[2..],
        [
            "B: W",
            "W: (B d 3)",
            "B: W c 3",
            "B: C expected a message [I R C B W a number or play] at offset 0 of what",
        ]
    );
    assert!(game.notes("no-parentheses"));
}

#[test]
fn a_program_may_be_spoken_to_without_parentheses_from_the_start() {
    let options = RefereeOptions {
        dialect: Dialect::Lines,
        ..standard()
    };
    let game = RecordedGame::new(options).feed("B: R B\nW: (R W)");
    assert_eq!(game.sent(), ["B: I B", "W: I W", "B: W"]);
}
