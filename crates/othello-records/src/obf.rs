//! Problems in OBF, and boards in one line, which are problems without scored moves.

use std::io::{self, BufRead, Write};

use othello_core::{Problem as Scored, ProblemPart};

use crate::{
    Record, RecordError,
    board::{board_fault, place_of_line},
    error::{Fault, RecordErrorKind},
    input::{Lines, games, utf8},
};

/// Reads boards of 64 squares and the side to move, optionally with scored moves, one per line. A `%` or `#` starts a
/// comment up to the end of the line.
pub(crate) fn read(input: impl BufRead) -> impl Iterator<Item = Result<Record, RecordError>> {
    games(Lines::new(input, place_of_line), parse)
}

fn parse(text: &[u8]) -> Result<Record, Fault> {
    let text = utf8(text)?;
    let fault = |error: othello_core::ParseProblemError| match error.expected {
        ProblemPart::Board(error) => board_fault(error),
        ProblemPart::ScoredMove => {
            Fault::expected(error.offset, "a move and its score, as in G8:+18")
        }
        ProblemPart::LegalMove(illegal) => {
            let number = text[..error.offset].matches(':').count() + 1;
            Fault::new(
                error.offset,
                RecordErrorKind::Illegal {
                    number,
                    error: illegal,
                },
            )
        }
    };
    let problem: Scored = text.parse().map_err(fault)?;
    Ok(Record {
        scores: problem.moves,
        ..Record::of_board(problem.board)
    })
}

/// Writes the final board of a game, with the scored moves if it is also the starting board.
pub(crate) fn write(record: &Record, mut output: impl Write) -> io::Result<()> {
    let is_start = record.game.moves().is_empty();
    let moves = if is_start {
        record.scores.clone()
    } else {
        Vec::new()
    };
    let board = record.game.board();
    writeln!(output, "{}", Scored { board, moves })
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINE: &str =
        "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X; G8:+18; A2:-6;";

    #[test]
    fn problems_keep_their_scores() {
        let text = format!("% a suite\n{LINE}\n{} % no moves\n", &LINE[..66]);
        let read: Vec<Record> = read(text.as_bytes()).map(Result::unwrap).collect();
        assert_eq!(read[0].scores.len(), 2);
        assert_eq!(read[1].game, read[0].game);
        let mut written = Vec::new();
        write(&read[0], &mut written).unwrap();
        assert_eq!(written, format!("{LINE}\n").into_bytes());
    }

    #[test]
    fn a_pass_without_a_score_does_not_invalidate_a_problem() {
        let line = format!("{LINE} --:-127;");
        let record = read(line.as_bytes()).next().unwrap().unwrap();
        assert_eq!(record.scores.len(), 2);
    }

    #[test]
    fn errors_give_the_offset_in_the_input() {
        let text = format!(
            "{LINE}\n{}\n{}\nXX\n",
            LINE.replace("A2", "I2"),
            LINE.replace("A2", "C1")
        );
        let results: Vec<String> = read(text.as_bytes())
            .filter_map(Result::err)
            .map(|error| error.to_string())
            .collect();
        assert_eq!(
            results,
            [
                "game 2, byte 159: expected a move and its score, as in G8:+18",
                "game 3, byte 242: move 2: illegal move c1: the square is occupied",
                "game 4, byte 252: expected one of 64 squares (X, O or -)",
            ]
        );
    }
}
