//! `othello check-player`: finds the faults that would lose games.

use std::process::ExitCode;

use anyhow::{Context as _, ensure};
use boardgame_cli::{LimitOptions, matches::CheckOptions};
use boardgame_match::check::Subject as _;
use clap::builder::PossibleValuesParser;
use othello_match::{
    check::{self, ServerCheck, Subject},
    protocol::{Protocol, WireFormat},
};
use othello_net::Address;

/// The format of LTH servers, to which the check connects as a client.
const LTH_SERVER: &str = "lth-server";

/// The port of an LTH server for tests.
const TESTING_PORT: u16 = 9035;

/// Checks a program before a contest: plays games with it and explains what would make it lose.
///
/// The opponent plays at random or steers towards passes, wipe-outs and other situations that programs often get
/// wrong. Other games have CR LF line endings, input in pieces, two programs at a time and a busy machine.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  othello check-player codewarriors -- ./bot
  othello check-player lth -- java Client {host} {port}
  othello check-player lth-server localhost:9035
  othello check-player sloan --limit game:1m -- ./bot --depth 4
  othello check-player gui --limit move:500ms --junit report.xml -- python3 bot.py

Exit status:
  0  no faults
  1  a fault, or the program does not start
  2  the command line cannot be parsed")]
pub(crate) struct Args {
    /// The format that the program speaks; lth-server for a running server, whose HOST:PORT stands in place of the
    /// program, or those of Dark and White in its competitions
    #[arg(value_parser = PossibleValuesParser::new(Protocol::all().map(Protocol::name).chain([LTH_SERVER])))]
    format: String,
    /// Check this case alone besides whole games; may be given several times
    #[arg(long, value_name = "CASE", value_parser = PossibleValuesParser::new(check::names()))]
    only: Vec<String>,
    /// The id that the client says as its name to an LTH server
    #[arg(long, value_name = "NAME", default_value = "check")]
    id: String,
    #[command(flatten)]
    check: CheckOptions,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    if args.format == LTH_SERVER {
        return check_server(args);
    }
    let protocol = Protocol::from_name(&args.format).context("expected a format")?;
    ensure!(
        !args.check.limits.no_network || protocol != Protocol::Wire(WireFormat::Lth),
        "expected a format that needs no network for --no-network, found lth"
    );
    let limit = args.check.limit.unwrap_or_default();
    let subject = Subject::new(protocol, args.check.line(), limit);
    subject.engine().check()?;
    Ok(args.check.run(&args.format, &args.only, subject)?)
}

fn check_server(args: &Args) -> anyhow::Result<ExitCode> {
    let words = &args.check.program;
    for (option, is_given) in [
        ("--only", !args.only.is_empty()),
        ("--limit", args.check.limit.is_some()),
        ("--tries", args.check.tries.is_some()),
        ("--time", args.check.time.is_some()),
    ] {
        ensure!(
            !is_given,
            "expected no {option} with {LTH_SERVER}: it plays every case once"
        );
    }
    ensure!(
        args.check.limits == LimitOptions::default(),
        "expected no limits of programs with {LTH_SERVER}, which is not started here"
    );
    ensure!(
        words.len() <= 2,
        "expected HOST:PORT, or two for Dark and White, found {} words",
        words.len()
    );
    let address = |word: &String| {
        let address = Address::parse(word, TESTING_PORT);
        let address = address.with_context(|| format!("expected HOST:PORT, found {word:?}"))?;
        Ok((address.host, address.port))
    };
    let check = ServerCheck {
        addresses: words.iter().map(address).collect::<anyhow::Result<_>>()?,
        id: args.id.clone(),
        seed: args.check.seed,
    };
    let program = words.join(" ");
    let checking = async |told: &mut dyn FnMut(&_)| check.run(told).await;
    Ok(args.check.report.run(LTH_SERVER, &program, checking)?)
}
