//! The session of a player's process: the runtime, the driver, and the exit code.

#[cfg(unix)]
use std::os::fd::AsFd as _;
use std::{error::Error, io, io::ErrorKind, time::Duration};

use boardgame_session::player::{Ending, PlayerSession, Question};
use tokio::{
    io::{AsyncRead, AsyncWrite},
    runtime::{Builder, Runtime},
};

use super::{DriveError, DriveOptions, DriveOutcome, ExitCode, Thinker, drive, launch};
use crate::{Connection, stdio, stop_requested};

/// The end of a player's process, with an optional explanation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProcessEnd {
    /// The exit code.
    pub code: ExitCode,
    /// The explanation for the user.
    pub remark: Option<String>,
}

impl ProcessEnd {
    /// Returns an end that needs no explanation.
    pub const fn quiet(code: ExitCode) -> Self {
        Self { code, remark: None }
    }

    /// Returns an end with its explanation.
    pub fn because(code: ExitCode, remark: impl Into<String>) -> Self {
        Self {
            code,
            remark: Some(remark.into()),
        }
    }

    /// Returns the end of a session that was driven to its end.
    pub fn of_session<Q: Question>(ending: Ending<Q>) -> Self {
        match ending {
            Ending::Orderly => Self::quiet(ExitCode::Success),
            Ending::CutOff => Self::because(ExitCode::CutOff, "the input ended in mid-game"),
            Ending::Rejected(complaint) => Self::because(
                ExitCode::Rejected,
                format!("the other side complains: {complaint}"),
            ),
            Ending::Unintelligible(misbehaved) => {
                Self::because(ExitCode::Unintelligible, misbehaved.to_string())
            }
        }
    }
}

/// Plays a session over standard input and output on this thread, and writes its end to the log; `format` is its name
/// there. The thinker works on another thread.
///
/// The session is played [alone](play_over_stdio_alone) if the system cannot start a runtime.
pub fn play_over_stdio<S: PlayerSession>(
    format: &'static str,
    session: S,
    thinker: impl Thinker<S::Question>,
) -> ProcessEnd {
    match runtime() {
        Ok(runtime) => {
            let played = runtime.block_on(play(format, session, stdio(), thinker, None));
            // A read of standard input may never end; the process does.
            runtime.shutdown_background();
            logged(of_driving(played))
        }
        Err(error) => {
            tracing::warn!(%error, "no runtime: the game is played on one thread");
            play_over_stdio_alone(format, session, thinker)
        }
    }
}

/// Plays a session over standard input and output on this thread alone, including the thinker, and writes its end to
/// the log. This suits a process that lives for one move.
///
/// A signal that asks the process to [stop](crate::stop_requested) ends it at once. Except on Linux it still uses a
/// runtime.
pub fn play_over_stdio_alone<S: PlayerSession>(
    format: &'static str,
    session: S,
    thinker: impl Thinker<S::Question>,
) -> ProcessEnd {
    #[cfg(target_os = "linux")]
    {
        crate::signal::exit_when_stopped();
        let driven = super::alone::drive_alone(session, thinker, &driving(format, None));
        logged(of_driving(driven.map_err(end_of)))
    }
    #[cfg(not(target_os = "linux"))]
    in_runtime(async { of_driving(play(format, session, stdio(), thinker, None).await) })
}

fn of_driving<S: PlayerSession>(played: Result<DriveOutcome<S>, ProcessEnd>) -> ProcessEnd {
    played.map_or_else(|end| end, |outcome| ProcessEnd::of_session(outcome.ending))
}

/// Plays a session over a connection until it ends or a signal asks the process to stop. Its clock starts at the
/// launch of the process; `silence` is the time that the other side may be silent while it is its turn.
///
/// # Errors
///
/// Fails with the end of a session that was not driven to its end.
pub async fn play<S, R, W>(
    format: &'static str,
    session: S,
    connection: Connection<R, W>,
    thinker: impl Thinker<S::Question>,
    silence: Option<Duration>,
) -> Result<DriveOutcome<S>, ProcessEnd>
where
    S: PlayerSession,
    R: AsyncRead + Unpin,
    W: AsyncWrite + Unpin,
{
    let driving = driving(format, silence);
    let driven = drive(session, connection, thinker, stop_requested(), &driving).await;
    driven.map_err(end_of)
}

