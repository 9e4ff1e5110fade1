//! Games, standings and pages of a tournament as files.

use std::{
    collections::BTreeMap,
    io::{self, Write as _},
    path::{Path, PathBuf},
    process::ExitCode,
    str::FromStr,
    time::{Duration, UNIX_EPOCH},
};

use anyhow::{Context as _, ensure};
use boardgame_core::Color;
use boardgame_match::{GameId, record::GameResult, schedule::Form, summary::Table};
use othello_host::record::Winner;
use othello_records::{
    Format, Outcome, OutcomeKind, ParseFormatError, Part, Record, Value, losses, write_text,
};
use othello_web::live::{GameEnd, GameView, logged_game};

use super::{
    desk::{Desk, State},
    games, tables,
};
use crate::{
    output::tell,
    page::Page,
    records::{convert::tell_lost, record_of},
};

/// The page of a tournament.
pub(crate) const PAGE: Page = Page {
    title: "Othello tournament",
    body: include_str!("export/page.html"),
    shared_styles: &["base.css", "watch.css"],
    style: include_str!("export/page.css"),
    shared_modules: &[
        "dom.js",
        "texts.js",
        "rules.js",
        "clock.js",
        "tree.js",
        "share.js",
        "values.js",
        "board.js",
        "movelist.js",
        "watch-state.js",
        "watch-game.js",
    ],
    script: include_str!("export/page.js"),
};

#[derive(clap::Args)]
pub(super) struct ExportOptions {
    /// csv for a line a game, standings for the table as CSV, html for a page with all of it, or a format of game
    /// records: pgn, ggf, sgf, transcript, obf
    #[arg(value_name = "FORMAT")]
    to: Target,
    /// The file to write, in place of one that begins alike [default: standard output]
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

#[derive(Clone, Copy)]
enum Target {
    Csv,
    Standings,
    Html,
    Records(Format),
}

impl FromStr for Target {
    type Err = ParseFormatError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "csv" => Ok(Self::Csv),
            "standings" => Ok(Self::Standings),
            "html" => Ok(Self::Html),
            format => format.parse().map(Self::Records),
        }
    }
}

