//! `othello host lth`: the LTH server.

mod course;

use std::{
    io::{self, Write as _},
    net::{IpAddr, Ipv4Addr, SocketAddr},
    path::PathBuf,
    process::ExitCode,
    sync::Arc,
    time::Duration,
};

use anyhow::bail;
use boardgame_cli::{any_duration, duration};
use boardgame_io::printable;
use clap::{
    ValueEnum,
    builder::{RangedU64ValueParser, TypedValueParser},
};
use othello_cli::start_log;
use othello_engine::{Level, PlayLevel};
use othello_host::{
    lth_server::{self, Addresses, ResultBounds, Server, ServerConfig, ServerNews},
    record::GameRecord,
};
use othello_proto::lth::{
    DARK_PORT, EVALUATION_PORT, LimitScope, TESTING_PORT, TimeLimit, WHITE_PORT,
};
use othello_web::{Pages, live::LthRun};

use self::course::Course;
use crate::watch::WatchOptions;

/// The scope of the time limit.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Scope {
    /// A client's own time over the whole game
    Game,
    /// Each move
    Move,
}

/// Serves LTH clients: testing, evaluation and competition, many games at once.
///
/// On the testing port a client chooses its colour and plays the server's own player; on the evaluation
/// port its colours alternate; the competition ports pair dark and white clients as they come, but no id
/// with itself. Results are scored by id, and a client is told its result once it is on disk. A game that the
/// log has and the store lacks is counted at the next start; a new store counts the whole log. Errors of
/// connections are in othello-serve.log, beside the logs of the players.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  othello host lth --store games.jsonl
  othello host lth --store games.jsonl --students course.toml --web
Port 0 lets the system choose; ports that are not wanted are left out with --without testing,…")]
pub(crate) struct Args {
    /// The address to listen on; 0.0.0.0 is every IPv4 address of this machine
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    address: IpAddr,
    /// The port where clients choose their colour
    #[arg(long, value_name = "PORT", default_value_t = TESTING_PORT)]
    testing: u16,
    /// The port where an id's colours alternate
    #[arg(long, value_name = "PORT", default_value_t = EVALUATION_PORT)]
    evaluation: u16,
    /// The port of dark in competitions
    #[arg(long, value_name = "PORT", default_value_t = DARK_PORT)]
    dark: u16,
    /// The port of white in competitions
    #[arg(long, value_name = "PORT", default_value_t = WHITE_PORT)]
    white: u16,
    /// Modes that are not offered
    #[arg(long, value_enum, value_name = "MODE", value_delimiter = ',')]
    without: Vec<Mode>,
    /// The time limit
    #[arg(long, value_name = "TIME", value_parser = duration, default_value = "5m")]
    limit: Duration,
    /// The scope of the limit
    #[arg(long, value_enum, value_name = "SCOPE", default_value_t = Scope::Game)]
    limit_per: Scope,
    /// A pause between the lines sent, for clients that expect one line per read
    #[arg(long, value_name = "TIME", value_parser = any_duration, default_value = "0s")]
    line_delay: Duration,
    /// The level of the server's own player, as for `othello play`
    #[arg(long, value_name = "LEVEL", default_value_t = PlayLevel::Search(Level::MIN))]
    house: PlayLevel,
    /// Connections served at a time
    #[arg(long, value_name = "N", default_value_t = DEFAULTS.max_connections, value_parser = connection_count())]
    max_connections: usize,
    /// Connections served at a time on one port
    #[arg(long, value_name = "N", default_value_t = DEFAULTS.max_per_port, value_parser = connection_count())]
    max_per_port: usize,
    /// Connections served at a time on one port from one address, which a whole course may share
    #[arg(long, value_name = "N", default_value_t = DEFAULTS.max_per_address, value_parser = connection_count())]
    max_per_address: usize,
    /// Connections a minute from one address; those of five minutes may come at once
    #[arg(long, value_name = "N", default_value_t = DEFAULTS.max_per_minute, value_parser = clap::value_parser!(u32).range(1..))]
    max_per_minute: u32,
    /// The number of ids that results are kept for; then new ids are refused
    #[arg(long, value_name = "N", default_value_t = DEFAULTS.bounds.ids)]
    max_ids: usize,
    /// The size of the log of games, in MiB, at which no more games begin
    #[arg(long, value_name = "MIB", default_value_t = DEFAULTS.bounds.log_size >> 20)]
    max_log: u64,
    /// The time that a client has for its name, and for its colour
    #[arg(long, value_name = "TIME", value_parser = duration, default_value = "1m")]
    patience: Duration,
    /// The longest that a client waits for an opponent on the competition ports
    #[arg(long, value_name = "TIME", value_parser = duration, default_value = "15m")]
    max_wait: Duration,
    /// The time that games may go on after Ctrl-C; then they are called off
    #[arg(long, value_name = "TIME", value_parser = any_duration, default_value = "10s")]
    shutdown: Duration,
    /// The log of games, a line of JSON each, from which wins are counted at the start [default: none, results are
    /// forgotten]
    #[arg(long, value_name = "FILE")]
    store: Option<PathBuf>,
    /// Begin a new log with the counts of the old one, which is kept as FILE.1, FILE.2, …
    #[arg(long, requires = "store")]
    rotate: bool,
    #[command(flatten)]
    course: Course,
    #[command(flatten)]
    watch: WatchOptions,
}

const DEFAULTS: ServerConfig = ServerConfig::on(IpAddr::V4(Ipv4Addr::LOCALHOST));

fn connection_count() -> impl TypedValueParser<Value = usize> {
    RangedU64ValueParser::<usize>::new().range(1..=1_000_000)
}

