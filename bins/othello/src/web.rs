//! `othello web`: the page, on a server of its own.

use std::{
    io::{self, ErrorKind, Write as _},
    net::{IpAddr, Ipv4Addr, SocketAddr},
    num::NonZeroUsize,
    process::ExitCode,
    sync::{Arc, Mutex, PoisonError},
    thread,
    time::Duration,
};

use anyhow::{Context as _, ensure};
use boardgame_cli::duration;
use boardgame_io::stop_requested;
use othello_web::{Config, Hosts, Server, Token, TokenError};
use tokio::net::TcpListener;

use crate::{
    analyze::PROGRAM,
    engine::EngineOptions,
    records::tell,
    store::{StoreOptions, UserStore},
};

/// Opens a page to play and to analyze games in a browser.
///
/// The page has everything it needs. It can be reached from this computer alone, unless --listen is given; docs/web.md
/// explains the page and the API behind it.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  othello web --open
  othello web --port 8080 --searches 2 --hash 256
  OTHELLO_TOKEN=$(openssl rand -hex 16) othello web --listen 0.0.0.0 --port 8080")]
pub(crate) struct Args {
    /// The port [default: one that is free]
    #[arg(
        long,
        value_name = "PORT",
        default_value_t = 0,
        hide_default_value = true
    )]
    port: u16,
    /// Open the page in the browser
    #[arg(long)]
    open: bool,
    /// Listen at this address; one that other computers reach needs a token
    #[arg(long, value_name = "ADDRESS", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    listen: IpAddr,
    /// A name by which browsers may call this computer, besides its address. May be given several times
    #[arg(long, value_name = "NAME")]
    host: Vec<String>,
    /// A secret of at least 16 letters and digits, without which nothing is answered
    #[arg(long, value_name = "TOKEN", env = "OTHELLO_TOKEN", hide_env_values = true, value_parser = token)]
    token: Option<Token>,
    /// The number of searches at a time [default: one for each CPU]
    #[arg(long, value_name = "N")]
    searches: Option<NonZeroUsize>,
    /// The longest time of a search
    #[arg(long, value_name = "TIME", value_parser = duration, default_value = "60s")]
    time_limit: Duration,
    #[command(flatten)]
    engine: EngineOptions,
    #[command(flatten)]
    store: StoreOptions,
}

fn token(text: &str) -> Result<Token, TokenError> {
    Token::new(text)
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    ensure!(
        args.listen.is_loopback() || args.token.is_some(),
        "--listen {}: expected --token TOKEN too, since other computers reach this address",
        args.listen
    );
    let store = args.store.open(args.engine.evaluation.weights.as_ref())?;
    let store = Arc::new(Mutex::new(store));
    boardgame_io::block_on(serve(args, &store))??;
    let store = store.lock().unwrap_or_else(PoisonError::into_inner);
    store.warn_of_failure()?;
    Ok(ExitCode::SUCCESS)
}

async fn serve(args: &Args, store: &Arc<Mutex<UserStore>>) -> anyhow::Result<()> {
    let asked = SocketAddr::new(args.listen, args.port);
    let listener = TcpListener::bind(asked).await;
    let listener = listener.with_context(|| asked.to_string())?;
    let bound = listener.local_addr()?;
    let server = Server::new(&Config {
        program: PROGRAM.to_owned(),
        engine: args.engine.settings(),
        searches: args.searches.unwrap_or_else(all_cpus),
        time_limit: args.time_limit,
        hosts: Hosts::new(bound, args.host.iter().cloned()),
        token: args.token.clone(),
        store: Some(Arc::clone(store) as _),
    })?;
    let address = address(bound, args);
    print(&address)?;
    if args.open
        && let Err(error) = open::that_detached(&address)
    {
        tell(format_args!("the browser cannot be opened: {error}"))?;
    }
    server.serve(listener, stop_requested()).await;
    Ok(())
}

/// Prints the address of the page. A reader that has gone is no reason to stop.
fn print(address: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    let printed = writeln!(out, "{address}\nCtrl-C stops the server.").and_then(|()| out.flush());
    printed.or_else(|error| match error.kind() {
        ErrorKind::BrokenPipe => Ok(()),
        _ => Err(error),
    })
}

/// The address of the page, with the token that the page then keeps.
fn address(bound: SocketAddr, args: &Args) -> String {
    let name = args.host.first().cloned();
    let name = name.unwrap_or_else(|| match bound.ip() {
        ip if ip.is_unspecified() => Ipv4Addr::LOCALHOST.to_string(),
        IpAddr::V6(ip) => format!("[{ip}]"),
        IpAddr::V4(ip) => ip.to_string(),
    });
    let token = args.token.as_ref();
    let query = token.map_or_else(String::new, |token| format!("?token={}", token.reveal()));
    format!("http://{name}:{}/{query}", bound.port())
}

/// As many searches as there are CPUs for this process.
fn all_cpus() -> NonZeroUsize {
    thread::available_parallelism().unwrap_or(NonZeroUsize::MIN)
}
