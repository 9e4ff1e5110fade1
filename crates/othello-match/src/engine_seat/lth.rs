//! The seat of an LTH client, which connects to its own port.

use std::{
    convert::Infallible,
    future, io,
    net::Ipv4Addr,
    time::{Duration, Instant},
};

use boardgame_io::{LaunchError, Link, Program};
use boardgame_match::{
    BoxFuture, FromSeat, Seat, SeatReport, SessionSeat, SessionSeatOptions, engine::OpenError,
    fault::StartFailure,
};
use boardgame_session::{Conventions, Order};
use othello_core::{Board, Move};
use othello_host::reception::{ReceptionError, receive};
use othello_proto::lth::{
    ClientRecord, Guest, LimitScope, Port, ReceptionOptions, ServerSeat, ServerSeatOptions,
    TimeLimit,
};
use tokio::{net::TcpListener, time::timeout};

use super::WireProgram;
use crate::protocol::Allowance;

/// The reason why a client did not connect.
#[derive(Debug, thiserror::Error)]
pub(super) enum ConnectError {
    #[error(transparent)]
    Listen(io::Error),
    #[error("{}", .0.io())]
    Launch(LaunchError),
    #[error("its protocol needs the network, which its limits forbid")]
    NoNetwork,
    #[error("it ended before it had connected and said its name")]
    Ended,
    #[error("it did not connect and say its name within {0:?}")]
    Late(Duration),
    #[error("no connection: {0}")]
    Accept(io::Error),
    #[error(transparent)]
    Reception(#[from] ReceptionError),
}

impl ConnectError {
    /// Returns the error of a seat, with the report on its program.
    fn open_error(self, report: SeatReport) -> OpenError {
        let failure = match self {
            Self::Late(_) => StartFailure::Silent,
            Self::Launch(_) => StartFailure::NotRun,
            Self::Ended => StartFailure::Ended,
            _ => StartFailure::Other,
        };
        OpenError::of_program(self, report, failure)
    }
}

impl From<ConnectError> for OpenError {
    /// Returns the error of a client whose program has no report.
    fn from(error: ConnectError) -> Self {
        error.open_error(SeatReport::default())
    }
}

/// The seat of a client. Dropping it ends the client.
pub(super) struct LthSeat {
    connection: SessionSeat<Board, ServerSeat>,
    /// The client's program, until it is ended with the game.
    client: Option<Program>,
}

/// Starts a client and waits for its connection and name.
///
/// # Errors
///
/// When it does not start, or does not connect and say its name in time.
pub(super) async fn open(client: &WireProgram<'_>) -> Result<LthSeat, OpenError> {
    if client.patience.program.limits.no_network {
        return Err(ConnectError::NoNetwork.into());
    }
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await;
    let listener = listener.map_err(ConnectError::Listen)?;
    let address = listener.local_addr().map_err(ConnectError::Listen)?;
    let line = client.line.with_address(address);
    let mut options = client.patience.program.clone();
    // The connection is traced, not standard input and output.
    options.link.trace = None;
    let mut program = Program::launch(&line, &options).map_err(ConnectError::Launch)?;
    let origin = Instant::now();
    match connect(client, &listener, &mut program, origin).await {
        Ok((guest, link)) => {
            let grace = client.patience.overtime;
            let session = ServerSeat::new(guest, ServerSeatOptions { grace });
            let options = SessionSeatOptions {
                origin: Some(origin),
                family: program.family(),
                ..SessionSeatOptions::default()
            };
            Ok(LthSeat {
                connection: SessionSeat::link(client.line.to_string(), session, link, options),
                client: Some(program),
            })
        }
        Err(error) => {
            let report = with_program(SeatReport::default(), program).await;
            Err(error.open_error(report))
        }
    }
}

impl LthSeat {
    async fn next_event(&mut self) -> FromSeat<Move> {
        tokio::select! {
            biased;
            from = self.connection.next() => from,
            never = drain(&mut self.client) => match never {},
        }
    }

    async fn end_game(&mut self, grace: Duration) -> SeatReport {
        let report = tokio::select! {
            report = self.connection.end(grace) => report,
            never = drain(&mut self.client) => match never {},
        };
        match self.client.take() {
            Some(client) => with_program(report, client).await,
            None => report,
        }
    }
}

impl Seat<Board> for LthSeat {
    fn conventions(&self) -> Conventions {
        self.connection.conventions()
    }

    fn order(&mut self, order: Order<Board>) {
        self.connection.order(order);
    }

    fn next(&mut self) -> BoxFuture<'_, FromSeat<Move>> {
        Box::pin(self.next_event())
    }

    fn is_silent(&self) -> bool {
        self.connection.is_silent()
    }

    fn end(&mut self, grace: Duration) -> BoxFuture<'_, SeatReport> {
        Box::pin(self.end_game(grace))
    }
}

/// Reads and drops a client's output forever, so that it never waits for a reader.
async fn drain(client: &mut Option<Program>) -> Infallible {
    if let Some(program) = client {
        while program.next().await.is_some() {}
    }
    future::pending().await
}

/// Ends a client and adds its status and faults to the report of its seat.
async fn with_program(seat: SeatReport, client: Program) -> SeatReport {
    let program = client.end().await;
    SeatReport {
        faults: [seat.faults, program.faults].concat(),
        status: program.status,
        stderr: program.stderr,
        ..seat
    }
}

/// Waits for the client's connection and receives it.
async fn connect(
    client: &WireProgram<'_>,
    listener: &TcpListener,
    program: &mut Program,
    origin: Instant,
) -> Result<(Guest, Link), ConnectError> {
    let ready = client.ready();
    let ended = async { while program.next().await.is_some() {} };
    tokio::select! {
        biased;
        connected = timeout(ready, receive_client(client, listener, origin)) => {
            connected.unwrap_or(Err(ConnectError::Late(ready)))
        }
        () = ended => Err(ConnectError::Ended),
    }
}

async fn receive_client(
    client: &WireProgram<'_>,
    listener: &TcpListener,
    origin: Instant,
) -> Result<(Guest, Link), ConnectError> {
    let (stream, _) = listener.accept().await.map_err(ConnectError::Accept)?;
    // A delay costs time, not correctness.
    let _ = stream.set_nodelay(true);
    let (reader, writer) = stream.into_split();
    let mut link = Link::new(reader, writer, client.patience.program.link.clone());
    let options = ReceptionOptions {
        port: Port::Competition(client.color),
        limit: limit(client.allowance),
        patience: client.ready(),
        ..ReceptionOptions::default()
    };
    // There are no records of competing clients.
    let unknown = |_| future::ready(None::<(ClientRecord, ())>);
    let (guest, _) = receive(&mut link, options, origin, unknown).await?;
    Ok((guest, link))
}

/// Returns the time limit that a client is told.
const fn limit(allowance: Allowance) -> TimeLimit {
    let scope = match allowance {
        Allowance::Game(_) => LimitScope::Game,
        Allowance::Move(_) => LimitScope::Move,
    };
    TimeLimit {
        length: allowance.length(),
        scope,
    }
}
