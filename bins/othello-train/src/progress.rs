//! A progress bar on standard error. It is not there when that is no terminal.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// A bar of work of unknown length, whose units are named.
pub(crate) fn bar(units: &str) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
    let style = format!("{{bar:24}} {{human_pos}}/{{human_len}} {units}, {{eta}} left  {{msg}}");
    bar.with_style(
        ProgressStyle::with_template(&style).unwrap_or_else(|_| ProgressStyle::default_bar()),
    )
}
