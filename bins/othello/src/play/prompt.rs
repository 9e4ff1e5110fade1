//! Asking a person for a move.

use std::io::{self, BufRead, Write};

use othello_core::{Bitboard, Square};

/// The input of a person who is to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    /// Play this square, one of those allowed.
    Play(Square),
    /// Take the last move of each side back.
    Undo,
    /// Show what the engine would play.
    Hint,
    /// Leave; the end of input counts as this.
    Quit,
}

/// The words for leaving.
const QUIT: [&str; 3] = ["quit", "exit", "q"];

const HELP: &str = "a square such as f5, undo, hint or quit";

/// The maximum number of characters that are quoted of an invalid answer.
const MAX_QUOTED: usize = 40;

/// Asks until the answer is valid.
///
/// # Errors
///
/// When reading or writing fails.
pub(crate) fn ask(
    input: &mut impl BufRead,
    out: &mut impl Write,
    moves: Bitboard,
) -> io::Result<Answer> {
    loop {
        write!(out, "Your move: ")?;
        out.flush()?;
        let mut line = Vec::new();
        if input.read_until(b'\n', &mut line)? == 0 {
            writeln!(out)?;
            return Ok(Answer::Quit);
        }
        match understand(String::from_utf8_lossy(&line).trim(), moves) {
            Ok(answer) => return Ok(answer),
            Err(complaint) => writeln!(out, "{complaint}")?,
        }
    }
}

/// Returns whether a line is the wish to leave.
pub(crate) fn is_quit(line: &[u8]) -> bool {
    let word = line.trim_ascii();
    QUIT.iter()
        .any(|quit| word.eq_ignore_ascii_case(quit.as_bytes()))
}

fn understand(text: &str, moves: Bitboard) -> Result<Answer, String> {
    let lower = text.to_ascii_lowercase();
    match lower.as_str() {
        "undo" | "u" => return Ok(Answer::Undo),
        "hint" | "?" => return Ok(Answer::Hint),
        quit if QUIT.contains(&quit) => return Ok(Answer::Quit),
        _ => {}
    }
    match lower.parse::<Square>() {
        Ok(square) if moves.contains(square) => Ok(Answer::Play(square)),
        Ok(square) => {
            let legal: Vec<String> = moves.iter().map(|square| square.to_string()).collect();
            Err(format!(
                "{square} is not legal here; legal moves: {}",
                legal.join(" ")
            ))
        }
        Err(_) => {
            let start: String = text.chars().take(MAX_QUOTED).collect();
            Err(format!("expected {HELP}, not {start:?}"))
        }
    }
}

#[cfg(test)]
mod tests {
    use othello_core::Board;

    use super::*;

    fn answers(typed: impl AsRef<[u8]>) -> (Answer, String) {
        let mut out = Vec::new();
        let answer = ask(&mut typed.as_ref(), &mut out, Board::START.legal_moves()).unwrap();
        (answer, String::from_utf8(out).unwrap())
    }

    #[test]
    fn a_legal_square_is_played_in_either_case() {
        assert_eq!(answers("F5\n").0, Answer::Play(Square::F5));
        assert_eq!(answers("  c4 \r\n").0, Answer::Play(Square::C4));
    }

    #[test]
    fn what_makes_no_sense_is_explained_and_asked_again() {
        let (answer, out) = answers("a1\nxyzzy\nundo\n");
        assert_eq!(answer, Answer::Undo);
        assert!(
            out.contains("a1 is not legal here; legal moves: d3 c4 f5 e6"),
            "{out}"
        );
        assert!(
            out.contains("expected a square such as f5, undo, hint or quit, not \"xyzzy\""),
            "{out}"
        );
    }

    #[test]
    fn bytes_that_are_no_text_are_asked_again_and_repeated_in_part() {
        let (answer, out) = answers([&[0xff; 10_000], &b"\nc4\n"[..]].concat());
        assert_eq!(answer, Answer::Play(Square::C4));
        assert!(out.len() < 400, "{out}");
    }

    #[test]
    fn the_end_of_input_quits() {
        assert_eq!(answers("").0, Answer::Quit);
    }
}
