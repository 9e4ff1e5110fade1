//! A progress bar on standard error, hidden if that is not a terminal.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Makes a bar of unknown length that counts `units`.
pub(crate) fn bar(units: &str) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
    let style = format!("{{bar:24}} {{human_pos}}/{{human_len}} {units}, {{eta}} left  {{msg}}");
    bar.with_style(
        ProgressStyle::with_template(&style).unwrap_or_else(|_| ProgressStyle::default_bar()),
    )
}
