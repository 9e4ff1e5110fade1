//! `othello web`: the page, on its own server.

use std::{
    io::{self, ErrorKind, Write as _},
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener},
    num::NonZeroUsize,
    path::{Path, PathBuf},
    process::ExitCode,
    sync::{Arc, Mutex, PoisonError},
    thread,
    time::Duration,
};

use anyhow::Context as _;
use boardgame_cli::{duration, positive};
use boardgame_io::stop_requested;
use othello_cli::BookOptions;
use othello_engine::{Settings, ThreadCount, book::BookPlay};
use othello_web::live::{LogRun, Runs};
use othello_web::{Config, Server, Token, TokenError, requests::Library};

use crate::{
    analyze::PROGRAM,
    engine::EngineOptions,
    listen::Listen,
    output::tell,
    records::NameFiles,
    store::{StoreOptions, UserStore},
};

/// The minimum default number of searches at a time: a person may play in one window and analyze in another.
const MIN_DEFAULT_SEARCHES: NonZeroUsize = NonZeroUsize::new(2).unwrap();

/// The usual port: links to the page, and what browsers keep for it, hold as long as its address does.
const DEFAULT_PORT: u16 = 8064;

/// The maximum size of a file of games, in bytes.
const MAX_GAMES: u64 = 256 * boardgame_files::MIB;

/// Opens a page to play, to analyze and to watch games in a browser.
///
/// Logs of matches and of hosts are shown to be replayed, and followed while they grow.
///
/// The page has everything it needs. It can be reached from this computer alone, unless --listen is given; docs/web.md
/// explains the page and the API behind it.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  othello web --open
  othello web --port 8080 --searches 2 --hash 256
  othello web match.jsonl --open
  othello web --games WTH_*.wtb
  OTHELLO_TOKEN=$(openssl rand -hex 16) othello web --listen 0.0.0.0 --port 8080")]
pub(crate) struct Args {
    /// Logs to watch: of matches (--log), of hosts (--record), or of an LTH server (--store)
    #[arg(value_name = "LOG")]
    logs: Vec<PathBuf>,
    /// Files of games in which the page looks up what was played in a position
    #[arg(long, value_name = "FILE", num_args = 1..)]
    games: Vec<PathBuf>,
    #[command(flatten)]
    names: NameFiles,
    /// The port [default: 8064, or a free one if it is in use]
    #[arg(long, value_name = "PORT")]
    port: Option<u16>,
    /// Open the page in the browser
    #[arg(long)]
    open: bool,
    /// Listen at this address; one that other computers reach needs a token
    #[arg(long, value_name = "ADDRESS", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST), value_parser = address)]
    listen: IpAddr,
    /// A name by which browsers may call this computer, besides its address. May be given several times
    #[arg(long, value_name = "NAME", value_parser = host_name)]
    host: Vec<String>,
    /// The address of a page for links that are shared, such as that of its static files
    #[arg(long, value_name = "URL", value_parser = share_base)]
    share_base: Option<String>,
    /// A secret of at least 16 letters and digits, without which nothing is answered
    #[arg(long, value_name = "TOKEN", env = "OTHELLO_TOKEN", hide_env_values = true, value_parser = token)]
    token: Option<Token>,
    /// Maximum number of concurrent searches, each with the threads of --threads [default: CPUs / threads, at least 2]
    #[arg(long, value_name = "N", value_parser = positive::<NonZeroUsize>)]
    searches: Option<NonZeroUsize>,
    /// The longest time of a search
    #[arg(long, value_name = "TIME", value_parser = duration, default_value = "60s")]
    time_limit: Duration,
    #[command(flatten)]
    engine: EngineOptions,
    #[command(flatten)]
    book: BookOptions,
    #[command(flatten)]
    store: StoreOptions,
}

fn address(text: &str) -> Result<IpAddr, &'static str> {
    let expected = "expected an IP address such as 127.0.0.1 or 0.0.0.0";
    text.parse().map_err(|_| expected)
}

/// Parses the name of a computer in its form in a page's address: a name, or an IPv6 address in brackets.
fn host_name(text: &str) -> Result<String, &'static str> {
    let is_of_name = |byte: u8| byte.is_ascii_alphanumeric() || b"-._".contains(&byte);
    let is_name = !text.is_empty() && text.bytes().all(is_of_name);
    let inner = text
        .strip_prefix('[')
        .and_then(|text| text.strip_suffix(']'));
    let is_address = inner.is_some_and(|inner| inner.parse::<Ipv6Addr>().is_ok());
    if is_name || is_address {
        Ok(text.to_owned())
    } else {
        Err("expected a name such as my-computer.local, without a port")
    }
}

