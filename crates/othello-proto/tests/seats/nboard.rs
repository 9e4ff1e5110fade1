//! The front end's seat of NBoard.

use std::time::Duration;

use boardgame_core::TimeControl;
use boardgame_session::{Cause, Conventions, Order, SeatAction, SeatEvent, SeatSession as _};
use othello_core::{Color, Move, Square};
use othello_proto::nboard::{NBoardSeat, NBoardSeatOptions, Player, PlayerOptions};
use proptest::prelude::*;

use super::kit::{MUST_PASS, NOTHING, OneSeatGame, Ordered, START, WIPE_OUT, at, per_move};

use Color::{Black, White};

const LEFT: &str = "Black left";
const OVERTIME: &str = "Black ran out of time";

fn options() -> NBoardSeatOptions {
    NBoardSeatOptions {
        ready: Duration::from_secs(2),
        grace: Duration::from_millis(50),
        ..NBoardSeatOptions::default()
    }
}

fn seat(color: Color) -> Ordered<NBoardSeat> {
    Ordered::new(NBoardSeat::new(options()), color, per_move(1500))
}

/// A seat whose program is ready for a game.
fn ready(color: Color, start: &str) -> Ordered<NBoardSeat> {
    let mut seat = seat(color);
    assert_eq!(seat.begins(start, &[], 0), ["send nboard 2", "send ping 1"]);
    let lines = seat.prints("set myname NTest\npong 1\n", 0);
    assert!(lines[0].starts_with("send set game "), "{lines:?}");
    assert_eq!(lines[1..], ["send ping 2"]);
    assert_eq!(seat.prints("pong 2\n", 0), ["Ready"]);
    seat
}

/// Black's seat, whose program was asked at the origin and told to go 100 ms later.
fn asked() -> Ordered<NBoardSeat> {
    let mut seat = ready(Black, START);
    assert_eq!(seat.chooses(0), ["send ping 3"]);
    assert_eq!(seat.prints("pong 3\n", 100), ["send go"]);
    seat
}

// The beginning.

#[test]
fn a_program_is_greeted_once_and_told_each_game_with_its_clock() {
    let options = NBoardSeatOptions {
        setup: vec!["set contempt 5".into()],
        depth: Some(7),
        ..options()
    };
    let game_time = TimeControl {
        main: Some(Duration::from_mins(5)),
        increment: Duration::from_secs(2),
        ..TimeControl::default()
    };
    let mut seat = Ordered::new(NBoardSeat::new(options), White, game_time);
    let greeting = ["send nboard 2", "send set contempt 5", "send ping 1"];
    assert_eq!(seat.begins(START, &[Square::F5.into()], 0), greeting);
    let game = "send set game (;GM[Othello]RE[?]TW[5:00/0:02]TY[8]BO[8 \
                ---------------------------O*------*O--------------------------- *]B[F5];)";
    assert_eq!(
        seat.prints("pong 1\n", 1),
        ["send set depth 7", game, "send ping 2"]
    );
    // Only the answer to the latest ping counts.
    assert_eq!(seat.prints("\nset myname x\npong 1\n", 2), NOTHING);
    assert_eq!(seat.prints("pong 2\n", 2), ["Ready"]);
    assert_eq!(seat.deadline(), None);
    assert_eq!(seat.concludes(3), ["Closed"]);
    let game = game.replace("B[F5]", "");
    let again = seat.begins(START, &[], 4);
    assert_eq!(again, ["send set depth 7", &game, "send ping 3"]);
    assert_eq!(seat.prints("pong 3\n", 5), ["Ready"]);
    // A new program knows nothing of that.
    assert_eq!(seat.exits(true, 6), [LEFT]);
    assert_eq!(seat.concludes(7), ["Closed"]);
    assert_eq!(seat.begins(START, &[], 8)[0], "send nboard 2");
}

#[test]
fn a_limit_of_each_move_is_no_clock_of_a_record() {
    let mut seat = seat(Black);
    seat.begins(WIPE_OUT, &[], 0);
    let lines = seat.prints("pong 1\n", 0);
    assert!(
        !lines[0].contains("TB[") && lines[0].contains("*O"),
        "{lines:?}"
    );
}

