//! The Sloan player as seen by a referee: over pipes.
#![forbid(unsafe_code)]

#[path = "../../../tests/support/mod.rs"]
mod support;

use support::Program;

const PLAYER: &str = env!("CARGO_BIN_EXE_othello-sloan");
const QUICK: &str = "--depth 2 --threads 1 --hash 1";

/// Checks that text is nothing but comments within the limits of rules 3 and 4.
fn check_comments(text: &str) {
    assert!(
        !text.contains(['.', ',', ':', '\t']) && !text.contains("  "),
        "{text}"
    );
    let mut depth = 0;
    for (at, byte) in text.bytes().enumerate() {
        let outside = depth == 0;
        depth += i32::from(byte == b'(') - i32::from(byte == b')');
        assert!(
            !outside || byte == b' ' || text[at..].starts_with("(C "),
            "{text}"
        );
    }
    assert_eq!(depth, 0, "{text}");
}

#[test]
fn the_end_of_input_in_mid_game_has_its_exit_status_and_is_told_in_a_comment() {
    let mut player = Program::start(PLAYER, QUICK);
    player.send("(I B)(W)");
    player.line();
    player.line();
    let end = player.finish();
    assert_eq!((end.code, end.rest.as_str()), (Some(3), ""));
    assert_eq!(
        end.errors,
        "(C (othello-sloan the input ended in mid-game))\n"
    );
}

#[test]
fn a_closed_output_ends_the_player_although_its_input_stays_open() {
    let code = support::exit_with_closed_output(PLAYER, QUICK, "(I B)\n(W)\n");
    assert_eq!(code, Some(3));
}

#[test]
fn a_wrong_command_line_is_refused_in_a_comment() {
    for args in ["--depth x", "--comments loud", "extra", "--log /"] {
        let end = support::run(PLAYER, args);
        assert_eq!((end.code, end.rest.as_str()), (Some(2), ""), "{args}");
        assert!(end.errors.starts_with("(C "), "{}", end.errors);
        check_comments(end.errors.trim_end());
    }
}

#[test]
fn the_log_goes_where_it_is_wanted() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("game.log");
    let mut player = Program::start(PLAYER, &format!("{QUICK} --log {}", file.display()));
    player.send("(I B)(W)");
    player.line();
    player.line();
    let end = player.finish();
    assert_eq!(end.log, "");
    let log = std::fs::read_to_string(&file).unwrap();
    assert!(log.contains("thought") && log.contains("mid-game"), "{log}");
}

#[test]
fn help_shows_a_worked_example() {
    let end = support::run(PLAYER, "--help");
    assert_eq!((end.code, end.errors.as_str()), (Some(0), ""));
    insta::assert_snapshot!(end.rest);
}

#[cfg(unix)]
#[test]
fn signals_end_the_player_also_while_it_thinks() {
    support::check_signals(|| Program::start_thinking(PLAYER, "(I B)(W)"));
}

#[cfg(target_os = "linux")]
#[test]
fn a_legal_move_is_played_whatever_the_system_limits() {
    support::under_limits(PLAYER, QUICK, |mut player, limit| {
        player.send("(I B)(W)");
        assert_eq!(player.line(), "(R B)");
        let line = player.line();
        let legal = ["(B d 3)", "(B c 4)", "(B f 5)", "(B e 6)"];
        assert!(legal.contains(&&*line), "{limit}: {line}");
        assert_eq!(player.finish().code, Some(3), "{limit}");
    });
}
