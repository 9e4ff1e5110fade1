//! The judge's last word, by a person at the terminal.

use std::io::{self, BufRead, Read as _, Write};

use boardgame_io::printable;
use go_core::{Point, Position};
use go_host::{Judgement, Ruling};

/// The maximum length of a line that is read, in bytes; what follows is another.
const MAX_LINE: u64 = 1024;

/// An answer of a person.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Answer {
    /// The chain on a point changes between alive and dead.
    Change(Point),
    Accept,
    Incomplete,
    Board,
}

/// Asks a person about a judgement until it is accepted or called incomplete. The end of input accepts it.
///
/// # Errors
///
/// Fails if the input cannot be read or the output written.
pub(super) fn ask(
    input: &mut impl BufRead,
    out: &mut impl Write,
    position: &Position,
    mut judgement: Judgement,
) -> io::Result<Ruling> {
    writeln!(out, "{judgement}")?;
    loop {
        write!(
            out,
            "A point changes its chain between alive and dead; ok accepts the result {}; incomplete \
             leaves the game without one; board shows it again.\njudge> ",
            judgement.margin
        )?;
        out.flush()?;
        let Some(line) = line(input)? else {
            writeln!(out, "ok")?;
            return Ok(Ruling::counted(judgement));
        };
        match parse(&line) {
            Some(Answer::Accept) => return Ok(Ruling::counted(judgement)),
            Some(Answer::Incomplete) => {
                return Ok(Ruling {
                    judgement,
                    is_incomplete: true,
                });
            }
            Some(Answer::Board) => writeln!(out, "{judgement}")?,
            Some(Answer::Change(point)) => match judgement.with_changed_chain(position, point) {
                Some(changed) => {
                    judgement = changed;
                    writeln!(out, "{judgement}")?;
                }
                None => writeln!(out, "expected a point with a stone, found {point}")?,
            },
            None => {
                let line = printable(line.trim());
                writeln!(
                    out,
                    "expected a point such as D4, ok, incomplete or board, found {line:?}"
                )?;
            }
        }
    }
}

/// Reads a line; `None` at the end of input.
fn line(input: &mut impl BufRead) -> io::Result<Option<String>> {
    let mut line = Vec::new();
    input.by_ref().take(MAX_LINE).read_until(b'\n', &mut line)?;
    let text = String::from_utf8_lossy(&line).into_owned();
    Ok((!line.is_empty()).then_some(text))
}

fn parse(line: &str) -> Option<Answer> {
    match line.trim().to_ascii_lowercase().as_str() {
        "ok" => Some(Answer::Accept),
        "incomplete" => Some(Answer::Incomplete),
        "board" => Some(Answer::Board),
        point => point.parse().ok().map(Answer::Change),
    }
}

#[cfg(test)]
mod tests {
    use go_host::Judge;

    use super::*;

    /// Walls with a white stone in White's area and a black one that is dead.
    const WALLS: &str = "5x5 komi 0.5 black B1 B2 B3 B4 B5 C2 E2 white D1 D2 D3 D4 D5 E3";

    fn asked(typed: &str) -> (Ruling, String) {
        let position = Position::new(&WALLS.parse().unwrap());
        let judgement = Judge::default().judge(&position);
        let mut out = Vec::new();
        let ruling = ask(&mut typed.as_bytes(), &mut out, &position, judgement).unwrap();
        (ruling, String::from_utf8(out).unwrap())
    }

    #[test]
    fn a_person_changes_chains_and_accepts() {
        let (ruling, out) = asked("e2\nok\nE2\n");
        assert_eq!(ruling.judgement.margin.to_string(), "B+2.5");
        assert!(!ruling.is_incomplete);
        assert_eq!(out.matches("judge> ").count(), 2);
        assert!(out.contains("ok accepts the result W+0.5"), "{out}");
        assert!(out.contains("ok accepts the result B+2.5"), "{out}");
    }

    #[test]
    fn the_end_of_input_accepts_what_is_shown() {
        assert_eq!(asked("").0.judgement.margin.to_string(), "W+0.5");
        assert_eq!(asked("E2").0.judgement.margin.to_string(), "B+2.5");
    }

    #[test]
    fn a_game_may_be_called_incomplete() {
        assert!(asked("board\nIncomplete\n").0.is_incomplete);
    }

    #[test]
    fn other_answers_are_asked_again() {
        let (ruling, out) = asked("A1\n\nT19\nno\u{1b}\nok\n");
        assert_eq!(ruling.judgement.margin.to_string(), "W+0.5");
        assert_eq!(out.matches("judge> ").count(), 5);
        assert!(
            out.contains("expected a point with a stone, found A1"),
            "{out}"
        );
        assert!(
            out.contains("expected a point with a stone, found T19"),
            "{out}"
        );
        assert!(!out.contains('\u{1b}'), "{out}");
        let long = "x".repeat(5000) + "\nok\n";
        assert!(!asked(&long).0.is_incomplete);
    }
}
