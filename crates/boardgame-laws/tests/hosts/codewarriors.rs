//! Code Warriors: the judge, alone and against our own players.

use std::time::Duration;

use boardgame_core::ByColor;
use boardgame_laws::othello::{HostAction, HostedGame, codewarriors::hosted, game_of};
use boardgame_session::{Cause, SeatFault};
use othello_core::{Board, Color, Game, Move, Square};
use othello_proto::{
    codewarriors::{JudgeSeat, Player, PlayerOptions},
    session::{Action, PlayerSession},
};
use proptest::prelude::*;

use crate::kit::{at, decision, forfeit, host_line, host_lines, pick, verdict};

/// Black takes the last disc of White with e4.
const WIPE_OUT: &str = "--------------------------XO------------------------------------ X";
/// Black takes the last empty square with h8.
const LAST_SQUARE: &str = "XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXO- X";
/// Black must pass; White may take a1.
const MUST_PASS: &str = "-XOOOOOO-------------------------------------------------------- X";

type Judge = HostedGame<JudgeSeat>;

fn judge_from(start: &str) -> Judge {
    let mut judge = hosted(start.parse().unwrap(), Duration::ZERO);
    judge.start(at(0));
    judge
}

fn judge() -> Judge {
    judge_from(&Board::START.to_string())
}

/// The cause of what Black printing `text` at once leads to.
fn cause_of(text: &str) -> Option<Cause> {
    let mut judge = judge();
    judge.receive(Color::Black, text.as_bytes(), at(10));
    let verdict = verdict(&mut judge)?;
    assert_eq!(verdict.winner, verdict.cause.culprit().map(|by| !by));
    Some(verdict.cause)
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
                Some(Cause::Forfeit {
                    by: Color::Black,
                    fault: SeatFault::Format { .. }
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
                Some(Cause::Forfeit {
                    by: Color::Black,
                    fault: SeatFault::IllegalMove { .. }
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
    assert_eq!(verdict.cause, forfeit(Color::Black, SeatFault::Overtime));
    assert_eq!(verdict.winner, Some(Color::White));
}

#[test]
fn a_move_that_arrives_late_is_late_although_no_tick_came_before() {
    let mut judge = judge();
    judge.receive(Color::Black, b"F5\n", at(2001));
    let verdict = verdict(&mut judge).expect("a verdict");
    assert_eq!(verdict.cause, forfeit(Color::Black, SeatFault::Overtime));
    assert_eq!(judge.moves(), []);
}

#[test]
fn the_grace_for_pipes_is_added_to_the_limit() {
    let mut judge = hosted(Board::START, Duration::from_millis(50));
    judge.start(at(0));
    judge.receive(Color::Black, b"F5\n", at(2050));
    assert_eq!(judge.moves(), [Move::Place(Square::F5)]);
}

#[test]
fn a_program_that_ends_early_is_disqualified_on_the_move_or_not() {
    for seat in Color::ALL {
        let mut judge = judge();
        judge.end_of_input(seat, at(100));
        let verdict = verdict(&mut judge).expect("a verdict");
        assert_eq!(verdict.cause, forfeit(seat, SeatFault::Left));
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
#[test]
fn an_answer_needs_no_newline() {
    let mut judge = judge();
    judge.receive(Color::Black, b"F", at(1));
    judge.receive(Color::Black, b"5", at(2));
    judge.receive(Color::White, b"D6\r", at(3));
    judge.receive(Color::Black, b" \nC3", at(4));
    assert_eq!(judge.moves().len(), 3);
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
        Cause::Forfeit {
            by: Color::White,
            fault: SeatFault::IllegalMove { .. }
        }
    ));
}

#[test]
fn a_last_pass_that_does_not_come_is_overtime() {
    let mut judge = judge_from(WIPE_OUT);
    judge.receive(Color::Black, b"E4\n", at(100));
    judge.tick(at(2200));
    let verdict = verdict(&mut judge).expect("a verdict");
    assert_eq!(verdict.cause, forfeit(Color::White, SeatFault::Overtime));
}

#[test]
fn the_judge_ends_the_game_on_a_full_board_and_asks_nobody() {
    let mut judge = judge_from(LAST_SQUARE);
    judge.receive(Color::Black, b"H8\n", at(100));
    insta::assert_snapshot!(host_lines(&mut judge));
}

#[test]
fn more_than_one_message_a_turn_is_a_fault_of_format() {
    for text in ["F5D6", "F5\nD6\n", "F5\n.", "F5 ok\n"] {
        let cause = cause_of(text);
        assert!(
            matches!(
                cause,
                Some(Cause::Forfeit {
                    by: Color::Black,
                    fault: SeatFault::Format { .. }
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
        Cause::Forfeit {
            by: Color::White,
            fault: SeatFault::Format { .. }
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
            Some(Cause::Forfeit {
                by: Color::Black,
                fault: SeatFault::Format { .. }
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
        assert_eq!(verdict.cause, forfeit(seat, SeatFault::Left));
        assert_eq!(verdict.winner, Some(!seat));
    }
}

#[test]
fn the_end_of_a_program_after_that_of_its_output_adds_nothing() {
    let mut judge = judge();
    judge.end_of_input(Color::Black, at(1));
    let cause = verdict(&mut judge).map(|verdict| verdict.cause);
    assert_eq!(cause, Some(forfeit(Color::Black, SeatFault::Left)));
    judge.exited(Color::Black, true, at(2));
    assert_eq!(judge.poll(), None);
}

// Whole games between both roles.

/// Plays a game of our players under our judge and writes down what the judge does.
fn play(seed: u64) -> String {
    let mut judge = hosted(Board::START, Duration::ZERO);
    let mut players = ByColor::new_with(|_| Player::new(PlayerOptions::default()));
    for player in players.iter_mut() {
        player.start(at(0));
    }
    judge.start(at(0));
    let (mut text, mut now) = (String::new(), 0);
    loop {
        let Some(action) = judge.poll() else {
            panic!("the judge waits for nobody:\n{text}");
        };
        text += &host_line(&judge, &action);
        text += "\n";
        match action {
            HostAction::Send { seat, bytes } => {
                now += 10;
                let player = &mut players[seat];
                player.receive(&bytes, at(now));
                for bytes in answers(player, seed, now) {
                    judge.receive(seat, &bytes, at(now));
                }
            }
            HostAction::Finish(verdict) => {
                assert_eq!(verdict.cause, Cause::Played, "{text}");
                assert!(replays(&game_of(&judge)));
                return text;
            }
            _ => {}
        }
    }
}

fn answers(player: &mut Player, seed: u64, now: u64) -> Vec<Vec<u8>> {
    let mut sent = Vec::new();
    while let Some(action) = player.poll() {
        match action {
            Action::Send(bytes) => sent.push(bytes),
            Action::Think(task) => player.decide(decision(&task, pick(&task, seed)), at(now)),
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
}
