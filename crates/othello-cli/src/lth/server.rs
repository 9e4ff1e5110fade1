//! Connecting to a server and playing a session there.

use std::{
    io::{self, Write as _},
    time::Duration,
};

use boardgame_cli::{in_runtime, printable};
use othello_core::Color;
use othello_net::{
    Address, Backoff, ConnectError, DriveOutcome, ProcessEnd, TcpConnection, error_chain,
};
use othello_proto::{
    lth::{GameOutcome, Player},
    session::Ending,
};

use crate::{ExitCode, Options, Program, session::play};

/// The address of a server, and the time limits for its answers.
pub(super) struct Server<'a> {
    /// Its address.
    pub(super) address: &'a Address,
    /// The repetition of attempts until it greets.
    pub(super) backoff: Backoff,
    /// The time that it may be silent during its turn to send.
    pub(super) silence: Duration,
}

impl Server<'_> {
    /// Plays a session on the server, and prints its result; the server speaks first.
    pub(super) fn play(&self, program: Program, options: &Options, session: Player) -> ExitCode {
        in_runtime(program, async {
            let silence = Some(self.silence);
            let played = match self.connect().await {
                Ok(connection) => play(program, options, session, connection, silence).await,
                Err(end) => Err(end),
            };
            played.map_or_else(|end| end, |outcome| self.end(outcome))
        })
    }

    fn end(&self, outcome: DriveOutcome<Player>) -> ProcessEnd {
        let DriveOutcome { ending, session } = outcome;
        if let Some(result) = result(&session, &ending) {
            // The game is over even if nobody reads this.
            let _ = writeln!(io::stdout(), "{}", printable(&result));
        }
        match ending {
            Ending::CutOff => {
                let place = place(&session);
                let remark = format!("{} closed the connection {place}", self.address);
                ProcessEnd::because(ExitCode::CutOff, remark)
            }
            ending => ProcessEnd::of_session(ending),
        }
    }

    async fn connect(&self) -> Result<TcpConnection, ProcessEnd> {
        let greeting = Some(self.silence);
        tokio::select! {
            biased;
            () = othello_net::stop_requested() => Err(ProcessEnd::quiet(ExitCode::Interrupted)),
            connected = othello_net::connect_greeted(self.address, &self.backoff, greeting) => {
                connected.map_err(|error| ProcessEnd::because(code_of(&error), error_chain(&error)))
            }
        }
    }
}

/// Returns the result of the game for us: by the server or, if it ends the game without one, by our board; `None` if
/// there is no result.
fn result(session: &Player, ending: &Ending) -> Option<String> {
    let (color, report, board) = (session.color()?, session.report(), session.board());
    let (outcome, says) = match report.outcome() {
        Some(outcome) => (outcome, report.to_string()),
        None if *ending == Ending::Orderly && board.is_over() => {
            let [dark, white] = Color::ALL.map(|color| board.discs(color).count());
            let says = format!("White {white}, Dark {dark} by our board, the server says nothing");
            (GameOutcome::from_winner(board.leader()), says)
        }
        None => return None,
    };
    let ours = match outcome {
        GameOutcome::Draw => "Drawn",
        GameOutcome::Won(winner) if winner == color => "Won",
        GameOutcome::Won(_) => "Lost",
    };
    let side = match color {
        Color::Black => "dark",
        Color::White => "white",
    };
    Some(format!("{ours} as {side}: {says}"))
}

/// Describes how far a session came.
fn place(session: &Player) -> String {
    let moves = session.game().moves().len();
    match session.color() {
        None if moves == 0 => "before the game".into(),
        _ => format!("in mid-game, moves played: {moves}"),
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
