//! Asking a person for a move.

use std::io::{self, BufRead, Write};

use othello_core::{Bitboard, Square};

/// What a person may type in his turn.
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

const HELP: &str = "a square such as f5, undo, hint or quit";

/// Asks until the answer makes sense.
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
        let mut line = String::new();
        if input.read_line(&mut line)? == 0 {
            writeln!(out)?;
            return Ok(Answer::Quit);
        }
        match understand(line.trim(), moves) {
            Ok(answer) => return Ok(answer),
            Err(complaint) => writeln!(out, "{complaint}")?,
        }
    }
}

fn understand(text: &str, moves: Bitboard) -> Result<Answer, String> {
    let lower = text.to_ascii_lowercase();
    match lower.as_str() {
        "undo" | "u" => return Ok(Answer::Undo),
        "hint" | "?" => return Ok(Answer::Hint),
        "quit" | "exit" | "q" => return Ok(Answer::Quit),
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
        Err(_) => Err(format!("expected {HELP}, not {text:?}")),
    }
}

#[cfg(test)]
mod tests {
    use othello_core::Board;

    use super::*;

    fn answers(typed: &str) -> (Answer, String) {
        let mut out = Vec::new();
        let answer = ask(&mut typed.as_bytes(), &mut out, Board::START.legal_moves()).unwrap();
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
    fn the_end_of_input_quits() {
        assert_eq!(answers("").0, Answer::Quit);
    }
}
