//! The fields of a request, from its body or its address.

use std::time::Duration;

use axum::{
    body::{Body, HttpBody as _, to_bytes},
    extract::Query,
    http::{HeaderMap, StatusCode, Uri, header::CONTENT_TYPE},
};
use serde::de::DeserializeOwned;
use tokio::time::timeout;

use crate::error::ApiError;

/// The largest body, in bytes.
const MAX_BODY: usize = 1 << 20;

/// The time in which a body must arrive.
const MAX_BODY_TIME: Duration = Duration::from_secs(20);

/// A body with its type.
pub(crate) enum Content {
    /// The fields of a request as JSON.
    Json(Vec<u8>),
    /// A text, or a file of another kind; the fields are in the address.
    Text(Vec<u8>),
}

/// Reads a body.
pub(crate) async fn read(headers: &HeaderMap, body: Body) -> Result<Content, ApiError> {
    let content_type = headers
        .get(CONTENT_TYPE)
        .and_then(|value| value.to_str().ok());
    let media = content_type.and_then(|value| value.split(';').next());
    let media = media.unwrap_or_default().trim().to_ascii_lowercase();
    let is_json = match media.as_str() {
        "application/json" => true,
        "text/plain" | "application/octet-stream" => false,
        _ => return Err(wrong_type()),
    };
    let bytes = bytes(body).await?;
    Ok(if is_json {
        Content::Json(bytes)
    } else {
        Content::Text(bytes)
    })
}

async fn bytes(body: Body) -> Result<Vec<u8>, ApiError> {
    if body.size_hint().lower() > MAX_BODY as u64 {
        return Err(too_large());
    }
    match timeout(MAX_BODY_TIME, to_bytes(body, MAX_BODY)).await {
        Ok(Ok(bytes)) => Ok(bytes.into()),
        // Either it is too large, or the connection broke and nobody reads the answer.
        Ok(Err(_)) => Err(too_large()),
        Err(_) => Err(ApiError::new(
            StatusCode::REQUEST_TIMEOUT,
            format!("expected the body within {} s", MAX_BODY_TIME.as_secs()),
        )),
    }
}

fn too_large() -> ApiError {
    ApiError::new(
        StatusCode::PAYLOAD_TOO_LARGE,
        format!("expected a body of at most {MAX_BODY} bytes"),
    )
}

pub(crate) fn wrong_type() -> ApiError {
    ApiError::new(
        StatusCode::UNSUPPORTED_MEDIA_TYPE,
        "expected a body with Content-Type: application/json; the text of records and analyses may be text/plain or \
         application/octet-stream",
    )
}

/// Reads the fields of a request from JSON.
pub(crate) fn of_json<T: DeserializeOwned>(text: &[u8]) -> Result<T, ApiError> {
    let fields = serde_json::from_slice(text);
    fields.map_err(|error| ApiError::bad(format!("expected a request in JSON: {error}")))
}

/// Reads the fields of a request from its address. Those without a value count as not given.
pub(crate) fn of_query<T: DeserializeOwned>(uri: &Uri) -> Result<T, ApiError> {
    let fields = uri.query().unwrap_or_default().split('&');
    let given: Vec<&str> = fields.filter(|field| !field.ends_with('=')).collect();
    let wrong = |error: &dyn std::fmt::Display| {
        ApiError::bad(format!(
            "expected the fields of the request in the address: {error}"
        ))
    };
    let given = format!("/?{}", given.join("&"));
    let uri: Uri = given.parse().map_err(|error| wrong(&error))?;
    let Query(fields) = Query::try_from_uri(&uri).map_err(|error| wrong(&error.body_text()))?;
    Ok(fields)
}

#[cfg(test)]
mod tests {
    use othello_api::HintRequest;

    use super::*;

    #[test]
    fn empty_fields_of_an_address_are_not_given() {
        let hint = |query: &str| of_query::<HintRequest>(&query.parse().unwrap());
        let expected = HintRequest {
            moves: "f5 d6".into(),
            depth: Some(4),
            ..HintRequest::default()
        };
        let read = hint("/api/hint?board=&moves=f5+d6&depth=4&time_ms=");
        assert_eq!(read, Ok(expected));
        assert_eq!(hint("/api/hint"), Ok(HintRequest::default()));
        assert!(hint("/api/hint?depth=x").is_err());
        assert!(hint("/api/hint?deep=4").is_err());
    }
}
