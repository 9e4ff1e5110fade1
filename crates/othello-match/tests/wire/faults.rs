//! Faults of programs: each is distinguished from the others, and no process is left.

use std::time::Duration;

use boardgame_match::{
    Seat as _,
    engine::Patience,
    fault::Fault,
    record::{GameResult, PlayedGame, Side},
};
use othello_core::{Board, Color, Game, Square};
use othello_match::{engine_seat::EngineSeat, protocol::WireFormat};

use crate::{
    kit::{
        ample, answer, format, game_with_passes, lth_client, moves_of, number_in, opponent, play,
        play_against, quick, script, tight, wire,
    },
    processes::wait_until_gone,
};

/// One form of each format.
const FORMATS: [&str; 4] = ["sloan", "lth", "codewarriors", "gui"];

/// Plays a game in which the program is Black, against an opponent that resigns.
async fn play_black(program: &mut EngineSeat, opening: Game) -> PlayedGame {
    let mut other = opponent(&[], "");
    let played = play_against(program, &mut other, opening, Color::Black).await;
    other.close().await;
    played
}

/// The only fault of a game.
fn the_fault(played: &PlayedGame, by: Color) -> Fault {
    let [(side, fault)] = &*played.faults else {
        panic!("{:?}", played.faults);
    };
    assert_eq!(*side, by.into(), "{fault}");
    fault.clone()
}

/// Checks the fault of a program in its first move, for which it alone loses the game.
async fn check(name: &str, script: &str, is_tight: bool, patience: Patience, expected: &[&str]) {
    let format = format(name);
    let limit = if is_tight {
        tight(format)
    } else {
        ample(format)
    };
    let mut seat = wire(format, script, limit, patience);
    let played = play_black(&mut seat, Game::default()).await;
    seat.close().await;
    assert_eq!(played.result, GameResult::Forfeit { by: Side::Black });
    assert_eq!(played.moves, "");
    let fault = the_fault(&played, Color::Black).to_string();
    let has_all = expected.iter().all(|part| fault.contains(part));
    assert!(has_all && fault.starts_with(expected[0]), "{name}: {fault}");
}

/// A script that makes one move as Black.
fn one_move(format: WireFormat, square: Square) -> String {
    match format {
        WireFormat::Gui(_) => format!("read line; echo {square}"),
        _ => script(format, Color::Black, &[square.into()], "cat >/dev/null"),
    }
}

/// A script that is ready and then does something.
fn ready_then(format: WireFormat, end: &str) -> String {
    match format {
        WireFormat::Gui(_) => format!("read line; {end}"),
        _ => script(format, Color::Black, &[], end),
    }
}

/// Patience for a short time.
fn short() -> Patience {
    let short = Duration::from_millis(300);
    Patience {
        start: short,
        overtime: short,
        ending: short,
        ..quick()
    }
}

#[tokio::test]
async fn every_format_tells_the_same_faults_apart() {
    for name in FORMATS {
        let format = format(name);
        let illegal = one_move(format, Square::A1);
        let expected = ["made an illegal move: ", "a1"];
        check(name, &illegal, false, quick(), &expected).await;
        let hangs = ready_then(format, "exec sleep 600");
        let patience = Patience {
            start: quick().start,
            ..short()
        };
        check(name, &hangs, true, patience, &["did not answer for "]).await;
        let end = match format {
            WireFormat::Lth => "exit",
            _ => "echo alas >&2; exit 3",
        };
        let crashes = ready_then(format, end);
        let expected = ["crashed: ", "exit status: 3: ", "alas"];
        check(name, &crashes, false, quick(), &expected).await;
    }
}

#[tokio::test]
async fn a_program_that_does_not_become_ready_is_not_started() {
    for name in ["sloan", "lth"] {
        let did_not = "did not start: ";
        check(name, "exec sleep 600", false, short(), &[did_not]).await;
        let ends = "echo alas >&2; exit 3";
        let expected = [did_not, "exit status: 3: alas"];
        check(name, ends, false, quick(), &expected).await;
    }
    let mut seat = wire(format("sloan"), "exit 1", ample(format("sloan")), quick());
    let played = play_black(&mut seat, "f5d6".parse().unwrap()).await;
    assert_eq!(played.moves, "f5d6");
    let fault = the_fault(&played, Color::Black).to_string();
    assert!(
        fault.starts_with("did not start: the sloan format"),
        "{fault}"
    );
}

