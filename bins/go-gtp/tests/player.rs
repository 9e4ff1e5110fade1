//! The GTP engine as seen by a controller: over pipes.
#![forbid(unsafe_code)]

#[path = "../../../tests/support/mod.rs"]
mod support;

use go_core::{Color, Move, Position, Setup};
use support::{End, Program};

const PLAYER: &str = env!("CARGO_BIN_EXE_go-gtp");

/// The options of an engine that chooses quickly.
const QUICK: &str = "--playouts 50";

/// A controller's side of a session.
struct Controller {
    engine: Program,
}

impl Controller {
    fn start(args: &str) -> Self {
        Self {
            engine: Program::start(PLAYER, &format!("{QUICK} {args}")),
        }
    }

    /// Sends a command and reads the response up to its blank line.
    fn ask(&mut self, command: &str) -> String {
        self.engine.send(&format!("{command}\n"));
        let mut response = self.engine.line();
        loop {
            match self.engine.line().as_str() {
                "" => return response,
                line => response = response + "\n" + line,
            }
        }
    }

    /// Sends commands that have to succeed with an empty result.
    #[track_caller]
    fn tell(&mut self, commands: &[&str]) {
        for command in commands {
            assert_eq!(self.ask(command), "=", "{command}");
        }
    }

    /// Returns the move that `genmove` answers.
    fn genmove(&mut self, color: Color) -> Move {
        let response = self.ask(&format!("genmove {color}"));
        let text = response.strip_prefix("= ").expect("a success");
        let mv: Move = text.parse().unwrap();
        assert_eq!(text, mv.to_string());
        mv
    }
}

/// Gives the engine input, then the end of input.
fn answer(input: &[u8]) -> End {
    let mut engine = Program::start(PLAYER, QUICK);
    engine.send_bytes(input);
    engine.finish()
}

#[test]
fn a_hopeless_game_is_resigned_if_an_option_says_so() {
    for (args, expected) in [("--resign 5", true), ("", false)] {
        let args = format!("--playouts 500 {args}");
        let mut controller = Controller {
            engine: Program::start(PLAYER, &args),
        };
        controller.tell(&["boardsize 9", "komi 200"]);
        let response = controller.ask("genmove b");
        assert_eq!(response == "= resign", expected, "{args}: {response}");
    }
}

#[test]
fn a_game_is_loaded_from_a_file_and_taken_back() {
    let mut controller = Controller::start("");
    let path = controller.engine.home().join("game.sgf");
    std::fs::write(&path, "(;FF[4]GM[1]SZ[9]KM[7];B[ee];W[cc];B[gg])\n").unwrap();
    let path = path.to_str().unwrap().to_owned();
    controller.tell(&[&format!("loadsgf {path}")]);
    assert_eq!(controller.ask("get_komi"), "= 7");
    controller.tell(&["undo", "undo", "undo"]);
    assert_eq!(controller.ask("undo"), "? cannot undo");
    controller.tell(&[&format!("loadsgf {path} 2"), "undo"]);
    assert_eq!(controller.ask("undo"), "? cannot undo");
    let refused = controller.ask(&format!("2 loadsgf {path}.none"));
    let reason = "cannot load file: No such file or directory (os error 2)";
    assert_eq!(refused, format!("?2 {reason}"));
    let refused = controller.ask("loadsgf /dev/null");
    assert_eq!(refused, "? cannot load file: expected a regular file");
    let end = controller.engine.finish();
    assert!(end.log.contains(reason), "{}", end.log);
}

#[test]
fn every_listed_command_is_known() {
    let mut controller = Controller::start("");
    let listed = controller.ask("list_commands");
    let listed: Vec<&str> = listed.trim_start_matches("= ").lines().collect();
    assert!(listed.contains(&"genmove") && listed.contains(&"final_status_list"));
    for name in listed {
        assert_eq!(controller.ask(&format!("known_command {name}")), "= true");
        if name != "quit" {
            // An empty line ends an analysis.
            let command = format!("{name}\n");
            assert_ne!(controller.ask(&command), "? unknown command", "{name}");
        }
    }
    assert_eq!(controller.ask("known_command no_such"), "= false");
}

#[test]
fn an_analysis_goes_on_until_the_next_command() {
    check_analysis(Controller::start(""));
    // Without a runtime and threads.
    #[cfg(target_os = "linux")]
    support::under_limit("-n 5", PLAYER, QUICK, |engine, _| {
        check_analysis(Controller { engine });
    });
}

fn check_analysis(mut controller: Controller) {
    controller.tell(&["boardsize 5"]);
    controller.engine.send("kata-analyze b 10 ownership true\n");
    assert_eq!(controller.engine.line(), "=");
    let mut visits = || -> u32 {
        let line = controller.engine.line();
        let (_, owners) = line.split_once(" ownership ").expect("owners");
        assert_eq!(owners.split(' ').count(), 25);
        let words: Vec<&str> = line.split(' ').collect();
        let (start, values) = words.split_at(2);
        assert_eq!((start, values[1]), (&["info", "move"][..], "visits"));
        assert!(values[0].parse::<Move>().is_ok(), "{line}");
        values[2].parse().unwrap()
    };
    let first = visits();
    assert!(visits() > first);
    controller.engine.send("name\n");
    while !controller.engine.line().is_empty() {}
    assert_eq!(controller.engine.line(), "= go-gtp");
}

