//! A child program that is asked and answers, over its standard input and output.

use std::time::Duration;

use boardgame_io::cpu;
use boardgame_io::{CommandLine, Incoming, Program, ProgramOptions};
use tokio::time::timeout;

use super::Failure;
use boardgame_match::fault::{self, Fault};

/// The bytes that a program may send while one answer is awaited.
const MAX_BYTES: usize = 16 * 1024 * 1024;

/// The last lines of its standard error that tell of a crash.
const LAST_WORDS: usize = 3;

/// How long a program may take to exit once it has closed its output.
const EXIT: Duration = Duration::from_millis(500);

/// A child program.
#[derive(Debug)]
pub(super) struct Child {
    /// Gone once it has ended by itself.
    program: Option<Program>,
    /// The bytes since the last question.
    bytes: usize,
}

impl Child {
    /// Starts a program.
    ///
    /// # Errors
    ///
    /// When the system refuses to.
    pub(super) fn launch(line: &CommandLine) -> Result<Self, Failure> {
        let options = ProgramOptions {
            // It plays many games, and many programs tell their thoughts there.
            stderr_limit: u64::MAX,
            ..ProgramOptions::default()
        };
        let program = Program::launch(line, &options).map_err(|error| Failure {
            fault: Fault::NotStarted {
                reason: error.to_string(),
            },
        })?;
        Ok(Self {
            program: Some(program),
            bytes: 0,
        })
    }

    /// Sends a line.
    ///
    /// # Errors
    ///
    /// When the program does not read.
    pub(super) fn ask(&mut self, line: &str) -> Result<(), Failure> {
        self.bytes = 0;
        let Some(program) = &mut self.program else {
            return Err(crashed("it has ended".into()));
        };
        let sent = program.send(format!("{line}\n").as_bytes());
        sent.map_err(|full| broken(format!("expected it to read its input: {full}")))
    }

    /// The next bytes that it prints.
    ///
    /// # Errors
    ///
    /// When it ends instead, or prints without end.
    pub(super) async fn bytes(&mut self) -> Result<Vec<u8>, Failure> {
        let Some(program) = &mut self.program else {
            return Err(crashed("it has ended".into()));
        };
        let Some(Incoming::Bytes { bytes, .. }) = program.next().await else {
            return Err(self.last_words().await);
        };
        self.bytes += bytes.len();
        if self.bytes > MAX_BYTES {
            return Err(broken(format!(
                "expected an answer, got {} bytes",
                self.bytes
            )));
        }
        Ok(bytes)
    }

    /// The CPU time it has used so far, where it can be known.
    pub(super) fn cpu(&self) -> Option<Duration> {
        cpu::of_family(self.program.as_ref()?.id()?)
    }

    /// Closes its input and waits until it has ended, or has been ended.
    pub(super) async fn close(self) {
        if let Some(program) = self.program {
            program.end().await;
        }
    }

    /// How it came to its end.
    async fn last_words(&mut self) -> Failure {
        let Some(mut program) = self.program.take() else {
            return crashed("it has ended".into());
        };
        // One that goes on without an output is ended, and how is no news of it.
        let exited = timeout(EXIT, program.next()).await.is_ok();
        if !exited {
            program.kill();
        }
        let report = program.end().await;
        let mut said: Vec<&str> = fault::last_words(&report.stderr)
            .lines()
            .rev()
            .take(LAST_WORDS)
            .collect();
        said.reverse();
        let status = match report.status {
            Some(status) if exited => status.to_string(),
            _ => "it closed its output".into(),
        };
        let colon = if said.is_empty() { "" } else { ": " };
        crashed(format!("{status}{colon}{}", said.join(" / ")))
    }
}

fn crashed(detail: String) -> Failure {
    Failure {
        fault: Fault::Crashed { detail },
    }
}

/// The failure of a program that does not keep to its protocol, and may be out of step.
pub(super) fn broken(detail: String) -> Failure {
    Failure {
        fault: Fault::Format { detail },
    }
}
