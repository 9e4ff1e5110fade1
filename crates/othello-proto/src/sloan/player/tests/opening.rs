//! Black's first move, with `(W)` and without.

use super::*;

#[test]
fn the_opening_pass_is_the_cue_of_black() {
    check(standard(), "(I B)", &["(R B)"]);
    check(standard(), "(I B)\n(W)\n!d3", &["(R B)", "(B d 3)"]);
}

#[test]
fn black_moves_at_once_where_told_to() {
    check(at_once(), "(I B)\n!d3", &["(R B)", "(B d 3)"]);
}

#[test]
fn after_a_silence_black_moves_without_a_cue() {
    check(standard(), "(I B)\n+9", &["(R B)"]);
    check(standard(), "(I B)\n+10\n!d3", &["(R B)", "(B d 3)"]);
    check(standard(), "I B\n+10\n!d3", &["R B", "B d 3"]);
    // What is said meanwhile is no cue.
    let script = "(I B)\n+9\n(C (hello))\n(play)\n+1\n!d3";
    check(standard(), script, &["(R B)", "(B d 3)"]);
}

#[test]
fn the_wait_is_an_option_and_at_most_a_tenth_of_the_games_time() {
    let deadline = |opening_wait, game_time: Option<u64>| {
        let mut player = Player::new(PlayerOptions {
            opening_wait,
            game_time: game_time.map(Duration::from_secs),
            ..standard()
        });
        player.start(at(0));
        assert_eq!(player.deadline(), None);
        player.receive(b"(I B)", at(1000));
        player.deadline()
    };
    let wait = |seconds| Some(Duration::from_secs(seconds));
    assert_eq!(deadline(Some(OPENING_WAIT), Some(1800)), Some(at(1010)));
    assert_eq!(deadline(wait(3), Some(1800)), Some(at(1003)));
    assert_eq!(deadline(wait(3), Some(20)), Some(at(1002)));
    assert_eq!(deadline(wait(300), None), Some(at(1300)));
    assert_eq!(deadline(None, Some(20)), None);
}

#[test]
fn white_and_a_black_that_has_its_cue_wait_for_no_silence() {
    for script in ["(I W)", "(I B)\n(W)", "(I B)\n(W)\n!d3"] {
        let mut dialogue = Dialogue::new(PlayerOptions {
            game_time: None,
            ..standard()
        });
        dialogue.feed(script, at(0));
        assert_eq!(dialogue.player.deadline(), None, "{script}");
    }
    // Nor does one whose input has ended.
    let mut dialogue = Dialogue::new(standard());
    dialogue.feed("(I B)", at(0));
    dialogue.player.end_of_input(at(0));
    assert_eq!(dialogue.player.deadline(), None);
}

#[test]
fn without_a_cue_the_clock_runs_from_the_assignment() {
    let mut dialogue = Dialogue::new(standard());
    dialogue.feed("(I B)\n+12", at(100));
    assert_eq!(dialogue.task.unwrap().clock.started, at(100));
    dialogue.feed("!d3", at(120));
    dialogue.feed("(W c 3)", at(130));
    let left = Duration::from_secs(1800 - 20);
    assert_eq!(dialogue.task.unwrap().clock.game, Some(left));
}

#[test]
fn an_opening_pass_after_our_first_move_is_no_pass() {
    let sent = ["(R B)", "(B d 3)", "(B c 4)"];
    for script in [
        // While we think about it, after it, twice.
        "(I B)\n+10\n(W)\n!d3\n(W c 3)\n!c4",
        "(I B)\n+10\n!d3\n(W)\n(W c 3)\n!c4",
        "(I B)\n+10\n(W)\n!d3\n(W)\n(W c 3)\n!c4",
    ] {
        check(standard(), script, &sent);
        check_notes(standard(), script, "late-opening-pass");
    }
    let sent = ["R B", "B d 3", "B c 4"];
    check(standard(), "I B\n+10\n!d3\nW\nW c 3\n!c4", &sent);
    // Later on it is a false pass.
    let complaint = "(C (refused W illegal move pass there is a legal move))";
    check(
        standard(),
        "(I B)\n(W)\n!d3\n(W c 3)\n!c4\n(W)",
        &["(R B)", "(B d 3)", "(B c 4)", complaint],
    );
}

/// After c1 White has no move and Black has c8.
const WHITE_MUST_PASS: &str =
    "XO------ -------- -------- -------- -------- -------- -------- XO------ X";

#[test]
fn where_white_must_pass_a_late_cue_and_the_pass_are_told_apart() {
    let options = || from(WHITE_MUST_PASS);
    let sent = ["(R B)", "(B c 1)", "(B c 8)"];
    // A referee that sends none: the pass is White's.
    check(options(), "(I B)\n+10\n!c1\n(W)\n!c8", &sent);
    // One that sends it late: of the two, one is the pass.
    check(options(), "(I B)\n+10\n!c1\n(W)\n(W)\n!c8", &sent);
    check(options(), "(I B)\n+10\n(W)\n!c1\n(W)\n!c8", &sent);
}

#[test]
fn white_says_nothing_until_black_has_moved() {
    check(standard(), "(I W)", &["(R W)"]);
    check(standard(), "(I W)\n+1800", &["(R W)"]);
    check(at_once(), "(I W)\n(B f 5)\n!d6", &["(R W)", "(W d 6)"]);
}

#[test]
fn play_is_ignored() {
    check(standard(), "(play)\n(I W)\n(play)", &["(R W)"]);
}

#[test]
fn a_new_colour_begins_a_new_game() {
    let script = "(I B)\n(W)\n!d3\n(I W)\n(B f 5)\n(I B)\n(W)\n!c4";
    check(
        standard(),
        script,
        &["(R B)", "(B d 3)", "(R W)", "(R B)", "(B c 4)"],
    );
    let transcript = transcript(standard(), script);
    assert_eq!(transcript.matches("[abandon]").count(), 1, "{transcript}");
}

#[test]
fn a_colour_assigned_anew_is_waited_for_anew() {
    check(standard(), "(I B)\n+9\n(I B)\n+9", &["(R B)", "(R B)"]);
    let script = "(I B)\n+9\n(I B)\n+10\n!d3";
    check(standard(), script, &["(R B)", "(R B)", "(B d 3)"]);
}
