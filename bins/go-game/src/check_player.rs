//! `go-game check-player`: finds the faults that would lose games.

use std::process::ExitCode;

use anyhow::Context as _;
use boardgame_cli::matches::CheckOptions;
use boardgame_match::check::Subject as _;
use clap::builder::PossibleValuesParser;
use go_core::Size;
use go_match::{
    Format,
    check::{self, Subject},
};

/// Checks a program before a contest: plays games with it and explains what would make it lose.
///
/// The opponent plays at random or captures, offers kos and passes early. Other games have CR LF line endings, input in
/// pieces, two programs at a time and a busy machine. In GTP there are also handicaps, other boards and illegal plays.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  go-game check-player gtp -- gnugo --mode gtp --level 1
  go-game check-player gtp --limit move:2s --junit report.xml -- python3 bot.py
  go-game check-player usenix --size 9 -- ./bot

Exit status:
  0  no faults
  1  a fault, or the program does not start
  2  the command line cannot be parsed")]
pub(crate) struct Args {
    /// The format that the program speaks
    #[arg(value_parser = PossibleValuesParser::new(["gtp", "usenix"]))]
    format: String,
    /// The size of the board, which the USENIX format does not tell programs [default: 9 in GTP, 19 in USENIX]
    #[arg(long, value_name = "LINES")]
    size: Option<Size>,
    /// Check this case alone besides whole games; may be given several times
    #[arg(long, value_name = "CASE", value_parser = PossibleValuesParser::new(check::names()))]
    only: Vec<String>,
    #[command(flatten)]
    check: CheckOptions,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let format = Format::from_name(&args.format).context("expected a format")?;
    let size = args.size.unwrap_or(match format {
        Format::Gtp => Size::NINE,
        Format::Usenix => Size::NINETEEN,
    });
    let limit = args.check.limit.unwrap_or_default();
    let subject = Subject::new(format, args.check.line(), limit, size);
    subject.engine().check_limit()?;
    Ok(args.check.run(&args.format, &args.only, subject)?)
}
