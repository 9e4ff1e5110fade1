//! Standings and crosstables, and their forms in text and CSV.

use std::{collections::BTreeMap, fmt::Write as _};

use boardgame_core::Color;
use boardgame_io::csv_field;
use boardgame_match::{
    EngineId, GameId,
    schedule::Form,
    standings::{self, Standing, TieBreak},
    stats::{Rating, ratings},
};

use super::{
    desk::{Desk, State},
    games,
};

/// The width of a terminal in columns.
const WIDTH: usize = 80;

/// The minimum width of names that are cut to fit.
const MIN_NAME: usize = 12;

/// The columns that every part of a wide table has: rank and name.
const FIXED: usize = 2;

/// A table whose second column has names.
#[derive(serde::Serialize)]
pub(super) struct Table {
    pub(super) head: Vec<String>,
    pub(super) rows: Vec<Vec<String>>,
}

/// Returns the standings and the crosstable in lines of at most 80 columns.
pub(super) fn standings(desk: &Desk, state: &State) -> anyhow::Result<String> {
    let table = ranked(desk, state)?;
    let (played, all) = (state.tally.results().len(), state.games().count());
    let round = state.contents.rounds.len();
    let title = &desk.settings.title;
    let mut text = format!("{title}, round {round}: {played} of {all} games\n\n");
    text += &standings_table(desk, state, &table).text();
    if desk.settings.form != Form::Ladder {
        text.push('\n');
        text += &crosstable(desk, state, &table).text();
    }
    let remarks = decided(state);
    if !remarks.is_empty() {
        text.push('\n');
    }
    for remark in remarks {
        let _ = writeln!(text, "{remark}");
    }
    Ok(text)
}

/// Returns the decisions on games, in words.
fn decided(state: &State) -> Vec<String> {
    let line = |(number, id): (usize, GameId)| {
        let remark = state.decision(id)?.remark();
        let [black, white] = [id.black, id.white].map(|engine| state.name(engine));
        let result = games::result_text(state, id);
        Some(format!(
            "game {number}, {black} – {white} {result}: {remark}"
        ))
    };
    (1..).zip(state.games()).filter_map(line).collect()
}

/// Returns the standings, best first.
pub(super) fn ranked(desk: &Desk, state: &State) -> anyhow::Result<Vec<Standing>> {
    let (schedule, ties) = (desk.schedule(state)?, &desk.settings.tie_breaks);
    Ok(standings::standings(&schedule, &state.tally, ties))
}

