//! Faults of programs: each is told from every other, and no process is left.

use std::time::Duration;

use boardgame_match::{
    Seat as _,
    engine::Patience,
    fault::Fault,
    limit::Limit,
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
async fn play_black(program: &mut EngineSeat) -> PlayedGame {
    let mut other = opponent(&[], "");
    let played = play_against(program, &mut other, Game::default(), Color::Black).await;
    other.close().await;
    played
}

/// The fault of a program in its first move, for which it alone loses the game.
async fn fault_of(program: &mut EngineSeat) -> Fault {
    let played = play_black(program).await;
    assert_eq!(played.result, GameResult::Forfeit { by: Side::Black });
    assert_eq!(played.moves, "");
    the_fault(&played, Color::Black)
}

/// The only fault of a game.
fn the_fault(played: &PlayedGame, by: Color) -> Fault {
    let [(side, fault)] = &*played.faults else {
        panic!("{:?}", played.faults);
    };
    assert_eq!(*side, by.into(), "{fault}");
    fault.clone()
}

/// The fault of a program in its first move.
async fn fault(format: WireFormat, script: &str, limit: Limit, patience: Patience) -> Fault {
    let mut seat = wire(format, script, limit, patience);
    let fault = fault_of(&mut seat).await;
    seat.close().await;
    fault
}

/// A script that makes one move as Black.
fn one_move(format: WireFormat, square: Square) -> String {
    match format {
        WireFormat::Gui(_) => format!("read line; echo {square}"),
        _ => script(format, Color::Black, &[square.into()], "cat >/dev/null"),
    }
}

#[tokio::test]
async fn an_illegal_move_is_one_in_every_format() {
    for name in FORMATS {
        let format = format(name);
        let script = one_move(format, Square::A1);
        let options = Patience {
            ending: Duration::from_millis(300),
            ..quick()
        };
        let fault = fault(format, &script, ample(format), options).await;
        let Fault::IllegalMove { answer } = fault else {
            panic!("{name}: {fault:?}");
        };
        assert!(answer.contains("a1"), "{answer}");
    }
}

#[tokio::test]
async fn a_program_that_does_not_become_ready_is_not_started() {
    let options = Patience {
        start: Duration::from_millis(300),
        ending: Duration::from_millis(300),
        ..quick()
    };
    for name in ["sloan", "lth"] {
        let format = format(name);
        let hangs = fault(format, "exec sleep 600", ample(format), options).await;
        assert!(
            matches!(hangs, Fault::NotStarted { .. }),
            "{name}: {hangs:?}"
        );
        let ends = fault(format, "echo alas >&2; exit 3", ample(format), quick()).await;
        let Fault::NotStarted { reason } = ends else {
            panic!("{name}: {ends:?}");
        };
        assert!(reason.contains("exit status: 3: alas"), "{reason}");
    }
}

#[tokio::test]
async fn a_crash_in_mid_game_is_told_with_its_status_and_last_words() {
    for name in ["sloan", "lth", "codewarriors"] {
        let format = format(name);
        let game = game_with_passes(Board::START, Color::White, |_| None);
        let moves = &moves_of(&game, Color::White)[..5];
        let end = match format {
            WireFormat::Lth => "exit",
            _ => "read line; echo alas >&2; exit 3",
        };
        let script = script(format, Color::White, moves, end);
        let mut seat = wire(format, &script, ample(format), quick());
        let played = play(&mut seat, &game, 0, Color::White).await;
        let fault = the_fault(&played, Color::White);
        let Fault::Crashed { detail } = fault else {
            panic!("{name}: {fault:?}");
        };
        assert!(detail.contains("exit status: 3: "), "{detail}");
        assert!(detail.contains("alas"), "{detail}");
    }
    let format = format("gui");
    let crash = fault(
        format,
        "echo alas >&2; kill -SEGV $$",
        ample(format),
        quick(),
    )
    .await;
    let Fault::Crashed { detail } = crash else {
        panic!("{crash:?}");
    };
    assert!(detail.contains("signal: 11"), "{detail}");
}

#[tokio::test]
async fn a_program_that_never_answers_hangs() {
    let options = Patience {
        overtime: Duration::from_millis(300),
        ending: Duration::from_millis(300),
        ..quick()
    };
    for name in FORMATS {
        let format = format(name);
        let script = match format {
            WireFormat::Gui(_) => "exec sleep 600".into(),
            _ => script(format, Color::Black, &[], "exec sleep 600"),
        };
        let fault = fault(format, &script, tight(format), options).await;
        assert!(matches!(fault, Fault::Hung { .. }), "{name}: {fault:?}");
    }
}

#[tokio::test]
async fn a_move_after_its_time_is_late() {
    let options = Patience {
        overtime: Duration::from_mins(5),
        ..quick()
    };
    for name in ["sloan", "codewarriors", "gui"] {
        let format = format(name);
        let script = one_move(format, Square::F5).replace("echo '(B", "sleep 1; echo '(B");
        let script = script.replace("echo 'F5", "sleep 1; echo 'F5");
        let script = script.replace("echo f5", "sleep 1; echo f5");
        let fault = fault(format, &script, tight(format), options).await;
        let Fault::Late { took, allowed } = fault else {
            panic!("{name}: {fault:?}");
        };
        assert_eq!(allowed, Duration::from_millis(100), "{name}");
        assert!(took > allowed, "{name}");
    }
}

#[tokio::test]
async fn what_is_no_message_breaks_the_format() {
    let lth = lth_client("hello", "exit");
    for (name, script) in [
        ("codewarriors", answer("hello").as_str()),
        ("gui", "read line; echo hello"),
        ("lth", &lth),
    ] {
        let format = format(name);
        let fault = fault(format, script, ample(format), quick()).await;
        assert!(matches!(fault, Fault::Format { .. }), "{name}: {fault:?}");
    }
    // A Sloan program is told, and may still say something better.
    let flood = answer("(R B)") + "exec yes hello";
    let fault = fault(format("sloan"), &flood, ample(format("sloan")), quick()).await;
    assert!(matches!(fault, Fault::Format { .. }), "{fault:?}");
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

#[tokio::test]
async fn a_program_that_gives_up_resigns() {
    let format = format("sloan");
    let script = script(
        format,
        Color::Black,
        &[],
        &(answer("(-64)") + "cat >/dev/null"),
    );
    let fault = fault(format, &script, ample(format), quick()).await;
    assert_eq!(fault, Fault::Resigned);
}

#[tokio::test]
async fn a_format_without_boards_cannot_begin_after_an_opening() {
    let format = format("sloan");
    let mut seat = wire(format, "exit 1", ample(format), quick());
    let opening: Game = "f5d6".parse().unwrap();
    let mut other = opponent(&[], "");
    let played = play_against(&mut seat, &mut other, opening, Color::Black).await;
    assert_eq!(played.moves, "f5d6");
    let fault = the_fault(&played, Color::Black);
    let Fault::NotStarted { reason } = fault else {
        panic!("{fault:?}");
    };
    assert!(reason.contains("sloan"), "{reason}");
}

/// The fault of a program of Code Warriors' that makes its first move as Black and does what `end` says
/// while White thinks.
async fn fault_out_of_turn(end: &str) -> Fault {
    let format = format("codewarriors");
    let script = script(format, Color::Black, &[Square::F5.into()], end);
    let mut seat = wire(format, &script, ample(format), quick());
    let mut other = opponent(&[Square::D6.into()], "sleep 5;");
    let played = play_against(&mut seat, &mut other, Game::default(), Color::Black).await;
    assert_eq!(played.result, GameResult::Forfeit { by: Side::Black });
    assert_eq!(played.moves, "f5");
    the_fault(&played, Color::Black)
}

#[tokio::test]
async fn a_program_that_leaves_while_the_opponent_thinks_has_crashed() {
    let fault = fault_out_of_turn("exit 3").await;
    let Fault::Crashed { detail } = fault else {
        panic!("{fault:?}");
    };
    assert!(detail.contains("exit status: 3"), "{detail}");
}

#[tokio::test]
async fn a_move_that_comes_while_the_opponent_thinks_is_no_answer() {
    let fault = fault_out_of_turn("sleep 0.2; echo C3").await;
    let Fault::Format { detail } = fault else {
        panic!("{fault:?}");
    };
    assert!(detail.contains("out of turn"), "{detail}");
}

/// A script of each format that says its number in a file before it does anything else.
fn numbered(format: WireFormat, file: &str) -> String {
    let script = match format {
        WireFormat::Gui(_) => "exec sleep 600".into(),
        _ => script(format, Color::Black, &[], "exec sleep 600"),
    };
    format!("echo $$ >{file}; {script}")
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
                _ = play_black(&mut seat) => panic!("it plays no move"),
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
async fn an_engine_plays_on_after_a_fault() {
    let folder = tempfile::tempdir().unwrap();
    let mark = folder.path().join("mark");
    let mark = mark.to_str().unwrap();
    // It crashes in its first game, and plays a move in the next.
    let script = format!(
        "if [ -e {mark} ]; then {} cat; fi; : >{mark}; exit 1",
        answer("F5")
    );
    let format = format("codewarriors");
    let mut seat = wire(format, &script, ample(format), quick());
    let fault = fault_of(&mut seat).await;
    assert!(matches!(fault, Fault::Crashed { .. }), "{fault:?}");
    let played = play_black(&mut seat).await;
    assert_eq!(played.moves, "f5");
    assert_eq!(played.faults, [(Side::White, Fault::Resigned)]);
    seat.close().await;
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
    let played = play_black(&mut seat).await;
    assert_eq!(played.faults, [(Side::White, Fault::Resigned)]);
    seat.close().await;
    let starts = std::fs::read_to_string(count).unwrap();
    assert_eq!(starts.lines().count(), 3);
}
