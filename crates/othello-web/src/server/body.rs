//! The fields of a request, from its body or its address.

use std::time::Duration;

use axum::{
    body::{Body, HttpBody as _, to_bytes},
    extract::Query,
    http::{HeaderMap, StatusCode, Uri, header::CONTENT_TYPE},
};
use serde::{
    Deserializer,
    de::{DeserializeOwned, Error as _, Visitor, value},
    forward_to_deserialize_any,
};
use tokio::time::timeout;

use super::error::ApiError;

/// The maximum size of a body, in bytes.
const MAX_BODY: usize = 1 << 20;

/// The time limit for the arrival of a body.
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

/// Reads the fields of a request without a text.
pub(crate) async fn fields<T: DeserializeOwned>(
    headers: &HeaderMap,
    body: Body,
) -> Result<T, ApiError> {
    match read(headers, body).await? {
        Content::Json(text) => of_json(&text),
        Content::Text(_) => Err(wrong_type()),
    }
}

fn wrong_type() -> ApiError {
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

/// Reads the fields of a request from its address. An empty value counts as missing.
pub(crate) fn of_query<T: DeserializeOwned>(uri: &Uri) -> Result<T, ApiError> {
    let fields = uri.query().unwrap_or_default().split('&');
    let (given, empty): (Vec<&str>, Vec<&str>) =
        fields.partition(|field| name_of_empty(field).is_none());
    let wrong = |error: &dyn std::fmt::Display| {
        ApiError::bad(format!(
            "expected the fields of the request in the address: {error}"
        ))
    };
    let names = field_names::<T>();
    let unknown = empty
        .into_iter()
        .filter_map(name_of_empty)
        .find(|name| !names.contains(name));
    if let Some(unknown) = unknown {
        return Err(wrong(&value::Error::unknown_field(unknown, names)));
    }
    let given = format!("/?{}", given.join("&"));
    let uri: Uri = given.parse().map_err(|error| wrong(&error))?;
    let Query(fields) = Query::try_from_uri(&uri).map_err(|error| wrong(&error.body_text()))?;
    Ok(fields)
}

/// Returns the name of a field with an empty value.
fn name_of_empty(field: &str) -> Option<&str> {
    let (name, value) = field.split_once('=')?;
    value.is_empty().then_some(name)
}

/// Returns the names of the fields of a struct.
fn field_names<T: DeserializeOwned>() -> &'static [&'static str] {
    let mut names: &'static [&'static str] = &[];
    // It has no values and always fails.
    let _ = T::deserialize(FieldNames(&mut names));
    names
}

/// A deserializer that records which fields are requested.
struct FieldNames<'a>(&'a mut &'static [&'static str]);

impl<'de> Deserializer<'de> for FieldNames<'_> {
    type Error = value::Error;

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Self::Error> {
        *self.0 = fields;
        self.deserialize_any(visitor)
    }

    fn deserialize_any<V: Visitor<'de>>(self, _visitor: V) -> Result<V::Value, Self::Error> {
        Err(value::Error::custom("expected the fields of a struct"))
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map enum identifier ignored_any
    }
}

#[cfg(test)]
mod tests {
    use crate::requests::{AnalyzeRequest, FileBytes, HintRequest};

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
        for unknown in ["/api/hint?deep=4", "/api/hint?deep=", "/api/hint?="] {
            assert!(hint(unknown).is_err(), "{unknown}");
        }
        assert!(hint("/api/hint?depth=4=").is_err());
        let padded = of_query::<AnalyzeRequest>(&"/?base64=ZjU=&text=".parse().unwrap());
        let file = padded.unwrap().base64;
        assert_eq!(file, Some(FileBytes(b"f5".to_vec())));
    }
}