fn share_base(text: &str) -> Result<String, &'static str> {
    let is_address = text.starts_with("https://") || text.starts_with("http://");
    let is_whole = !text.contains(|c: char| c == '#' || c.is_whitespace());
    if is_address && is_whole {
        Ok(text.to_owned())
    } else {
        Err("expected an address such as https://example.org/othello/, without #")
    }
}

fn token(text: &str) -> Result<Token, TokenError> {
    Token::new(text)
}

impl Args {
    /// Returns the book of the engine and the explorer. The built-in one has values of the built-in weights.
    fn book(&self) -> Option<BookPlay> {
        let has_own_weights = self.engine.evaluation.weights.is_some();
        let is_given = self.book.book.is_some();
        (is_given || !has_own_weights).then(|| self.book.play())?
    }
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let listen = Listen {
        names: &args.host,
        token: args.token.clone(),
        token_option: "--token",
    };
    let bind = |port| listen.bind(SocketAddr::new(args.listen, port));
    let listener = match args.port {
        Some(port) => bind(port)?,
        None => bind(DEFAULT_PORT).or_else(|_| bind(0))?,
    };
    let book = args.book();
    let library = library(args, book.as_ref())?;
    let store = args.store.open(args.engine.evaluation.weights.as_ref())?;
    let store = Arc::new(Mutex::new(store));
    boardgame_io::block_on(serve(args, &listen, listener, (library, book), &store))??;
    let store = store.lock().unwrap_or_else(PoisonError::into_inner);
    store.warn_of_failure()?;
    Ok(ExitCode::SUCCESS)
}

async fn serve(
    args: &Args,
    listen: &Listen<'_>,
    listener: TcpListener,
    (library, book): (Library, Option<BookPlay>),
    store: &Arc<Mutex<UserStore>>,
) -> anyhow::Result<()> {
    let runs = Runs::default();
    let logs = args.logs.iter().map(|path| open_log(&runs, path));
    let logs: Vec<LogRun> = logs.collect::<Result<_, _>>()?;
    let bound = listener.local_addr()?;
    let listener = tokio::net::TcpListener::from_std(listener)?;
    let server = Server::new(&Config {
        program: PROGRAM.to_owned(),
        engine: Settings {
            book,
            ..args.engine.settings()
        },
        searches: args
            .searches
            .unwrap_or_else(|| default_searches(args.engine.threads)),
        time_limit: args.time_limit,
        hosts: listen.hosts(bound),
        token: listen.token.clone(),
        store: Some(Arc::clone(store) as _),
        library: Arc::new(library),
        runs,
        share_base: args.share_base.clone(),
        drill: None,
    })?;
    logs.into_iter().for_each(follow);
    // Logs are shown first.
    let view = if args.logs.is_empty() { "" } else { "#watch" };
    let address = listen.url(bound) + view;
    print(&address)?;
    if args.open
        && let Err(error) = open::that_detached(&address)
    {
        tell(format_args!("the browser cannot be opened: {error}"))?;
    }
    server.serve(listener, stop_requested()).await;
    Ok(())
}

/// Reads the files of games.
fn library(args: &Args, book: Option<&BookPlay>) -> anyhow::Result<Library> {
    let book = book.map(|play| Arc::clone(&play.book));
    let mut library = Library::new(args.names.read()?, book);
    for path in &args.games {
        let name = || path.display().to_string();
        let file = boardgame_files::read(path, MAX_GAMES).with_context(name)?;
        library.add(file).with_context(name)?;
    }
    Ok(library)
}

/// Opens a log, which may not exist yet.
fn open_log(runs: &Runs, path: &Path) -> anyhow::Result<LogRun> {
    let log = LogRun::open(runs, path)?;
    if !log.path().exists() {
        let file = log.path().display();
        // Without standard error nobody can read it.
        let _ = tell(format_args!("waiting for {file}, which does not exist yet"));
    }
    Ok(log)
}

/// Follows a log for as long as the program runs, or until it can no longer be read.
fn follow(log: LogRun) {
    tokio::spawn(async {
        let Err(error) = log.follow().await;
        // Without standard error nobody can read it.
        let _ = tell(format_args!("{error}"));
    });
}

/// Prints the address of the page. A closed output is no reason to stop.
pub(crate) fn print(address: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    let printed = writeln!(out, "{address}\nCtrl-C stops the server.").and_then(|()| out.flush());
    printed.or_else(|error| match error.kind() {
        ErrorKind::BrokenPipe => Ok(()),
        _ => Err(error),
    })
}

/// Returns how many searches of this many threads the CPUs can run, but at least [`MIN_DEFAULT_SEARCHES`].
fn default_searches(threads: ThreadCount) -> NonZeroUsize {
    let cpus = thread::available_parallelism().map_or(1, NonZeroUsize::get);
    let searches = NonZeroUsize::new(cpus / threads.get());
    searches.map_or(MIN_DEFAULT_SEARCHES, |searches| {
        searches.max(MIN_DEFAULT_SEARCHES)
    })
}