/// A mode that a server offers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Mode {
    Testing,
    Evaluation,
    Competition,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    if args.course.results {
        return args.course.print_results(args.store.as_deref());
    }
    let config = config(args)?;
    start_log(None, "othello-serve")?;
    if let Some(log) = args.store.as_ref().filter(|_| args.rotate)
        && let Some(old) = lth_server::rotate(log)?
    {
        writeln!(io::stdout(), "the log until now: {}", old.display())?;
    }
    // Dropped last, after what writes to it.
    let mut web = None;
    othello_net::block_on(async {
        let has_students = config.students.is_some();
        let server = Server::bind(config).await?;
        let scores = has_students.then(|| Pages::Scores(server.scores()));
        web = args.watch.start_with(scores.unwrap_or_default())?;
        let mut shown = web.as_ref().map(|web| LthRun::new(web.runs()));
        if args.course.commands {
            course::obey(server.operator())?;
        }
        if let (Some(log), lines @ 1..) = (&args.store, server.unreadable()) {
            let mut out = io::stdout().lock();
            writeln!(out, "{}: {lines} lines are no games", log.display())?;
        }
        announce(server.addresses(), args.shutdown)?;
        let mut code = ExitCode::SUCCESS;
        let observer = |news| {
            if matches!(news, ServerNews::Unsaved(_) | ServerNews::CloseTimedOut) {
                code = ExitCode::FAILURE;
            }
            if let Some(shown) = &mut shown {
                shown.observe(&news);
            }
            tell(news);
        };
        let stop = othello_net::stop_requested;
        server.run_with_abort(observer, stop(), stop()).await;
        Ok(code)
    })?
}

fn config(args: &Args) -> anyhow::Result<ServerConfig> {
    let port =
        |mode, port| (!args.without.contains(&mode)).then_some(SocketAddr::new(args.address, port));
    let config = ServerConfig {
        testing: port(Mode::Testing, args.testing),
        evaluation: port(Mode::Evaluation, args.evaluation),
        dark: port(Mode::Competition, args.dark),
        white: port(Mode::Competition, args.white),
        limit: TimeLimit {
            length: args.limit,
            scope: match args.limit_per {
                Scope::Game => LimitScope::Game,
                Scope::Move => LimitScope::Move,
            },
        },
        line_delay: args.line_delay,
        built_in_player_level: args.house,
        store: args.store.clone(),
        max_connections: args.max_connections,
        max_per_port: args.max_per_port,
        max_per_address: args.max_per_address,
        max_per_minute: args.max_per_minute,
        bounds: ResultBounds {
            ids: args.max_ids,
            log_size: args.max_log.saturating_mul(1 << 20),
            games_a_day: args.course.games_a_day(),
        },
        students: args.course.students()?.map(Arc::new),
        guests: args.course.guests,
        games_at_a_time: args.course.games_at_a_time(),
        reception_timeout: args.patience,
        max_wait: args.max_wait,
        shutdown_grace: args.shutdown,
    };
    if config
        .testing
        .or(config.evaluation)
        .or(config.dark)
        .is_none()
    {
        bail!("nothing to serve: every mode is left out");
    }
    Ok(config)
}

fn announce(addresses: Addresses, shutdown: Duration) -> io::Result<()> {
    let mut out = io::stdout().lock();
    for (what, address) in [
        ("testing, clients choose their colour", addresses.testing),
        ("evaluation, colours alternate", addresses.evaluation),
        ("competition, dark", addresses.dark),
        ("competition, white", addresses.white),
    ] {
        if let Some(address) = address {
            writeln!(out, "{address}  {what}")?;
        }
    }
    writeln!(
        out,
        "Ctrl-C ends the server once the games in progress are over, within {shutdown:?}; a second one at once"
    )?;
    out.flush()
}

/// Prints a line for each finished game, and the state of the log on standard error. A closed output does not end the
/// server.
fn tell(news: ServerNews) {
    let (mut out, mut loud) = (io::stdout(), io::stderr());
    let _ = match news {
        ServerNews::Began(_) | ServerNews::Moved(_) => Ok(()),
        ServerNews::Over(_, record) => writeln!(out, "{}", in_words(&record)),
        ServerNews::SaveFailed(_, record) => writeln!(out, "{}; NOT KEPT", in_words(&record)),
        ServerNews::StorageFailed(error) => writeln!(
            loud,
            "othello: RESULTS CANNOT BE WRITTEN: {}\n\
             Games in progress go on, no others begin. Start the server again once the log can be written.",
            printable(&error.to_string())
        ),
        ServerNews::CloseTimedOut => writeln!(
            loud,
            "othello: THE LOG DOES NOT CLOSE: the results marked NOT KEPT, or not told at all, may not be in it."
        ),
        ServerNews::Unsaved(records) => tell_unsaved(&mut loud, &records),
    };
}

/// Writes the results that the log lacks.
fn tell_unsaved(out: &mut impl io::Write, records: &[GameRecord]) -> io::Result<()> {
    let count = records.len();
    writeln!(
        out,
        "othello: {count} RESULTS ARE NOT WRITTEN. Append those of these lines that the log lacks, and they count \
         from the next start on."
    )?;
    for record in records {
        writeln!(out, "{}", record.to_line())?;
    }
    out.flush()
}

fn in_words(record: &GameRecord) -> String {
    let GameRecord {
        event,
        black,
        white,
        discs: [blacks, whites],
        cause,
        ..
    } = record;
    printable(&format!(
        "{event}: dark {black}, white {white}: {blacks}-{whites}, {cause}"
    ))
}
