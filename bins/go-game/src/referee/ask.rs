//! The judge's last word, by a person at the terminal.

use std::io::{self, BufRead, Read as _, Write};

use boardgame_io::printable;
use go_core::{Point, Position};
use go_match::{ChainStatus, Judgement, Ruling};

/// The maximum length of a line that is read, in bytes; the rest is another line.
const MAX_LINE: u64 = 1024;

/// An answer of a person.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Answer {
    /// The chain on a point has this status, or else the one after its own.
    Chain(Point, Option<ChainStatus>),
    Accept,
    Incomplete,
    Board,
}

/// Asks a person about a judgement until it is accepted or declared incomplete. The end of input accepts it.
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
            "A point changes its chain from alive to dead, seki and alive; alive D4, dead D4 and seki D4 \
             set it; ok accepts the result {}; incomplete leaves the game without one; board shows it \
             again.\njudge> ",
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
            Some(Answer::Chain(point, status)) => {
                let status = status.unwrap_or(judgement.chain_status(point).next());
                match judgement.with_chain(position, point, status) {
                    Ok(changed) => {
                        judgement = changed;
                        writeln!(out, "{judgement}")?;
                    }
                    Err(error) => writeln!(out, "{error}")?,
                }
            }
            None => {
                let line = printable(line.trim());
                writeln!(
                    out,
                    "expected a point such as D4, seki D4, ok, incomplete or board, found {line:?}"
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
        line => match line.split_once(' ') {
            None => Some(Answer::Chain(line.parse().ok()?, None)),
            Some((status, point)) => {
                let status = ChainStatus::from_name(status)?;
                Some(Answer::Chain(point.trim().parse().ok()?, Some(status)))
            }
        },
    }
}

#[cfg(test)]
mod tests {
    use go_match::Judge;

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
        let (ruling, out) = asked("alive e2\nok\nE2\n");
        assert_eq!(ruling.judgement.margin.to_string(), "B+2.5");
        assert!(!ruling.is_incomplete);
        assert_eq!(out.matches("judge> ").count(), 2);
        assert!(out.contains("ok accepts the result W+0.5"), "{out}");
        assert!(out.contains("ok accepts the result B+2.5"), "{out}");
    }

    #[test]
    fn the_end_of_input_accepts_what_is_shown() {
        assert_eq!(asked("").0.judgement.margin.to_string(), "W+0.5");
        let margin = |typed| asked(typed).0.judgement.margin.to_string();
        assert_eq!(margin("alive E2"), "B+2.5");
    }

    #[test]
    fn a_point_goes_round_the_statuses_of_its_chain() {
        let status = |typed| {
            let status = asked(typed).0.judgement.status;
            (status.dead.to_string(), status.seki.to_string())
        };
        let is = |dead: &str, seki: &str| (dead.to_owned(), seki.to_owned());
        assert_eq!(status(""), is("E2", ""));
        assert_eq!(status("E2"), is("", "E2"));
        assert_eq!(status("E2\nE2"), is("", ""));
        assert_eq!(status("E2\nE2\nE2"), is("E2", ""));
        assert_eq!(status("seki  E2\ndead E2"), is("E2", ""));
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
