//! The files of the page, built into the program.

use axum::{
    Router,
    body::Bytes,
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
            bytes: include_bytes!(concat!("../../page/", $file)),
        }
    };
}

const HTML: &str = "text/html; charset=utf-8";
const CSS: &str = "text/css; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";

/// All files of the page.
const ASSETS: &[Asset] = &[
    asset!("/", HTML, "index.html"),
    asset!("/analyze.js", SCRIPT, "analyze.js"),
    asset!("/app.js", SCRIPT, "app.js"),
    asset!("/base.css", CSS, "base.css"),
    asset!("/board.js", SCRIPT, "board.js"),
    asset!("/clock.js", SCRIPT, "clock.js"),
    asset!("/curve.js", SCRIPT, "curve.js"),
    asset!("/dom.js", SCRIPT, "dom.js"),
    asset!("/drill.js", SCRIPT, "drill.js"),
    asset!("/engine-server.js", SCRIPT, "engine-server.js"),
    asset!("/explorer.js", SCRIPT, "explorer.js"),
    asset!("/game-view.js", SCRIPT, "game-view.js"),
    asset!("/live.js", SCRIPT, "live.js"),
    asset!("/load.js", SCRIPT, "load.js"),
    asset!("/movelist.js", SCRIPT, "movelist.js"),
    asset!("/nodes.js", SCRIPT, "nodes.js"),
    asset!("/play.js", SCRIPT, "play.js"),
    asset!("/review.js", SCRIPT, "review.js"),
    asset!("/rules.js", SCRIPT, "rules.js"),
    asset!("/setup.js", SCRIPT, "setup.js"),
    asset!("/share.js", SCRIPT, "share.js"),
    asset!("/storage.js", SCRIPT, "storage.js"),
    asset!("/study.js", SCRIPT, "study.js"),
    asset!("/style.css", CSS, "style.css"),
    asset!("/tables.js", SCRIPT, "tables.js"),
    asset!("/texts.js", SCRIPT, "texts.js"),
    asset!("/theme.js", SCRIPT, "theme.js"),
    asset!("/tree.js", SCRIPT, "tree.js"),
    asset!("/values.js", SCRIPT, "values.js"),
    asset!("/watch-boards.js", SCRIPT, "watch-boards.js"),
    asset!("/watch-game.js", SCRIPT, "watch-game.js"),
    asset!("/watch-state.js", SCRIPT, "watch-state.js"),
    asset!("/watch-view.js", SCRIPT, "watch-view.js"),
    asset!("/watch.css", CSS, "watch.css"),
    asset!("/watch.js", SCRIPT, "watch.js"),
];

/// Returns the text of a file of the page, `style.css`, or `None` if it has no such file.
///
/// Other pages are made from the same files.
pub fn page_text(name: &str) -> Option<&'static str> {
    let asset = ASSETS.iter().find(|asset| asset.path[1..] == *name)?;
    str::from_utf8(asset.bytes).ok()
}

/// The place in the page of the address for links.
const SHARE_BASE: &str = "<meta name=\"othello-share\" content=\"";

/// Returns the routes of the page, which makes its links to an address, or to its own if that is empty.
pub(crate) fn routes(share_base: &str) -> Router {
    ASSETS.iter().fold(Router::new(), |router, asset| {
        let bytes = match page_text(&asset.path[1..]).filter(|_| asset.path == "/") {
            Some(page) => Bytes::from(with_share_base(page, share_base)),
            None => Bytes::from_static(asset.bytes),
        };
        let etag = etag(&bytes);
        let serve = async move |headers: HeaderMap| asset.respond(bytes, &headers, etag);
        router.route(asset.path, get(serve))
    })
}

fn with_share_base(page: &str, address: &str) -> String {
    let escaped = address.replace('&', "&amp;").replace('"', "&quot;");
    page.replacen(SHARE_BASE, &format!("{SHARE_BASE}{escaped}"), 1)
}

/// Returns a name of the content: browsers keep a file and ask whether it is unchanged.
fn etag(bytes: &[u8]) -> HeaderValue {
    let name = format!("\"{:08x}-{:x}\"", crc32fast::hash(bytes), bytes.len());
    HeaderValue::from_str(&name).unwrap_or(HeaderValue::from_static("\"\""))
}

impl Asset {
    fn respond(&self, bytes: Bytes, headers: &HeaderMap, etag: HeaderValue) -> Response {
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
        (caching, content_type, bytes).into_response()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_files_are_served() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/page");
        let names = std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name());
        let mut names: Vec<_> = names.map(|name| name.into_string().unwrap()).collect();
        names.sort();
        let served = ASSETS.iter().map(|asset| &asset.path[1..]);
        let mut served: Vec<_> = served
            .map(|name| if name.is_empty() { "index.html" } else { name })
            .collect();
        served.sort_unstable();
        assert_eq!(names, served);
        assert_eq!(page_text("none.js"), None);
        let page = with_share_base(page_text("").unwrap(), "https://example.org/?a&b\"");
        assert!(page.contains(&format!(
            "{SHARE_BASE}https://example.org/?a&amp;b&quot;\">"
        )));
        assert!(
            page_text("rules.js")
                .unwrap()
                .contains("export function parseMoves")
        );
    }
}
