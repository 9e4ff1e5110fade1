//! The errors of the API.

use crate::requests::RequestError;
use axum::{
    http::{
        HeaderValue, StatusCode,
        header::{CONTENT_TYPE, RETRY_AFTER, WWW_AUTHENTICATE},
    },
    response::{IntoResponse, Response},
};

/// The time after which a client may try again, in seconds.
const RETRY_SECONDS: HeaderValue = HeaderValue::from_static("2");

/// The message of a search that panicked.
pub(crate) const SEARCH_FAILED: &str = "the search failed: this is an error of the program";

/// An error with the status of its answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ApiError {
    status: StatusCode,
    message: String,
}

impl ApiError {
    pub(crate) fn new(status: StatusCode, message: impl Into<String>) -> Self {
        Self {
            status,
            message: message.into(),
        }
    }

    pub(crate) fn bad(message: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, message)
    }

    pub(crate) fn forbidden(message: &str) -> Self {
        Self::new(StatusCode::FORBIDDEN, message)
    }

    pub(crate) fn unauthorized() -> Self {
        Self::new(
            StatusCode::UNAUTHORIZED,
            "expected the token: open the address that the program printed, or send the header Authorization: Bearer \
             TOKEN",
        )
    }

    pub(crate) fn busy() -> Self {
        Self::new(
            StatusCode::TOO_MANY_REQUESTS,
            "expected a free search: all are in use, try again soon",
        )
    }

    /// Returns the error of a search on a server that only shows games.
    pub(crate) fn without_searches() -> Self {
        Self::new(
            StatusCode::FORBIDDEN,
            "expected a request of /api/games: this server only shows games, so that it takes no time from the programs \
             that play them; the command “othello web” plays and analyzes",
        )
    }

    /// Returns the error of exceeding a limited number.
    pub(crate) fn too_many(what: &str) -> Self {
        Self::new(
            StatusCode::TOO_MANY_REQUESTS,
            format!("expected fewer {what} at a time, try again soon"),
        )
    }

    /// Returns the error of a search that panicked; its panic is in the log.
    pub(crate) fn internal() -> Self {
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, SEARCH_FAILED)
    }
}

impl From<RequestError> for ApiError {
    fn from(error: RequestError) -> Self {
        Self::bad(error.to_string())
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let body = serde_json::json!({ "error": { "message": self.message } }).to_string();
        let mut response = (self.status, body).into_response();
        let headers = response.headers_mut();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        match self.status {
            StatusCode::TOO_MANY_REQUESTS => {
                headers.insert(RETRY_AFTER, RETRY_SECONDS);
            }
            StatusCode::UNAUTHORIZED => {
                headers.insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
            }
            _ => {}
        }
        response
    }
}
