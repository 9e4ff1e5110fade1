//! The logs of programs, each for whoever has its secret.

use std::{path::PathBuf, sync::Arc};

use axum::{
    Router,
    extract::{Query, State},
    http::header::CONTENT_TYPE,
    response::{IntoResponse as _, Response},
    routing::get,
};
use serde::Deserialize;

use super::{Token, error::ApiError};

/// The maximum size of a file that is shown, in bytes.
const MAX_FILE: u64 = 4 * boardgame_files::MIB;

/// The log of a program.
#[derive(Clone)]
pub struct ProgramLog {
    /// The secret that shows it: `/log?secret=SECRET`.
    pub secret: Token,
    /// The files that make it up; those that are missing are left out.
    pub files: Vec<PathBuf>,
}

/// Returns the route of the logs.
pub(crate) fn routes(logs: Vec<ProgramLog>) -> Router {
    Router::new()
        .route("/log", get(log))
        .with_state(logs.into())
}

#[derive(Deserialize)]
struct Asked {
    #[serde(default)]
    secret: String,
}

async fn log(
    State(logs): State<Arc<[ProgramLog]>>,
    Query(asked): Query<Asked>,
) -> Result<Response, ApiError> {
    let is_asked = |log: &&ProgramLog| log.secret.is(&asked.secret);
    let log = logs.iter().find(is_asked).cloned();
    let log = log.ok_or_else(|| ApiError::forbidden("expected the secret of a program"))?;
    let read = move || {
        log.files
            .iter()
            .filter_map(|path| boardgame_files::read_any_text(path, MAX_FILE).ok())
            .map(|(text, _)| text)
            .collect::<String>()
    };
    let text = tokio::task::spawn_blocking(read).await.unwrap_or_default();
    Ok(([(CONTENT_TYPE, "text/plain; charset=utf-8")], text).into_response())
}
