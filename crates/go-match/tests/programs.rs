//! What the referee does with programs that break the rules, and with odd ones that do not.
#![cfg(target_os = "linux")]

mod common;

use std::{path::Path, time::Duration};

use boardgame_core::Color;
use boardgame_io::CommandLine;
use boardgame_match::{Fault, GameReport, Outcome};
use boardgame_session::{Cause, SeatFault};
use common::{cause, play, small};
use go_core::Position;
use go_match::{Format, GoProgram, TournamentOptions, record};

/// White's script, which passes twice without another process.
const PASSES: &str = "read c; read m; echo pass; read m; echo pass; read m";

/// Black's script once it has played: it passes.
const THEN_PASSES: &str = "read m; echo pass; read m";

/// Rules with limits that a test can wait for.
fn short() -> TournamentOptions {
    TournamentOptions {
        limit: Duration::from_millis(100),
        byo_romi: Duration::from_millis(100),
        max_idle: Duration::from_millis(300),
        ..small()
    }
}

fn shell(script: &str) -> GoProgram {
    GoProgram {
        format: Format::Usenix,
        line: CommandLine::new("sh", ["-c", script]),
    }
}

/// Plays a game of a script that has Black against one that passes.
async fn black(options: &TournamentOptions, script: &str) -> GameReport<Position> {
    play(options, [shell(script), shell(PASSES)]).await
}

/// Checks that Black loses by a fault, and that the record says how; returns the fault.
async fn forfeits(options: &TournamentOptions, script: &str, result: &str) -> SeatFault {
    let report = black(options, script).await;
    let Cause::Forfeit { by, fault } = cause(&report) else {
        panic!("{script}: {:?}", report.outcome);
    };
    assert_eq!(*by, Color::Black, "{script}");
    let sgf = record(&report, None).to_string();
    assert!(sgf.contains(&format!("RE[{result}]")), "{script}: {sgf}");
    assert!(sgf.contains("White won: "), "{script}: {sgf}");
    fault.clone()
}

/// Checks that Black's answer is a move on C3, after which both pass.
async fn plays(script: &str) -> GameReport<Position> {
    let report = black(&small(), script).await;
    assert_eq!(cause(&report), &Cause::Played, "{script}");
    let moves: Vec<String> = report.moves.iter().map(ToString::to_string).collect();
    assert_eq!(moves, ["C3", "pass", "pass"], "{script}");
    report
}

#[tokio::test]
async fn a_program_that_works_without_end_loses_by_user_time() {
    let is_late = |fault| matches!(fault, SeatFault::Overtime { .. });
    let fault = forfeits(&short(), "read c; while :; do :; done", "W+T").await;
    assert!(is_late(fault));
    // Byo-romi is told, and is for each move.
    let counts = "read c; i=0; while [ $i -lt 999999999 ]; do i=$((i+1)); done; echo C3";
    assert!(is_late(forfeits(&short(), counts, "W+T").await));
}

#[tokio::test]
async fn a_program_that_waits_for_ever_is_stuck() {
    let fault = forfeits(&short(), "read c; read nothing", "W+F").await;
    assert!(matches!(fault, SeatFault::Idle { .. }), "{fault:?}");
}

#[tokio::test]
async fn a_program_that_forks_forfeits() {
    for script in [
        "read c; sleep 5; echo C3",
        "read c; sleep 5 & echo C3; read m; read m",
        "read c; (while :; do :; done) & while :; do :; done",
        "(read c; echo C3; read m; read m)",
    ] {
        let options = TournamentOptions {
            max_idle: Duration::from_mins(1),
            ..small()
        };
        let report = black(&options, &format!("{script}; exit 1")).await;
        let (by, fault) = (Color::Black, SeatFault::Forked);
        assert_eq!(cause(&report), &Cause::Forfeit { by, fault }, "{script}");
    }
}

#[tokio::test]
async fn a_process_that_hides_forfeits() {
    let busy = "sh -c \"while :; do :; done\"";
    for hides in [
        format!("setsid {busy}"),
        format!("env -i setsid {busy}"),
        // It is gone before Black is asked.
        "env -i setsid sh -c :".into(),
    ] {
        // Nobody waits for its parent, which is gone at once.
        let helped = format!("({hides} &); read c; echo C3; {THEN_PASSES}");
        let script = format!("trap \"\" CHLD; exec sh -c '{helped}'");
        let fault = forfeits(&small(), &script, "W+F").await;
        assert_eq!(fault, SeatFault::Forked, "{hides}");
    }
}

/// White's script that knows Black's process from a file, does something with it, and lets Black go on.
fn attack(folder: &Path, does: &str) -> String {
    let folder = folder.display();
    let knows = format!("until read black 2>/dev/null <{folder}/black; do :; done");
    format!("{knows}; {does}; : >{folder}/done; {PASSES}")
}

/// Black's script that says its process in a file, and plays once White has attacked it.
fn attacked(folder: &Path) -> String {
    let folder = folder.display();
    format!(
        "echo $$ >{folder}/black; read c; until [ -e {folder}/done ]; do :; done; \
         echo C3; {THEN_PASSES}"
    )
}

#[tokio::test]
async fn a_program_cannot_answer_for_its_opponent() {
    let folder = tempfile::tempdir().unwrap();
    let black = shell(&attacked(folder.path()));
    let answers = "echo F6 2>/dev/null >/proc/$black/fd/1";
    let white = shell(&attack(folder.path(), answers));
    let report = play(&small(), [black, white]).await;
    assert_eq!(cause(&report), &Cause::Played);
    assert_eq!(report.moves[0].to_string(), "C3");
}

