//! Runs a session of any format over its connection with the engine, and reports its end.

use std::{error::Error, io::ErrorKind, time::Duration};

use othello_engine::{Engine, Settings};
use othello_net::{Connection, DriveError, DriveOptions, Outcome, drive};
use othello_proto::session::{Ending, PlayerSession, Question};
use tokio::{
    io::{AsyncRead, AsyncWrite},
    runtime::{Builder, Runtime},
};

use crate::{ExitCode, Options, Program, launch};

/// Plays a session over standard input and output.
pub(crate) fn over_stdio(
    program: Program,
    options: &Options,
    session: impl PlayerSession<Question = Question>,
) -> ExitCode {
    in_runtime(program, async {
        let connection = othello_net::stdio();
        let played = play(program, options, session, connection, None).await;
        played.map_or_else(|end| end, |outcome| end_of(outcome.ending))
    })
}

/// The end of a session, with the remark that explains it, if any.
pub(crate) struct End {
    code: ExitCode,
    remark: Option<String>,
}

impl End {
    pub(crate) fn quiet(code: ExitCode) -> Self {
        Self { code, remark: None }
    }

    pub(crate) fn because(code: ExitCode, remark: impl Into<String>) -> Self {
        Self {
            code,
            remark: Some(remark.into()),
        }
    }
}

/// Does the work on this thread, then reports the end to the log and, if the format permits, to the user.
pub(crate) fn in_runtime(program: Program, work: impl Future<Output = End>) -> ExitCode {
    let end = match runtime() {
        Ok(runtime) => {
            let end = runtime.block_on(work);
            // A read of standard input may never end; the process does.
            runtime.shutdown_background();
            end
        }
        Err(error) => End::because(ExitCode::Internal, chain(&error)),
    };
    let status = i32::from(end.code);
    if let Some(remark) = end.remark {
        tracing::error!(status, "{remark}");
        program.remark(&remark);
    } else {
        tracing::info!(status, "ended: {}", end.code.meaning());
    }
    end.code
}

fn runtime() -> std::io::Result<Runtime> {
    Builder::new_current_thread().enable_all().build()
}

/// Plays a session over a connection with the engine; `silence` is the time that the other side may be
/// silent while it is its turn to talk. An error is the end of a session that failed.
pub(crate) async fn play<S, R, W>(
    program: Program,
    options: &Options,
    session: S,
    connection: Connection<R, W>,
    silence: Option<Duration>,
) -> Result<Outcome<S>, End>
where
    S: PlayerSession<Question = Question>,
    R: AsyncRead + Unpin,
    W: AsyncWrite + Unpin,
{
    let engine = Engine::new(Settings::from(options));
    let stop = othello_net::stop_requested();
    let driving = DriveOptions {
        format: program.name,
        silence,
        origin: Some(launch::moment()),
        ..DriveOptions::default()
    };
    let driven = drive(session, connection, engine, stop, &driving).await;
    driven.map_err(|error| match error {
        DriveError::Interrupted => End::quiet(ExitCode::Interrupted),
        error => End::because(code_of_driving(&error), chain(&error)),
    })
}

pub(crate) fn end_of(ending: Ending) -> End {
    match ending {
        Ending::Orderly => End::quiet(ExitCode::Success),
        Ending::CutOff => End::because(ExitCode::CutOff, "the input ended in mid-game"),
        Ending::Rejected(complaint) => End::because(
            ExitCode::Rejected,
            format!("the other side complains: {complaint}"),
        ),
        Ending::Unintelligible(misbehaved) => {
            End::because(ExitCode::Unintelligible, misbehaved.to_string())
        }
    }
}

fn code_of_driving(error: &DriveError) -> ExitCode {
    match error {
        // Nobody reads any more: the pipe's way of leaving.
        DriveError::Reset(error) if error.kind() == ErrorKind::BrokenPipe => ExitCode::CutOff,
        DriveError::Reset(_) => ExitCode::Reset,
        DriveError::Silent(_) => ExitCode::Silent,
        DriveError::NotReading { .. } | DriveError::Undelivered(_) => ExitCode::CutOff,
        DriveError::Interrupted => ExitCode::Interrupted,
        _ => ExitCode::Internal,
    }
}

/// An error with its causes, in one line.
pub(crate) fn chain(error: &(dyn Error + 'static)) -> String {
    let causes = std::iter::successors(Some(error), |&error| error.source());
    causes
        .map(ToString::to_string)
        .collect::<Vec<_>>()
        .join(": ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use othello_proto::session::PeerMisbehaved;
    use std::io;

    #[test]
    fn every_ending_has_its_code() {
        let code = |ending| end_of(ending).code;
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
            chain(&error),
            "the other side reset the connection: it rained"
        );
    }
}
