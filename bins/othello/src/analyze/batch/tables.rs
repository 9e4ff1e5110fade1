//! Accuracy as tables for people.

use std::fmt;

use boardgame_io::printable;
use othello_analysis::{AccuracyReport, BreakdownReport, Estimate, Named, Row};

/// The number of rows shown of a table; JSON has all.
const MAX_ROWS: usize = 20;

/// The maximum number of players that each get a table.
const MAX_PLAYERS: usize = 2;

/// The width of names.
const NAME: usize = 28;

/// Displays all tables as text.
pub(super) struct Text<'a>(pub(super) &'a AccuracyReport);

impl fmt::Display for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let AccuracyReport { all, players } = self.0;
        writeln!(
            f,
            "{:NAME$} {:>6} {:>7}  {:19}  {:19}  mistakes, %",
            "accuracy [95 %]", "games", "moves", "loss a move, discs", "best moves, %"
        )?;
        row(f, "all", &all.all)?;
        breakdown(f, "", all)?;
        let rows: Vec<Named<Row>> = players
            .iter()
            .map(|player| Named {
                name: player.name.clone(),
                row: player.row.all,
            })
            .collect();
        table(f, "by player", &rows)?;
        if players.len() <= MAX_PLAYERS {
            for player in players {
                breakdown(f, &format!("{}, ", player.name), &player.row)?;
            }
        }
        Ok(())
    }
}

fn breakdown(f: &mut fmt::Formatter<'_>, whose: &str, report: &BreakdownReport) -> fmt::Result {
    table(f, &format!("{whose}by phase"), &report.phases)?;
    table(f, &format!("{whose}by opening"), &report.openings)?;
    table(f, &format!("{whose}by opponent"), &report.opponents)
}

fn table(f: &mut fmt::Formatter<'_>, title: &str, rows: &[Named<Row>]) -> fmt::Result {
    if rows.is_empty() {
        return Ok(());
    }
    writeln!(f, "{}", printable(title))?;
    for named in rows.iter().take(MAX_ROWS) {
        row(f, &format!("  {}", named.name), &named.row)?;
    }
    match rows.len().saturating_sub(MAX_ROWS) {
        0 => Ok(()),
        more => writeln!(f, "  and {more} more, which --json tells"),
    }
}

fn row(f: &mut fmt::Formatter<'_>, name: &str, row: &Row) -> fmt::Result {
    let name: String = printable(name).chars().take(NAME).collect();
    let line = format!(
        "{name:NAME$} {:6} {:7}  {}  {}  {}",
        row.games,
        row.moves,
        discs(row.mean_loss),
        percent(row.best_moves),
        percent(row.mistakes)
    );
    writeln!(f, "{}", line.trim_end())
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
