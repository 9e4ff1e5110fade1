//! The logs of programs, each for whoever has its secret.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use axum::{
    Router,
    extract::{Query, State},
    http::header::CONTENT_TYPE,
    response::{IntoResponse as _, Response},
    routing::get,
};
use serde::Deserialize;
use tokio::sync::watch;

use super::{Token, error::ApiError};

/// The maximum size of a file that is shown, in bytes.
const MAX_FILE: u64 = 4 * boardgame_files::MIB;

/// The log of a program.
#[derive(Clone)]
pub struct ProgramLog {
    /// The secret that shows it.
    pub secret: Token,
    /// The report of its last check.
    pub report: PathBuf,
    /// Its standard error, in which a line such as `--- game 7, …` begins the part of each game, and
    /// `--- check of NAME@2` that of a check.
    pub stderr: PathBuf,
}

/// The logs, which change as programs come and go.
pub type Logs = watch::Receiver<Arc<[ProgramLog]>>;

/// Returns the route of the logs: `/log?secret=SECRET`, or `/log?secret=SECRET&game=7` for the part of a game.
pub(crate) fn routes(logs: Logs) -> Router {
    Router::new().route("/log", get(log)).with_state(logs)
}

#[derive(Deserialize)]
struct Asked {
    #[serde(default)]
    secret: String,
    game: Option<u64>,
}

async fn log(
    State(logs): State<Logs>,
    Query(Asked { secret, game }): Query<Asked>,
) -> Result<Response, ApiError> {
    let log = logs
        .borrow()
        .iter()
        .find(|log| log.secret.is(&secret))
        .cloned();
    let log = log.ok_or_else(|| ApiError::forbidden("expected the secret of a program"))?;
    let read = move || {
        let text = |path: &Path| {
            boardgame_files::read_any_text(path, MAX_FILE)
                .unwrap_or_default()
                .0
        };
        match game {
            Some(game) => part(&text(&log.stderr), game),
            None => text(&log.report) + &text(&log.stderr),
        }
    };
    let text = tokio::task::spawn_blocking(read).await.unwrap_or_default();
    Ok(([(CONTENT_TYPE, "text/plain; charset=utf-8")], text).into_response())
}

/// Returns the lines of a game.
fn part(text: &str, game: u64) -> String {
    let begins = format!("--- game {game},");
    let mut is_in = false;
    let lines = text.split_inclusive('\n').filter(|line| {
        if ["--- game ", "--- check of "]
            .iter()
            .any(|it| line.starts_with(it))
        {
            is_in = line.starts_with(&begins);
        }
        is_in
    });
    lines.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_has_a_part_for_each_game() {
        let text = "old\n--- game 1, black\none\n--- check of a@2\nchecked\n--- game 12, white\ntwo\n--- game 1, black\n--- started";
        assert_eq!(
            part(text, 1),
            "--- game 1, black\none\n--- game 1, black\n--- started"
        );
        assert_eq!(part(text, 2), "");
    }
}
