//! A progress bar on standard error, hidden if that is not a terminal.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Creates a bar that counts `units` up to `length`, starting at `done`.
pub(crate) fn bar(units: &str, length: u64, done: u64) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(length), ProgressDrawTarget::stderr());
    let style = format!("{{bar:24}} {{human_pos}}/{{human_len}} {units}, {{eta}} left  {{msg}}");
    let bar = bar.with_style(
        ProgressStyle::with_template(&style).unwrap_or_else(|_| ProgressStyle::default_bar()),
    );
    bar.set_position(done);
    bar.reset_eta();
    bar
}
