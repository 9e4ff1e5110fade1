//! Games, standings and pages of a tournament as files.

use std::{
    collections::BTreeMap,
    fmt::Write as _,
    io::{self, Write as _},
    path::{Path, PathBuf},
    process::ExitCode,
    str::FromStr,
    time::{Duration, UNIX_EPOCH},
};

use anyhow::{Context as _, ensure};
use boardgame_core::Color;
use boardgame_io::escaped;
use boardgame_match::{GameId, record::GameResult};
use othello_records::{
    Format, Outcome, OutcomeKind, ParseFormatError, Part, Record, Value, losses, write_text,
};

use super::{
    desk::{Desk, State},
    games,
    tables::{self, Table},
};
use crate::{
    output::tell,
    records::{convert::tell_lost, record_of},
};

const STYLE: &str = include_str!("export/page.css");

#[derive(clap::Args)]
pub(super) struct ExportOptions {
    /// csv for a line a game, standings for the table as CSV, html for a page with all of it, or a format of game
    /// records: pgn, ggf, sgf, transcript, obf
    #[arg(value_name = "FORMAT")]
    to: Target,
    /// The file to write, in place of one of the same kind [default: standard output]
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
        write_file(&desk, options.to, path, &bytes)?;
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

/// Writes a file, in place of one of the same kind where files of that kind begin alike.
fn write_file(desk: &Desk, to: Target, path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    let begin_alike = match to {
        Target::Records(format) => matches!(format, Format::Pgn | Format::Ggf | Format::Sgf),
        _ => true,
    };
    if begin_alike {
        return Ok(boardgame_files::replace(path, bytes)?);
    }
    let name = |path: &Path| path.canonicalize().ok();
    let is_own =
        name(path).is_some_and(|path| desk.files().map(|own| name(&own)).contains(&Some(path)));
    let shown = path.display();
    ensure!(
        !is_own,
        "{shown}: expected a file that is not the tournament's own"
    );
    boardgame_files::overwrite(path, bytes).with_context(|| shown.to_string())
}

/// Returns the records of all games that were played, in the order of their numbers. Counts those that the format cannot
/// hold.
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
    match result {
        GameResult::Played { margin } => {
            let score = Value::from_hundredths(50 * margin.half_points());
            Outcome::new(score, OutcomeKind::Agreed)
        }
        GameResult::Forfeit { by } => Outcome {
            winner: Some(!Color::from(by)),
            score: None,
            kind: OutcomeKind::Agreed,
        },
    }
}

/// Returns a table with a row for each game.
fn games_table(desk: &Desk, state: &State) -> Table {
    let head = [
        "game",
        "black",
        "white",
        "round",
        "result",
        "winner",
        "black author",
        "white author",
        "ended",
        "moves",
        "remarks",
    ];
    let programs = desk.settings.programs.iter();
    let authors: BTreeMap<_, _> = programs
        .map(|program| (&program.engine.name[..], &program.author))
        .collect();
    let author = |name| {
        authors
            .get(name)
            .map_or_else(String::new, |&author| author.clone())
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
            record.map_or_else(String::new, |record| time(record.finished)),
            record.map_or_else(String::new, |record| record.moves.clone()),
            games::remarks(state, id).join("; "),
        ]
    };
    Table {
        head: head.map(str::to_owned).to_vec(),
        rows: (1..).zip(state.games()).map(row).collect(),
    }
}

/// Returns a number of seconds since 1970 as a date and time.
fn time(seconds: u64) -> String {
    let time = UNIX_EPOCH + Duration::from_secs(seconds);
    humantime::format_rfc3339_seconds(time).to_string()
}

/// Returns a page that loads nothing, with standings, crosstable, rounds, and each game with its last board.
fn page(desk: &Desk, state: &State) -> anyhow::Result<String> {
    let title = escaped(&desk.settings.title);
    let ranked = tables::ranked(desk, state)?;
    let mut page = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; \
         style-src 'unsafe-inline'\">\n<title>{title}</title>\n<style>{STYLE}</style>\n</head>\n\
         <body>\n<h1>{title}</h1>\n<p>{}</p>\n<h2>Standings</h2>\n",
        escaped(&desk.settings.place)
    );
    page += &tables::standings_table(desk, state, &ranked).html();
    page += "<h2>Crosstable</h2>\n";
    page += &tables::crosstable(desk, state, &ranked).html();
    let mut numbered = (1..).zip(state.games());
    for (round, paired) in (1..).zip(&state.contents.rounds) {
        let _ = writeln!(page, "<h2>Round {round}</h2>");
        for (number, id) in numbered.by_ref().take(paired.games.len()) {
            page += &game_html(desk, state, number, id)?;
        }
        for &bye in &paired.byes {
            let _ = writeln!(page, "<p>{} has a bye</p>", escaped(state.name(bye)));
        }
    }
    page += "</body>\n</html>\n";
    Ok(page)
}

fn game_html(desk: &Desk, state: &State, number: usize, id: GameId) -> anyhow::Result<String> {
    let [black, white] = [id.black, id.white].map(|engine| escaped(state.name(engine)));
    let result = games::result_text(state, id);
    let mut html = format!(
        "<details id=\"g{number}\"><summary>{number}. {black} – {white} <b>{result}</b></summary>\n"
    );
    for remark in games::remarks(state, id) {
        let _ = writeln!(html, "<p>{}</p>", escaped(&remark));
    }
    if let Some(record) = record(desk, state, id)? {
        let _ = writeln!(
            html,
            "<pre>{:#}</pre>\n<p class=\"moves\">{}</p>",
            record.game.board(),
            record.game.transcript()
        );
    }
    html += "</details>\n";
    Ok(html)
}
