//! An analysis, or the lines of a preparation, as a page for a browser.

use std::path::Path;

use serde::Serialize;

use crate::page::Page;

/// The page.
pub(crate) const PAGE: Page = Page {
    title: "Othello game analysis",
    body: include_str!("html/page.html"),
    shared_styles: &["base.css"],
    style: include_str!("html/page.css"),
    shared_modules: &[
        "dom.js",
        "texts.js",
        "rules.js",
        "values.js",
        "tree.js",
        "nodes.js",
        "board.js",
        "curve.js",
        "tables.js",
        "movelist.js",
        "game-view.js",
        "study.js",
    ],
    script: include_str!("html/page.js"),
};

/// Writes the page of a report, or of several lines with reports, to a file in place of another page.
pub(crate) fn write(data: &impl Serialize, path: &Path) -> anyhow::Result<()> {
    boardgame_files::replace(path, PAGE.with(data)?.as_bytes())?;
    Ok(())
}
