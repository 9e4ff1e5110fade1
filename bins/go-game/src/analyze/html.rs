//! The analysis, or a game without one, as a page for a browser.

use boardgame_cli::Page;
use go_core::sgf::Record;
use serde::Serialize;

use super::{report::Report, search::Analysis};

/// The page.
const PAGE: Page<'_> = Page {
    title: "Go game analysis",
    style: include_str!("html/page.css"),
    body: include_str!("html/page.html"),
    script: include_str!("html/page.js"),
};

/// The data of the page.
#[derive(Serialize)]
struct Data<'a> {
    #[serde(flatten)]
    report: &'a Report,
    /// True if the game goes on: the page reloads itself every two seconds.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    is_live: bool,
}

/// Returns the page of an analysis: one file that loads nothing.
pub(super) fn page(report: &Report) -> serde_json::Result<String> {
    filled(report, false)
}

/// Returns the page of a game that is not analyzed.
pub(crate) fn game_page(record: &Record, is_live: bool) -> serde_json::Result<String> {
    let report = Report::new(record, &Analysis::without_searches(&record.game));
    filled(&report, is_live)
}

/// Returns the page with its data. Text of the record occurs only there, and the script inserts it as text nodes.
fn filled(report: &Report, is_live: bool) -> serde_json::Result<String> {
    PAGE.with(&Data { report, is_live })
}

#[cfg(test)]
mod tests {
    use go_core::Game;

    use super::*;

    #[test]
    fn the_page_loads_nothing() {
        let page = game_page(&Record::new(Game::default()), true).expect("a page");
        assert_eq!(page.matches("<script").count(), 2);
        assert_eq!(page.matches("</script").count(), 2);
        assert!(!page.contains("{{"), "a part was not filled in");
        // The name of a language, which is not loaded.
        let page = page.replace("http://www.w3.org/2000/svg", "");
        for part in ["http:", "https:", "src=", "@import", "url(", "fetch("] {
            assert!(!page.contains(part), "{part}");
        }
    }
}
