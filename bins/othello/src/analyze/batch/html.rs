//! The tables of a batch as a page for a browser.

use std::path::Path;

use super::tables::Tables;
use crate::page::Page;

/// The page.
pub(crate) const PAGE: Page = Page {
    title: "Othello players",
    body: "<h1>Accuracy</h1>\n<div id=\"tables\"></div>\n<footer class=\"soft\"><p>Losses are in discs, with intervals of \
           95 %. Mistakes lose 3 discs or more. The accuracy of a move is 100 %, halved for every 3 discs that it \
           loses.</p></footer>\n",
    shared_styles: &["base.css"],
    style: include_str!("page.css"),
    shared_modules: &["dom.js"],
    script: include_str!("page.js"),
};

/// Writes the page to a file, in place of another page.
pub(super) fn write(tables: &Tables<'_>, path: &Path) -> anyhow::Result<()> {
    boardgame_files::replace(path, PAGE.with(&tables.cells())?.as_bytes())?;
    Ok(())
}
