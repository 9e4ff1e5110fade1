//! The Code Warriors player as seen by a judge: over pipes.
#![forbid(unsafe_code)]

#[path = "../../../tests/support/mod.rs"]
mod support;

use othello_core::{Board, Color, Move};
use support::{Program, Random};

const PLAYER: &str = env!("CARGO_BIN_EXE_othello-codewarriors");

/// A judge's side of one game against a random opponent.
struct Judge {
    player: Program,
    board: Board,
    random: Random,
    passes: u32,
}

impl Judge {
    /// Plays a whole game with the player on this side; returns the number of its moves.
    fn play(color: Color, seed: u64, args: &str) -> u32 {
        let mut judge = Self {
            player: Program::start(PLAYER, args),
            board: Board::START,
            random: Random(seed),
            passes: 0,
        };
        let mut answers = 0;
        if color == Color::Black {
            judge.player.send("ST\n");
        }
        while !judge.is_over() {
            if judge.board.side_to_move() == color {
                let line = judge.player.line();
                judge.take(&line);
                answers += 1;
            } else {
                judge.oppose();
            }
        }
        let end = judge.player.finish();
        assert_eq!(
            (end.code, end.rest.as_str(), end.errors.as_str()),
            (Some(0), "", "")
        );
        answers
    }

    fn is_over(&self) -> bool {
        self.passes == 2 || self.board.empties().is_empty()
    }

    /// Checks a line of the player exactly.
    fn take(&mut self, line: &str) {
        if line == "PS" {
            assert!(
                self.board.legal_moves().is_empty(),
                "a false pass on {}",
                self.board
            );
            return self.pass();
        }
        let mv: Move = line.parse().unwrap();
        assert_eq!(
            mv.square().map(|square| format!("{square:#}")).as_deref(),
            Some(line)
        );
        self.board.play(mv).unwrap();
        self.passes = 0;
    }

    fn oppose(&mut self) {
        let moves = self.board.legal_moves();
        if moves.is_empty() {
            self.player.send("PS\n");
            return self.pass();
        }
        let square = self.random.pick(moves);
        self.board.play(square).unwrap();
        self.passes = 0;
        // The last move, on a full board, is relayed too; nothing is asked then.
        self.player.send(&format!("{square:#}\n"));
    }

    fn pass(&mut self) {
        self.board = self.board.passed();
        self.passes += 1;
    }
}

#[test]
fn whole_games_are_played_as_both_colours() {
    for color in Color::ALL {
        for seed in 1..=3 {
            let answers = Judge::play(color, seed, "--depth 2 --threads 1 --hash 1");
            assert!(answers >= 20, "{answers} moves as {color} with seed {seed}");
        }
    }
}

#[test]
fn a_game_by_the_clock_is_played_to_its_end() {
    Judge::play(Color::White, 7, "--move-time 20ms --hash 1");
}

#[test]
fn the_end_of_input_in_mid_game_has_its_exit_status() {
    let mut player = Program::start(PLAYER, "--depth 1");
    player.send("ST\n");
    player.line();
    let end = player.finish();
    assert_eq!(
        (end.code, end.rest.as_str(), end.errors.as_str()),
        (Some(3), "", "")
    );
    assert!(
        end.log.contains("the input ended in mid-game"),
        "{}",
        end.log
    );
}

#[test]
fn a_closed_output_ends_the_player_although_its_input_stays_open() {
    let code = support::exit_with_closed_output(PLAYER, "--depth 1", "ST\n");
    assert_eq!(code, Some(3));
}

#[test]
fn the_environment_forces_a_tier_or_is_refused() {
    let start = |tier| Program::start_with(PLAYER, "--depth 1", &[("OTHELLO_TIER", tier)]);
    let mut player = start("portable");
    player.send("ST\n");
    player.line();
    // An empty variable is none.
    let mut player = start("");
    player.send("ST\n");
    player.line();
    let end = start("sse9").finish();
    assert_eq!(end.code, Some(2));
    assert!(
        end.errors.contains("portable, avx2 or avx512"),
        "{}",
        end.errors
    );
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
    support::check_signals(|| Program::start_thinking(PLAYER, "ST\n"));
}

#[test]
fn a_wrong_command_line_is_refused_before_anything_is_printed() {
    support::check_refused(
        PLAYER,
        &[
            ("--depth x", "expected a number of plies"),
            ("--depth 3 --level 3", "cannot be used with"),
            ("--tier sse9", "expected an instruction-set tier"),
            ("extra", "unexpected argument"),
            ("--log /", "cannot write the log /"),
        ],
    );
}

/// Sends the start of a game and expects a legal move.
#[cfg(target_os = "linux")]
fn check_opening(mut player: Program, limit: &str) {
    player.send("ST\n");
    let line = player.line();
    let mv: Move = line.parse().unwrap();
    assert!(Board::START.position().is_legal(mv), "{limit}: {line}");
    let end = player.finish();
    assert_eq!((end.code, &*end.errors), (Some(3), ""), "{limit}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_legal_move_is_played_whatever_the_system_limits() {
    support::under_limits(PLAYER, "--depth 3 --threads 2", check_opening);
}

/// A limit on CPU time is a clock for the whole game.
#[cfg(target_os = "linux")]
#[test]
fn a_search_ends_before_the_cpu_time_does() {
    support::under_limit("-t 2", PLAYER, "", check_opening);
}
