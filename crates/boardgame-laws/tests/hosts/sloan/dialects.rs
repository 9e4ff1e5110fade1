//! Programs that write no parentheses, and the referee that opens in the other dialect.

use othello_proto::sloan::Dialect;

use super::*;

/// Returns what Black's program is sent.
fn to_black(game: &RecordedGame) -> Vec<&str> {
    let sent = game.sent().into_iter();
    sent.filter_map(|line| line.strip_prefix("B: ")).collect()
}

fn launches(game: &RecordedGame) -> usize {
    game.transcript.matches("[launch Black]").count()
}

#[test]
fn a_program_that_speaks_without_parentheses_first_is_started_anew() {
    // Most take whatever is not `I B` for White.
    for first in ["C Enter starting colour: ", "R W", "C Invalid input"] {
        let game = RecordedGame::new(standard()).feed(&format!("B: {first}"));
        let anew = "[no-parentheses] Black: writes no parentheses\n\
                    [info] Black is started anew\n[launch Black]\n>B: I B\n";
        assert!(game.transcript.ends_with(anew), "{}", game.transcript);
        let game = game.feed("B: C Enter starting colour:\nB: R B\nW: (R W)\nB: B d 3\nW: (W c 3)");
        assert_eq!(to_black(&game), ["(I B)", "I B", "W", "W c 3"]);
        assert!(game.sent().contains(&"W: (B d 3)"));
        assert_eq!((launches(&game), &game.verdict), (1, &None));
    }
}

#[test]
fn a_program_that_is_ready_all_the_same_goes_on() {
    let game = RecordedGame::new(standard()).feed("B: R B\nW: (R W)\nB: B d 3");
    assert_eq!((to_black(&game), launches(&game)), (vec!["(I B)", "W"], 0));
}

#[test]
fn a_program_that_leaves_without_a_word_is_started_anew_in_the_other_dialect_once() {
    let game = RecordedGame::new(standard()).feed("B!");
    assert_eq!(
        (to_black(&game), launches(&game)),
        (vec!["(I B)", "I B"], 1)
    );
    let ready = game.feed("B: R B\nW: (R W)\nB: B d 3");
    assert_eq!(ready.sent().last(), Some(&"W: (B d 3)"));
    let game = RecordedGame::new(standard()).feed("B!\nB!\n+");
    assert_eq!(launches(&game), 1);
    check_verdict(
        &game,
        Some(Color::White),
        &forfeit(Color::Black, SeatFault::Left),
    );
}

#[test]
fn a_program_that_says_nothing_is_assigned_its_colour_in_both_dialects() {
    let game = RecordedGame::new(standard()).feed("W: (R W)\n+29");
    assert_eq!(to_black(&game), ["(I B)"]);
    let game = game.feed("+1");
    assert_eq!(to_black(&game), ["(I B)", "I B"]);
    for (ready, asked) in [("R B", "W"), ("(R B)", "(W)")] {
        let game = RecordedGame::new(standard()).feed(&format!("W: (R W)\n+30\n+20\nB: {ready}"));
        assert_eq!(to_black(&game), ["(I B)", "I B", asked]);
        assert_eq!(launches(&game), 0);
    }
    // One that was misled by the first assignment ends upon the second.
    let game = game.feed("B!\nB: R B");
    assert_eq!(to_black(&game), ["(I B)", "I B", "I B", "W"]);
}

#[test]
fn a_strict_program_hears_its_own_dialect_alone() {
    for said in ["(C (loading))", "Loading (version 2)\nB: (C (done))"] {
        let game =
            RecordedGame::new(standard()).feed(&format!("B: {said}\nW: (R W)\n+50\nB: (R B)"));
        let expressions = |line: &&str| line.starts_with('(');
        assert!(
            to_black(&game).iter().all(expressions),
            "{}",
            game.transcript
        );
        assert_eq!(to_black(&game).last(), Some(&"(W)"));
    }
}

#[test]
fn the_dialects_are_recognised_in_the_other_direction_too() {
    let options = RefereeOptions {
        dialect: Dialect::Lines,
        ..standard()
    };
    let game = RecordedGame::new(options).feed("B: (C (hello))\nB: (R B)\nW: R W\nB: (B d 3)");
    assert_eq!(
        game.sent(),
        ["B: I B", "W: I W", "B: (I B)", "B: (W)", "W: B d 3"]
    );
}

#[test]
fn a_program_of_the_dialect_that_is_written_for_one_game_is_started_anew_in_it() {
    let options = RefereeOptions {
        opening_pass: OpeningPass::Auto,
        ..RefereeOptions::default()
    };
    let game = RecordedGame::new(options)
        .feed("B: C hello\nB: R B\nW: (R W)\n+\nB: B d 3\nB: B e 6\nW: (R W)\n+");
    assert_eq!(launches(&game), 2, "{}", game.transcript);
    assert_eq!(to_black(&game).last(), Some(&"I B"));
}
