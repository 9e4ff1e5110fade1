//! The server.

use std::sync::Arc;

use axum::{
    Router,
    http::{HeaderName, HeaderValue, header},
    middleware::{from_fn_with_state, map_response},
    response::Response,
};
use othello_engine::TableError;
use tokio::net::TcpListener;

use crate::{
    Config,
    access::{Access, check},
    api::{self, Api},
    connections::{self, Bounds},
    page,
    pool::Pool,
};

/// What the page may load and do, told in each answer: nothing but its own files, and requests to this server.
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

/// The server of the page and its API.
pub struct Server {
    router: Router,
    pool: Arc<Pool>,
}

impl Server {
    /// Creates a server with its searches.
    ///
    /// # Errors
    ///
    /// When there is no memory for the tables of its searches.
    pub fn new(config: &Config) -> Result<Self, TableError> {
        let pool = Arc::new(Pool::new(config)?);
        let access = Access {
            hosts: config.hosts.clone(),
            token: config.token.clone(),
        };
        let router = page::routes()
            .merge(api::routes(Api::new(Arc::clone(&pool), config)))
            .fallback(api::not_found)
            .method_not_allowed_fallback(api::wrong_method)
            .layer(from_fn_with_state(access, check))
            .layer(map_response(with_policies));
        Ok(Self { router, pool })
    }

    /// Serves the connections of a listener until `shutdown` is done. Then searches end with what they have found, and
    /// connections are closed.
    ///
    /// Must be called within a tokio runtime.
    pub async fn serve(self, listener: TcpListener, shutdown: impl Future<Output = ()>) {
        let pool = self.pool;
        let bounds = Bounds::default();
        connections::serve(listener, self.router, bounds, shutdown, || pool.end()).await;
    }
}

/// Adds the headers that each answer has.
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
