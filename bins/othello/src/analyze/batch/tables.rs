//! Accuracy as tables for people.

use std::fmt;

use boardgame_io::printable;
use othello_analysis::{AccuracyReport, BreakdownReport, Estimate, Named, Row};
use serde::Serialize;

/// The number of rows shown of a table as text; JSON and pages have all.
const MAX_ROWS: usize = 20;

/// The maximum number of players that have tables without being named.
const MAX_PLAYERS: usize = 2;

/// The number of games from which a player is compared with others.
const MIN_GAMES: u32 = 10;

/// The width of names.
const NAME: usize = 28;

/// The heads of the columns after the name.
const HEAD: [&str; 6] = [
    "games",
    "moves",
    "accuracy, %",
    "loss a move, discs",
    "best moves, %",
    "mistakes, %",
];

/// All tables. They display as text.
pub(super) struct Tables<'a>(Vec<Table<'a>>);

/// Rows with a title; a table without rows is a sentence.
struct Table<'a> {
    title: String,
    rows: Vec<(&'a str, Row)>,
}

/// A table as text, for a page.
#[derive(Serialize)]
pub(super) struct Cells<'a> {
    title: &'a str,
    head: Vec<&'a str>,
    rows: Vec<Vec<String>>,
}

impl<'a> Tables<'a> {
    /// Returns the tables of a report, and those of other players with whom to compare them. Each player who is named,
    /// or of at most [`MAX_PLAYERS`], has tables.
    pub(super) fn new(
        report: &'a AccuracyReport,
        compared: Option<&'a AccuracyReport>,
        is_named: impl Fn(&str) -> bool,
    ) -> Self {
        let AccuracyReport { all, players } = report;
        let mut tables = Self(vec![Table {
            title: String::new(),
            rows: vec![("all", all.all)],
        }]);
        tables.add_breakdown("", all);
        let rows = players.iter();
        let rows = rows.map(|player| (player.name.as_str(), player.row.all));
        tables.0.push(Table {
            title: "by player".to_owned(),
            rows: rows.collect(),
        });
        let is_shown = |player: &&Named<_>| players.len() <= MAX_PLAYERS || is_named(&player.name);
        for player in players.iter().filter(is_shown) {
            tables.add_breakdown(&format!("{}, ", player.name), &player.row);
        }
        if let Some(others) = compared {
            tables.add_compared(others);
            let title = players.iter().filter(is_shown);
            let title = title.filter_map(|player| place(player, others));
            tables.0.extend(title.map(|title| Table {
                title,
                rows: Vec::new(),
            }));
        }
        tables
            .0
            .retain(|table| !table.rows.is_empty() || table.title.ends_with('.'));
        tables
    }

    fn add_breakdown(&mut self, whose: &str, report: &'a BreakdownReport) {
        for (by, rows) in [
            ("phase", &report.phases),
            ("opening", &report.openings),
            ("opponent", &report.opponents),
            ("year", &report.years),
        ] {
            self.0.push(Table {
                title: format!("{whose}by {by}"),
                rows: rows
                    .iter()
                    .map(|row| (row.name.as_str(), row.row))
                    .collect(),
            });
        }
    }

    fn add_compared(&mut self, others: &'a AccuracyReport) {
        let phases = others.all.phases.iter();
        let phases = phases.map(|phase| (phase.name.as_str(), phase.row));
        self.0.push(Table {
            title: "compared with".to_owned(),
            rows: [("all", others.all.all)]
                .into_iter()
                .chain(phases)
                .collect(),
        });
    }

    /// Returns the tables for a page.
    pub(super) fn cells(&self) -> Vec<Cells<'_>> {
        self.0.iter().map(Table::cells).collect()
    }
}

impl Table<'_> {
    fn cells(&self) -> Cells<'_> {
        let row = |(name, row): &(&str, Row)| {
            let texts = texts(row).map(|text| text.trim().to_owned());
            [(*name).to_owned()].into_iter().chain(texts).collect()
        };
        let head = [""].into_iter().chain(HEAD);
        Cells {
            title: &self.title,
            head: head.filter(|_| !self.rows.is_empty()).collect(),
            rows: self.rows.iter().map(row).collect(),
        }
    }
}

/// Describes the place of a player among others with enough games.
fn place(player: &Named<BreakdownReport>, others: &AccuracyReport) -> Option<String> {
    let loss = |row: &BreakdownReport| row.all.mean_loss.value;
    let others = others.players.iter();
    let others: Vec<_> = others
        .filter(|other| other.row.all.games >= MIN_GAMES)
        .collect();
    let worse = others
        .iter()
        .filter(|other| loss(&other.row) > loss(&player.row));
    let share = 100.0 * worse.count() as f64 / others.len() as f64;
    (!others.is_empty()).then(|| {
        format!(
            "{} loses less a move than {share:.0} % of {} players with {MIN_GAMES} games or more.",
            player.name,
            others.len()
        )
    })
}

impl fmt::Display for Tables<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [games, moves, accuracy, loss, best, mistakes] = HEAD;
        writeln!(
            f,
            "{:NAME$} {games:>6} {moves:>7}  {accuracy}  {loss:19}  {best:19}  {mistakes}",
            "accuracy [95 %]"
        )?;
        for Table { title, rows } in &self.0 {
            let indent = if title.is_empty() { "" } else { "  " };
            if !title.is_empty() {
                writeln!(f, "{}", printable(title))?;
            }
            for (name, row) in rows.iter().take(MAX_ROWS) {
                let name = format!("{indent}{}", printable(name));
                let name: String = name.chars().take(NAME).collect();
                let [games, moves, accuracy, loss, best, mistakes] = texts(row);
                let line = format!(
                    "{name:NAME$} {games:>6} {moves:>7}  {accuracy:>11}  {loss}  {best}  {mistakes}"
                );
                writeln!(f, "{}", line.trim_end())?;
            }
            let more = rows.len().saturating_sub(MAX_ROWS);
            if more > 0 {
                writeln!(f, "  and {more} more, which --json tells")?;
            }
        }
        Ok(())
    }
}

/// Returns the cells of a row.
fn texts(row: &Row) -> [String; 6] {
    [
        row.games.to_string(),
        row.moves.to_string(),
        format!("{:.1}", 100.0 * row.accuracy.value),
        discs(row.mean_loss),
        percent(row.best_moves),
        percent(row.mistakes),
    ]
}

/// Formats an estimate in discs: `0.52 [0.44, 0.60]`.
fn discs(estimate: Estimate) -> String {
    let interval = estimate
        .interval
        .map(|[low, high]| format!("[{low:.2}, {high:.2}]"));
    format!("{:5.2} {:13}", estimate.value, interval.unwrap_or_default())
}

/// Formats a share in percent: `61.2 [59.1, 63.3]`.
fn percent(estimate: Estimate) -> String {
    let interval = estimate
        .interval
        .map(|ends| ends.map(|end| 100.0 * end))
        .map(|[low, high]| format!("[{low:.1}, {high:.1}]"));
    let value = 100.0 * estimate.value;
    format!("{value:5.1} {:13}", interval.unwrap_or_default())
}