#[test]
fn gogui_interrupts_a_thought_whose_move_is_made() {
    let mut controller = Controller {
        engine: Program::start(PLAYER, "--move-time 1h"),
    };
    controller.tell(&["boardsize 9", "gogui-interrupt"]);
    controller.engine.send("genmove b\n# interrupt\n");
    let line = controller.engine.line();
    let made = line.strip_prefix("= ").expect("a success");
    assert_eq!(controller.engine.line(), "");
    assert_eq!(controller.ask("move_history"), format!("= black {made}"));
}

#[test]
fn a_move_that_is_made_is_reported() {
    let mut controller = Controller::start("");
    let response = controller.ask("lz-genmove_analyze b 10");
    let [opening, info, play] = *response.lines().collect::<Vec<_>>() else {
        panic!("{response}");
    };
    assert!(
        opening == "=" && info.starts_with("info move "),
        "{response}"
    );
    let made = play.strip_prefix("play ").unwrap();
    assert_eq!(controller.ask("move_history"), format!("= black {made}"));
    let top = controller.ask("top_moves");
    assert!(top.contains(&format!("{made} ")), "{top}");
}

#[test]
fn many_commands_at_once_are_all_answered() {
    let end = answer("showboard\n".repeat(500).as_bytes());
    assert_eq!((end.code, end.errors.as_str()), (Some(0), ""));
    assert!(end.rest.len() > 2 * 64 * 1024, "{}", end.rest.len());
    assert_eq!(end.rest.matches("= ").count(), 500);
}

#[test]
fn the_version_is_the_programs() {
    let version = env!("CARGO_PKG_VERSION");
    let end = answer(b"version\n");
    assert_eq!(end.rest, format!("= {version}\n\n"));
}

#[test]
fn the_end_of_input_is_an_orderly_end_and_is_answered_first() {
    let end = answer(b"9 genmove b\n10 get_komi");
    assert_eq!((end.code, end.errors.as_str()), (Some(0), ""));
    let (mv, rest) = end.rest.split_once("\n\n").expect("two answers");
    let mv: Move = mv.strip_prefix("=9 ").expect("a success").parse().unwrap();
    assert!(mv.point().is_some());
    assert_eq!(rest, "=10 0\n\n");
}

#[test]
fn a_controller_that_hangs_up_ends_the_engine_as_the_end_of_input_does() {
    let code = support::exit_with_closed_output(PLAYER, QUICK, "genmove b\n");
    assert_eq!(code, Some(0));
}

#[test]
fn the_log_tells_the_checksum_of_other_weights() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.weights");
    std::fs::write(&path, "feature distance-5 1.25\n").unwrap();
    let mut controller = Controller::start(&format!("--weights {}", path.display()));
    controller.genmove(Color::Black);
    let log = controller.engine.finish().log;
    let line = log.lines().find(|line| line.contains("other weights"));
    let line = line.expect("a line of the weights");
    assert!(
        line.contains("a.weights") && line.contains("crc32="),
        "{line}"
    );
    let log = Controller::start("").engine.finish().log;
    assert!(!log.contains("other weights"), "{log}");
}

#[test]
fn the_seed_gives_the_game_and_the_rules_the_score() {
    let moves = |seed: u64| {
        let mut controller = Controller::start(&format!("--seed {seed}"));
        controller.tell(&["boardsize 9"]);
        [Color::Black, Color::White, Color::Black, Color::White].map(|it| controller.genmove(it))
    };
    assert_eq!(moves(5), moves(5));
    assert_ne!(moves(5), moves(6));
    let score = |rules: &str| {
        let mut controller = Controller::start(&format!("--rules {rules}"));
        controller.tell(&["boardsize 5", "gogui-setup b C1 b C2 b C3 b C4 b C5"]);
        controller.ask("final_score")
    };
    assert_eq!(score("japanese"), "= B+20");
    assert_eq!(score("simple-ko+area"), "= B+25");
}

#[test]
fn help_shows_a_worked_example() {
    let end = support::run(PLAYER, "--help");
    assert_eq!((end.code, end.errors.as_str()), (Some(0), ""));
    insta::assert_snapshot!(end.rest);
}

#[cfg(unix)]
#[test]
fn signals_end_the_engine() {
    support::check_signals(|| {
        let mut controller = Controller::start("");
        controller.ask("name");
        controller.engine
    });
}

#[test]
fn a_wrong_command_line_is_refused_before_anything_is_printed() {
    support::check_refused(
        PLAYER,
        &[
            ("--rules korean", "expected japanese, chinese"),
            ("--seed x", "invalid digit"),
            ("--memory 0", "0 is not in 1..=65536"),
            ("extra", "unexpected argument"),
            ("--weights none.weights", "none.weights: "),
            ("--log /", "cannot write the log /"),
        ],
    );
}

#[cfg(target_os = "linux")]
#[test]
fn a_move_is_played_whatever_the_system_limits() {
    support::under_limits(PLAYER, QUICK, |engine, limit| {
        let mut controller = Controller { engine };
        controller.tell(&["boardsize 9"]);
        let mv = controller.genmove(Color::Black);
        let position = Position::new(&"9x9".parse::<Setup>().unwrap());
        assert!(position.check(mv).is_ok(), "{limit}: {mv}");
        let end = controller.engine.finish();
        assert_eq!((end.code, &*end.errors), (Some(0), ""), "{limit}");
    });
}