fn driving(format: &'static str, silence: Option<Duration>) -> DriveOptions {
    DriveOptions {
        format,
        silence,
        origin: Some(launch::moment()),
        ..DriveOptions::default()
    }
}

/// Returns the end of a session that was not driven to its end.
fn end_of(error: DriveError) -> ProcessEnd {
    match error {
        DriveError::Interrupted => ProcessEnd::quiet(ExitCode::Interrupted),
        error => ProcessEnd::because(code_of_driving(&error), error_chain(&error)),
    }
}

/// Runs the work of a player's process on this thread, and writes its end to the log.
pub fn in_runtime(work: impl Future<Output = ProcessEnd>) -> ProcessEnd {
    let end = block_on(work)
        .unwrap_or_else(|error| ProcessEnd::because(ExitCode::Internal, error_chain(&error)));
    logged(end)
}

/// Writes the end of a process to the log.
fn logged(end: ProcessEnd) -> ProcessEnd {
    let status = i32::from(end.code);
    if let Some(remark) = &end.remark {
        tracing::error!(status, "{remark}");
    } else {
        tracing::info!(status, "ended: {}", end.code.meaning());
    }
    end
}

/// Returns an error with its causes, in one line.
pub fn error_chain(error: &(dyn Error + 'static)) -> String {
    let causes = std::iter::successors(Some(error), |&error| error.source());
    causes
        .map(ToString::to_string)
        .collect::<Vec<_>>()
        .join(": ")
}

/// Waits for a future on this thread, on a runtime of its own.
///
/// # Errors
///
/// When the system cannot start a runtime.
pub fn block_on<T>(work: impl Future<Output = T>) -> io::Result<T> {
    let runtime = runtime()?;
    let result = runtime.block_on(work);
    // A read of standard input may never end; the process does.
    runtime.shutdown_background();
    Ok(result)
}

fn runtime() -> io::Result<Runtime> {
    // A runtime opens six files, and tokio panics if the system does not allow those for signals.
    #[cfg(unix)]
    {
        let files = (0..6).map(|_| io::stdin().as_fd().try_clone_to_owned());
        files.collect::<io::Result<Vec<_>>>()?;
    }
    Builder::new_current_thread().enable_all().build()
}

fn code_of_driving(error: &DriveError) -> ExitCode {
    match error {
        // The reader of the pipe has left.
        DriveError::Reset(error) if error.kind() == ErrorKind::BrokenPipe => ExitCode::CutOff,
        DriveError::Reset(_) => ExitCode::Reset,
        DriveError::Silent(_) => ExitCode::Silent,
        DriveError::NotReading { .. } | DriveError::Undelivered(_) => ExitCode::CutOff,
        DriveError::Interrupted => ExitCode::Interrupted,
        _ => ExitCode::Internal,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use boardgame_session::player::PeerMisbehaved;
    use std::convert::Infallible;

    /// A question without a choice.
    #[derive(Clone, Debug, PartialEq, Eq)]
    struct Nothing;

    impl Question for Nothing {
        type Answer = u8;
        type MoveError = Infallible;

        fn fallback(&self) -> u8 {
            0
        }

        fn admits(&self, _: &u8) -> bool {
            true
        }
    }

    #[test]
    fn every_ending_has_its_code() {
        let code = |ending: Ending<Nothing>| ProcessEnd::of_session(ending).code;
        assert_eq!(code(Ending::Orderly), ExitCode::Success);
        assert_eq!(code(Ending::CutOff), ExitCode::CutOff);
        assert_eq!(code(Ending::Rejected("x".into())), ExitCode::Rejected);
        assert_eq!(
            code(Ending::Unintelligible(PeerMisbehaved::TooManyCommands {
                max_bytes: 1
            })),
            ExitCode::Unintelligible
        );
    }

    #[test]
    fn an_error_is_told_with_its_cause() {
        let error = DriveError::Reset(io::Error::other("it rained"));
        assert_eq!(code_of_driving(&error), ExitCode::Reset);
        assert_eq!(
            error_chain(&error),
            "the other side reset the connection: it rained"
        );
    }
}