/// Returns the table of the standings.
pub(super) fn standings_table(desk: &Desk, state: &State, ranked: &[Standing]) -> Table {
    if desk.settings.form == Form::Ladder {
        return rating_table(state);
    }
    let ties = &desk.settings.tie_breaks;
    let mut head: Vec<String> = ["", "name", "points", "+", "=", "-", "F", "byes"]
        .map(str::to_owned)
        .to_vec();
    head.extend(ties.iter().map(|&tie| short(tie).to_owned()));
    let row = |one: &Standing| {
        let mut row = vec![one.rank.to_string(), state.name(one.engine).to_owned()];
        row.push(points(one.points));
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

/// Returns the ratings with their intervals.
fn rating_table(state: &State) -> Table {
    let list = ratings(&state.tally.pairings(), state.contents.header.engines.len());
    let row = |(place, one): (usize, &Rating)| {
        vec![
            place.to_string(),
            state.name(one.engine).to_owned(),
            format!("{:+.0}", one.elo.value),
            format!("{:+.0} to {:+.0}", one.elo.low, one.elo.high),
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

const fn short(tie: TieBreak) -> &'static str {
    match tie {
        TieBreak::Buchholz => "Buchholz",
        TieBreak::Direct => "direct",
        TieBreak::SonnebornBerger => "S-B",
        TieBreak::Margin => "discs",
    }
}

/// Returns points with a fraction of quarters: `2½`.
fn points(points: f64) -> String {
    let fraction = ["", "¼", "½", "¾"][(4.0 * points.fract()) as usize];
    match points.trunc() {
        0.0 if !fraction.is_empty() => fraction.to_owned(),
        whole => format!("{whole}{fraction}"),
    }
}

/// Returns the crosstable: opponents by round where all meet one opponent a round and not all others, otherwise points
/// against each opponent.
pub(super) fn crosstable(desk: &Desk, state: &State, ranked: &[Standing]) -> Table {
    match desk.settings.form {
        Form::Swiss { .. } | Form::Danish { .. } | Form::Random { .. } => by_round(state, ranked),
        _ => by_opponent(state, ranked),
    }
}

/// A cell such as `3b+`: the opponent's place, the colour and the result.
fn by_round(state: &State, ranked: &[Standing]) -> Table {
    let place = |engine| 1 + ranked.iter().take_while(|one| one.engine != engine).count();
    let cell = |engine: EngineId, round: usize| {
        let round_of = &state.contents.rounds[round];
        if round_of.byes.contains(&engine) {
            return "bye".to_owned();
        }
        let seat = |game: &&GameId| game.black == engine || game.white == engine;
        let Some(&game) = round_of.games.iter().find(seat) else {
            return "-".to_owned();
        };
        let (color, letter) = if game.black == engine {
            (Color::Black, 'b')
        } else {
            (Color::White, 'w')
        };
        let result = state.tally.results().get(&game);
        let mark = result.map_or("", |result| match result.half_points(color) {
            2 => "+",
            1 => "=",
            _ if state.tally.is_forfeit(game) => "F",
            _ => "-",
        });
        format!("{}{letter}{mark}", place(game.engine(!color)))
    };
    let rounds = 0..state.contents.rounds.len();
    let head = rounds.clone().map(|round| format!("R{}", round + 1));
    by_engine(state, ranked, head.collect(), |engine| {
        rounds.clone().map(|round| cell(engine, round)).collect()
    })
}

/// A cell has the points against the opponent at that place.
fn by_opponent(state: &State, ranked: &[Standing]) -> Table {
    let mut half_points: BTreeMap<[EngineId; 2], u32> = BTreeMap::new();
    for (game, result) in state.tally.results() {
        for color in Color::ALL {
            let seats = [game.engine(color), game.engine(!color)];
            *half_points.entry(seats).or_default() += result.half_points(color);
        }
    }
    let cell = |one: EngineId, other: EngineId| match half_points.get(&[one, other]) {
        _ if one == other => "x".to_owned(),
        None => ".".to_owned(),
        Some(&half_points) => points(f64::from(half_points) / 2.0),
    };
    let head = (1..=ranked.len()).map(|place| place.to_string()).collect();
    by_engine(state, ranked, head, |engine| {
        ranked
            .iter()
            .map(|other| cell(engine, other.engine))
            .collect()
    })
}

/// Returns a table with a row for each engine: its place, its name and the cells of its own.
fn by_engine(
    state: &State,
    ranked: &[Standing],
    cell_heads: Vec<String>,
    cells: impl Fn(EngineId) -> Vec<String>,
) -> Table {
    let mut head = vec![String::new(), "name".to_owned()];
    head.extend(cell_heads);
    let row = |(place, one): (usize, &Standing)| {
        let mut row = vec![place.to_string(), state.name(one.engine).to_owned()];
        row.extend(cells(one.engine));
        row
    };
    let rows = (1..).zip(ranked).map(row).collect();
    Table { head, rows }
}

impl Table {
    /// Returns the table in lines of at most 80 columns: names are cut, then columns are put below each other.
    pub(super) fn text(&self) -> String {
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
    pub(super) fn csv(&self) -> String {
        let line = |row: &Vec<String>| {
            let cells: Vec<String> = row.iter().map(|cell| csv_field(cell)).collect();
            cells.join(",") + "\n"
        };
        self.lines().map(line).collect()
    }

    /// Returns a table of some columns.
    pub(super) fn columns(&self, columns: &[usize]) -> Self {
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
