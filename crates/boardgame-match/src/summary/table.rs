//! Tables of names, standings and ratings, in text and CSV.

use boardgame_io::csv_field;

use crate::{
    record::RecordFormat,
    standings::{Standing, TieBreak},
    stats::{Rating, ratings},
    tally::Tally,
};

/// The width of a terminal in columns.
const WIDTH: usize = 80;

/// The minimum width of names that are cut to fit.
const MIN_NAME: usize = 12;

/// The columns that every part of a wide table has: rank and name.
const FIXED: usize = 2;

/// A table whose second column has names.
#[derive(Clone, Debug, serde::Serialize)]
pub struct Table {
    /// The heads of the columns.
    pub head: Vec<String>,
    /// The cells of each row.
    pub rows: Vec<Vec<String>>,
}

/// Returns the standings of engines, best first, with the criteria that break ties.
///
/// # Panics
///
/// Panics if an engine has no name.
pub fn standings_table<F: RecordFormat>(
    names: &[impl AsRef<str>],
    ranked: &[Standing],
    ties: &[TieBreak],
) -> Table {
    let mut head: Vec<String> = ["", "name", "points", "+", "=", "-", "F", "byes"]
        .map(str::to_owned)
        .to_vec();
    let short = |tie| match tie {
        TieBreak::Buchholz => "Buchholz",
        TieBreak::Direct => "direct",
        TieBreak::SonnebornBerger => "S-B",
        TieBreak::Margin => F::MARGIN,
    };
    head.extend(ties.iter().map(|&tie| short(tie).to_owned()));
    let row = |one: &Standing| {
        let name = names[usize::from(one.engine.0)].as_ref();
        let mut row = vec![one.rank.to_string(), name.to_owned(), points(one.points)];
        let counts = [one.wins, one.draws, one.losses, one.forfeits, one.byes];
        row.extend(counts.map(|count| count.to_string()));
        row.extend(ties.iter().map(|&tie| match tie {
            TieBreak::Direct if one.direct.is_none() => "-".to_owned(),
            TieBreak::Margin => format!("{:+}", one.margin),
            tie => points(tie.of(one)),
        }));
        row
    };
    Table {
        head,
        rows: ranked.iter().map(row).collect(),
    }
}

/// Returns the maximum-likelihood ratings of engines with their intervals, strongest first.
///
/// # Panics
///
/// Panics if an engine of the tally has no name.
pub fn rating_table(names: &[impl AsRef<str>], tally: &Tally) -> Table {
    let list = ratings(&tally.pairings(), names.len());
    let row = |(place, one): (usize, &Rating)| {
        vec![
            place.to_string(),
            names[usize::from(one.engine.0)].as_ref().to_owned(),
            format!("{:+.1}", one.elo.value),
            format!("{:+.1} to {:+.1}", one.elo.low, one.elo.high),
            one.games.to_string(),
            points(one.half_points as f64 / 2.0),
        ]
    };
    let head = ["", "name", "Elo", "95 %", "games", "points"];
    Table {
        head: head.map(str::to_owned).to_vec(),
        rows: (1..).zip(list.ratings()).map(row).collect(),
    }
}

/// Returns points with a fraction of quarters: `2½`.
pub fn points(points: f64) -> String {
    let fraction = ["", "¼", "½", "¾"][(4.0 * points.fract()) as usize];
    match points.trunc() {
        0.0 if !fraction.is_empty() => fraction.to_owned(),
        whole => format!("{whole}{fraction}"),
    }
}

impl Table {
    /// Returns the table in lines of at most 80 columns: names are cut, then columns are put below each other.
    pub fn text(&self) -> String {
        let width = |column: usize| {
            let cells = self.lines().map(|row| row[column].chars().count());
            cells.max().unwrap_or(0)
        };
        let mut widths: Vec<usize> = (0..self.head.len()).map(width).collect();
        let total: usize = widths.iter().sum::<usize>() + 2 * widths.len().saturating_sub(1);
        let excess = total.saturating_sub(WIDTH);
        widths[1] = widths[1]
            .saturating_sub(excess)
            .max(widths[1].min(MIN_NAME));
        let fixed: usize = widths[..FIXED].iter().map(|width| width + 2).sum();
        let mut text = String::new();
        let mut from = FIXED;
        while from < widths.len() {
            let mut used = fixed;
            let fits = |width: &&usize| {
                used += *width + 2;
                used <= WIDTH + 2
            };
            let count = widths[from..].iter().take_while(fits).count().max(1);
            if from > FIXED {
                text.push('\n');
            }
            let columns: Vec<usize> = (0..FIXED).chain(from..from + count).collect();
            for row in self.lines() {
                text += &line(row, &columns, &widths);
            }
            from += count;
        }
        text
    }

    fn lines(&self) -> impl Iterator<Item = &Vec<String>> {
        std::iter::once(&self.head).chain(&self.rows)
    }

    /// Returns the table as CSV, with a line for its head.
    pub fn csv(&self) -> String {
        let line = |row: &Vec<String>| {
            let cells: Vec<String> = row.iter().map(|cell| csv_field(cell)).collect();
            cells.join(",") + "\n"
        };
        self.lines().map(line).collect()
    }

    /// Returns a table of some columns.
    #[must_use]
    pub fn columns(&self, columns: &[usize]) -> Self {
        let pick = |row: &Vec<String>| columns.iter().map(|&at| row[at].clone()).collect();
        Self {
            head: pick(&self.head),
            rows: self.rows.iter().map(pick).collect(),
        }
    }
}

/// Returns a line of some columns: names to the left, all others to the right.
fn line(row: &[String], columns: &[usize], widths: &[usize]) -> String {
    let cells = columns.iter().map(|&column| {
        let (cell, width) = (&row[column], widths[column]);
        if column == 1 {
            format!("{:width$}", cut(cell, width))
        } else {
            format!("{cell:>width$}")
        }
    });
    let cells: Vec<String> = cells.collect();
    format!("{}\n", cells.join("  ").trim_end())
}

/// Returns a text cut to a number of characters.
fn cut(text: &str, width: usize) -> String {
    if text.chars().count() <= width {
        return text.to_owned();
    }
    let kept: String = text.chars().take(width.saturating_sub(1)).collect();
    kept + "…"
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(name: &str, columns: usize) -> Table {
        let row = |name: &str| {
            let first = ["1".to_owned(), name.to_owned()];
            first
                .into_iter()
                .chain((0..columns).map(|_| "12b+".to_owned()))
                .collect()
        };
        Table {
            head: row("name"),
            rows: vec![row(name)],
        }
    }

    #[test]
    fn wide_tables_fit_80_columns() {
        for columns in [1, 5, 9, 11, 12, 30] {
            let text = table(&"n".repeat(60), columns).text();
            assert!(
                text.lines().all(|line| line.chars().count() <= WIDTH),
                "{text}"
            );
            assert_eq!(text.matches("12b+").count(), 2 * columns, "{text}");
        }
        assert_eq!(table("ann", 1).text(), "1  name  12b+\n1  ann   12b+\n");
    }

    #[test]
    fn texts_are_quoted() {
        let hostile = table("a\"<b>,", 1);
        assert_eq!(hostile.csv(), "1,name,12b+\n1,\"a\"\"<b>,\",12b+\n");
    }

    #[test]
    fn points_have_fractions() {
        let all = [0.0, 0.5, 2.0, 2.5, 1.75].map(points);
        assert_eq!(all, ["0", "½", "2", "2½", "1¾"]);
    }
}