/// Writes an export of a tournament.
pub(super) fn run(folder: &Path, options: &ExportOptions) -> anyhow::Result<ExitCode> {
    let (desk, state) = Desk::read(folder)?;
    let mut left_out = 0;
    let bytes = match options.to {
        Target::Csv => games_table(&desk, &state).csv().into_bytes(),
        Target::Standings => {
            let ranked = tables::ranked(&desk, &state)?;
            tables::standings_table(&desk, &state, &ranked)
                .csv()
                .into_bytes()
        }
        Target::Html => page(&desk, &state)?.into_bytes(),
        Target::Records(format) => records(&desk, &state, format, &mut left_out)?,
    };
    if let Some(path) = &options.output {
        boardgame_files::replace(path, &bytes)?;
    } else {
        let mut out = io::stdout().lock();
        out.write_all(&bytes)?;
        out.flush()?;
    }
    Ok(if left_out == 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

/// Returns the records of all games that were played, in the order of their numbers. Counts those that the format
/// cannot hold.
fn records(
    desk: &Desk,
    state: &State,
    format: Format,
    left_out: &mut usize,
) -> anyhow::Result<Vec<u8>> {
    ensure!(
        format != Format::Wthor,
        "expected a text format; `othello convert --to wthor` writes WTHOR from a file of one"
    );
    let mut bytes = Vec::new();
    let mut written = 0;
    let mut lost: BTreeMap<Part, u64> = BTreeMap::new();
    for (number, id) in (1..).zip(state.games()) {
        let Some(record) = record(desk, state, id)? else {
            continue;
        };
        match write_text(format, &record, written, &mut bytes) {
            Ok(()) => written += 1,
            Err(error) => {
                tell(format_args!("game {number} is left out: {error}"))?;
                *left_out += 1;
                continue;
            }
        }
        for part in losses(&record, format) {
            *lost.entry(part).or_default() += 1;
        }
    }
    tell_lost(format, lost)?;
    ensure!(
        written > 0,
        "expected a game to write as {format}, found none"
    );
    Ok(bytes)
}

/// Returns the record of a game with what the tournament knows of it, if it was played.
fn record(desk: &Desk, state: &State, id: GameId) -> anyhow::Result<Option<Record>> {
    let Some(played) = state.games.get(&id) else {
        return Ok(None);
    };
    let mut record = record_of(played).context("a game of the log")?;
    record.event.clone_from(&desk.settings.title);
    record.place.clone_from(&desk.settings.place);
    if let Some(ruling) = state.decision(id) {
        record.result = ruling.result.map(decided);
        let remark = ruling.remark();
        let before = std::mem::take(&mut record.comment);
        let parts = [before, remark].into_iter().filter(|part| !part.is_empty());
        record.comment = parts.collect::<Vec<_>>().join("; ");
    }
    Ok(Some(record))
}

fn decided(result: GameResult) -> Outcome {
    let kind = OutcomeKind::Agreed;
    match result {
        GameResult::Played { margin } => {
            Outcome::new(Value::from_hundredths(50 * margin.half_points()), kind)
        }
        GameResult::Forfeit { by } => Outcome {
            winner: Some(!Color::from(by)),
            score: None,
            kind,
        },
    }
}

/// Returns a table with a row for each game.
fn games_table(desk: &Desk, state: &State) -> Table {
    let head = "game,black,white,round,result,winner,black author,white author,ended,moves,remarks";
    let author = |name: &str| {
        let mut programs = desk.settings.programs.iter();
        let program = programs.find(|program| program.engine.name == name);
        program.map_or_else(String::new, |program| program.author.clone())
    };
    let row = |(number, id): (usize, GameId)| {
        let names = [id.black, id.white].map(|engine| state.name(engine));
        let result = state.tally.results().get(&id);
        let winner = result.map_or("", |result| match result.winner() {
            Some(color) => names[color as usize],
            None => "draw",
        });
        let record = state.games.get(&id);
        vec![
            number.to_string(),
            names[0].to_owned(),
            names[1].to_owned(),
            (id.opening + 1).to_string(),
            games::result_text(state, id),
            winner.to_owned(),
            author(names[0]),
            author(names[1]),
            record.map_or(String::new(), |record| time(record.finished)),
            record.map_or(String::new(), |record| record.moves.clone()),
            games::remarks(state, id).join("; "),
        ]
    };
    Table {
        head: head.split(',').map(str::to_owned).collect(),
        rows: (1..).zip(state.games()).map(row).collect(),
    }
}

/// Returns a number of seconds since 1970 as a date and time.
fn time(seconds: u64) -> String {
    let time = UNIX_EPOCH + Duration::from_secs(seconds);
    humantime::format_rfc3339_seconds(time).to_string()
}

/// Returns a page with standings, a crosstable but for a ladder, and all games, those with a record to be replayed.
fn page(desk: &Desk, state: &State) -> anyhow::Result<String> {
    let ranked = tables::ranked(desk, state)?;
    let has_crosstable = desk.settings.form != Form::Ladder;
    let data = serde_json::json!({
        "title": desk.settings.title,
        "place": desk.settings.place,
        "standings": tables::standings_table(desk, state, &ranked),
        "crosstable": has_crosstable.then(|| tables::crosstable(desk, state, &ranked)),
        "games": games_table(desk, state).columns(&[0, 1, 2, 3, 4, 10]),
        "replays": (1..).zip(state.games()).filter_map(|(number, id)| replay(state, number, id)).collect::<Vec<_>>(),
    });
    Ok(PAGE.with(&data)?)
}

/// Returns a game as a page shows it, with the end that counts.
fn replay(state: &State, number: u64, id: GameId) -> Option<GameView> {
    let mut game = logged_game(number, state.games.get(&id)?)?;
    if let Some(ruling) = state.decision(id) {
        let winner = ruling.result.and_then(GameResult::winner);
        game.summary.end = Some(GameEnd {
            winner: Winner::of_decided(winner),
            cause: ruling.remark(),
        });
    }
    Some(game)
}
