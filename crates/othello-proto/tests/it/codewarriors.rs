//! Code Warriors: the document and what is settled about it, in the role of a player.

use crate::transcript::{PlayerLog, at};
use othello_core::{Color, Square};
use othello_proto::codewarriors::{Player, PlayerOptions};
use othello_proto::session::PlayerSession;

/// Black takes the last disc of White with e4.
const WIPE_OUT: &str = "--------------------------XO------------------------------------ X";
/// Black takes the last empty square with h8.
const LAST_SQUARE: &str = "XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXO- X";
/// Black must pass; White may take a1.
const MUST_PASS: &str = "-XOOOOOO-------------------------------------------------------- X";

fn player() -> PlayerLog<Player> {
    PlayerLog::new(Player::new(PlayerOptions::default()))
}

fn player_from(start: &str) -> PlayerLog<Player> {
    PlayerLog::new(Player::new(PlayerOptions {
        start: start.parse().unwrap(),
        ..PlayerOptions::default()
    }))
}

fn sent(log: &PlayerLog<Player>) -> &str {
    str::from_utf8(&log.sent).unwrap()
}

// The document.

#[test]
fn the_starter_is_black_and_opens() {
    let mut log = player();
    log.hears("ST\n", at(5)).decides(Square::F5, at(900));
    log.hears("D6\n", at(1800)).decides(Square::C3, at(2500));
    insta::assert_snapshot!(log.text());
    assert_eq!(log.session.color(), Some(Color::Black));
}

#[test]
fn the_second_player_first_reads_the_first_move() {
    let mut log = player();
    log.hears("F5\n", at(700)).decides(Square::D6, at(900));
    insta::assert_snapshot!(log.text());
    assert_eq!(log.session.color(), Some(Color::White));
}

#[test]
fn a_player_without_a_move_prints_ps() {
    let mut log = player_from(MUST_PASS);
    log.hears("ST\n", at(0));
    assert_eq!(sent(&log), "PS\n");
}

#[test]
fn a_pass_that_arrives_is_answered_with_a_move() {
    let mut log = player_from(MUST_PASS);
    log.hears("PS\n", at(0)).decides(Square::A1, at(1));
    assert_eq!(sent(&log), "A1\n");
    assert!(!log.text().contains("fault"), "{}", log.text());
}

// What is settled beside the document: framing.

#[test]
fn a_message_needs_no_newline() {
    let mut log = player();
    log.hears("S", at(0)).hears("T", at(1));
    assert!(log.open.is_some());
    log.decides(Square::F5, at(2)).hears("D6", at(3));
    assert!(log.open.is_some());
}

#[test]
fn lower_case_and_blank_lines_are_read_and_logged() {
    let mut log = player();
    log.hears("\r\n\n st\r\n", at(0)).decides(Square::F5, at(1));
    log.hears("\n\nd6\n", at(2)).decides(Square::C3, at(3));
    insta::assert_snapshot!(log.text());
}

#[test]
fn garbage_is_skipped_up_to_the_next_message() {
    let mut log = player();
    log.hears("hello\nx\nST\n", at(0))
        .decides(Square::F5, at(1));
    log.hears("?\nD6\n", at(2)).decides(Square::C3, at(3));
    insta::assert_snapshot!(log.text());
}

#[test]
fn remarks_on_a_flood_are_bounded() {
    let mut log = player();
    log.hears(&"xy\n\n".repeat(10_000), at(0))
        .hears("ST\n", at(1));
    assert!(log.text().lines().count() < 300);
    assert!(log.open.is_some());
}

// The clock.

#[test]
fn startup_counts_in_the_first_two_seconds() {
    let mut player = Player::new(PlayerOptions {
        launched: Some(at(3)),
        ..PlayerOptions::default()
    });
    let started = |player: &mut Player, arrives| {
        player.start(at(10_000));
        player.receive(b"ST\n", arrives);
        std::iter::from_fn(|| player.poll()).find_map(|action| match action {
            othello_proto::session::Action::Think(task) => Some(task.clock.started),
            _ => None,
        })
    };
    assert_eq!(started(&mut player.clone(), at(10_250)), Some(at(3)));
    // Later input cannot have waited for the process to start.
    assert_eq!(started(&mut player, at(10_251)), Some(at(10_251)));
}

