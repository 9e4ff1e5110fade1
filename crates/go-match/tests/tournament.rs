//! Games of the tournament between scripts that play given moves.
#![cfg(target_os = "linux")]

mod common;

use boardgame_core::Color;
use boardgame_match::GameReport;
use boardgame_session::{Cause, SeatFault};
use common::{cause, play, small};
use go_core::Position;
use go_match::{GoProgram, Judge, Ruling, TournamentOptions, is_judged, ko_violations, record};

/// Black takes a ko back at once, with the ninth move.
const KO: [&str; 2] = ["C4 B3 C2 D3 D3 pass", "D4 E3 D2 C3 pass"];

/// A script that plays moves without another process; `before` runs at its start.
fn program(color: Color, moves: &str, before: &str) -> GoProgram {
    let wait = match color {
        Color::Black => "",
        Color::White => "read -r line;",
    };
    let script = format!(
        "{before} read -r color; {wait} for move in {moves}; do echo $move; read -r line; done"
    );
    format!("sh -c '{script}'").parse().unwrap()
}

async fn play_moves(
    options: &TournamentOptions,
    [black, white]: [&str; 2],
) -> GameReport<Position> {
    let black = program(Color::Black, black, "");
    let white = program(Color::White, white, "");
    play(options, [black, white]).await
}

#[tokio::test]
async fn two_passes_end_the_game_and_the_judge_scores_it() {
    let report = play_moves(&small(), ["C3 pass", "pass"]).await;
    assert_eq!(cause(&report), &Cause::Played);
    assert!(is_judged(&report) && ko_violations(&report).is_empty());
    // The whole board but for the stone, less the komi of 5.5.
    let ruling = Ruling::counted(Judge::default().judge(&report.position));
    let sgf = record(&report, Some(&ruling)).to_string();
    for part in [
        "SZ[5]",
        "KM[5.5]",
        "PB[script]",
        "RE[B+18.5]",
        ";B[cc]",
        "Black won: played to the end",
        "Black: 2 moves in ",
        "White: 1 move in ",
        "user CPU ",
        "Result: B+18.5",
    ] {
        assert!(sgf.contains(part), "{part}: {sgf}");
    }
}

#[tokio::test]
async fn who_takes_a_ko_back_at_once_forfeits() {
    let report = play_moves(&small(), KO).await;
    let Cause::Forfeit { by, fault } = cause(&report) else {
        panic!("{:?}", report.outcome);
    };
    assert_eq!(*by, Color::Black);
    assert!(matches!(fault, SeatFault::IllegalMove { .. }), "{fault:?}");
    assert!(!is_judged(&report));
    let sgf = record(&report, None).to_string();
    assert!(sgf.contains("RE[W+F"), "{sgf}");
}

#[tokio::test]
async fn a_program_that_was_killed_has_a_line_in_the_record() {
    let black = program(Color::Black, "C3", "kill -9 $$;");
    let report = play(&small(), [black, program(Color::White, "pass", "")]).await;
    let sgf = record(&report, None).to_string();
    let expected = "a signal that the host did not send";
    assert!(sgf.contains(expected), "{sgf}");
}

#[tokio::test]
async fn the_referee_of_1986_lets_a_ko_pass() {
    let options = TournamentOptions {
        as_1986: true,
        ..small()
    };
    let report = play_moves(&options, KO).await;
    assert_eq!(cause(&report), &Cause::Played);
    assert_eq!(ko_violations(&report), [9]);
}

#[tokio::test]
async fn a_game_of_too_many_moves_is_judged_as_it_stands() {
    let options = TournamentOptions {
        max_moves: 3,
        ..small()
    };
    let report = play_moves(&options, ["C3 B2 A1", "C4 D4"]).await;
    assert_eq!(cause(&report), &Cause::MaxMoves);
    assert_eq!(report.moves.len(), 3);
    let ruling = Ruling::counted(Judge::default().judge(&report.position));
    let sgf = record(&report, Some(&ruling)).to_string();
    let expected = "judged as it stands after the maximum number of moves";
    assert!(sgf.contains(expected), "{sgf}");
}

#[tokio::test]
async fn a_judge_may_overrule_and_call_a_game_incomplete() {
    let report = play_moves(&small(), ["C3 pass", "D3 pass"]).await;
    let judgement = Judge::default().judge(&report.position);
    let point = "D3".parse().unwrap();
    let status = judgement.chain_status(point).next();
    let changed = judgement.with_chain(&report.position, point, status);
    let changed = Ruling::counted(changed.expect("there is a stone"));
    let sgf = record(&report, Some(&changed)).to_string();
    let margin = changed.judgement.margin;
    assert_ne!(margin, judgement.margin);
    assert!(sgf.contains(&format!("RE[{margin}]")), "{sgf}");
    let incomplete = Ruling {
        judgement,
        is_incomplete: true,
    };
    let sgf = record(&report, Some(&incomplete)).to_string();
    assert!(sgf.contains("RE[Void]"), "{sgf}");
    assert!(sgf.contains("calls the game incomplete"), "{sgf}");
}
