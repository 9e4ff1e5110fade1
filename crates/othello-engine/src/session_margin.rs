//! Tests that the engine decides before a session's deadline for the decision.

use std::time::Duration;

use othello_proto::{
    codewarriors,
    session::{Action, PlayerSession, Question, Task, TimeMargin, Timestamp},
    sloan,
};

use crate::{pace::Pace, session::clock};

/// Returns the open task and the time for which the session waits for its decision.
fn asked(mut session: impl PlayerSession<Question = Question>, input: &[u8]) -> (Task, Duration) {
    session.start(Timestamp::ORIGIN);
    session.receive(input, Timestamp::ORIGIN);
    let task = std::iter::from_fn(|| session.poll()).find_map(|action| match action {
        Action::Think(task) => Some(task),
        _ => None,
    });
    let task = task.expect("a task");
    let deadline = session.deadline().expect("a limit");
    (task, deadline - task.clock.started)
}

#[track_caller]
fn check((task, wait): (Task, Duration)) {
    let empties = task.question.board.empties().count();
    let hard = Pace::default().budget(&clock(&task), empties).hard;
    assert!(hard < wait, "{hard:?} of {:?}, {wait:?}", task.clock);
}

#[test]
fn the_engine_decides_before_the_deadline_of_a_move() {
    for limit in (2..5000).map(Duration::from_millis) {
        let options = codewarriors::PlayerOptions {
            limit,
            ..codewarriors::PlayerOptions::default()
        };
        check(asked(codewarriors::Player::new(options), b"ST\n"));
    }
}

#[test]
fn the_engine_decides_before_the_deadline_with_a_small_reserve() {
    for reserve in (0..100).map(Duration::from_millis) {
        let options = codewarriors::PlayerOptions {
            time_margin: TimeMargin::default().at_most(reserve / 2),
            ..codewarriors::PlayerOptions::default()
        };
        let (task, wait) = asked(codewarriors::Player::new(options), b"ST\n");
        let mut pace = Pace::new(None, None, Some(reserve));
        let hard = pace
            .budget(&clock(&task), task.question.board.empties().count())
            .hard;
        assert!(hard <= wait, "{hard:?} of {:?}, {wait:?}", task.clock);
    }
}

#[test]
fn the_engine_decides_before_the_deadline_of_a_game() {
    // A game that has just begun, and one with a single empty square.
    let last = format!("{}-OX X", "X".repeat(61)).parse().unwrap();
    for start in [othello_core::Board::START, last] {
        for limit in (2..5000).map(|step| Duration::from_millis(step * step / 16 + 1)) {
            let options = sloan::PlayerOptions {
                start,
                game_time: Some(limit),
                ..sloan::PlayerOptions::default()
            };
            check(asked(sloan::Player::new(options), b"(I B)\n(W)\n"));
        }
    }
}
