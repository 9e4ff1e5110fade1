//! Runs a session of any format over its connection with the engine.

use std::time::Duration;

use othello_engine::{Engine, Settings};
use othello_net::{Connection, DriveOutcome, ProcessEnd};
use othello_proto::session::{PlayerSession, Question};
use tokio::io::{AsyncRead, AsyncWrite};

use crate::{ExitCode, Options, Program};

/// Prepares the process, and plays a session over standard input and output.
pub(crate) fn run(
    program: Program,
    options: &Options,
    session: impl PlayerSession<Question = Question>,
) -> ExitCode {
    let engine = || Engine::new(Settings::from(options));
    boardgame_cli::play(program, options.log.as_deref(), session, engine)
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
