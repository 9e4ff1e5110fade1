//! Running a session of any format over its connection with the engine.

use std::{sync::Arc, time::Duration};

use othello_engine::{Network, SessionEngine, Settings};
use othello_net::{Connection, DriveOutcome, ProcessEnd};
use othello_proto::session::{PlayerSession, Question};
use tokio::io::{AsyncRead, AsyncWrite};

use crate::{ExitCode, Options, Program};

/// Returns a function that makes the settings of the engine.
pub(crate) fn settings(options: &Options) -> impl FnOnce(Arc<Network>) -> Settings + Send + use<> {
    let options = options.clone();
    move |network| options.settings(network)
}

/// Prepares the process, and plays a session over standard input and output.
pub(crate) fn run(
    program: Program,
    options: &Options,
    session: impl PlayerSession<Question = Question>,
) -> ExitCode {
    let engine = || SessionEngine::new(settings(options));
    boardgame_cli::play(program, options.log.as_deref(), session, engine)
}

/// Plays a session over a connection with the engine; `silence` is the time that the other side may be silent during
/// its turn to send. An error is the end of a failed session.
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
    let engine = SessionEngine::new(settings(options));
    othello_net::play(program.name, session, connection, engine, silence).await
}
