//! Questions for a person, and judgements of the answers: `/api/drill`.

use std::sync::{Arc, Mutex, PoisonError};

use axum::{Router, body::Body, extract::State, http::HeaderMap, response::Response, routing::get};
use othello_core::{Board, Square};
use serde::Deserialize;
use serde_json::{Value, json};

use super::{answer::json as answer, body, error::ApiError};

/// A person's answer to a question.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DrillAnswer {
    /// The board of the question.
    pub board: Board,
    /// The move, or `None` to give up.
    #[serde(default, rename = "move")]
    pub square: Option<Square>,
    /// True if there was a hint before.
    #[serde(default)]
    pub hinted: bool,
}

/// The error of an answer that cannot be judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DrillError {
    /// The move is not legal.
    #[error("expected a legal move, found {0}")]
    Illegal(Square),
    /// The answer is to another question, such as one asked in another window.
    #[error("expected an answer to the current question, found one to another")]
    OtherQuestion,
    /// There is no question.
    #[error("expected a question before its answer, found none")]
    NoQuestion,
}

/// The questions of a person. Without an answer it returns the question in JSON, otherwise the judgement; then the next
/// question follows.
pub type Drill = Arc<Mutex<dyn FnMut(Option<DrillAnswer>) -> Result<Value, DrillError> + Send>>;

/// Returns the routes of a drill. Without one there is never a question.
pub(crate) fn routes(drill: Option<Drill>) -> Router {
    let routes = get(question).post(judge);
    Router::new().route("/api/drill", routes).with_state(drill)
}

async fn question(State(drill): State<Option<Drill>>) -> Result<Response, ApiError> {
    match drill {
        Some(drill) => call(&drill, None),
        None => Ok(answer(json!({ "question": null }).to_string())),
    }
}

async fn judge(
    State(drill): State<Option<Drill>>,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, ApiError> {
    let given: DrillAnswer = body::fields(&headers, body).await?;
    let drill =
        drill.ok_or_else(|| ApiError::bad("expected othello drill --web, found no questions"))?;
    call(&drill, Some(given))
}

fn call(drill: &Drill, given: Option<DrillAnswer>) -> Result<Response, ApiError> {
    let mut drill = drill.lock().unwrap_or_else(PoisonError::into_inner);
    let found = (*drill)(given).map_err(|error| ApiError::bad(error.to_string()))?;
    Ok(answer(found.to_string()))
}
