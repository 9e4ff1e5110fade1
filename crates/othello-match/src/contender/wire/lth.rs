//! A game of an LTH client, which comes to a port of its own.

use std::{
    convert::Infallible,
    fmt::Display,
    future::Future,
    net::Ipv4Addr,
    pin::{Pin, pin},
    time::Instant,
};

use othello_arena::{Fault as SeatFault, GameOptions, Program, Seat, game, reception::receive};
use othello_arena::{Link, LinkOptions, ProgramReport};
use othello_proto::lth::{
    Door, Guest, LimitScope, ReceptionOptions, Record, Table as Host, TimeLimit,
};
use tokio::{net::TcpListener, sync::mpsc, time::timeout};

use super::{
    meter::Meter,
    relay::Relay,
    stopped::Stopped,
    table::{Ended, Seen, Setup, watch},
};
use crate::protocol::Allowance;

/// Plays a game with a client that is started for it.
pub(super) async fn play(
    setup: &Setup,
    relay: Relay,
    meter: Meter,
    seen: mpsc::UnboundedSender<Seen>,
    called_off: impl Future<Output = ()> + Send,
) -> Ended {
    let refused = |reason: &dyn Display| Ended {
        faults: vec![not_started(setup, reason)],
        ..Ended::default()
    };
    let listener = match TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await {
        Ok(listener) => listener,
        Err(error) => return refused(&error),
    };
    let line = match listener.local_addr() {
        Ok(address) => setup.line.with_address(address),
        Err(error) => return refused(&error),
    };
    let mut program = match Program::launch(&line, &setup.options.program) {
        Ok(program) => program,
        Err(error) => return refused(&error.io()),
    };
    meter.launched(program.id());
    let mut called_off = pin!(called_off);
    let ended = match meet(setup, &listener, &mut program, called_off.as_mut()).await {
        Ok((guest, link)) => {
            let table = Host::against_house(guest, limit(setup, setup.patience()));
            let host = Stopped::new(table, meter.clone());
            let client = Seat::link(setup.line.to_string(), link);
            let seats = setup.seats(client, relay);
            let watch = watch(setup.color, true, meter, seen);
            let options = GameOptions::default();
            let game = pin!(game::run(host, seats, watch, &options, called_off));
            let report = tokio::select! {
                report = game => report,
                // What a client prints is nobody's, but it must not wait for a reader.
                never = drain(&mut program) => match never {},
            };
            Ended::of(&report, setup.color)
        }
        Err(reason) => refused(&reason),
    };
    with_program(ended, program.end().await)
}

/// What a client is told, or held to.
fn limit(setup: &Setup, length: std::time::Duration) -> TimeLimit {
    let scope = match setup.allowance {
        Allowance::Game(_) => LimitScope::Game,
        Allowance::Move(_) => LimitScope::Move,
    };
    TimeLimit { length, scope }
}

/// Why a client is not at the table.
#[derive(Debug, thiserror::Error)]
enum NotMet {
    #[error("it ended before it had connected and said its name")]
    Ended,
    #[error("it did not connect and say its name within {0:?}")]
    Late(std::time::Duration),
    #[error("the game was called off")]
    CalledOff,
    #[error("no connection: {0}")]
    Accept(#[from] std::io::Error),
    #[error(transparent)]
    Reception(#[from] othello_arena::reception::ReceptionError),
}

/// Waits for the client's connection and receives it.
async fn meet(
    setup: &Setup,
    listener: &TcpListener,
    program: &mut Program,
    called_off: Pin<&mut impl Future<Output = ()>>,
) -> Result<(Guest, Link), NotMet> {
    let ready = setup.options.ready;
    let ended = async { while program.next().await.is_some() {} };
    tokio::select! {
        biased;
        met = timeout(ready, welcome(setup, listener)) => {
            met.unwrap_or(Err(NotMet::Late(ready)))
        }
        () = ended => Err(NotMet::Ended),
        () = called_off => Err(NotMet::CalledOff),
    }
}

async fn welcome(setup: &Setup, listener: &TcpListener) -> Result<(Guest, Link), NotMet> {
    let (stream, _) = listener.accept().await?;
    // A delay costs time, not correctness.
    let _ = stream.set_nodelay(true);
    let (reader, writer) = stream.into_split();
    let mut link = Link::new(reader, writer, LinkOptions::default());
    let options = ReceptionOptions {
        door: Door::Competition(setup.color),
        limit: limit(setup, setup.allowance.length()),
        patience: setup.options.ready,
        ..ReceptionOptions::default()
    };
    // Nothing is kept about those who compete.
    let unknown = |_| std::future::ready(None::<(Record, ())>);
    let (guest, _) = receive(&mut link, options, Instant::now(), unknown).await?;
    Ok((guest, link))
}

/// Reads on what a program prints, for ever.
async fn drain(program: &mut Program) -> Infallible {
    while program.next().await.is_some() {}
    std::future::pending().await
}

fn not_started(setup: &Setup, reason: &dyn Display) -> SeatFault {
    SeatFault::NotStarted {
        program: setup.line.program().into(),
        reason: reason.to_string(),
    }
}

/// The end of a game with what is known of its client's program.
fn with_program(ended: Ended, program: ProgramReport) -> Ended {
    Ended {
        faults: [ended.faults, program.faults].concat(),
        status: program.status,
        stderr: program.stderr,
        ..ended
    }
}
