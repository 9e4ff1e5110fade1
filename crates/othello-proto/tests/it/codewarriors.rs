//! Code Warriors: the document and what is settled about it, in both roles.

use std::time::Duration;

use crate::transcript::{PlayerLog, at, host_line, host_lines, index, pick};
use othello_core::{Board, Color, Game, Move, Square};
use othello_proto::codewarriors::{Judge, JudgeOptions, Player, PlayerOptions};
use othello_proto::session::{Cause, HostAction, HostSession, PlayerSession, Verdict};
use proptest::prelude::*;

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

fn judge_from(start: &str) -> Judge {
    let mut judge = Judge::new(JudgeOptions {
        start: start.parse().unwrap(),
        ..JudgeOptions::default()
    });
    judge.start(at(0));
    judge
}

fn judge() -> Judge {
    judge_from(&Board::START.to_string())
}

/// The verdict, if the judge has come to one.
fn verdict(judge: &mut Judge) -> Option<Verdict> {
    std::iter::from_fn(|| judge.poll()).find_map(|action| match action {
        HostAction::Finish(verdict) => Some(verdict),
        _ => None,
    })
}

/// The cause of what Black printing `text` at once leads to.
fn cause_of(text: &str) -> Option<Cause> {
    let mut judge = judge();
    judge.receive(Color::Black, text.as_bytes(), at(10));
    let verdict = verdict(&mut judge)?;
    assert_eq!(verdict.winner, verdict.cause.culprit().map(|by| !by));
    Some(verdict.cause)
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

#[test]
fn the_judge_relays_a_whole_game() {
    insta::assert_snapshot!(play(1));
}

#[test]
fn the_format_that_the_document_calls_incorrect_disqualifies() {
    for text in [
        "2A", "a2", "f5", "F 5", "F\n5", "ST", "ps", "Ps", "I1", "A9", "D0", "thinking",
    ] {
        let cause = cause_of(text);
        assert!(
            matches!(
                cause,
                Some(Cause::Format {
                    by: Color::Black,
                    ..
                })
            ),
            "{text:?}: {cause:?}"
        );
    }
}

#[test]
fn a_move_or_a_pass_against_the_rules_disqualifies() {
    for text in ["A1", "D4", "PS"] {
        let cause = cause_of(text);
        assert!(
            matches!(
                cause,
                Some(Cause::IllegalMove {
                    by: Color::Black,
                    ..
                })
            ),
            "{text:?}: {cause:?}"
        );
    }
}

#[test]
fn two_seconds_from_the_last_input_disqualify() {
    let mut judge = judge();
    judge.receive(Color::Black, b"F5\n", at(2000));
    judge.receive(Color::White, b"D6\n", at(4000));
    assert_eq!(verdict(&mut judge), None);
    judge.tick(at(6000));
    assert_eq!(verdict(&mut judge), None);
    let deadline = judge
        .deadline()
        .expect("a deadline while a move is awaited");
    assert_eq!(deadline - at(6000), Duration::from_nanos(1));
    judge.tick(deadline);
    let verdict = verdict(&mut judge).expect("a verdict");
    assert_eq!(verdict.cause, Cause::Overtime { by: Color::Black });
    assert_eq!(verdict.winner, Some(Color::White));
}

#[test]
fn a_move_that_arrives_late_is_late_although_no_tick_came_before() {
    let mut judge = judge();
    judge.receive(Color::Black, b"F5\n", at(2001));
    let verdict = verdict(&mut judge).expect("a verdict");
    assert_eq!(verdict.cause, Cause::Overtime { by: Color::Black });
    assert_eq!(judge.game().moves(), []);
}

#[test]
fn the_grace_for_pipes_is_added_to_the_limit() {
    let mut judge = Judge::new(JudgeOptions {
        grace: Duration::from_millis(50),
        ..JudgeOptions::default()
    });
    judge.start(at(0));
    judge.receive(Color::Black, b"F5\n", at(2050));
    assert_eq!(judge.game().moves(), [Move::Place(Square::F5)]);
}

#[test]
fn a_program_that_ends_early_is_disqualified_on_the_move_or_not() {
    for seat in Color::ALL {
        let mut judge = judge();
        judge.end_of_input(seat, at(100));
        let verdict = verdict(&mut judge).expect("a verdict");
        assert_eq!(verdict.cause, Cause::Left { by: seat });
        assert_eq!(verdict.winner, Some(!seat));
    }
}

#[test]
fn a_tie_is_declared_drawn() {
    let mut judge =
        judge_from("XXXXXXXXXXXXXXXXXXXXXXOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOXXXXXXXXO- X");
    judge.receive(Color::Black, b"H8\n", at(1));
    let verdict = verdict(&mut judge).expect("a verdict");
    assert_eq!(verdict.cause, Cause::Played);
    assert_eq!(verdict.winner, None);
}

// What is settled beside the document: framing.

#[test]
fn a_message_needs_no_newline() {
    let mut log = player();
    log.hears("S", at(0)).hears("T", at(1));
    assert!(log.open.is_some());
    log.decides(Square::F5, at(2)).hears("D6", at(3));
    assert!(log.open.is_some());
    let mut judge = judge();
    judge.receive(Color::Black, b"F", at(1));
    judge.receive(Color::Black, b"5", at(2));
    judge.receive(Color::White, b"D6\r", at(3));
    judge.receive(Color::Black, b" \nC3", at(4));
    assert_eq!(judge.game().moves().len(), 3);
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
fn the_judge_asks_both_for_their_pass_at_the_end() {
    let mut judge = judge_from(WIPE_OUT);
    judge.receive(Color::Black, b"E4\n", at(100));
    judge.receive(Color::White, b"PS\n", at(200));
    judge.receive(Color::Black, b"PS\n", at(300));
    insta::assert_snapshot!(host_lines(&mut judge));
}

#[test]
fn a_square_in_place_of_the_last_pass_disqualifies() {
    let mut judge = judge_from(WIPE_OUT);
    judge.receive(Color::Black, b"E4\n", at(100));
    judge.receive(Color::White, b"F4\n", at(200));
    let verdict = verdict(&mut judge).expect("a verdict");
    assert!(matches!(
        verdict.cause,
        Cause::IllegalMove {
            by: Color::White,
            ..
        }
    ));
}

#[test]
fn a_last_pass_that_does_not_come_is_overtime() {
    let mut judge = judge_from(WIPE_OUT);
    judge.receive(Color::Black, b"E4\n", at(100));
    judge.tick(at(2200));
    let verdict = verdict(&mut judge).expect("a verdict");
    assert_eq!(verdict.cause, Cause::Overtime { by: Color::White });
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
fn the_judge_ends_the_game_on_a_full_board_and_asks_nobody() {
    let mut judge = judge_from(LAST_SQUARE);
    judge.receive(Color::Black, b"H8\n", at(100));
    insta::assert_snapshot!(host_lines(&mut judge));
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

#[test]
fn more_than_one_message_a_turn_is_a_fault_of_format() {
    for text in ["F5D6", "F5\nD6\n", "F5\n.", "F5 ok\n"] {
        let cause = cause_of(text);
        assert!(
            matches!(
                cause,
                Some(Cause::Format {
                    by: Color::Black,
                    ..
                })
            ),
            "{text:?}: {cause:?}"
        );
    }
    let mut judge = judge();
    judge.receive(Color::White, b"hi", at(1));
    let verdict = verdict(&mut judge).expect("a verdict");
    assert!(matches!(
        verdict.cause,
        Cause::Format {
            by: Color::White,
            ..
        }
    ));
}

#[test]
fn a_message_whose_characters_come_apart_is_a_fault_of_format() {
    for (start, text) in [
        (None, "F 5\n"),
        (None, "F\n5\n"),
        (None, "f 5\n"),
        (Some(MUST_PASS), "P S\n"),
        (Some(MUST_PASS), "P\r\nS"),
    ] {
        let mut judge = start.map_or_else(judge, judge_from);
        judge.receive(Color::Black, text.as_bytes(), at(1));
        let cause = verdict(&mut judge).map(|verdict| verdict.cause);
        let by_black = matches!(
            &cause,
            Some(Cause::Format {
                by: Color::Black,
                ..
            })
        );
        assert!(by_black, "{text:?}: {cause:?}");
    }
}

#[test]
fn a_program_that_ends_has_left_even_while_its_output_is_open() {
    for seat in Color::ALL {
        let mut judge = judge();
        judge.exited(seat, true, at(1));
        let verdict = verdict(&mut judge).expect("a verdict");
        assert_eq!(verdict.cause, Cause::Left { by: seat });
        assert_eq!(verdict.winner, Some(!seat));
    }
}

#[test]
fn the_end_of_a_program_after_that_of_its_output_adds_nothing() {
    let mut judge = judge();
    judge.end_of_input(Color::Black, at(1));
    let cause = verdict(&mut judge).map(|verdict| verdict.cause);
    assert_eq!(cause, Some(Cause::Left { by: Color::Black }));
    judge.exited(Color::Black, true, at(2));
    assert_eq!(judge.poll(), None);
}

// Whole games between both roles.

/// Plays a game of our players under our judge and writes down what the judge does.
fn play(seed: u64) -> String {
    let mut judge = Judge::new(JudgeOptions::default());
    let mut players = [0, 1].map(|_| Player::new(PlayerOptions::default()));
    for player in &mut players {
        player.start(at(0));
    }
    judge.start(at(0));
    let (mut text, mut now) = (String::new(), 0);
    loop {
        let Some(action) = judge.poll() else {
            panic!("the judge waits for nobody:\n{text}");
        };
        text += &host_line(&action);
        text += "\n";
        match action {
            HostAction::Send { seat, bytes } => {
                now += 10;
                let player = &mut players[index(seat)];
                player.receive(&bytes, at(now));
                for bytes in answers(player, seed, now) {
                    judge.receive(seat, &bytes, at(now));
                }
            }
            HostAction::Finish(verdict) => {
                assert_eq!(verdict.cause, Cause::Played, "{text}");
                assert!(replays(judge.game()));
                return text;
            }
            _ => {}
        }
    }
}

fn answers(player: &mut Player, seed: u64, now: u64) -> Vec<Vec<u8>> {
    use othello_proto::session::{Action, Decision};
    let mut sent = Vec::new();
    while let Some(action) = player.poll() {
        match action {
            Action::Send(bytes) => sent.push(bytes),
            Action::Think(task) => player.decide(
                Decision {
                    task: task.id,
                    square: pick(&task, seed),
                    assessment: None,
                },
                at(now),
            ),
            Action::Note(note) => panic!("a remark in a clean game: {note:?}"),
            Action::Abandon | Action::Finish(_) => panic!("{action:?}"),
        }
    }
    sent
}

fn replays(game: &Game) -> bool {
    let mut again = Game::new(game.start());
    game.moves().iter().all(|&mv| again.play(mv).is_ok()) && again.board() == game.board()
}

proptest! {
    #[test]
    fn games_between_both_roles_are_played_to_the_end(seed in any::<u64>()) {
        play(seed);
    }

    #[test]
    fn the_laws_hold_for_any_events(data in prop::collection::vec(any::<u8>(), 0..400)) {
        othello_laws::codewarriors::parse(&data);
        othello_laws::codewarriors::player(&data);
        othello_laws::codewarriors::judge(&data);
    }
}
