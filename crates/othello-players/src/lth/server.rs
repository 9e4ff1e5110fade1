//! Reaching a server, and playing a session there.

use std::time::Duration;

use othello_net::{Address, Backoff, ConnectError, TcpConnection};
use othello_proto::session::PlayerSession;

use crate::{
    ExitCode, Options, Program,
    session::{End, chain, in_runtime, play},
};

/// How to reach a server, and how long to bear with it.
pub(super) struct Server<'a> {
    /// Where it is.
    pub(super) address: &'a Address,
    /// How to try again until it greets.
    pub(super) backoff: Backoff,
    /// How long it may say nothing while it is its turn to talk.
    pub(super) silence: Duration,
}

impl Server<'_> {
    /// Plays a session there; the server speaks first.
    pub(super) fn play(
        &self,
        program: Program,
        options: &Options,
        session: impl PlayerSession,
    ) -> ExitCode {
        in_runtime(program, async {
            match self.connect().await {
                Ok(connection) => {
                    play(program, options, session, connection, Some(self.silence)).await
                }
                Err(end) => end,
            }
        })
    }

    async fn connect(&self) -> Result<TcpConnection, End> {
        let greeting = Some(self.silence);
        tokio::select! {
            biased;
            () = othello_net::stop_requested() => Err(End::quiet(ExitCode::Interrupted)),
            connected = othello_net::connect_greeted(self.address, &self.backoff, greeting) => {
                connected.map_err(|error| End::because(code_of(&error), chain(&error)))
            }
        }
    }
}

fn code_of(error: &ConnectError) -> ExitCode {
    match error {
        ConnectError::NameNotFound { .. } => ExitCode::NameNotFound,
        ConnectError::Refused { .. } => ExitCode::Refused,
        ConnectError::Lost { .. } => ExitCode::Reset,
        ConnectError::NoGreeting { .. } => ExitCode::Silent,
        _ => ExitCode::Unreachable,
    }
}
