//! Runs a session of any format over its connection with the engine, and reports its end.

use std::time::Duration;

use othello_engine::{Engine, Settings};
use othello_net::{Connection, DriveOutcome, ProcessEnd};
use othello_proto::session::{PlayerSession, Question};
use tokio::io::{AsyncRead, AsyncWrite};

use crate::{ExitCode, Options, Program};

/// Plays a session over standard input and output.
pub(crate) fn over_stdio(
    program: Program,
    options: &Options,
    session: impl PlayerSession<Question = Question>,
) -> ExitCode {
    let engine = Engine::new(Settings::from(options));
    let played = othello_net::play_over_stdio(program.name, session, engine);
    in_runtime(program, played)
}

/// Does the work on this thread, then reports the end to the log and, if the format permits, to the user.
pub(crate) fn in_runtime(program: Program, work: impl Future<Output = ProcessEnd>) -> ExitCode {
    let end = othello_net::in_runtime(work);
    if let Some(remark) = end.remark {
        program.remark(&remark);
    }
    end.code
}

/// Plays a session over a connection with the engine; `silence` is the time that the other side may be
/// silent while it is its turn to talk. An error is the end of a session that failed.
pub(crate) async fn play<S, R, W>(
    program: Program,
    options: &Options,
    session: S,
    connection: Connection<R, W>,
    silence: Option<Duration>,
) -> Result<DriveOutcome<S>, ProcessEnd>
where
    S: PlayerSession<Question = Question>,
    R: AsyncRead + Unpin,
    W: AsyncWrite + Unpin,
{
    let engine = Engine::new(Settings::from(options));
    othello_net::play(program.name, session, connection, engine, silence).await
}
