//! Time limits.

use super::*;

fn short() -> Options {
    Options::from(standard()).timed(Some(Duration::from_secs(10)))
}

#[test]
fn each_side_has_its_own_time_for_the_game() {
    let game = check(
        short(),
        "+6\nB: (B d 3)\n+9\nW: (W c 3)\n+3\nB: (B c 4)",
        &["B: (W)", "W: (B d 3)", "B: (W c 3)", "W: (B c 4)"],
    );
    assert!(game.transcript.contains("[Black c4 after 3s]"));
    // White has one second left.
    let deadline = game.referee.deadline().unwrap();
    assert_eq!(deadline - game.now, Duration::from_secs(1));
    let game = game.feed("+1\n+5");
    check_verdict(
        &game,
        Some(Color::Black),
        &forfeit(Color::White, SeatFault::Overtime),
    );
}

#[test]
fn a_move_after_the_time_is_too_late_even_without_a_tick() {
    let mut game = check(short(), "", &["B: (W)"]);
    game.now = at(10);
    let game = game.feed("B: (B d 3)");
    let complaint = "B: (C (the game is over B d 3))";
    assert_eq!(game.sent()[3..], ["B: (-64)", complaint, "W: (-64)"]);
    assert_eq!(*game.referee.position(), Board::START);
}

#[test]
fn without_a_limit_there_is_no_deadline() {
    let options = Options::from(standard()).timed(None);
    assert_eq!(check(options, "", &["B: (W)"]).referee.deadline(), None);
}