#[test]
fn a_program_that_does_not_become_ready_in_time_loses() {
    let mut seat = seat(Black);
    seat.begins(START, &[], 0);
    assert_eq!(seat.deadline(), Some(at(2000) + Duration::from_nanos(1)));
    assert_eq!(seat.prints("pong 1\n", 1900).len(), 2);
    assert_eq!(seat.waits_for_deadline(), ["hang up", OVERTIME]);
    assert_eq!(seat.prints("pong 2\n=== f5\n", 2100), NOTHING);
}

#[test]
fn the_answer_to_a_game_that_began_again_is_dropped() {
    let mut seat = asked();
    assert_eq!(seat.begins(START, &[], 200)[1..], ["send ping 4"]);
    assert_eq!(
        seat.prints("=== F5\n=== z9\npong 4\n", 300).last().unwrap(),
        "Ready"
    );
    assert_eq!(seat.chooses(400), ["send ping 5"]);
}

// Questions and answers.

#[test]
fn moves_are_told_with_the_question_and_the_programs_own_with_their_time() {
    let mut seat = asked();
    let thoughts = "status Thinking\nnodestats 1234 0.5\nsearch F5-D6 +1.20 0 12@73%\n";
    assert_eq!(seat.prints(thoughts, 200), NOTHING);
    seat.receive(b"=== F5/1.20/3.1\n", at(400));
    let Some(SeatAction::Event(SeatEvent::Move(mv, thought))) = seat.poll() else {
        panic!("a move");
    };
    assert_eq!(mv, Square::F5.into());
    assert_eq!(thought.took, Duration::from_millis(400));
    assert_eq!(thought.score, Some(1.2));
    assert_eq!((thought.depth, thought.nodes), (Some(12), Some(1234)));
    assert_eq!(seat.played(Black, Square::F5, 400), NOTHING);
    let told = ["send move F5//0.3", "send move D6", "send ping 4"];
    assert_eq!(seat.answers(Square::D6, 500), told);
    assert_eq!(seat.prints("pong 4\n", 500), ["send go"]);
    // What it thought before does not count, nor a depth that is a mark.
    seat.receive(b"search C3 0 0 100%\n=== C3\n", at(600));
    let Some(SeatAction::Event(SeatEvent::Move(_, thought))) = seat.poll() else {
        panic!("a move");
    };
    assert_eq!(
        (thought.depth, thought.nodes, thought.score),
        (None, None, None)
    );
}

#[test]
fn passes_are_told_to_both_sides_without_a_time() {
    let mut black = ready(Black, MUST_PASS);
    black.played(Black, Move::Pass, 0);
    assert_eq!(black.played(White, Square::A1, 0), NOTHING);
    let mut white = ready(White, MUST_PASS);
    assert_eq!(
        white.answers(Move::Pass, 0),
        ["send move PA", "send ping 3"]
    );
}

#[test]
fn an_answer_is_read_however_it_is_cut() {
    let answer = "=== f5 -1.00 0.0\r\n";
    for cut in 0..answer.len() {
        let mut seat = asked();
        let mut lines = seat.prints(&answer[..cut], 150);
        lines.extend(seat.prints(&answer[cut..], 150));
        assert_eq!(lines, ["f5 in 150ms"], "cut at {cut}");
    }
}

#[test]
fn a_late_answer_does_not_count() {
    assert_eq!(asked().prints("=== f5\n", 1550), ["f5 in 1.55s"]);
    assert_eq!(asked().prints("=== f5\n", 1551), ["hang up", OVERTIME]);
    assert_eq!(asked().waits_for_deadline(), ["hang up", OVERTIME]);
    let mut deaf = ready(Black, START);
    deaf.chooses(0);
    assert_eq!(deaf.waits_for_deadline(), ["hang up", OVERTIME]);
}

#[test]
fn without_a_clock_an_answer_has_the_time_of_the_options() {
    let deadline = |untimed| {
        let options = NBoardSeatOptions {
            untimed,
            ..options()
        };
        let mut seat = Ordered::new(NBoardSeat::new(options), Black, TimeControl::default());
        seat.begins(START, &[], 0);
        seat.prints("pong 1\npong 2\n", 0);
        seat.chooses(0);
        seat.deadline()
    };
    assert_eq!(deadline(None), None);
    let day = Duration::from_hours(24);
    assert_eq!(
        deadline(Some(day)),
        Some(at(86_400_000) + Duration::from_nanos(1))
    );
}

