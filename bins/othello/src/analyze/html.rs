//! The analysis as a page for a browser.

use std::path::Path;

use othello_analysis::Report;

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

/// The first bytes of the page.
pub(crate) const KIND: &[u8] = b"<!DOCTYPE html>";

/// Writes the page to a file, in place of another page.
pub(super) fn write(report: &Report, path: &Path) -> anyhow::Result<()> {
    boardgame_files::replace(path, PAGE.with(report)?.as_bytes())?;
    Ok(())
}
