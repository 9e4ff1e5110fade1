//! The record with the values, in SGF as GoGui and Sabaki read them: `V` is Black's lead, `SBKV` Black's win rate in
//! percent, and `BM` marks a mistake, with the better line as a variation.

use std::collections::BTreeMap;

use boardgame_core::Color;
use go_core::{
    Move,
    sgf::{Annotation, Record},
};

use super::{
    PROGRAM,
    report::{BLUNDER, PositionReport, Report},
    text::{in_words, value_in_words},
};

/// Returns the record with the values of the report.
pub(super) fn sgf(record: &Record, report: &Report) -> String {
    let mut annotations: BTreeMap<usize, Annotation> = BTreeMap::new();
    for (number, position) in report.positions.iter().enumerate() {
        let Some(value) = position.value else {
            continue;
        };
        let node = annotations.entry(number).or_default();
        node.comment = format!("Black: {}", value_in_words(value));
        node.properties = vec![
            ("V", format!("{:.1}", value.lead)),
            ("SBKV", format!("{:.2}", 100.0 * value.win_rate)),
        ];
        if let Some(loss) = number
            .checked_sub(1)
            .and_then(|before| report.positions[before].mistake())
        {
            let degree = if loss.win_rate >= BLUNDER { "2" } else { "1" };
            node.properties.push(("BM", degree.into()));
            node.comment = format!("{}\nLoses {}", node.comment, in_words(loss));
        }
        if position.mistake().is_some() {
            node.variation = better_line(position);
            let value = position
                .moves
                .first()
                .map(|best| value_in_words(best.value));
            node.variation_comment = format!("Better\nBlack: {}", value.unwrap_or_default());
        }
    }
    let root = annotations.entry(0).or_default();
    root.comment = format!("{PROGRAM}, {}\n{}", report.limits, root.comment);
    record.annotated(&annotations).to_string()
}

/// Returns the engine's line in a position.
fn better_line(position: &PositionReport) -> Vec<(Color, Move)> {
    let is_black = position
        .played
        .as_ref()
        .is_some_and(|played| played.color == "black");
    let first = if is_black { Color::Black } else { Color::White };
    let moves = position
        .moves
        .first()
        .into_iter()
        .flat_map(|best| &best.line_moves);
    [first, !first]
        .into_iter()
        .cycle()
        .zip(moves.copied())
        .collect()
}