#[test]
fn an_illegal_or_malformed_answer_loses() {
    for (answer, fault) in [
        (
            "=== A1/0.5\n",
            "illegal move by Black: illegal move a1: it flips nothing",
        ),
        (
            "=== PA\n",
            "illegal move by Black: illegal move pass: there is a legal move",
        ),
        (
            "=== z9\n",
            "Black broke the format: the answer to go: expected",
        ),
    ] {
        let lines = asked().prints(answer, 150);
        assert!(
            lines.iter().any(|line| line.starts_with(fault)),
            "{lines:?}"
        );
    }
}

#[test]
fn an_answer_that_nobody_asked_for_loses() {
    let mut seat = ready(Black, START);
    let fault = "Black broke the format: expected nothing out of turn, got === F5";
    assert_eq!(seat.prints("=== F5\n", 1), [fault]);
    let mut seat = ready(Black, START);
    seat.chooses(0);
    let fault = "Black broke the format: expected pong 3, got === F5";
    assert_eq!(seat.prints("=== F5\npong 3\n", 1), ["hang up", fault]);
}

#[test]
fn what_is_no_response_is_noted_and_does_no_harm() {
    let mut seat = asked();
    let lines = seat.prints("warning Must pick a depth\npong 77\n", 110);
    assert!(lines[0].starts_with("no response: expected"), "{lines:?}");
    assert_eq!(seat.prints("=== f5\n", 150), ["f5 in 150ms"]);
}

#[test]
fn a_program_that_ends_loses_whatever_it_was_about_to_say() {
    let mut early = seat(Black);
    early.begins(START, &[], 0);
    assert_eq!(early.exits(true, 1), [LEFT]);
    assert_eq!(ready(Black, START).exits(true, 1), [LEFT]);
    let mut cut = asked();
    assert_eq!(cut.prints("=== f5", 150), NOTHING);
    assert_eq!(cut.exits(false, 160), [LEFT]);
    assert_eq!(cut.chooses(170), NOTHING);
    assert_eq!(cut.concludes(180), ["Closed"]);
}

// The end.

#[test]
fn nothing_is_told_of_the_end() {
    let mut seat = ready(White, WIPE_OUT);
    seat.played(Black, Square::E4, 0);
    assert_eq!(seat.over(false, 1), ["Completed"]);
    assert_eq!(seat.prints("=== F5\n", 2), NOTHING);
    assert_eq!(seat.exits(false, 3), NOTHING);
    assert_eq!(seat.concludes(4), ["Closed"]);
}

#[test]
fn a_program_in_the_middle_of_an_answer_is_hung_up_on() {
    assert_eq!(asked().concludes(1), ["hang up", "Closed"]);
    assert_eq!(asked().hears(Order::CallOff, 1), ["hang up"]);
    assert_eq!(ready(Black, START).hears(Order::CallOff, 1), NOTHING);
}

// Whole games.

#[test]
fn our_player_plays_whole_games_behind_it() {
    for (seed, start) in [(1, START), (2, START), (3, MUST_PASS)] {
        for color in Color::ALL {
            let game = OneSeatGame {
                seat: NBoardSeat::new(options()),
                color,
                make: || Player::new(PlayerOptions::default()),
                program: Some(Player::new(PlayerOptions::default())),
                start: start.parse().unwrap(),
                control: per_move(1500),
                mover: Conventions {
                    asks_forced_moves: true,
                    closing_moves: false,
                },
                seed,
            };
            let played = game.play();
            assert_eq!(played.verdict.cause, Cause::Played);
            assert_eq!(played.notes, NOTHING);
            let asked = played.sent.matches("go\n").count();
            assert!(asked > 20 || start == MUST_PASS, "{}", played.sent);
        }
    }
}

proptest! {
    #[test]
    fn whatever_a_program_prints_there_is_one_answer(bytes in prop::collection::vec(any::<u8>(), 0..64)) {
        let mut seat = asked();
        seat.receive(&bytes, at(101));
        seat.end_of_input(at(102));
        let lines = seat.drain();
        let events = lines.iter().filter(|line| line.starts_with("Black ") || line.ends_with("ms"));
        prop_assert!((1..=2).contains(&events.count()), "{:?}", lines);
    }
}
