//! The routes of the API.

use std::sync::Arc;

use crate::requests::{
    AnalyzeRequest, FileBytes, HintRequest, Library, Prepared, RecordsRequest, Request,
};
use axum::{
    Router,
    body::Body,
    extract::{Extension, State},
    http::{HeaderMap, Method, StatusCode, Uri},
    response::Response,
    routing::{MethodRouter, any, get, post},
};
use boardgame_io::{Client, Places};
use othello_engine::PlayLevel;
use serde::de::DeserializeOwned;

use super::{
    Config,
    answer::{Answer, Form, hold, json},
    body::{self, Content},
    error::ApiError,
    pool::Pool,
};

/// The description of the API.
const OPENAPI: &str = include_str!("../../openapi.json");

/// The maximum number of requests for the games of a text at a time, until their answers are sent: they may be large,
/// and slow readers hold them in memory.
const MAX_TEXTS: usize = 32;

/// The state shared by the handlers.
#[derive(Clone)]
pub(crate) struct Api {
    pub(crate) pool: Arc<Pool>,
    texts: Places,
    library: Arc<Library>,
    engine: Arc<str>,
}

impl Api {
    pub(crate) fn new(pool: Arc<Pool>, config: &Config) -> Self {
        let engine = serde_json::json!({
            "program": config.program,
            "threads": config.engine.threads.get(),
            "searches": config.searches,
            "levels": [1, 60],
            "named_levels": PlayLevel::NAMED.map(|(name, rating)| serde_json::json!({"name": name, "rating": rating.number()})),
            "time_limit_ms": config.time_limit.as_millis() as u64,
        });
        Self {
            pool,
            texts: Places::new(MAX_TEXTS),
            library: Arc::clone(&config.library),
            engine: engine.to_string().into(),
        }
    }
}

/// Returns the routes of the API.
pub(crate) fn routes(api: Api) -> Router {
    Router::new()
        .route("/api/hint", get(hint))
        .route("/api/move", with_fields(Request::Move))
        .route("/api/records", post(records))
        .route("/api/analyze", post(analyze))
        .route("/api/position", with_fields(Request::Position))
        .route("/api/explore", with_fields(Request::Explore))
        .route("/api/engine", get(engine))
        .route("/api/openapi.json", get(async || json(OPENAPI)))
        .with_state(api)
}

/// Returns the routes of the API of a server that only shows games.
pub(crate) fn routes_without_searches() -> Router {
    let paths = [
        "hint", "move", "records", "analyze", "position", "explore", "engine",
    ];
    let router = paths.iter().fold(Router::new(), |router, path| {
        router.route(
            &format!("/api/{path}"),
            any(async || ApiError::without_searches()),
        )
    });
    router.route("/api/openapi.json", get(async || json(OPENAPI)))
}

async fn engine(State(api): State<Api>) -> Response {
    json(&*api.engine)
}

async fn hint(
    State(api): State<Api>,
    Extension(client): Extension<Client>,
    headers: HeaderMap,
    uri: Uri,
) -> Result<Response, ApiError> {
    let request = Request::Hint(body::of_query(&uri)?);
    api.carry_out(client, &headers, request).await
}

/// Returns the handler of requests with fields in JSON.
fn with_fields<T: DeserializeOwned + 'static>(request: fn(T) -> Request) -> MethodRouter<Api> {
    let handle = async move |State(api): State<Api>,
                             Extension(client): Extension<Client>,
                             headers: HeaderMap,
                             body: Body| {
        let request = request(body::fields(&headers, body).await?);
        api.carry_out(client, &headers, request).await
    };
    post(handle)
}

async fn records(
    State(api): State<Api>,
    Extension(client): Extension<Client>,
    headers: HeaderMap,
    uri: Uri,
    body: Body,
) -> Result<Response, ApiError> {
    let of_file = |base64, fields| RecordsRequest {
        base64: Some(base64),
        ..fields
    };
    let place = api.texts.take(client);
    let place = place.map_err(|_| ApiError::too_many("requests of games"))?;
    let request = fields_or_file(&headers, &uri, body, of_file).await?;
    let answer = api.carry_out(client, &headers, Request::Records(request));
    Ok(hold(place, answer.await?))
}

async fn analyze(
    State(api): State<Api>,
    Extension(client): Extension<Client>,
    headers: HeaderMap,
    uri: Uri,
    body: Body,
) -> Result<Response, ApiError> {
    let of_file = |base64, fields| AnalyzeRequest {
        base64: Some(base64),
        ..fields
    };
    let request = fields_or_file(&headers, &uri, body, of_file).await?;
    api.carry_out(client, &headers, Request::Analyze(request))
        .await
}

/// Reads the fields of a request about a file: from JSON, or from the address if the body is the file.
async fn fields_or_file<T: DeserializeOwned>(
    headers: &HeaderMap,
    uri: &Uri,
    body: Body,
    of_file: impl FnOnce(FileBytes, T) -> T,
) -> Result<T, ApiError> {
    match body::read(headers, body).await? {
        Content::Json(text) => body::of_json(&text),
        Content::Text(text) => Ok(of_file(FileBytes(text), body::of_query(uri)?)),
    }
}

impl Api {
    async fn carry_out(
        &self,
        client: Client,
        headers: &HeaderMap,
        request: Request,
    ) -> Result<Response, ApiError> {
        let yields = is_endless(&request);
        // Reading a text may take time and memory, which the slots of searches bound.
        let reads = match &request {
            Request::Records(_) | Request::Analyze(_) => true,
            Request::Explore(request) => self.library.reads_for(request),
            _ => false,
        };
        let slot = if reads {
            Some(self.pool.slot(client).await?)
        } else {
            None
        };
        let library = Arc::clone(&self.library);
        let prepare = move || (request.prepare_with(&library), slot);
        let prepared = tokio::task::spawn_blocking(prepare).await;
        let (prepared, slot) = prepared.map_err(|_| ApiError::internal())?;
        let answer = match (prepared?, slot) {
            (Prepared::Answer(event), _) => Answer::of_event(event),
            (Prepared::Search(task), Some(slot)) => slot.search(task, yields),
            (Prepared::Search(task), None) => self.pool.slot(client).await?.search(task, yields),
        };
        answer.respond(Form::of(headers)).await
    }
}

/// Returns `true` for a hint without depth and time: it has a value for each move at any time, and may end early.
fn is_endless(request: &Request) -> bool {
    matches!(
        request,
        Request::Hint(HintRequest {
            depth: None,
            time_ms: None,
            ..
        })
    )
}

/// Returns the answer for an unknown path.
pub(crate) async fn not_found(uri: Uri) -> ApiError {
    let path = uri.path();
    ApiError::new(
        StatusCode::NOT_FOUND,
        format!("{path}: expected a path that GET /api/openapi.json lists"),
    )
}

/// Returns the answer for a path with other methods.
pub(crate) async fn wrong_method(method: Method, uri: Uri) -> ApiError {
    let path = uri.path();
    ApiError::new(
        StatusCode::METHOD_NOT_ALLOWED,
        format!("{path}: expected another method than {method}"),
    )
}
