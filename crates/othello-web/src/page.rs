//! The files of the page, which the program holds.

use axum::{
    Router,
    http::{
        HeaderMap, HeaderValue, StatusCode,
        header::{CACHE_CONTROL, CONTENT_TYPE, ETAG, IF_NONE_MATCH},
    },
    response::{IntoResponse as _, Response},
    routing::get,
};

/// A file of the page.
#[derive(Clone, Copy)]
struct Asset {
    /// The path in addresses.
    path: &'static str,
    content_type: &'static str,
    bytes: &'static [u8],
}

/// A file of the folder `page`.
macro_rules! asset {
    ($path:literal, $content_type:expr, $file:literal) => {
        Asset {
            path: $path,
            content_type: $content_type,
            bytes: include_bytes!(concat!("../page/", $file)),
        }
    };
}

const HTML: &str = "text/html; charset=utf-8";

/// All files that are served.
const ASSETS: &[Asset] = &[asset!("/", HTML, "index.html")];

/// The routes of the page.
pub(crate) fn routes() -> Router {
    ASSETS.iter().fold(Router::new(), |router, asset| {
        let etag = etag(asset.bytes);
        let serve = async move |headers: HeaderMap| asset.respond(&headers, etag);
        router.route(asset.path, get(serve))
    })
}

/// A name of the content: browsers keep a file and ask whether it is still the same.
fn etag(bytes: &[u8]) -> HeaderValue {
    let name = format!("\"{:08x}-{:x}\"", crc32fast::hash(bytes), bytes.len());
    HeaderValue::from_str(&name).unwrap_or(HeaderValue::from_static("\"\""))
}

impl Asset {
    fn respond(&self, headers: &HeaderMap, etag: HeaderValue) -> Response {
        let known = headers.get_all(IF_NONE_MATCH).into_iter();
        let mut known = known
            .filter_map(|value| value.to_str().ok())
            .flat_map(|value| value.split(','))
            .map(|name| name.trim().trim_start_matches("W/"));
        let is_known = known.any(|name| name.as_bytes() == etag.as_bytes());
        let caching = [
            (ETAG, etag),
            (CACHE_CONTROL, HeaderValue::from_static("no-cache")),
        ];
        if is_known {
            return (StatusCode::NOT_MODIFIED, caching).into_response();
        }
        let content_type = [(CONTENT_TYPE, HeaderValue::from_static(self.content_type))];
        (caching, content_type, self.bytes).into_response()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_known_file_is_not_sent_again() {
        let asset = ASSETS[0];
        let etag = etag(asset.bytes);
        let status = |known: Option<&str>| {
            let mut headers = HeaderMap::new();
            headers.extend(known.map(|known| (IF_NONE_MATCH, known.parse().unwrap())));
            asset.respond(&headers, etag.clone()).status()
        };
        let name = etag.to_str().unwrap();
        assert_eq!(status(None), StatusCode::OK);
        assert_eq!(status(Some("\"0\"")), StatusCode::OK);
        assert_eq!(status(Some(name)), StatusCode::NOT_MODIFIED);
        assert_eq!(
            status(Some(&format!("\"0\", W/{name}"))),
            StatusCode::NOT_MODIFIED
        );
    }
}
