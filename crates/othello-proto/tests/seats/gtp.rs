//! The controller's seat of GTP.

use std::time::Duration;

use boardgame_core::TimeControl;
use boardgame_session::{Cause, Conventions, Order, SeatSession as _};
use othello_core::{Color, Move, Square};
use othello_proto::gtp::{GtpSeat, GtpSeatOptions, Player, PlayerOptions};
use proptest::prelude::*;

use super::kit::{
    LAST_SQUARE, MUST_PASS, NOTHING, OneSeatGame, Ordered, START, WIPE_OUT, at, per_move,
};

use Color::{Black, White};

const LEFT: &str = "Black left";
const OVERTIME: &str = "Black ran out of time";
/// The response to `list_commands` of a program that knows few.
const FEW: &str = "= list_commands\nclear_board\nplay\ngenmove\n\n";
/// That of one that knows all that a controller makes use of.
const ALL: &str =
    "= boardsize\ntime_settings\ntime_left\nfinal_score\ngogui-setup\ngogui-setup_player\n\n";
const DONE: &str = "= \n\n";

fn options() -> GtpSeatOptions {
    GtpSeatOptions {
        ready: Duration::from_secs(2),
        grace: Duration::from_millis(50),
        ..GtpSeatOptions::default()
    }
}

fn seat(color: Color) -> Ordered<GtpSeat> {
    Ordered::new(GtpSeat::new(options()), color, per_move(1500))
}

/// A seat whose program knows few commands, ready for a game.
fn ready(color: Color, start: &str, moves: &[Move]) -> Ordered<GtpSeat> {
    let mut seat = seat(color);
    assert_eq!(seat.begins(start, moves, 0), ["send list_commands"]);
    assert_eq!(seat.prints(FEW, 0), ["send clear_board"]);
    for &mv in moves {
        assert!(seat.prints(DONE, 0)[0].ends_with(&format!("{mv:#}")));
    }
    assert_eq!(seat.prints(DONE, 0), ["Ready"]);
    seat
}

/// Black's seat, whose program is asked at the origin.
fn asked() -> Ordered<GtpSeat> {
    let mut seat = ready(Black, START, &[]);
    assert_eq!(seat.chooses(0), ["send genmove b"]);
    seat
}

// The beginning.

#[test]
fn a_program_is_set_up_once_and_then_begins_any_number_of_games() {
    let options = GtpSeatOptions {
        setup: ["komi 0 ", "", "# a remark", "level 3"]
            .map(String::from)
            .to_vec(),
        ..options()
    };
    let mut seat = Ordered::new(GtpSeat::new(options), White, per_move(1500));
    assert_eq!(seat.begins(START, &[], 0), ["send list_commands"]);
    assert_eq!(seat.prints(ALL, 1), ["send boardsize 8"]);
    assert_eq!(seat.prints(DONE, 2), ["send komi 0"]);
    assert_eq!(seat.prints(DONE, 3), ["send level 3"]);
    assert_eq!(seat.prints(DONE, 4), ["send clear_board"]);
    assert_eq!(seat.prints(DONE, 5), ["send time_settings 0 1 1"]);
    assert_eq!(seat.prints(DONE, 6), ["Ready"]);
    assert_eq!(seat.deadline(), None);
    assert_eq!(seat.concludes(7), ["Closed"]);
    assert_eq!(seat.begins(START, &[], 8), ["send clear_board"]);
    assert_eq!(seat.prints(DONE, 9), ["send time_settings 0 1 1"]);
    assert_eq!(seat.prints(DONE, 10), ["Ready"]);
    // A new program knows nothing of that.
    assert_eq!(seat.concludes(11), ["Closed"]);
    assert_eq!(seat.exits(true, 12), NOTHING);
    assert_eq!(seat.begins(START, &[], 13), ["send list_commands"]);
}

#[test]
fn the_opening_is_told_by_its_moves() {
    ready(White, START, &[Square::F5.into(), Square::D6.into()]);
}

