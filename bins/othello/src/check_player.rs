//! `othello check-player`: finds the faults that would lose games.

use std::process::ExitCode;

use anyhow::Context as _;
use boardgame_cli::matches::CheckOptions;
use boardgame_match::check::Subject as _;
use clap::builder::PossibleValuesParser;
use othello_match::{
    check::{self, Subject},
    protocol::Protocol,
};

/// Checks a program before a contest: plays games with it and explains what would make it lose.
///
/// The opponent plays at random or steers towards passes, wipe-outs and other situations that programs often get
/// wrong. Other games have CR LF line endings, input in pieces, two programs at a time and a busy machine.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  othello check-player codewarriors -- ./bot
  othello check-player lth -- java Client {host} {port}
  othello check-player sloan --limit game:1m -- ./bot --depth 4
  othello check-player gui --limit move:500ms --junit report.xml -- python3 bot.py

Exit status:
  0  no faults
  1  a fault, or the program does not start
  2  the command line cannot be parsed")]
pub(crate) struct Args {
    /// The format that the program speaks
    #[arg(value_parser = PossibleValuesParser::new(Protocol::all().map(Protocol::name)))]
    format: String,
    /// Check this case alone besides whole games; may be given several times
    #[arg(long, value_name = "CASE", value_parser = PossibleValuesParser::new(check::names()))]
    only: Vec<String>,
    #[command(flatten)]
    check: CheckOptions,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let protocol = Protocol::from_name(&args.format).context("expected a format")?;
    let limit = args.check.limit.unwrap_or_default();
    let subject = Subject::new(protocol, args.check.line(), limit);
    subject.engine().check()?;
    Ok(args.check.run(&args.format, &args.only, subject)?)
}