#[tokio::test]
async fn a_move_after_its_time_is_late() {
    let patience = Patience {
        overtime: Duration::from_mins(5),
        ..quick()
    };
    for name in ["sloan", "codewarriors", "gui"] {
        let script = one_move(format(name), Square::F5)
            .replace("echo '(B", "sleep 1; echo '(B")
            .replace("echo 'F5", "sleep 1; echo 'F5")
            .replace("echo f5", "sleep 1; echo f5");
        check(
            name,
            &script,
            true,
            patience.clone(),
            &["took ", " of 100.000ms"],
        )
        .await;
    }
}

#[tokio::test]
async fn what_is_no_message_breaks_the_format() {
    let lth = lth_client("hello", "exit");
    // A Sloan program is told of the error, and may still correct itself.
    let flood = answer("(R B)") + "exec yes hello";
    for (name, script) in [
        ("codewarriors", answer("hello").as_str()),
        ("gui", "read line; echo hello"),
        ("lth", &lth),
        ("sloan", &flood),
    ] {
        check(name, script, false, quick(), &["broke the protocol: "]).await;
    }
    let resigns = ready_then(format("sloan"), &(answer("(-64)") + "cat >/dev/null"));
    check("sloan", &resigns, false, quick(), &["resigned"]).await;
}

#[tokio::test]
async fn a_false_claim_is_a_false_result() {
    let format = format("sloan");
    let game = game_with_passes(Board::START, Color::White, |_| None);
    let moves = moves_of(&game, Color::White);
    let end = answer("(-63)") + "cat >/dev/null";
    let script = script(format, Color::White, &moves, &end);
    let mut seat = wire(format, &script, ample(format), quick());
    let played = play(&mut seat, &game, 0, Color::White).await;
    assert_eq!(Some(played.result), GameResult::of(&game.board()));
    let fault = the_fault(&played, Color::White);
    let Fault::FalseResult { claim, truth } = fault else {
        panic!("{fault:?}");
    };
    assert_eq!(claim, "(-63)");
    let discs = Color::ALL.map(|color| game.board().discs(color).count());
    assert_eq!(
        truth,
        format!("({})", i64::from(discs[0]) - i64::from(discs[1]))
    );
}

/// A script of each format that first writes its process id to a file.
fn numbered(format: WireFormat, file: &str) -> String {
    format!("echo $$ >{file}; {}", ready_then(format, "exec sleep 600"))
}

#[tokio::test]
async fn no_process_is_left_of_a_game_that_is_given_up() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("number");
    for name in FORMATS {
        let format = format(name);
        for is_closed in [false, true] {
            let _ = std::fs::remove_file(&file);
            let script = numbered(format, file.to_str().unwrap());
            let mut seat = wire(format, &script, ample(format), quick());
            let number = tokio::select! {
                _ = play_black(&mut seat, Game::default()) => panic!("it plays no move"),
                number = number_in(&file) => number,
            };
            if is_closed {
                seat.close().await;
            } else {
                drop(seat);
            }
            wait_until_gone(number).await;
        }
    }
}

#[tokio::test]
async fn an_engine_that_fails_at_the_start_is_started_again() {
    let folder = tempfile::tempdir().unwrap();
    let (count, ready) = (folder.path().join("count"), answer("(R B)"));
    // It ends before it is ready, but for the third time.
    let script = format!(
        "echo x >>{count}; [ $(wc -l <{count}) -lt 3 ] && exit 1; {ready} {}",
        answer("(B f5)") + "cat >/dev/null",
        count = count.display(),
    );
    let format = format("sloan");
    let mut seat = wire(format, &script, ample(format), quick());
    let played = play_black(&mut seat, Game::default()).await;
    assert_eq!(played.faults, [(Side::White, Fault::Resigned)]);
    seat.close().await;
    let starts = std::fs::read_to_string(count).unwrap();
    assert_eq!(starts.lines().count(), 3);
}
