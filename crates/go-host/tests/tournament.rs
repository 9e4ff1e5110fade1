//! Games of the tournament between scripts that play given moves.
#![cfg(target_os = "linux")]

use std::{
    future::{pending, ready},
    sync::Arc,
    time::Duration,
};

use boardgame_core::{ByColor, Color};
use boardgame_match::{GameReport, conduct};
use boardgame_session::{Cause, SeatFault};
use go_core::{Position, Size};
use go_host::{GoProgram, Judge, TournamentOptions, is_judged, ko_violations, record};

/// Black takes a ko back at once, with the ninth move.
const KO: [&str; 2] = ["C4 B3 C2 D3 D3 pass", "D4 E3 D2 C3 pass"];

fn small() -> TournamentOptions {
    TournamentOptions {
        size: Size::new(5).unwrap(),
        ..TournamentOptions::default()
    }
}

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

async fn play(options: &TournamentOptions, programs: [GoProgram; 2]) -> GameReport<Position> {
    let programs = ByColor::from(programs);
    let mut seats = programs
        .as_ref()
        .map(|program| program.seat("script", options));
    let judge = Arc::new(Judge::default());
    let game = options.game(judge);
    let seats = seats.as_mut().map(Box::as_mut);
    let keep = |_: &Position, _: &_| ready(());
    let bounds = options.game_options();
    let game = conduct(game, seats, |_, _| {}, keep, &bounds, pending());
    game.await.unwrap()
}

async fn play_moves(
    options: &TournamentOptions,
    [black, white]: [&str; 2],
) -> GameReport<Position> {
    let black = program(Color::Black, black, "");
    let white = program(Color::White, white, "");
    play(options, [black, white]).await
}

fn cause(report: &GameReport<Position>) -> &Cause {
    &report.outcome.verdict().expect("a verdict").cause
}

#[tokio::test]
async fn two_passes_end_the_game_and_the_judge_scores_it() {
    let report = play_moves(&small(), ["C3 pass", "pass"]).await;
    assert_eq!(cause(&report), &Cause::Played);
    assert!(is_judged(&report) && ko_violations(&report).is_empty());
    // The whole board but for the stone, less the komi of 5.5.
    let sgf = record(&report, "nothing is unresolved").to_string();
    for part in [
        "SZ[5]",
        "KM[5.5]",
        "RE[B+18.5]",
        ";B[cc]",
        "nothing is unresolved",
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
    let sgf = record(&report, "").to_string();
    assert!(sgf.contains("RE[W+F"), "{sgf}");
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
async fn a_program_that_works_without_end_loses_by_user_time() {
    let options = TournamentOptions {
        limit: Duration::from_millis(100),
        byo_romi: Duration::from_millis(100),
        ..small()
    };
    let busy = program(Color::Black, "C3", "while :; do :; done;");
    let report = play(&options, [busy, program(Color::White, "pass", "")]).await;
    let (by, fault) = (Color::Black, SeatFault::Overtime);
    assert_eq!(cause(&report), &Cause::Forfeit { by, fault });
    let sgf = record(&report, "").to_string();
    assert!(sgf.contains("RE[W+T"), "{sgf}");
}

#[tokio::test]
async fn a_program_that_forks_forfeits() {
    let forks = program(Color::Black, "C3", "sleep 5;");
    let report = play(&small(), [forks, program(Color::White, "pass", "")]).await;
    let (by, fault) = (Color::Black, SeatFault::Forked);
    assert_eq!(cause(&report), &Cause::Forfeit { by, fault });
}
