//! Standings and crosstables.

use std::{collections::BTreeMap, fmt::Write as _};

use boardgame_core::Color;
use boardgame_match::{
    EngineId, GameId,
    schedule::Form,
    standings::{self, Standing},
    summary::{self, Table, points},
};
use othello_match::record::Othello;

use super::{
    desk::{Desk, State},
    games,
};

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
    let names = state.contents.header.names();
    match desk.settings.form {
        Form::Ladder => summary::rating_table(&names, &state.tally),
        _ => summary::standings_table::<Othello>(&names, ranked, &desk.settings.tie_breaks),
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
            _ if state.tally.is_fault(game) => "F",
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
