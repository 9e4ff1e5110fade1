//! `--web`: a server that shows games in a browser while this process plays them.

use std::{
    io::{self, IsTerminal as _, Write as _},
    net::{Ipv4Addr, SocketAddr, TcpListener},
    thread::{self, JoinHandle},
    time::Duration,
};

use anyhow::Context as _;
use boardgame_io::stop_requested_with_ready;
use othello_web::live::Runs;
use othello_web::{Hosts, Pages, Server, Token};
use tokio::{runtime, sync::oneshot};

use crate::listen::Listen;

/// The options of games that can be watched.
#[derive(Clone, clap::Args)]
pub(crate) struct WatchOptions {
    /// Show the games in a browser while they are played, at this address or port [default: a free port of this
    /// computer]. An address that other computers reach needs a token
    #[arg(
        long,
        value_name = "ADDRESS:PORT",
        value_parser = address,
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "0",
        help_heading = "Watching"
    )]
    web: Option<SocketAddr>,
    /// A secret of at least 16 letters and digits, without which --web shows nothing
    #[arg(
        long,
        value_name = "TOKEN",
        env = "OTHELLO_TOKEN",
        hide_env_values = true,
        help_heading = "Watching"
    )]
    web_token: Option<String>,
}

/// The error of a text that is neither an address with a port nor a port.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected ADDRESS:PORT, such as 127.0.0.1:8080, or a port")]
struct ParseAddressError;

fn address(text: &str) -> Result<SocketAddr, ParseAddressError> {
    let port = text.parse().map(|port| (Ipv4Addr::LOCALHOST, port).into());
    port.or_else(|_| text.parse().map_err(|_| ParseAddressError))
}

impl WatchOptions {
    /// Starts the server, if requested, and prints its address on standard error.
    pub(crate) fn start(&self) -> anyhow::Result<Option<WatchServer>> {
        self.start_with(Pages::default())
    }

    /// Starts the server, if requested, with further pages.
    pub(crate) fn start_with(&self, pages: Pages) -> anyhow::Result<Option<WatchServer>> {
        let Some(asked) = self.web else {
            return Ok(None);
        };
        // The variable may be meant for another program; without --web it is ignored.
        let token = self.web_token.as_deref().map(Token::new).transpose();
        let listen = Listen {
            token: token.context("--web-token or OTHELLO_TOKEN")?,
            token_option: "--web-token",
            ..Listen::default()
        };
        let listener = listen.bind(asked)?;
        let bound = listener.local_addr()?;
        let has_scores = matches!(pages, Pages::Scores(_));
        let (hosts, token) = (listen.hosts(bound), listen.token.clone());
        let server = WatchServer::start(listener, pages, hosts, token)?;
        let url = listen.url(bound);
        // Without standard error nobody can read it.
        let _ = writeln!(io::stderr(), "othello: the games are shown at {url}#watch");
        if has_scores {
            let url = listen.url_of(bound, "scoreboard");
            let _ = writeln!(io::stderr(), "othello: the scoreboard is at {url}");
        }
        Ok(Some(server))
    }
}

/// The time for readers to request the last moves once all games are over.
const LAST_LOOK: Duration = Duration::from_secs(1);

/// A server on its own thread, which never makes the players wait.
///
/// When it is dropped, it sends its readers everything still unsent, gives them a second to request more, and ends.
/// Drop the writers of its runs first.
pub(crate) struct WatchServer {
    runs: Runs,
    /// Ends the server once it is dropped.
    ending: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl WatchServer {
    fn start(
        listener: TcpListener,
        pages: Pages,
        hosts: Hosts,
        token: Option<Token>,
    ) -> anyhow::Result<Self> {
        let runs = Runs::default();
        let server = Server::of_games(runs.clone(), pages, hosts, token);
        let (ending, is_ending) = oneshot::channel::<()>();
        let runtime = runtime::Builder::new_current_thread()
            .enable_all()
            .build()?;
        let serve = move || {
            runtime.block_on(async {
                match tokio::net::TcpListener::from_std(listener) {
                    Ok(listener) => {
                        let ended = async { drop(is_ending.await) };
                        server.serve(listener, ended).await;
                    }
                    Err(error) => tracing::error!(%error, "the games are not shown"),
                }
            });
        };
        let thread = thread::Builder::new().name("web".into()).spawn(serve)?;
        Ok(Self {
            runs,
            ending: Some(ending),
            thread: Some(thread),
        })
    }

    /// Waits for Ctrl-C if there is a server and a person at the terminal, who may look at the games after their end.
    pub(crate) fn stay(server: Option<&Self>) {
        if server.is_some() && io::stderr().is_terminal() {
            let tell = || {
                let _ = writeln!(io::stderr(), "othello: the games are shown until Ctrl-C");
            };
            // Without a runtime for signals there is nothing to wait for.
            let _ = boardgame_io::block_on(stop_requested_with_ready(tell));
        }
    }

    /// Returns the runs that are shown.
    pub(crate) const fn runs(&self) -> &Runs {
        &self.runs
    }
}

impl Drop for WatchServer {
    fn drop(&mut self) {
        if self.runs.readers() > 0 {
            thread::sleep(LAST_LOOK);
        }
        self.ending.take();
        if let Some(thread) = self.thread.take() {
            // A panic of the server is in its log, and does not affect the players.
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_port_is_one_of_this_computer() {
        assert_eq!(address("0"), Ok("127.0.0.1:0".parse().unwrap()));
        assert_eq!(address("[::1]:80"), Ok("[::1]:80".parse().unwrap()));
        assert_eq!(address("localhost:80"), Err(ParseAddressError));
    }
}