#[test]
fn a_start_that_no_moves_lead_to_is_set_up_by_the_commands_of_gogui() {
    let mut able = seat(White);
    able.clocks = super::kit::clocks(TimeControl::default());
    able.begins(WIPE_OUT, &[], 0);
    able.prints(ALL, 0);
    able.prints(DONE, 0);
    let setup = "send gogui-setup b c4 w d4";
    assert_eq!(able.prints(DONE, 0), [setup]);
    assert_eq!(able.prints(DONE, 0), ["send gogui-setup_player b"]);
    assert_eq!(able.prints(DONE, 0), ["Ready"]);
    let fault = "Black cannot play this game: expected gogui-setup and gogui-setup_player among its \
                 commands, which an opening that no moves lead to needs";
    for known in [FEW, "= gogui-setup\n\n", "= gogui-setup_player\n\n"] {
        let mut unable = seat(Black);
        unable.begins(WIPE_OUT, &[], 0);
        assert_eq!(unable.prints(known, 0), [fault], "{known}");
    }
}

#[test]
fn a_program_that_refuses_a_command_of_the_beginning_loses() {
    let refusal = |command: &str| {
        format!(
            "Black broke the format: expected it to carry out {command:?}, got \"unknown command\""
        )
    };
    let mut none = seat(Black);
    none.begins(START, &[], 0);
    assert_eq!(
        none.prints("? unknown command\n\n", 0),
        [refusal("list_commands")]
    );
    let mut clear = seat(Black);
    clear.begins(START, &[], 0);
    clear.prints(FEW, 0);
    assert_eq!(
        clear.prints("? unknown command\n\n", 0),
        [refusal("clear_board")]
    );
    // Nothing matters any more.
    assert_eq!(clear.chooses(1), NOTHING);
    assert_eq!(clear.concludes(2), ["Closed"]);
}

#[test]
fn a_program_that_does_not_become_ready_in_time_loses() {
    let mut seat = seat(Black);
    seat.begins(START, &[], 0);
    assert_eq!(seat.deadline(), Some(at(2000) + Duration::from_nanos(1)));
    assert_eq!(seat.prints(FEW, 1900), ["send clear_board"]);
    assert_eq!(seat.waits_for_deadline(), ["hang up", OVERTIME]);
    assert_eq!(
        seat.prints(DONE, 2100),
        ["expected nothing unasked, \"\" came"]
    );
}

#[test]
fn a_game_that_begins_again_waits_for_the_answer_to_the_void_one() {
    let mut seat = asked();
    assert_eq!(seat.begins(START, &[Square::F5.into()], 1000), NOTHING);
    // The program still has the time of its move, and then that of the beginning.
    assert_eq!(seat.deadline(), Some(at(1550) + Duration::from_nanos(1)));
    assert_eq!(seat.prints("= d3\n\n", 1500), ["send clear_board"]);
    assert_eq!(seat.deadline(), Some(at(3500) + Duration::from_nanos(1)));
    assert_eq!(seat.prints(DONE, 1600), ["send play b F5"]);
    assert_eq!(seat.prints(DONE, 1700), ["Ready"]);
}

// Questions and answers.

#[test]
fn the_opponents_move_and_the_clock_are_told_with_the_question_from_which_the_time_runs() {
    let mut seat = seat(White);
    seat.begins(START, &[], 0);
    for response in [ALL, DONE, DONE, DONE] {
        seat.prints(response, 0);
    }
    assert_eq!(seat.played(Black, Square::F5, 10), NOTHING);
    assert_eq!(seat.chooses(20), ["send play b F5"]);
    assert_eq!(seat.prints(DONE, 21), ["send time_left w 1 1"]);
    assert_eq!(seat.prints(DONE, 22), ["send genmove w"]);
    assert_eq!(seat.deadline(), Some(at(1570) + Duration::from_nanos(1)));
    assert_eq!(seat.prints("= D6\n\n", 90), ["d6 in 70ms"]);
    // Its own move it knows.
    assert_eq!(seat.played(White, Square::D6, 91), NOTHING);
    assert_eq!(seat.answers(Square::C3, 92), ["send play b C3"]);
}

