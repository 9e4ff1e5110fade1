//! Commands that check a program, and their reports.

use std::{
    fmt::Write as _,
    fs::File,
    io::{self, Write as _},
    path::PathBuf,
    process::ExitCode,
    time::Duration,
};

use boardgame_io::{CommandLine, escaped, printable};
use boardgame_match::{
    check::{Case, CaseResult, Check, Failure, Subject},
    limit::Limit,
};

use crate::{LimitOptions, duration};

/// The options of a check that do not depend on the game.
#[derive(Clone, Debug, clap::Args)]
pub struct CheckOptions {
    /// The program and its arguments
    #[arg(
        value_name = "PROGRAM",
        required = true,
        trailing_var_arg = true,
        allow_hyphen_values = true
    )]
    pub program: Vec<String>,
    /// The limit of its time, such as move:2s or game:5m [default: that of the format]
    #[arg(long, short, value_name = "LIMIT")]
    pub limit: Option<Limit>,
    /// The maximum number of games for each situation [default: 8]
    #[arg(long, value_name = "N")]
    pub tries: Option<u32>,
    /// The time after which no more situations are looked for [default: 2m]
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub time: Option<Duration>,
    /// The seed of the opponent's moves
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// The limits of its process
    #[command(flatten)]
    pub limits: LimitOptions,
    /// The options of the report
    #[command(flatten)]
    pub report: ReportOptions,
}

/// The options of the report of a check.
#[derive(Clone, Debug, clap::Args)]
pub struct ReportOptions {
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
    /// Write the result as JUnit XML to this file
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,
}

impl CheckOptions {
    /// Returns the command line of the program.
    pub fn line(&self) -> CommandLine {
        // The parser requires a program.
        let mut words = self.program.iter();
        CommandLine::new(words.next().map_or("", String::as_str), words)
    }

    /// Checks a program, `only` these cases if there are any, and reports.
    ///
    /// # Errors
    ///
    /// Fails if a limit cannot be enforced, or the report cannot be written.
    pub fn run(
        &self,
        format: &str,
        only: &[String],
        subject: impl Subject,
    ) -> io::Result<ExitCode> {
        let check = Check {
            subject,
            limits: self.limits.limits().map_err(io::Error::other)?,
            tries: self.tries.unwrap_or(8),
            time: self.time.unwrap_or(Duration::from_mins(2)),
            seed: self.seed,
            only: only.to_vec(),
        };
        let program = self.line().to_string();
        self.report
            .run(format, &program, async |told| check.run(told).await)
    }
}

impl ReportOptions {
    /// Runs a check, which tells each case as it is decided, and reports. `program` names what is checked.
    ///
    /// # Errors
    ///
    /// Fails if the report cannot be written.
    pub fn run(
        &self,
        format: &str,
        program: &str,
        check: impl AsyncFnOnce(&mut dyn FnMut(&Case)) -> Vec<Case>,
    ) -> io::Result<ExitCode> {
        let create = |path: &PathBuf| {
            let named = |error: io::Error| {
                io::Error::new(error.kind(), format!("{}: {error}", path.display()))
            };
            File::create(path).map_err(named)
        };
        let mut junit_file = self.junit.as_ref().map(create).transpose()?;
        let mut told = Ok(());
        let mut tell = |case: &Case| {
            if !self.json && told.is_ok() {
                told = writeln!(io::stdout(), "{}", case_in_words(case));
            }
        };
        let cases = boardgame_io::block_on(check(&mut tell))?;
        told?;
        if self.json {
            let report = serde_json::json!({
                "format": format,
                "program": program,
                "cases": cases,
            });
            writeln!(io::stdout(), "{report:#}")?;
        } else {
            writeln!(io::stdout(), "{}", summary(&cases))?;
        }
        if let Some(file) = &mut junit_file {
            file.write_all(junit(&format!("{format} {program}"), &cases).as_bytes())?;
        }
        Ok(if cases.iter().any(|case| case.result.is_failure()) {
            ExitCode::FAILURE
        } else {
            ExitCode::SUCCESS
        })
    }
}

/// Returns a line for a case, and more for a fault.
pub fn case_in_words(case: &Case) -> String {
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
    lines.extend(failure.rule.iter().map(|rule| format!("Rule: {rule}")));
    // A program that did not run has played no game.
    if !failure.exchanges.is_empty() {
        lines.push(String::new());
        lines.extend(failure.scene.board.lines().map(str::to_owned));
        if !failure.scene.legal.is_empty() {
            lines.push(format!("Legal: {}", failure.scene.legal.join(" ")));
        }
        if !failure.scene.moves.is_empty() {
            lines.push(format!("Moves: {}", failure.scene.moves));
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
fn junit(suite: &str, cases: &[Case]) -> String {
    let failures = cases.iter().filter(|case| case.result.is_failure()).count();
    let suite = in_xml(suite);
    let mut xml = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"{suite}\" tests=\"{}\" failures=\"{failures}\">\n",
        cases.len()
    );
    for case in cases {
        let body = match &case.result {
            CaseResult::Passed { .. } => String::new(),
            CaseResult::Doubtful { note } => format!("<system-out>{}</system-out>", in_xml(note)),
            CaseResult::NotReached { .. } => "<skipped/>".into(),
            CaseResult::Failed(failure) => format!(
                "<failure message=\"{}\">{}</failure>",
                in_xml(failure.cause.as_ref().unwrap_or(&failure.fault)),
                in_xml(&details(failure))
            ),
        };
        let name = in_xml(&format!("{}: {}", case.name, case.about));
        let _ = writeln!(xml, "  <testcase name=\"{name}\">{body}</testcase>");
    }
    xml + "</testsuite>\n"
}

/// Returns a text as it stands in XML. Control characters, which XML does not have, are escaped.
fn in_xml(text: &str) -> String {
    let lines: Vec<String> = text.split('\n').map(printable).collect();
    escaped(&lines.join("\n"))
}
