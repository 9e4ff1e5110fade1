//! The output of a fit: a line for each epoch, and a table and a chart at the end.

use std::{
    io::{self, Write as _},
    path::Path,
};

use boardgame_match_cli::{Chart, Curve, Point};
use othello_train::fit::{ErrorSum, Errors};

/// Prints a line with the errors of an epoch.
pub(super) fn print_epoch(
    number: u32,
    training: &Errors,
    validation: &Errors,
) -> anyhow::Result<()> {
    let pair = |errors: &Errors| {
        let sum = errors.total();
        let (absolute, square) = (sum.mean_absolute(), sum.root_mean_square());
        format!("{absolute:.3} mean absolute, {square:.3} RMS")
    };
    writeln!(
        io::stdout(),
        "epoch {number}: training {}; held out {}",
        pair(training),
        pair(validation)
    )?;
    Ok(())
}

/// Prints the errors on held-out games by phase.
pub(super) fn table(errors: &Errors) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "  discs    samples  mean absolute     RMS")?;
    let mut line = |name: String, sum: ErrorSum| {
        writeln!(
            out,
            "{name:>7}  {:9}  {:13.3}  {:6.3}",
            sum.count,
            sum.mean_absolute(),
            sum.root_mean_square()
        )
    };
    for (discs, sum) in errors.phases().filter(|(_, sum)| sum.count > 0) {
        line(format!("{discs}-{}", discs + Errors::PHASE - 1), sum)?;
    }
    line("all".to_owned(), errors.total())?;
    Ok(())
}

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
