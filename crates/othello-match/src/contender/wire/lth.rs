//! The seat of an LTH client, which comes to a port of its own.

use std::{
    io,
    net::Ipv4Addr,
    time::{Duration, Instant},
};

use boardgame_io::{LaunchError, Link, LinkOptions, Program};
use boardgame_match::{SeatReport, SessionSeat, SessionSeatOptions};
use othello_host::reception::{ReceptionError, receive};
use othello_proto::lth::{
    ClientRecord, Guest, LimitScope, Port, ReceptionOptions, ServerSeat, ServerSeatOptions,
    TimeLimit,
};
use tokio::{net::TcpListener, time::timeout};

use super::setup::{ProgramSeat, Setup, with_program};
use crate::protocol::Allowance;

/// A client is not at its seat.
#[derive(Debug, thiserror::Error)]
#[error("{reason}")]
pub(super) struct NotMet {
    #[source]
    pub(super) reason: NotMetReason,
    /// What is known of its program.
    pub(super) report: SeatReport,
}

/// The reason why a client is not at its seat.
#[derive(Debug, thiserror::Error)]
pub(super) enum NotMetReason {
    #[error(transparent)]
    Listen(io::Error),
    #[error("{}", .0.io())]
    Launch(LaunchError),
    #[error("it ended before it had connected and said its name")]
    Ended,
    #[error("it did not connect and say its name within {0:?}")]
    Late(Duration),
    #[error("no connection: {0}")]
    Accept(io::Error),
    #[error(transparent)]
    Reception(#[from] ReceptionError),
}

impl From<NotMetReason> for NotMet {
    /// Returns the error of a client of which no more is known.
    fn from(reason: NotMetReason) -> Self {
        Self {
            reason,
            report: SeatReport::default(),
        }
    }
}

/// Starts a client and receives it.
pub(super) async fn open(setup: &Setup) -> Result<ProgramSeat, NotMet> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await;
    let listener = listener.map_err(NotMetReason::Listen)?;
    let address = listener.local_addr().map_err(NotMetReason::Listen)?;
    let line = setup.line.with_address(address);
    let mut program =
        Program::launch(&line, &setup.options.program).map_err(NotMetReason::Launch)?;
    let origin = Instant::now();
    match meet(setup, &listener, &mut program, origin).await {
        Ok((guest, link)) => {
            let session = ServerSeat::new(guest, ServerSeatOptions::default());
            let options = SessionSeatOptions {
                origin: Some(origin),
                process: program.id(),
                ..SessionSeatOptions::default()
            };
            let seat = SessionSeat::link(setup.line.to_string(), session, link, options);
            Ok(ProgramSeat {
                seat: Box::new(seat),
                client: Some(program),
            })
        }
        Err(reason) => Err(NotMet {
            reason,
            report: with_program(SeatReport::default(), program).await,
        }),
    }
}

/// Waits for the client's connection and receives it.
async fn meet(
    setup: &Setup,
    listener: &TcpListener,
    program: &mut Program,
    origin: Instant,
) -> Result<(Guest, Link), NotMetReason> {
    let ready = setup.options.ready;
    let ended = async { while program.next().await.is_some() {} };
    tokio::select! {
        biased;
        met = timeout(ready, welcome(setup, listener, origin)) => {
            met.unwrap_or(Err(NotMetReason::Late(ready)))
        }
        () = ended => Err(NotMetReason::Ended),
    }
}

async fn welcome(
    setup: &Setup,
    listener: &TcpListener,
    origin: Instant,
) -> Result<(Guest, Link), NotMetReason> {
    let (stream, _) = listener.accept().await.map_err(NotMetReason::Accept)?;
    // A delay costs time, not correctness.
    let _ = stream.set_nodelay(true);
    let (reader, writer) = stream.into_split();
    let mut link = Link::new(reader, writer, LinkOptions::default());
    let options = ReceptionOptions {
        port: Port::Competition(setup.color),
        limit: limit(setup.allowance),
        patience: setup.options.ready,
        ..ReceptionOptions::default()
    };
    // Nothing is kept about those who compete.
    let unknown = |_| std::future::ready(None::<(ClientRecord, ())>);
    let (guest, _) = receive(&mut link, options, origin, unknown).await?;
    Ok((guest, link))
}

/// Returns what a client is told of its time.
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
