//! The output of a fit: a line for each epoch, and a table and a chart at the end.

use std::{
    io::{self, Write as _},
    path::Path,
};

use boardgame_cli::matches::{Chart, Curve, Point};

use crate::fit::{ErrorSum, Errors};

/// Prints a line with the errors of an epoch.
pub(super) fn print_epoch(
    number: u32,
    training: &Errors,
    validation: &Errors,
) -> anyhow::Result<()> {
    writeln!(
        io::stdout(),
        "epoch {number}: training {}; held out {}",
        figures(&training.total(), 3),
        figures(&validation.total(), 3),
    )?;
    Ok(())
}

/// Returns errors in words, to a number of decimal places.
pub(crate) fn figures(sum: &ErrorSum, places: usize) -> String {
    if sum.count == 0 {
        return "no samples".into();
    }
    let (absolute, square) = (sum.mean_absolute(), sum.root_mean_square());
    format!("{absolute:.places$} mean absolute, {square:.places$} RMS")
}

/// Prints the errors on held-out games by phase.
pub(super) fn table(errors: &Errors) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "  discs    samples  mean absolute     RMS")?;
    let mut line = |name: String, sum: ErrorSum| {
        let [absolute, square] = [sum.mean_absolute(), sum.root_mean_square()].map(|mean| {
            // There is no error without samples.
            if sum.count == 0 {
                "–".to_owned()
            } else {
                format!("{mean:.3}")
            }
        });
        writeln!(
            out,
            "{name:>7}  {:9}  {absolute:>13}  {square:>6}",
            sum.count
        )
    };
    for (discs, sum) in errors.phases().filter(|(_, sum)| sum.count > 0) {
        line(format!("{discs}-{}", discs + Errors::PHASE - 1), sum)?;
    }
    line("all".to_owned(), errors.total())?;
    Ok(())
}

/// The start of a file with a chart.
pub(super) const SVG: &[u8] = b"<svg xmlns";

/// Writes a chart of the errors by the number of discs.
pub(super) fn draw(path: &Path, errors: &Errors) -> anyhow::Result<()> {
    let curve = |name: &str, of: fn(&ErrorSum) -> f64| {
        let by_discs = errors.by_discs();
        let points = by_discs.map(|(discs, sum)| Point::new(discs as f64, of(&sum)));
        Curve {
            name: name.to_owned(),
            points: points.collect(),
        }
    };
    let chart = Chart {
        title: "Error of the evaluation on held-out games".to_owned(),
        x_label: "discs on the board".to_owned(),
        y_label: "error in discs".to_owned(),
        curves: vec![
            curve("mean absolute", ErrorSum::mean_absolute),
            curve("root mean square", ErrorSum::root_mean_square),
        ],
        ..Chart::default()
    };
    Ok(boardgame_files::replace(
        path,
        chart.to_string().as_bytes(),
    )?)
}
