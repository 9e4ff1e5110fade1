//! `go-game analyze`: win rates and leads along a game.

mod annotate;
pub(crate) mod html;
mod report;
mod search;
mod text;

use std::{
    io::{self, Write as _},
    num::NonZeroUsize,
    path::{Path, PathBuf},
    process::ExitCode,
    time::Duration,
};

use anyhow::{Context as _, ensure};
use boardgame_cli::{PAGE_START, duration, positive};
use go_cli::Options;
use go_core::{Game, Komi, Rules, sgf::Record};

use self::report::Report;

/// The name and version in reports.
const PROGRAM: &str = concat!("go-game ", env!("CARGO_PKG_VERSION"));

/// The first bytes of a report as JSON.
const JSON: &[u8] = br#"{"format":"#;

/// Shows the win rate and the lead after every move of a game, what each move lost, and what would have been better.
///
/// Values are Black's, and estimates: a move may seem to lose what the next search only finds out. More playouts help.
/// Ctrl-C shows what was found.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  go-game analyze game.sgf
  go-game analyze game.sgf --playouts 5000 --from 50 --to 100
  go-game analyze game.sgf --time 2m --sgf game-analyzed.sgf --html game.html --json=game.json")]
pub(crate) struct Args {
    /// A game record in SGF, whose main line is analyzed
    file: PathBuf,
    /// Begin with this move [default: the first]
    #[arg(long, value_name = "MOVE", value_parser = positive::<NonZeroUsize>)]
    from: Option<NonZeroUsize>,
    /// End after this move [default: the last]
    #[arg(long, value_name = "MOVE", value_parser = positive::<NonZeroUsize>)]
    to: Option<NonZeroUsize>,
    /// Use this much time for the game, the same for each position [default: 2000 playouts a position]
    #[arg(long, value_name = "TIME", value_parser = duration, conflicts_with_all = ["move_time", "playouts"])]
    time: Option<Duration>,
    /// Search this number of positions at a time [default: one for each CPU]
    #[arg(long, value_name = "N", value_parser = positive::<NonZeroUsize>)]
    threads: Option<NonZeroUsize>,
    /// The komi, instead of the record's
    #[arg(long, value_name = "POINTS", allow_hyphen_values = true)]
    komi: Option<Komi>,
    /// The rules, instead of the record's: japanese, chinese, aga, new-zealand, tromp-taylor, or such as simple-ko+area
    #[arg(long, value_name = "RULES")]
    rules: Option<Rules>,
    /// Print the analysis as JSON instead, or write it to a file as well
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true, default_missing_value = "-")]
    json: Option<PathBuf>,
    /// Write the game with comments, values and better lines to a new SGF file
    #[arg(long, value_name = "FILE")]
    sgf: Option<PathBuf>,
    /// Write the analysis as a page for a browser, one file that loads nothing
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    #[command(flatten)]
    options: Options,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let json_file = args.json.as_deref().filter(|path| !is_stdout(path));
    let html = args.html.as_deref().map(|path| (path, PAGE_START));
    for (path, kind) in json_file.map(|path| (path, JSON)).into_iter().chain(html) {
        boardgame_files::check_target(path, kind)?;
    }
    if let Some(path) = &args.sgf {
        ensure!(!path.exists(), "{}: expected a new file", path.display());
        boardgame_files::check_target(path, b"")?;
    }
    let (mut record, is_whole) = crate::record::read(&args.file, "analyzed")?;
    override_setup(&mut record, args)?;
    let last = record.game.moves().len();
    let from = args.from.map_or(1, NonZeroUsize::get);
    let to = args.to.map_or(last, NonZeroUsize::get);
    let is_whole_game = args.from.is_none() && args.to.is_none();
    ensure!(
        is_whole_game || from <= to && to <= last,
        "expected --from and --to among the moves 1 to {last}, found {from} to {to}"
    );
    let found = search::run(args, &record.game, from - 1..=to);
    if found.is_interrupted {
        writeln!(io::stderr(), "interrupted: some positions have no values")?;
    }
    let report = Report::new(&record, &found);
    let text = || report.to_json();
    if let Some(path) = json_file {
        boardgame_files::replace(path, &text()?)?;
    }
    if let Some(path) = &args.html {
        boardgame_files::replace(path, html::page(&report)?.as_bytes())?;
    }
    if let Some(path) = &args.sgf {
        let text = annotate::sgf(&record, &report);
        let is_new = boardgame_files::create(path, text.as_bytes())?;
        ensure!(is_new, "{}: expected a new file", path.display());
    }
    let mut out = io::stdout().lock();
    match args.json.as_deref() {
        Some(path) if is_stdout(path) => out.write_all(&text()?)?,
        _ => out.write_all(text::of(&report).as_bytes())?,
    }
    Ok(if found.is_interrupted || !is_whole {
        ExitCode::FAILURE
    } else {
        ExitCode::SUCCESS
    })
}

/// Replaces the komi and the rules of a record by those of the options.
fn override_setup(record: &mut Record, args: &Args) -> anyhow::Result<()> {
    let mut setup = record.game.setup().clone();
    if let Some(komi) = args.komi {
        setup = setup.with_komi(komi);
    }
    if let Some(rules) = args.rules {
        setup = setup.with_rules(rules);
    }
    let mut game = Game::new(setup);
    for (number, &(color, mv)) in (1..).zip(record.game.moves()) {
        game.resume();
        (game.play_as(color, mv)).with_context(|| format!("move {number}, by --rules"))?;
    }
    record.game = game;
    Ok(())
}

/// Returns whether a path means standard output.
fn is_stdout(path: &Path) -> bool {
    path == Path::new("-")
}