#[test]
fn a_decision_that_does_not_come_is_replaced_before_the_limit() {
    let mut log = player();
    log.hears("ST\n", at(0));
    let late = log.open.expect("a task");
    let deadline = log.session.deadline().expect("a deadline");
    assert!(deadline < at(2000) && deadline > at(1700), "{deadline:?}");
    log.waits(deadline).answers(late, Square::F5, at(1999));
    insta::assert_snapshot!(log.text());
}

// The end.

#[test]
fn when_neither_side_can_move_both_print_ps() {
    // The one who made the last move hears the opponent's pass first.
    let mut black = player_from(WIPE_OUT);
    black.hears("ST\n", at(0)).decides(Square::E4, at(1));
    assert_eq!(sent(&black), "E4\n");
    black.hears("PS\n", at(2));
    assert_eq!(sent(&black), "E4\nPS\n");
    // The other one begins with the passing.
    let mut white = player_from(WIPE_OUT);
    white.hears("E4\n", at(0));
    assert_eq!(sent(&white), "PS\n");
    white.hears("PS\n", at(1));
    assert_eq!(sent(&white), "PS\n");
    for log in [&mut black, &mut white] {
        assert!(
            !log.finished && !log.text().contains("fault"),
            "{}",
            log.text()
        );
        log.ends(at(3));
        assert!(log.text().ends_with("finish: Orderly\n"));
    }
}

#[test]
fn nothing_is_printed_after_a_full_board() {
    let mut black = player_from(LAST_SQUARE);
    black
        .hears("ST\n", at(0))
        .decides(Square::H8, at(1))
        .hears("PS\n", at(2));
    assert_eq!(sent(&black), "H8\n");
    let mut white = player_from(LAST_SQUARE);
    white.hears("H8\n", at(0)).hears("PS\n", at(1));
    assert_eq!(sent(&white), "");
    for log in [&mut black, &mut white] {
        assert!(!log.finished);
        log.ends(at(3));
        assert!(log.text().ends_with("finish: Orderly\n"));
    }
}

#[test]
fn the_end_of_input_within_a_game_cuts_it_off() {
    let mut log = player();
    log.ends(at(1));
    assert!(log.text().ends_with("finish: CutOff\n"));
    let mut log = player();
    log.hears("F5\nD", at(0)).ends(at(1));
    // The open question is answered still; the input may have been a file.
    assert!(!log.finished);
    log.decides(Square::D6, at(2));
    insta::assert_snapshot!(log.text());
}

// What the judge relays against our own reckoning.

#[test]
fn a_pass_that_seems_false_is_logged_and_answered_with_a_move() {
    let mut log = player();
    log.hears("ST\n", at(0)).decides(Square::F5, at(1));
    log.hears("PS\n", at(2)).decides(Square::D3, at(3));
    insta::assert_snapshot!(log.text());
}

#[test]
fn a_square_that_cannot_be_played_is_logged_with_the_position_and_answered() {
    let mut log = player();
    log.hears("ST\n", at(0)).decides(Square::F5, at(1));
    log.hears("A1\n", at(2)).decides(Square::D3, at(3));
    insta::assert_snapshot!(log.text());
}

#[test]
fn messages_out_of_turn_are_logged_and_do_not_move_us_twice() {
    let mut log = player();
    log.hears("ST\n", at(0))
        .hears("D6\n", at(1))
        .hears("ST\n", at(2));
    log.decides(Square::F5, at(3));
    // Our own move come back, and a second start, ask for nothing.
    log.hears("F5\n", at(4)).hears("ST\n", at(5));
    assert_eq!(log.open, None);
    insta::assert_snapshot!(log.text());
}

#[test]
fn a_decision_that_the_rules_forbid_is_replaced() {
    let mut log = player();
    log.hears("ST\n", at(0)).decides(Square::A1, at(1));
    assert_eq!(sent(&log), "D3\n");
}
