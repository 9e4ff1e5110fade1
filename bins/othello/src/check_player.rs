//! `othello check-player`: finds the faults that would lose games.

use std::{
    fmt::Write as _,
    fs::File,
    io::{self, Write as _},
    path::PathBuf,
    process::ExitCode,
    time::Duration,
};

use anyhow::Context as _;
use boardgame_cli::duration;
use boardgame_io::{CommandLine, printable};
use boardgame_match::limit::Limit;
use clap::builder::PossibleValuesParser;
use othello_match::{
    check::{self, Case, CaseResult, Check, Failure},
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
    /// The program and its arguments
    #[arg(
        value_name = "PROGRAM",
        required = true,
        trailing_var_arg = true,
        allow_hyphen_values = true
    )]
    program: Vec<String>,
    /// The limit of its time, such as move:2s or game:5m [default: that of the format]
    #[arg(long, short, value_name = "LIMIT")]
    limit: Option<Limit>,
    /// The maximum number of games for each situation
    #[arg(long, value_name = "N", default_value_t = 8)]
    tries: u32,
    /// The time after which no more situations are looked for
    #[arg(long, value_name = "TIME", default_value = "2m", value_parser = duration)]
    time: Duration,
    /// The seed of the opponent's moves
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Check this case alone besides whole games; may be given several times
    #[arg(long, value_name = "CASE", value_parser = PossibleValuesParser::new(check::names()))]
    only: Vec<String>,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
    /// Write the result as JUnit XML to this file
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let (program, arguments) = args.program.split_first().context("expected a program")?;
    let check = Check {
        protocol: Protocol::from_name(&args.format).context("expected a format")?,
        line: CommandLine::new(program, arguments),
        limit: args.limit.unwrap_or_default(),
        tries: args.tries,
        time: args.time,
        seed: args.seed,
        only: args.only.clone(),
    };
    check.spec().check()?;
    let mut junit_file = match &args.junit {
        Some(path) => Some(File::create(path).with_context(|| path.display().to_string())?),
        None => None,
    };
    let mut told = Ok(());
    let checking = check.run(|case| {
        if !args.json && told.is_ok() {
            told = writeln!(io::stdout(), "{}", in_words(case));
        }
    });
    let cases = boardgame_io::block_on(checking)?;
    told?;
    if args.json {
        let report = serde_json::json!({
            "format": check.protocol.name(),
            "program": check.line.to_string(),
            "cases": cases,
        });
        writeln!(io::stdout(), "{report:#}")?;
    } else {
        writeln!(io::stdout(), "{}", summary(&cases))?;
    }
    if let Some(file) = &mut junit_file {
        file.write_all(junit(&check, &cases).as_bytes())?;
    }
    Ok(if cases.iter().any(|case| case.result.is_failure()) {
        ExitCode::FAILURE
    } else {
        ExitCode::SUCCESS
    })
}

/// Returns a line for a case, and more for a fault.
fn in_words(case: &Case) -> String {
    let Case { name, about, .. } = case;
    let line = |mark: char, note: &str| {
        let note = if note.is_empty() {
            String::new()
        } else {
            format!(" ({note})")
        };
        format!("{mark} {name:<21} {about}{note}")
    };
    match &case.result {
        CaseResult::Passed { note } => line('✓', note.as_deref().unwrap_or_default()),
        CaseResult::Doubtful { note } => line('!', note),
        CaseResult::NotReached { games: 0 } => line('-', "not tried"),
        CaseResult::NotReached { games } => line('-', &format!("not reached, games: {games}")),
        CaseResult::Failed(failure) => line('✗', "") + "\n" + &details(failure),
    }
}

fn details(failure: &Failure) -> String {
    let mut lines = vec![format!("{}: {}", failure.color, printable(&failure.fault))];
    let cause = failure.cause.iter();
    lines.extend(cause.map(|cause| format!("Likely cause: {cause}.")));
    // A program that did not run has played no game.
    if !failure.exchanges.is_empty() {
        lines.push(String::new());
        lines.extend(failure.board.lines().map(str::to_owned));
        if !failure.legal.is_empty() {
            lines.push(format!("Legal: {}", failure.legal.join(" ")));
        }
        if !failure.moves.is_empty() {
            lines.push(format!("Moves: {}", failure.moves));
        }
        lines.extend([String::new(), "Sent and received last:".into()]);
        lines.extend(failure.exchanges.iter().map(ToString::to_string));
    }
    let indented = lines
        .iter()
        .map(|line| format!("    {line}").trim_end().to_owned() + "\n");
    indented.collect()
}

fn summary(cases: &[Case]) -> String {
    let count = |is: fn(&CaseResult) -> bool| cases.iter().filter(|it| is(&it.result)).count();
    let faults = count(CaseResult::is_failure);
    let doubts = count(|it| matches!(it, CaseResult::Doubtful { .. }));
    let open = count(|it| matches!(it, CaseResult::NotReached { .. }));
    let plural = if faults == 1 { "" } else { "s" };
    format!(
        "{faults} fault{plural}, {doubts} doubtful, {open} not reached, of {} cases",
        cases.len()
    )
}

/// Returns the report in the XML of JUnit, which test servers read.
fn junit(check: &Check, cases: &[Case]) -> String {
    let failures = cases.iter().filter(|case| case.result.is_failure()).count();
    let suite = escaped(&format!("{} {}", check.protocol.name(), check.line));
    let mut xml = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"{suite}\" tests=\"{}\" failures=\"{failures}\">\n",
        cases.len()
    );
    for case in cases {
        let body = match &case.result {
            CaseResult::Passed { .. } => String::new(),
            CaseResult::Doubtful { note } => format!("<system-out>{}</system-out>", escaped(note)),
            CaseResult::NotReached { .. } => "<skipped/>".into(),
            CaseResult::Failed(failure) => format!(
                "<failure message=\"{}\">{}</failure>",
                escaped(failure.cause.as_ref().unwrap_or(&failure.fault)),
                escaped(&details(failure))
            ),
        };
        let name = escaped(&format!("{}: {}", case.name, case.about));
        let _ = writeln!(xml, "  <testcase name=\"{name}\">{body}</testcase>");
    }
    xml + "</testsuite>\n"
}

/// Returns a text as it stands in XML. Control characters, which XML has not, are escaped.
fn escaped(text: &str) -> String {
    let lines = text
        .split('\n')
        .map(printable)
        .collect::<Vec<_>>()
        .join("\n");
    lines
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}
