//! Cases of GTP that are no games: commands and their answers.

use std::time::{Duration, Instant};

use boardgame_io::{CommandLine, Incoming, Program, ProgramLimits, ProgramOptions, Trace};
use boardgame_match::check::{Case, CaseResult, Failure, Scene, shown_exchanges};
use tokio::time::timeout;

use super::replay::rule;
use crate::Format;

/// The longest that an answer may take, and a move.
const PATIENCE: Duration = Duration::from_mins(1);

/// A command and the beginning of the answer.
type Step = (&'static str, &'static str);

/// The dialogues with their names, each with a program of its own.
const DIALOGUES: [(&str, &str, &[Step]); 4] = [
    (
        "commands",
        "it answers every command, comments and empty lines apart",
        &[
            ("protocol_version", "="),
            ("name", "="),
            ("version", "="),
            ("list_commands", "="),
            ("7 name", "=7"),
            ("\n# a comment\nname", "="),
            ("unknown_to_all", "?"),
            ("8 unknown_to_all", "?8"),
        ],
    ),
    (
        "illegal-plays",
        "it refuses illegal plays with `?`, and plays on",
        &[
            ("boardsize 9", "="),
            ("clear_board", "="),
            ("play b C3", "="),
            ("play w C3", "?"),
            ("play w K3", "?"),
            ("play w I3", "?"),
            ("play w A2", "="),
            ("play w B1", "="),
            ("play b A1", "?"),
            ("genmove b", "="),
        ],
    ),
    (
        "clears",
        "it clears the board, once and twice, and takes a komi",
        &[
            ("boardsize 9", "="),
            ("clear_board", "="),
            ("komi 6.5", "="),
            ("komi none", "?"),
            ("play b C3", "="),
            ("clear_board", "="),
            ("clear_board", "="),
            ("play w C3", "="),
            ("genmove b", "="),
        ],
    ),
    (
        "board-sizes",
        "it refuses a board of 1,000 lines",
        &[("boardsize 1000", "?"), ("boardsize nine", "?")],
    ),
];

/// Returns the names of the cases.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    DIALOGUES.iter().map(|(name, ..)| *name)
}

/// Holds the wanted dialogues.
pub(super) async fn cases(
    line: &CommandLine,
    limits: ProgramLimits,
    wants: impl Fn(&str) -> bool,
) -> Vec<Case> {
    let mut cases = Vec::new();
    for (name, about, steps) in DIALOGUES {
        if wants(name) {
            let failure = failure(line, limits, steps).await;
            let passed = CaseResult::Passed { note: None };
            cases.push(Case {
                name,
                about: about.to_owned(),
                result: failure.map_or(passed, |it| CaseResult::Failed(Box::new(it))),
            });
        }
    }
    cases
}

/// Sends the commands to a program until an answer is not the expected one.
async fn failure(line: &CommandLine, limits: ProgramLimits, steps: &[Step]) -> Option<Failure> {
    let (trace, began) = (Trace::default(), Instant::now());
    let mut options = ProgramOptions {
        limits,
        ..ProgramOptions::default()
    };
    options.link.trace = Some(trace.clone());
    let failure = |fault: String, cause: Option<&str>, topic| Failure {
        fault,
        cause: cause.map(str::to_owned),
        rule: Some(rule(Format::Gtp, topic)),
        color: "GTP".into(),
        scene: Scene::default(),
        exchanges: shown_exchanges(&trace.take(), began),
    };
    let mut program = match Program::launch(line, &options) {
        Ok(program) => program,
        Err(error) => return Some(failure(error.to_string(), None, 0)),
    };
    let mut output = String::new();
    let mut wrong = None;
    for &(command, expected) in steps {
        output.clear();
        let sent = program.send(format!("{command}\n").as_bytes());
        let answered = async {
            while sent.is_ok() && !is_complete(&output) {
                let Some(Incoming::Bytes { bytes, .. }) = program.next().await else {
                    return;
                };
                output.push_str(&String::from_utf8_lossy(&bytes).replace('\r', ""));
            }
        };
        // What is missing is told below.
        let _ = timeout(PATIENCE, answered).await;
        let command = command.lines().last().unwrap_or_default();
        if !is_complete(&output) || !is_answer(&output, expected) {
            wrong = Some((command, expected));
            break;
        }
    }
    if wrong.is_none() {
        // A program that has ended needs no farewell.
        let _ = program.send(b"quit\n");
    }
    program.end().await;
    let (command, expected) = wrong?;
    let found = output.trim().lines().next().unwrap_or("nothing");
    let cause = if !is_complete(&output) {
        "an answer ends with an empty line, and is flushed"
    } else if expected.starts_with('?') {
        "what it does not know, and what is illegal, is answered with `?` and the id, if there is one"
    } else {
        "it does not know the command or refuses it, or leaves out the id"
    };
    let fault = format!("expected `{expected}` after `{command}`, found `{found}`");
    let topic = usize::from(is_complete(&output));
    Some(failure(fault, Some(cause), topic))
}

/// Returns whether an answer has come with the empty line at its end.
fn is_complete(output: &str) -> bool {
    output.trim_start_matches('\n').contains("\n\n")
}

/// Returns whether an answer begins with the expected mark and id.
fn is_answer(output: &str, expected: &str) -> bool {
    let rest = output.trim_start().strip_prefix(expected);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(char::is_whitespace))
}
