//! Limits on connections: in all, per port, and per client, at a time and per minute.

use std::{
    collections::HashMap,
    net::IpAddr,
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

use boardgame_io::{Client, NoPlace, Place, Places, RateLimit};
use othello_core::Color;
use othello_proto::lth::Port;

use super::config::ServerConfig;

/// The minimum time between two lines of the log about refusals.
const LOG_PAUSE: Duration = Duration::from_secs(1);

/// The maximum burst of a client, in minutes' worth of connections.
const BURST_MINUTES: u32 = 5;

/// The reason why a connection is refused, as sent to the client.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum NoSlot {
    /// The server has [`ServerConfig::max_connections`].
    #[error("The server is full. Bye!")]
    Server,
    /// The port has [`ServerConfig::max_per_port`].
    #[error("Too many connections on this port. Bye!")]
    Port,
    /// The client has [`ServerConfig::max_per_address`] on the port, or its share of the port or the server.
    #[error("Too many connections from your address. Bye!")]
    Address,
    /// The client has made [`ServerConfig::max_per_minute`].
    #[error("Too many connections in a short time. Bye!")]
    Rate,
}

/// The limits on connections, and the connections that count against them.
#[derive(Debug)]
pub(crate) struct ConnectionSlots {
    total: Places,
    ports: HashMap<Port, Places>,
    rate: Mutex<RateLimit>,
}

impl ConnectionSlots {
    pub(crate) fn new(config: &ServerConfig) -> Self {
        let per_port =
            || Places::new(config.max_per_port).with_max_per_client(config.max_per_address);
        let ports = [
            Port::Testing,
            Port::Evaluation,
            Port::Competition(Color::Black),
            Port::Competition(Color::White),
        ];
        let per_minute = config.max_per_minute.max(1);
        let rate = RateLimit::new(
            Duration::from_mins(1) / per_minute,
            per_minute.saturating_mul(BURST_MINUTES),
        );
        Self {
            total: Places::new(config.max_connections),
            ports: ports.map(|port| (port, per_port())).into(),
            rate: Mutex::new(rate),
        }
    }

    /// Takes a slot, until the returned value is dropped.
    pub(crate) fn take(&self, port: Port, address: IpAddr) -> Result<Slot, NoSlot> {
        let client = Client::from(address);
        let mut rate = self.rate.lock().unwrap_or_else(PoisonError::into_inner);
        if !rate.allow(client, Instant::now()) {
            return Err(NoSlot::Rate);
        }
        let take = |places: &Places, full| {
            places.take(client).map_err(|reason| match reason {
                NoPlace::Full => full,
                NoPlace::Share => NoSlot::Address,
            })
        };
        Ok(Slot {
            _of_port: take(&self.ports[&port], NoSlot::Port)?,
            _of_server: take(&self.total, NoSlot::Server)?,
        })
    }
}

/// The slot of a connection, freed when this is dropped.
#[derive(Debug)]
pub(crate) struct Slot {
    _of_port: Place,
    _of_server: Place,
}

/// The log of refused connections: at most a line a second, with the number of the others.
#[derive(Debug, Default)]
pub(crate) struct Refusals {
    last: Option<Instant>,
    unlogged: u64,
}

impl Refusals {
    pub(crate) fn log(&mut self, port: Port, address: IpAddr, reason: NoSlot) {
        if self.last.is_some_and(|last| last.elapsed() < LOG_PAUSE) {
            self.unlogged += 1;
            return;
        }
        let others = std::mem::take(&mut self.unlogged);
        self.last = Some(Instant::now());
        tracing::warn!(?port, %address, %reason, others, "a connection is refused");
    }
}
