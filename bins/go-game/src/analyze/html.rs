//! The analysis as a page for a browser.

use super::report::Report;

/// The first bytes of the page.
pub(super) const KIND: &[u8] = b"<!DOCTYPE html>";

/// Returns the page: one file that loads nothing. Text of the report is only in its data, and the script turns it into
/// nothing but text.
pub(super) fn page(report: &Report) -> serde_json::Result<String> {
    // Escaped, so that no string ends the script element or starts a comment there.
    let data = serde_json::to_string(report)?;
    let data = data.replace('<', "\\u003c").replace('>', "\\u003e");
    Ok(include_str!("page.html").replacen("{{data}}", &data, 1))
}