#[tokio::test]
async fn a_program_that_its_opponent_has_killed_is_marked() {
    let folder = tempfile::tempdir().unwrap();
    let black = shell(&attacked(folder.path()));
    let white = shell(&attack(folder.path(), "kill -s KILL $black"));
    let report = play(&small(), [black, white]).await;
    let (by, fault) = (Color::Black, SeatFault::Left);
    assert_eq!(cause(&report), &Cause::Forfeit { by, fault });
    let faults = &report.seats[Color::Black].faults[..];
    assert!(matches!(faults, [Fault::Killed(_)]), "{faults:?}");
    let sgf = record(&report, None).to_string();
    assert!(sgf.contains("a signal that the host did not send"), "{sgf}");
}

#[tokio::test]
async fn a_flood_forfeits() {
    for script in [
        r"read c; while :; do printf '%0100000d\n' 0; done",
        "read c; while :; do printf %0100000d 0; done",
    ] {
        let fault = forfeits(&small(), script, "W+F").await;
        let is_flood = matches!(fault, SeatFault::Format { .. });
        assert!(is_flood, "{script}: {fault:?}");
    }
}

#[tokio::test]
async fn a_program_that_ends_forfeits_when_it_is_to_move() {
    for script in [
        "exit 0",
        "read c; exit 3",
        "kill -9 $$",
        "exec >&-; read c; read m",
    ] {
        let fault = forfeits(&small(), script, "W+F").await;
        assert_eq!(fault, SeatFault::Left, "{script}");
    }
    let black = shell("read c; echo C3");
    let white = shell("read c; read m; echo D3; read m");
    let report = play(&small(), [black, white]).await;
    let (by, fault) = (Color::Black, SeatFault::Left);
    assert_eq!(cause(&report), &Cause::Forfeit { by, fault });
    assert_eq!(report.moves.len(), 2);
}

#[tokio::test]
async fn a_program_that_does_not_exist_is_reported() {
    let missing: GoProgram = "/does/not/exist".parse().unwrap();
    let report = play(&small(), [shell("read c"), missing]).await;
    let seat = Color::White;
    assert_eq!(report.outcome, Outcome::NotStarted { seat });
    let fault = &report.seats[seat].faults[0];
    assert!(matches!(fault, Fault::NotStarted { .. }), "{fault}");
}

#[tokio::test]
async fn illegal_moves_forfeit() {
    let ko = "read c; for m in C4 B3 C2 D3 D3 pass; do echo $m; read m; done";
    let white = "read c; read m; for m in D4 E3 D2 C3 pass; do echo $m; read m; done";
    let surrounded = "read c; for m in pass pass A1 pass; do echo $m; read m; done";
    let surrounds = "read c; read m; for m in A2 B1 pass; do echo $m; read m; done";
    for (black, white, expected) in [
        ("read c; echo B0; read m", PASSES, "B0"),
        ("read c; echo M20; read m", PASSES, "M20"),
        ("read c; echo F6; read m", PASSES, "F6"),
        ("read c; echo C3; read m; echo C3", PASSES, "occupied"),
        (
            "read c; echo pass; read m; echo C4",
            "read c; read m; echo C4; read m",
            "occupied",
        ),
        (surrounded, surrounds, "suicide"),
        (ko, white, "ko"),
    ] {
        let report = play(&small(), [shell(black), shell(white)]).await;
        let Cause::Forfeit { by, fault } = cause(&report) else {
            panic!("{black}: {:?}", report.outcome);
        };
        assert_eq!(*by, Color::Black, "{black}");
        let SeatFault::IllegalMove { detail } = fault else {
            panic!("{black}: {fault:?}");
        };
        assert!(detail.contains(expected), "{black}: {detail}");
    }
}

#[tokio::test]
async fn garbage_and_odd_ends_of_lines_are_no_faults() {
    for line in [
        "echo thinking; echo c3; echo C3.; echo; echo C3",
        r"printf 'C3\r\n'",
        r"printf '\357\273\277C3\n'",
        r"printf ' C 3 \n'",
        r"printf 'C'; printf '3\n'",
    ] {
        plays(&format!("read c; {line}; {THEN_PASSES}")).await;
    }
    // 2,000 lines and one of 2 MB before a move.
    let lines = "i=0; while [ $i -lt 2000 ]; do echo thinking; i=$((i+1)); done";
    let many = format!(r"{lines}; printf %02000000d 0; echo; echo C3");
    plays(&format!("read c; {many}; {THEN_PASSES}")).await;
    // The last line has no end.
    plays("read c; echo C3; read m; printf pass").await;
}

#[tokio::test]
async fn a_program_gets_the_arguments_of_its_command_line_alone() {
    let says = "read c; [ $# = 1 ] && [ $1 = x ] && echo C3; read m; echo pass; read m";
    let program: GoProgram = format!("sh -c '{says}' name x").parse().unwrap();
    let report = play(&small(), [program, shell(PASSES)]).await;
    assert_eq!(cause(&report), &Cause::Played);
}

#[tokio::test]
async fn a_program_that_does_not_end_is_ended() {
    let report =
        plays("trap '' TERM; read c; echo C3; read m; echo pass; while :; do :; done").await;
    let faults = &report.seats[Color::Black].faults;
    assert!(faults.contains(&Fault::Hung { killed: true }), "{faults:?}");
}
