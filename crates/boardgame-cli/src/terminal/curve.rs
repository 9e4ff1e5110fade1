//! The curve of a game's value as bars of text.

use std::fmt::Write as _;

use super::Style;

/// The number of rows above zero, and below.
const ROWS: i32 = 6;

/// The maximum number of columns.
const MAX_COLUMNS: usize = 100;

/// The characters of a curve.
#[derive(Clone, Copy)]
struct Marks {
    zero: char,
    bar: char,
}

impl Marks {
    /// Returns the characters that a style's output can show.
    const fn of(style: Style) -> Self {
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

/// Draws the values of successive positions of a game, the first of them after `first` moves, under a title.
///
/// A column is one position, or the mean of several in a long game; a row is the first of the units that shows all
/// values, or the last one. The text is empty if fewer than two values are known.
pub fn curve(
    title: &str,
    first: usize,
    values: &[Option<f64>],
    units: &[i32],
    style: Style,
) -> String {
    let marks = Marks::of(style);
    let per_column = values.len().div_ceil(MAX_COLUMNS).max(1);
    let values: Vec<Option<f64>> = values.chunks(per_column).map(mean).collect();
    let highest = values
        .iter()
        .flatten()
        .fold(0.0, |highest: f64, value| highest.max(value.abs()));
    if values.iter().flatten().count() < 2 {
        return String::new();
    }
    let step = step(highest, units);
    let rows = |side: f64| {
        let reached = values
            .iter()
            .flatten()
            .fold(0.0, |reached: f64, value| reached.max(value * side));
        (reached / f64::from(step)).round() as i32
    };
    let mut text = format!("{title}\n");
    for row in (-rows(-1.0)..=rows(1.0)).rev() {
        let _ = write!(text, "{:>+4} ", row * step);
        text.extend(values.iter().map(|&value| cell(value, row, step, marks)));
        text.truncate(text.trim_end().len());
        text.push('\n');
    }
    text += &scale(first, values.len(), per_column);
    text
}

/// Returns the mean of the known values, if there are any.
fn mean(values: &[Option<f64>]) -> Option<f64> {
    let count = values.iter().flatten().count();
    (count > 0).then(|| values.iter().flatten().sum::<f64>() / count as f64)
}

/// Returns the smallest unit for which the rows suffice, or the last one.
fn step(highest: f64, units: &[i32]) -> i32 {
    let suffices = |unit: &&i32| highest <= f64::from(**unit * ROWS);
    let unit = units.iter().find(suffices).or(units.last());
    unit.copied().unwrap_or(1)
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

/// Returns the number of moves below every tenth column.
fn scale(first: usize, columns: usize, per_column: usize) -> String {
    let mut text = format!("{first:>6}");
    for column in (10..columns).step_by(10) {
        let _ = write!(text, "{:>10}", first + column * per_column);
    }
    text + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_reach_from_zero_to_the_value() {
        let values = [0.0, 1.0, 2.0, -1.0, 1.49, 1.51].map(Some);
        let expected = "\
Value
  +2   █  █
  +1  ██ ██
  +0 ──────
  -1    █
     0
";
        assert_eq!(curve("Value", 0, &values, &[1], Style::Symbols), expected);
        let ascii = expected.replace('█', "#").replace('─', "-");
        assert_eq!(curve("Value", 0, &values, &[1], Style::Plain), ascii);
    }

    #[test]
    fn columns_of_a_long_game_are_means() {
        let mut values = [Some(1.0), None].repeat(60);
        values.extend([Some(1.0), Some(3.0)]);
        let drawn = curve("Value", 7, &values, &[1], Style::Plain);
        let columns = "#".repeat(60);
        assert!(drawn.contains(&format!("\n  +1 {columns}#\n")), "{drawn}");
        assert!(
            drawn.contains(&format!("\n  +2 {}#\n", " ".repeat(60))),
            "{drawn}"
        );
        assert!(
            drawn.ends_with("     7        27        47        67        87       107       127\n"),
            "{drawn}"
        );
    }

    #[test]
    fn the_highest_values_fit() {
        for highest in [0.0, 5.0, 6.0, 7.0, 13.0, 25.0, 49.0, 64.0] {
            let values = [Some(highest), Some(-highest), None];
            let drawn = curve("Value", 0, &values, &[1, 2, 4, 8, 12], Style::Plain);
            let lines = drawn.lines().count() as i32;
            assert!(lines <= 2 * ROWS + 3, "{highest}: {lines}");
        }
        assert_eq!(
            curve("Value", 0, &[None, Some(0.0)], &[1], Style::Plain),
            ""
        );
    }
}
