//! Programs that were written for one game a process, in a game that begins again.

use othello_proto::sloan::{OPENING_WAIT, RELAUNCH_WAIT};

use super::*;

/// A referee that began the game again, after Black's program moved twice.
fn begun_again(options: impl Into<Options>) -> RecordedGame {
    RecordedGame::new(options).feed("B: (R B)\nW: (R W)\n+\nB: (B d 3)\nB: (B e 6)")
}

/// Returns the log of a game that begins again.
fn since_restart(game: &RecordedGame) -> &str {
    game.transcript.split_once("[restarted]\n").unwrap().1
}

/// The programs of these seats do not answer the second assignment of their colours.
fn check_relaunched(ready: &str, silent: &[Color]) -> RecordedGame {
    let game = begun_again(auto()).feed(ready);
    let wait = game.referee.deadline().unwrap() - game.now;
    assert_eq!(wait, RELAUNCH_WAIT);
    let game = game.feed("+");
    let launches: Vec<String> = silent
        .iter()
        .map(|seat| format!("[launch {seat}]\n>{0}: (I {0})\n", letter(*seat)))
        .collect();
    let notes = silent
        .iter()
        .map(|seat| format!("[info] {seat} is started anew\n"));
    let expect: Vec<String> = notes
        .zip(launches)
        .map(|(note, rest)| note + &rest)
        .collect();
    let transcript = &game.transcript;
    assert!(transcript.ends_with(&expect.concat()), "{transcript}");
    let wait = game.referee.deadline().unwrap() - game.now;
    assert_eq!(wait, auto().ready_time);
    game
}

#[test]
fn a_white_that_does_not_answer_the_second_assignment_is_started_anew() {
    let game = check_relaunched("B: (R B)", &[Color::White]);
    let game = game.feed("W: (R W)\nB: (B d 3)\nW: (W c 3)");
    assert_eq!(game_of(&game.referee).transcript().to_string(), "d3c3");
}

#[test]
fn a_black_that_does_not_answer_the_second_assignment_is_started_anew() {
    let game = check_relaunched("W: (R W)", &[Color::Black]);
    let game = game.feed("B: (R B)\nB: (B d 3)\nW: (W c 3)");
    assert_eq!(game_of(&game.referee).transcript().to_string(), "d3c3");
}

#[test]
fn both_are_started_anew_but_not_again() {
    let game = check_relaunched("", &Color::ALL).feed("W: (R W)\n+");
    let launches = since_restart(&game).matches("[launch").count();
    assert_eq!(launches, 2, "{}", game.transcript);
    let game = game.feed("+");
    let by = Color::Black;
    check_verdict(&game, Some(Color::White), &forfeit(by, SeatFault::Overtime));
}

#[test]
fn a_program_that_was_started_anew_upon_its_end_is_not_again() {
    let game = RecordedGame::new(auto()).feed("B: (R B)\nW: (R W)\n+\nB: (B d 3)\nB!\nW: (R W)\n+");
    let launches = since_restart(&game).matches("[launch").count();
    assert_eq!(launches, 1, "{}", game.transcript);
    assert_eq!(game.verdict, None);
}

#[test]
fn a_program_that_ends_before_its_second_game_is_started_anew_once() {
    for (seat, ready) in [(Color::Black, "W: (R W)"), (Color::White, "B: (R B)")] {
        let name = letter(seat);
        let game = begun_again(auto()).feed(ready).feed(&format!("{name}!"));
        let launches = since_restart(&game).matches("[launch").count();
        assert_eq!(launches, 1, "{}", game.transcript);
        let game = game.feed(&format!("{name}!\n+"));
        check_verdict(&game, Some(!seat), &forfeit(seat, SeatFault::Left));
    }
}

#[test]
fn a_black_that_waits_for_the_opening_pass_gets_it_after_a_long_silence() {
    let game = begun_again(auto()).feed("B: (R B)\nW: (R W)");
    let wait = game.referee.deadline().unwrap() - game.now;
    assert_eq!(wait, OPENING_WAIT);
    let sent = game.sent().len();
    let game = game.feed("+\nB: (B d 3)\nB: (B e 6)");
    // No third game.
    let expect = ["B: (W)", "W: (B d 3)", "B: (C (out of turn B e 6))"];
    assert_eq!(game.sent()[sent..], expect);
    assert_eq!(game.transcript.matches("[restarted]").count(), 1);
}

#[test]
fn that_silence_is_at_most_a_tenth_of_the_games_time() {
    let options = Options::from(auto()).timed(Some(Duration::from_secs(10)));
    let game = begun_again(options).feed("B: (R B)\nW: (R W)");
    let wait = game.referee.deadline().unwrap() - game.now;
    assert_eq!(wait, Duration::from_secs(1));
}
