//! The server.

mod access;
mod answer;
mod api;
mod body;
mod config;
mod connections;
mod drill;
mod error;
mod events;
mod games;
mod logs;
mod page;
mod pool;
mod scoreboard;

use std::sync::Arc;

use axum::{
    Router,
    http::{HeaderName, HeaderValue, header},
    middleware::{from_fn_with_state, map_response},
    response::Response,
};
use othello_engine::TableError;
use tokio::{net::TcpListener, sync::watch};

use self::{
    access::{Access, check},
    api::Api,
    connections::Bounds,
    games::Games,
    pool::Pool,
};
pub use self::{
    access::{Hosts, Token, TokenError},
    config::{Config, SharedStore},
    drill::{Drill, DrillAnswer, DrillError},
    logs::{Logs, ProgramLog},
    page::page_text,
    scoreboard::Scores,
};
use crate::live::Runs;

/// The content security policy of each answer: the page loads its own files and sends requests to this server, and
/// nothing else.
const POLICIES: &[(&str, &str)] = &[
    (
        "content-security-policy",
        "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data:; \
         connect-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    ),
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-embedder-policy", "require-corp"),
    ("cross-origin-resource-policy", "same-origin"),
    ("referrer-policy", "no-referrer"),
    ("x-content-type-options", "nosniff"),
];

/// The pages of a server of games.
#[derive(Default)]
pub enum Pages {
    /// The games alone.
    #[default]
    Games,
    /// Also the scoreboard of a course.
    Scores(Scores),
    /// Also the logs of programs, each for whoever has its secret.
    Logs(Logs),
}

/// The server of the page and its API.
pub struct Server {
    router: Router,
    pool: Option<Arc<Pool>>,
    /// Informs streams of events that the server ends.
    ending: watch::Sender<bool>,
}

impl Server {
    /// Creates a server with its searches.
    ///
    /// # Errors
    ///
    /// Fails if there is no memory for the tables of its searches.
    pub fn new(config: &Config) -> Result<Self, TableError> {
        let pool = Arc::new(Pool::new(config)?);
        let routes = api::routes(Api::new(Arc::clone(&pool), config));
        let access = Access {
            hosts: config.hosts.clone(),
            token: config.token.clone(),
        };
        Ok(Self::with_routes(
            access,
            config.runs.clone(),
            page::routes(config.share_base.as_deref().unwrap_or_default())
                .merge(drill::routes(config.drill.clone()))
                .merge(routes),
            Some(pool),
        ))
    }

    /// Creates a server that shows games played in this process. It does not search, so it takes no time from the
    /// players. It also shows the scoreboard of a course, or logs of programs to those who have their secrets.
    pub fn of_games(runs: Runs, pages: Pages, hosts: Hosts, token: Option<Token>) -> Self {
        let more = match pages {
            Pages::Games => Router::new(),
            Pages::Scores(scores) => scoreboard::routes(scores),
            Pages::Logs(logs) => logs::routes(logs),
        };
        let routes = page::routes("")
            .merge(drill::routes(None))
            .merge(api::routes_without_searches())
            .merge(more);
        Self::with_routes(Access { hosts, token }, runs, routes, None)
    }

    fn with_routes(access: Access, runs: Runs, routes: Router, pool: Option<Arc<Pool>>) -> Self {
        let (ending, is_ending) = watch::channel(false);
        let router = routes
            .merge(games::routes(Games::new(runs, is_ending)))
            .fallback(api::not_found)
            .method_not_allowed_fallback(api::wrong_method)
            .layer(from_fn_with_state(access, check))
            .layer(map_response(with_policies));
        Self {
            router,
            pool,
            ending,
        }
    }

    /// Serves the connections of a listener until `shutdown` is done. Then searches end with their results so far,
    /// streams of games end with the last event, and connections are closed.
    ///
    /// Must be called within a tokio runtime.
    pub async fn serve(self, listener: TcpListener, shutdown: impl Future<Output = ()>) {
        let end_work = || {
            self.ending.send_replace(true);
            if let Some(pool) = &self.pool {
                pool.end();
            }
        };
        let bounds = Bounds::default();
        connections::serve(listener, self.router, bounds, shutdown, end_work).await;
    }
}

/// Adds the headers of all answers.
async fn with_policies(mut response: Response) -> Response {
    let headers = response.headers_mut();
    for (name, value) in POLICIES {
        headers.insert(
            HeaderName::from_static(name),
            HeaderValue::from_static(value),
        );
    }
    headers
        .entry(header::CACHE_CONTROL)
        .or_insert(HeaderValue::from_static("no-store"));
    response
}
