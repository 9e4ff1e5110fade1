//! The curve of a game's value as bars of text.

use std::fmt::Write as _;

use boardgame_cli::terminal::Style;
use othello_analysis::Discs;

/// The number of rows above zero, and below.
const ROWS: i32 = 6;

/// The characters of a curve.
#[derive(Clone, Copy)]
pub(super) struct Marks {
    zero: char,
    bar: char,
}

impl Marks {
    /// Returns the characters that a style's output can show.
    pub(super) fn of(style: Style) -> Self {
        match style {
            Style::Symbols => Self {
                zero: '─',
                bar: '█',
            },
            Style::Plain | Style::Colors => Self {
                zero: '-',
                bar: '#',
            },
        }
    }
}

/// Draws Black's value of each position, a column each; nothing if no value is known.
pub(super) fn draw(curve: &[Option<Discs>], marks: Marks) -> String {
    let values: Vec<Option<f64>> = curve.iter().map(|value| value.map(Discs::to_f64)).collect();
    let highest = values
        .iter()
        .flatten()
        .fold(0.0, |highest: f64, value| highest.max(value.abs()));
    if values.iter().flatten().count() < 2 {
        return String::new();
    }
    let step = step(highest);
    let rows = |side: f64| {
        let reached = values
            .iter()
            .flatten()
            .fold(0.0, |reached: f64, value| reached.max(value * side));
        (reached / f64::from(step)).round() as i32
    };
    let mut text = String::from("Black's value in discs, by move\n");
    for row in (-rows(-1.0)..=rows(1.0)).rev() {
        let _ = write!(text, "{:>+4} ", row * step);
        text.extend(values.iter().map(|&value| cell(value, row, step, marks)));
        text.truncate(text.trim_end().len());
        text.push('\n');
    }
    text += &scale(values.len());
    text
}

/// Returns the discs per row: the fewest for which the rows suffice.
fn step(highest: f64) -> i32 {
    let steps = [1, 2, 4, 8];
    let suffices = |step: &i32| highest <= f64::from(step * ROWS);
    steps.into_iter().find(suffices).unwrap_or(12)
}

/// Returns the mark of a value in a row: bars reach from zero to the row nearest to the value.
fn cell(value: Option<f64>, row: i32, step: i32, marks: Marks) -> char {
    let Some(value) = value else {
        return ' ';
    };
    let end = (value / f64::from(step)).round() as i32;
    match row {
        0 => marks.zero,
        1.. if end >= row => marks.bar,
        ..0 if end <= row => marks.bar,
        _ => ' ',
    }
}

/// Returns the numbers of every tenth move below the columns; the first column is the start.
fn scale(columns: usize) -> String {
    let mut text = String::from("     0");
    for number in (10..columns).step_by(10) {
        let _ = write!(text, "{number:>10}");
    }
    text + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_reach_from_zero_to_the_value() {
        let curve = [0, 100, 200, -100, 149, 151].map(|value| Some(Discs::from_hundredths(value)));
        let expected = "\
Black's value in discs, by move
  +2   █  █
  +1  ██ ██
  +0 ──────
  -1    █
     0
";
        assert_eq!(draw(&curve, Marks::of(Style::Symbols)), expected);
        let ascii = expected.replace('█', "#").replace('─', "-");
        assert_eq!(draw(&curve, Marks::of(Style::Plain)), ascii);
    }

    #[test]
    fn the_highest_values_fit() {
        for discs in [0, 5, 6, 7, 13, 25, 49, 64] {
            let curve = [Some(Discs::whole(discs)), Some(Discs::whole(-discs)), None];
            let lines = draw(&curve, Marks::of(Style::Plain)).lines().count() as i32;
            assert!(lines <= 2 * ROWS + 3, "{discs}: {lines}");
        }
        let marks = Marks::of(Style::Plain);
        assert_eq!(draw(&[None, Some(Discs::ZERO)], marks), "");
    }
}
