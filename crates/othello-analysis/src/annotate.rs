//! Annotation of records with analyses.

use std::fmt::Write as _;

use othello_core::{Color, Move};
use othello_records::{Note, Record};

use crate::{Analysis, Discs, Position, PositionValue, line_in_words};

/// Writes the results of an analysis into the record of its game.
///
/// Each move gets a comment with Black's value after it, its loss, and the better move, appended to an existing
/// comment; and its evaluation, unless the record has one. The comment on the game names the program.
///
/// # Examples
///
/// ```
/// use othello_analysis::{Analysis, Search, Settings, annotate};
/// use othello_core::Game;
/// use othello_records::Record;
/// use othello_search::{Options, Searcher};
///
/// let mut record = Record::from("f5d6c3".parse::<Game>()?);
/// let mut analysis = Analysis::new(&record.game);
/// let mut searcher = Searcher::new(Options::default());
/// let settings = Settings { depth: 4, exact_from: 4 };
/// analysis.deepen(&settings, &mut Search::new(&mut searcher), None, &mut |_| {});
/// annotate(&mut record, &analysis, "example 1.0");
/// assert!(record.note(0).comment.starts_with("Black "));
/// # Ok::<(), othello_core::TranscriptError>(())
/// ```
pub fn annotate(record: &mut Record, analysis: &Analysis, program: &str) {
    append(&mut record.comment, &format!("Analyzed by {program}"));
    let moves = record.game.moves().len();
    record
        .notes
        .resize(moves.max(record.notes.len()), Note::default());
    let after = analysis.positions().iter().skip(1);
    for ((position, after), note) in analysis
        .positions()
        .iter()
        .zip(after)
        .zip(&mut record.notes)
    {
        let (Some(played), Some(value)) = (position.played_value(), after.value()) else {
            continue;
        };
        let mut text = value_in_words(after, value);
        if played.loss > Discs::ZERO
            && let Some(best) = position.moves().first()
        {
            let (loss, line) = (played.loss.unsigned(), line_in_words(&best.line));
            let _ = write!(text, ", loses {loss}; better {line}");
        }
        append(&mut note.comment, &text);
        if note.value.is_none() && played.mv != Move::Pass {
            note.value = Some((-value.score).into());
        }
    }
}

/// Black's value of a position.
fn value_in_words(position: &Position, value: PositionValue) -> String {
    let value = match position.board().side_to_move() {
        Color::Black => value,
        Color::White => -value,
    };
    let empties = position.board().empties().count();
    format!("Black {value}, {}", value.source.in_words(empties))
}

/// Adds text to a comment.
fn append(comment: &mut String, text: &str) {
    if !comment.is_empty() {
        *comment += " | ";
    }
    *comment += text;
}
