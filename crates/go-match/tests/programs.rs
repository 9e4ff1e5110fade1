//! Programs that break the rules of the tournament.
#![cfg(target_os = "linux")]

mod common;

use std::time::Duration;

use boardgame_core::Color;
use boardgame_io::CommandLine;
use boardgame_session::{Cause, SeatFault};
use common::{cause, play, small};
use go_match::{Format, GoProgram, TournamentOptions, record};

/// White's script, which passes twice without another process.
const PASSES: &str = "read c; read m; echo pass; read m; echo pass; read m";

fn shell(script: &str) -> GoProgram {
    GoProgram {
        format: Format::Usenix,
        line: CommandLine::new("sh", ["-c", script]),
    }
}

/// Checks that a script that has Black loses by a fault, and that the record says how; returns the fault.
async fn forfeits(options: &TournamentOptions, script: &str, result: &str) -> SeatFault {
    let report = play(options, [shell(script), shell(PASSES)]).await;
    let Cause::Forfeit { by, fault } = cause(&report) else {
        panic!("{script}: {:?}", report.outcome);
    };
    assert_eq!(*by, Color::Black, "{script}");
    let sgf = record(&report, None).to_string();
    assert!(sgf.contains(&format!("RE[{result}]")), "{script}: {sgf}");
    assert!(sgf.contains("White won: "), "{script}: {sgf}");
    fault.clone()
}

#[tokio::test]
async fn programs_forfeit_by_the_rules_of_the_tournament() {
    // Limits that a test can wait for.
    let short = TournamentOptions {
        limit: Duration::from_millis(100),
        byo_romi: Duration::from_millis(100),
        max_idle: Duration::from_millis(300),
        ..small()
    };
    let fault = forfeits(&short, "read c; while :; do :; done", "W+T").await;
    assert!(matches!(fault, SeatFault::Overtime { .. }), "{fault:?}");
    let fault = forfeits(&short, "read c; read nothing", "W+F").await;
    assert!(matches!(fault, SeatFault::Idle { .. }), "{fault:?}");
    let forks = "read c; (while :; do :; done) & while :; do :; done";
    assert_eq!(forfeits(&small(), forks, "W+F").await, SeatFault::Forked);
    let left = forfeits(&small(), "exec >&-; read c; read m", "W+F").await;
    assert_eq!(left, SeatFault::Left);
}

#[tokio::test]
async fn a_program_gets_the_arguments_of_its_command_line_alone() {
    let says = "read c; [ $# = 1 ] && [ $1 = x ] && echo C3; read m; echo pass; read m";
    let program: GoProgram = format!("sh -c '{says}' name x").parse().unwrap();
    let report = play(&small(), [program, shell(PASSES)]).await;
    assert_eq!(cause(&report), &Cause::Played);
}
