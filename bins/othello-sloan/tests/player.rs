//! The Sloan player as seen by a referee: over pipes.
#![forbid(unsafe_code)]

#[path = "../../../tests/support/mod.rs"]
mod support;

use othello_core::{Board, Color, Empties, Move};
use support::{Program, Random};

const PLAYER: &str = env!("CARGO_BIN_EXE_othello-sloan");
const QUICK: &str = "--depth 2 --threads 1 --hash 1";

/// A referee's side of one game against a random opponent.
struct Referee {
    player: Program,
    board: Board,
    random: Random,
    /// True if the last turn was a pass.
    passed: bool,
}

impl Referee {
    /// Plays a whole game with the player on this side, with `comments` or without; returns the
    /// number of squares that it played.
    fn play(color: Color, seed: u64, args: &str, comments: bool) -> u32 {
        let mut referee = Self {
            player: Program::start(PLAYER, args),
            board: Board::START,
            random: Random(seed),
            passed: false,
        };
        let unasked = args.contains("--opening-wait");
        referee.open(color, unasked);
        let mut answers = 0;
        let claimed = loop {
            if referee.board.side_to_move() == color {
                match referee.take(comments) {
                    Turn::Square => answers += 1,
                    Turn::Pass => {}
                    Turn::Claim => break true,
                }
            } else if !referee.oppose() {
                break false;
            }
        };
        referee.end(claimed);
        answers
    }

    fn open(&mut self, color: Color, unasked: bool) {
        let letter = letter(color);
        self.player.send(&format!("(I {letter})\n"));
        assert_eq!(self.player.line(), format!("(R {letter})"));
        if color == Color::Black && !unasked {
            self.player.send("(W)\n");
        }
    }

    /// Checks a turn of the player exactly by the document.
    fn take(&mut self, comments: bool) -> Turn {
        let printed = self.player.line();
        let (remarks, line) = part(&printed);
        check_comments(remarks);
        let stuck = self.board.legal_moves().is_empty();
        if line == self.claim() {
            assert!(
                stuck && self.passed,
                "a claim out of turn on {}",
                self.board
            );
            return Turn::Claim;
        }
        let letter = letter(self.board.side_to_move());
        if line == format!("({letter})") {
            assert!(
                stuck && !self.passed,
                "a pass out of turn on {}",
                self.board
            );
            self.pass();
            return Turn::Pass;
        }
        assert_eq!(!remarks.is_empty(), comments, "{printed}");
        let played: String = line.split([' ', '(', ')']).skip(2).collect();
        let mv: Move = played.parse().unwrap();
        assert_eq!(line, spell(letter, mv));
        self.board.play(mv).unwrap();
        self.passed = false;
        Turn::Square
    }

    /// Makes the opponent's turn; returns `false` if it was the claim of the end.
    fn oppose(&mut self) -> bool {
        let moves = self.board.legal_moves();
        let letter = letter(self.board.side_to_move());
        if !moves.is_empty() {
            let square = self.random.pick(moves);
            self.board.play(square).unwrap();
            self.passed = false;
            self.player
                .send(&format!("{}\n", spell(letter, square.into())));
        } else if self.passed {
            self.player.send(&self.claim());
            return false;
        } else {
            self.player.send(&format!("({letter})\n"));
            self.pass();
        }
        true
    }

    fn pass(&mut self) {
        self.board = self.board.passed();
        self.passed = true;
    }

    fn end(mut self, claimed: bool) {
        let claim = self.claim();
        if claimed {
            self.player.send(&claim);
        } else {
            assert_eq!(self.player.line(), claim);
        }
        let end = self.player.finish();
        assert_eq!(
            (end.code, end.rest.as_str(), end.errors.as_str()),
            (Some(0), "", "")
        );
    }

    /// Returns the true claim of the end.
    fn claim(&self) -> String {
        format!(
            "({})",
            self.board.score(Color::Black, Empties::OnBoard).discs()
        )
    }
}

/// The action of a player in its turn.
enum Turn {
    Square,
    Pass,
    Claim,
}

fn letter(color: Color) -> char {
    match color {
        Color::Black => 'B',
        Color::White => 'W',
    }
}

/// A move as the document spells it.
fn spell(letter: char, mv: Move) -> String {
    let square = mv.square().unwrap();
    format!(
        "({letter} {} {})",
        square.column_letter(),
        square.row_digit()
    )
}

/// Splits a line into its comments and the message after them; a turn of the player is one line.
fn part(line: &str) -> (&str, &str) {
    line.split_at(line.rfind('(').unwrap())
}

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
fn whole_games_are_played_as_both_colours() {
    for color in Color::ALL {
        for seed in 1..=3 {
            let answers = Referee::play(color, seed, QUICK, false);
            assert!(answers >= 20, "{answers} moves as {color} with seed {seed}");
        }
    }
}

#[test]
fn remarks_come_before_the_moves() {
    for comments in ["eval", "board"] {
        let args = format!("{QUICK} --comments {comments}");
        Referee::play(Color::White, 4, &args, true);
    }
}

#[test]
fn a_referee_without_an_opening_pass_is_served() {
    for option in ["--opening-wait 50ms", "--opening-wait 0s"] {
        Referee::play(Color::Black, 5, &format!("{QUICK} {option}"), false);
    }
}

#[test]
fn a_game_by_the_clock_is_played_to_its_end() {
    Referee::play(Color::Black, 6, "--game-time 1s --hash 1", false);
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
