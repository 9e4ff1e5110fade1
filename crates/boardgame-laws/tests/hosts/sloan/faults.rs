//! Faults of programs.

use othello_proto::sloan::MAX_COMPLAINTS;

use super::*;

#[test]
fn an_illegal_move_ends_the_game_and_is_not_relayed() {
    for (illegal, why) in [
        ("(B a 1)", "illegal move a1: it flips nothing"),
        ("(B d 4)", "illegal move d4: the square is occupied"),
        ("(B)", "illegal move pass: there is a legal move"),
    ] {
        let game = check(
            standard(),
            &format!("B: {illegal}\nW: (-64)\nB!"),
            &["B: (W)", "B: (-64)", "W: (-64)"],
        );
        let (by, detail) = (Color::Black, why.into());
        check_verdict(
            &game,
            Some(Color::White),
            &forfeit(by, SeatFault::IllegalMove { detail }),
        );
    }
}

#[test]
fn who_leaves_loses() {
    let game = check(
        standard(),
        "B: (B d 3)\nW!\n+5",
        &["B: (W)", "W: (B d 3)", "B: (64)", "W: (64)"],
    );
    check_verdict(
        &game,
        Some(Color::Black),
        &forfeit(Color::White, SeatFault::Left),
    );
}

#[test]
fn each_bad_message_gets_one_complaint_and_changes_nothing() {
    for (bad, complaint) in [
        ("B: (W c 3)", "B: (C (not yours to say W c 3))"),
        ("W: (W c 3)", "W: (C (out of turn W c 3))"),
        ("W: (R W)", "W: (C (the game has begun R W))"),
        ("W: (I B)", "W: (C (not yours to say I B))"),
        (
            "B: (B d)",
            "B: (C (expected a row [1 to 8] at offset 4 of [B d]))",
        ),
        (
            "B: d3",
            "B: (C (expected an opening parenthesis at offset 0 of d3))",
        ),
    ] {
        check(
            standard(),
            &format!("{bad}\nB: (B d 3)"),
            &["B: (W)", complaint, "W: (B d 3)"],
        );
    }
}

#[test]
fn output_is_bounded_in_each_turn() {
    let options = RefereeOptions {
        output_per_turn: 100,
        ..standard()
    };
    let chatter = format!("W: (C ({}))\n", "x".repeat(30));
    let quiet = format!("{chatter}{chatter}B: (B d 3)\n{chatter}W: (W c 3)");
    check(
        options.clone(),
        &quiet,
        &["B: (W)", "W: (B d 3)", "B: (W c 3)"],
    );
    let game = check(
        options,
        &format!("{}+5", chatter.repeat(3)),
        &["B: (W)", "B: (64)", "W: (64)"],
    );
    let detail = "expected at most 100 bytes of output in a turn".into();
    let by = Color::White;
    check_verdict(
        &game,
        Some(Color::Black),
        &forfeit(by, SeatFault::Format { detail }),
    );
}

#[test]
fn a_flood_of_garbage_is_answered_a_few_times() {
    let script = format!("B: {}", "(x)".repeat(1000));
    let game = RecordedGame::new(standard()).feed(&script);
    let complaints = game
        .sent()
        .iter()
        .filter(|l| l.starts_with("B: (C"))
        .count();
    assert_eq!(complaints, MAX_COMPLAINTS as usize);
    let remarks = game.transcript.matches("[fault]").count();
    assert!(remarks < 300, "{remarks} remarks");
}