#[test]
fn a_pass_may_be_refused_and_a_move_may_not() {
    let mut seat = ready(White, START, &[]);
    seat.played(Black, Square::F5, 0);
    seat.chooses(0);
    let fault =
        "Black broke the format: expected it to carry out \"play b F5\", got \"illegal move\"";
    assert_eq!(seat.prints("? illegal move\n\n", 1), [fault]);

    let mut seat = able(White, MUST_PASS);
    assert_eq!(seat.answers(Move::Pass, 0), ["send play b pass"]);
    assert_eq!(
        seat.prints("? illegal move\n\n", 1),
        ["send time_left w 1 1"]
    );
}

/// A seat whose program knows all commands, ready for a game.
fn able(color: Color, start: &str) -> Ordered<GtpSeat> {
    let mut seat = seat(color);
    seat.begins(start, &[], 0);
    let mut lines = seat.prints(ALL, 0);
    while lines != ["Ready"] {
        assert!(lines[0].starts_with("send "), "{lines:?}");
        lines = seat.prints(DONE, 0);
    }
    seat
}

#[test]
fn an_answer_is_read_however_it_is_cut() {
    let answer = "=\tF5 \r\n\r\n";
    for cut in 0..answer.len() {
        let mut seat = asked();
        let mut lines = seat.prints(&answer[..cut], 5);
        lines.extend(seat.prints(&answer[cut..], 5));
        assert_eq!(lines, ["f5 in 5ms"], "cut at {cut}");
    }
}

#[test]
fn a_late_answer_does_not_count() {
    let mut seat = asked();
    assert_eq!(seat.prints("= f5\n\n", 1550), ["f5 in 1.55s"]);
    let mut seat = asked();
    let late = seat.prints("= f5\n\n", 1551);
    assert_eq!(late[..2], ["hang up", OVERTIME]);
    assert!(
        late[2..]
            .iter()
            .all(|line| line.starts_with("expected nothing")),
        "{late:?}"
    );
    assert_eq!(asked().waits_for_deadline(), ["hang up", OVERTIME]);
}

#[test]
fn without_a_clock_an_answer_has_the_time_of_the_options() {
    let untimed = |untimed| {
        let options = GtpSeatOptions {
            untimed,
            ..options()
        };
        let mut seat = Ordered::new(GtpSeat::new(options), Black, TimeControl::default());
        seat.begins(START, &[], 0);
        seat.prints(FEW, 0);
        seat.prints(DONE, 0);
        seat.chooses(0);
        seat.deadline()
    };
    assert_eq!(untimed(None), None);
    let day = Duration::from_hours(24);
    assert_eq!(
        untimed(Some(day)),
        Some(at(86_400_000) + Duration::from_nanos(1))
    );
}

#[test]
fn a_program_may_resign_and_plays_the_next_game() {
    let mut seat = asked();
    assert_eq!(seat.prints("= Resign\n\n", 5), ["Resign"]);
    assert_eq!(seat.concludes(6), ["Closed"]);
    assert_eq!(seat.begins(START, &[], 7), ["send clear_board"]);
}

#[test]
fn an_illegal_or_malformed_answer_loses() {
    for (answer, fault) in [
        (
            "= a1\n\n",
            "illegal move by Black: illegal move a1: it flips nothing",
        ),
        (
            "= pass\n\n",
            "illegal move by Black: illegal move pass: there is a legal move",
        ),
        (
            "= i9\n\n",
            "Black broke the format: the answer to genmove: expected a square A1-H8, pass or resign at \
             offset 0 of \"i9\"",
        ),
        (
            "? cannot\n\n",
            "Black broke the format: expected it to carry out \"genmove b\", got \"cannot\"",
        ),
    ] {
        let lines = asked().prints(answer, 5);
        assert_eq!(lines.len(), 1, "{lines:?}");
        assert!(lines[0].starts_with(fault), "{lines:?}");
    }
}

