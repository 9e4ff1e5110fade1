//! `othello serve`: the LTH server.

use std::{
    io::{self, Write as _},
    net::{IpAddr, SocketAddr},
    path::PathBuf,
    process::ExitCode,
    time::Duration,
};

use anyhow::bail;
use clap::ValueEnum;
use othello_arena::{
    record::GameRecord,
    server::{Addresses, Server, ServerConfig, ServerNews},
};
use othello_players::{any_duration, duration, start_log};
use othello_proto::lth::{
    DARK_PORT, EVALUATION_PORT, LimitScope, TESTING_PORT, TimeLimit, WHITE_PORT,
};
use othello_search::Level;

/// What the time limit counts.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Scope {
    /// A client's own time over the whole game
    Game,
    /// Each move
    Move,
}

/// Serves LTH clients: testing, evaluation and competition, many games at once.
///
/// On the testing port a client chooses its colour and plays the house; on the evaluation port its
/// colours alternate; the competition ports pair dark and white clients as they come. Results are
/// scored by id. What goes wrong with a connection is in othello-serve.log, which lies where the
/// players' logs lie.
#[derive(clap::Args)]
#[command(after_help = "Example: othello serve --store results.redb --log games/
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
    /// What the limit counts
    #[arg(long, value_enum, value_name = "SCOPE", default_value_t = Scope::Game)]
    limit_per: Scope,
    /// A pause between the lines sent, for clients that expect one line per read
    #[arg(long, value_name = "TIME", value_parser = any_duration, default_value = "0s")]
    line_delay: Duration,
    /// How well the house plays, 1 to 60
    #[arg(long, value_name = "LEVEL", default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=60))]
    house: u8,
    /// The file of win counts by id [default: none, they are forgotten]
    #[arg(long, value_name = "FILE")]
    store: Option<PathBuf>,
    /// The folder for the log of games [default: none]
    #[arg(long, value_name = "FOLDER")]
    log: Option<PathBuf>,
}

/// What a server may offer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Mode {
    Testing,
    Evaluation,
    Competition,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let config = config(args)?;
    start_log(None, "othello-serve")?;
    crate::block_on(async {
        let server = Server::bind(config).await?;
        announce(server.addresses())?;
        server.run(tell, othello_net::stop_requested()).await;
        Ok(ExitCode::SUCCESS)
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
        house: Level::new(args.house).unwrap_or(Level::MIN),
        store: args.store.clone(),
        log: args.log.clone(),
        ..ServerConfig::on(args.address)
    };
    if config
        .testing
        .or(config.evaluation)
        .or(config.dark)
        .is_none()
    {
        bail!("nothing to serve: every mode is left out");
    }
    if let Some(folder) = &config.log {
        std::fs::create_dir_all(folder)?;
    }
    Ok(config)
}

fn announce(addresses: Addresses) -> io::Result<()> {
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
        "Ctrl-C ends the server once the games in progress are over"
    )?;
    out.flush()
}

/// Says a line for each game that is over. A closed output ends no server.
fn tell(news: ServerNews) {
    let line = match news {
        ServerNews::Moved(_) => return,
        ServerNews::Over(record) => told(&record),
        ServerNews::NotKept(record, error) => format!("{}; NOT KEPT: {error}", told(&record)),
    };
    let _ = writeln!(io::stdout().lock(), "{line}");
}

fn told(record: &GameRecord) -> String {
    let GameRecord {
        event,
        black,
        white,
        discs: [blacks, whites],
        cause,
        ..
    } = record;
    format!("{event}: dark {black}, white {white}: {blacks}-{whites}, {cause}")
}