#[test]
fn what_is_no_response_is_noted_and_does_no_harm() {
    let mut seat = asked();
    assert_eq!(seat.prints("thinking\n", 1).len(), 1);
    assert_eq!(seat.prints("= f5\n\n", 5), ["f5 in 5ms"]);
    assert_eq!(
        seat.prints("= g5\n\n", 6),
        ["expected nothing unasked, \"g5\" came"]
    );
    assert_eq!(seat.played(Black, Square::F5, 7), NOTHING);
    assert_eq!(seat.answers(Square::D6, 8), ["send play w D6"]);
}

#[test]
fn a_program_that_ends_loses_whatever_it_was_about_to_say() {
    let mut early = seat(Black);
    early.begins(START, &[], 0);
    assert_eq!(early.exits(true, 1), [LEFT]);
    assert_eq!(ready(Black, START, &[]).exits(true, 1), [LEFT]);
    let mut cut = asked();
    assert_eq!(cut.prints("= f5\n", 1), NOTHING);
    assert_eq!(cut.exits(false, 2), [LEFT]);
    assert_eq!(cut.concludes(3), ["Closed"]);
}

// The end.

#[test]
fn the_end_is_told_and_a_false_score_is_a_false_claim() {
    for (score, lines) in [
        ("= B+3\n\n", &["Completed"][..]),
        ("= B+64\n\n", &["Completed"]),
        ("? cannot score\n\n", &["Completed"]),
        ("= W+2\n\n", &["Said(FalseClaim(Margin(-4)))", "Completed"]),
        (
            "= B63\n\n",
            &["expected a score such as B+10, \"B63\" came", "Completed"],
        ),
    ] {
        let mut seat = able(White, WIPE_OUT);
        seat.played(Black, Square::E4, 0);
        assert_eq!(seat.over(false, 0), ["send play b E4"]);
        assert_eq!(seat.prints(DONE, 1), ["send final_score"]);
        assert_eq!(seat.prints(score, 2), lines, "{score:?}");
        assert_eq!(seat.deadline(), None);
        assert_eq!(seat.concludes(3), ["Closed"]);
    }
}

#[test]
fn after_the_end_nothing_changes_the_result() {
    let over = || {
        let mut seat = able(White, LAST_SQUARE);
        seat.played(Black, Square::H8, 0);
        seat.over(false, 0);
        seat
    };
    let end = |cause: &str| {
        let note = format!("after the end of the game: {cause}");
        [note, "hang up".into(), "Completed".into()]
    };
    assert_eq!(over().exits(true, 1), end("White left"));
    let refused = "White broke the format: expected it to carry out \"play b H8\", got \"no\"";
    assert_eq!(over().prints("? no\n\n", 1), end(refused));
    let silent = over().waits_for_deadline();
    assert_eq!(silent[1..], end("White ran out of time"));
}

#[test]
fn a_program_in_the_middle_of_an_answer_is_hung_up_on() {
    assert_eq!(asked().concludes(1), ["hang up", "Closed"]);
    assert_eq!(asked().hears(Order::CallOff, 1), ["hang up"]);
    assert_eq!(ready(Black, START, &[]).hears(Order::CallOff, 1), NOTHING);
}

// Whole games.

#[test]
fn our_player_plays_whole_games_behind_it() {
    for (seed, start) in [(1, START), (2, START), (3, MUST_PASS)] {
        for color in Color::ALL {
            let game = OneSeatGame {
                seat: GtpSeat::new(options()),
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
            let sent = |word| played.sent.matches(word).count();
            assert_eq!(sent("genmove") + sent("play "), played.moves.len());
            assert_eq!(sent("final_score"), 1);
        }
    }
}

proptest! {
    #[test]
    fn whatever_a_program_prints_there_is_one_answer(bytes in prop::collection::vec(any::<u8>(), 0..64)) {
        let mut seat = asked();
        seat.receive(&bytes, at(1));
        seat.end_of_input(at(2));
        let lines = seat.drain();
        let events = lines.iter().filter(|line| line.starts_with("Black ") || line.ends_with("ms"));
        prop_assert!((1..=2).contains(&events.count()), "{:?}", lines);
    }
}
