//! Limits on the connections at a time: in all, on each port, and of each address on a port.

use std::{
    collections::HashMap,
    net::{IpAddr, Ipv6Addr},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use othello_proto::lth::Port;

use crate::ServerConfig;

/// The minimum time between two lines of the log about refusals.
const LOG_PAUSE: Duration = Duration::from_secs(1);

/// The reason that a connection is refused, as its client is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum NoSlot {
    /// The server has [`ServerConfig::max_connections`].
    #[error("The server is full. Bye!")]
    Server,
    /// The port has [`ServerConfig::max_per_port`].
    #[error("Too many connections on this port. Bye!")]
    Port,
    /// The address has [`ServerConfig::max_per_address`] on the port.
    #[error("Too many connections from your address. Bye!")]
    Address,
}

/// The limits on connections, and the connections that count against them.
#[derive(Debug)]
pub(crate) struct ConnectionSlots {
    total: usize,
    per_port: usize,
    per_address: usize,
    taken: Mutex<HashMap<(Port, IpAddr), usize>>,
}

impl ConnectionSlots {
    pub(crate) fn new(config: &ServerConfig) -> Arc<Self> {
        Arc::new(Self {
            total: config.max_connections,
            per_port: config.max_per_port,
            per_address: config.max_per_address,
            taken: Mutex::default(),
        })
    }

    /// Takes a slot, until the returned value is dropped.
    pub(crate) fn take(self: &Arc<Self>, port: Port, address: IpAddr) -> Result<Slot, NoSlot> {
        let key = (port, client_network(address));
        let mut taken = self.taken();
        let on_port = taken.iter().filter(|((other, _), _)| *other == port);
        let (all, on_port) = (
            taken.values().sum::<usize>(),
            on_port.map(|(_, n)| n).sum::<usize>(),
        );
        if taken.get(&key).is_some_and(|&own| own >= self.per_address) {
            return Err(NoSlot::Address);
        }
        if on_port >= self.per_port {
            return Err(NoSlot::Port);
        }
        if all >= self.total {
            return Err(NoSlot::Server);
        }
        *taken.entry(key).or_default() += 1;
        Ok(Slot {
            slots: Arc::clone(self),
            key,
        })
    }

    fn taken(&self) -> MutexGuard<'_, HashMap<(Port, IpAddr), usize>> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The slot of a connection, which is free again once this is dropped.
#[derive(Debug)]
pub(crate) struct Slot {
    slots: Arc<ConnectionSlots>,
    key: (Port, IpAddr),
}

impl Drop for Slot {
    fn drop(&mut self) {
        let mut taken = self.slots.taken();
        if let Some(count) = taken.get_mut(&self.key) {
            *count -= 1;
            if *count == 0 {
                taken.remove(&self.key);
            }
        }
    }
}

/// Returns the network that a client is counted under: its IPv4 address, or the /64 network of its IPv6
/// address, all of which one customer has.
fn client_network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => {
            let network = u128::from(address) & !u128::from(u64::MAX);
            IpAddr::V6(Ipv6Addr::from(network))
        }
        address @ IpAddr::V4(_) => address,
    }
}

/// The log of refused connections: a line a second at most, with the number of the others.
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

#[cfg(test)]
mod tests {
    use othello_core::Color;

    use super::*;

    fn address(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    #[test]
    fn each_limit_holds_and_a_slot_is_given_back() {
        let slots = ConnectionSlots::new(&ServerConfig {
            max_connections: 5,
            max_per_port: 4,
            max_per_address: 2,
            ..ServerConfig::default()
        });
        let take = |port, text| slots.take(port, address(text));
        let (dark, white) = (
            Port::Competition(Color::Black),
            Port::Competition(Color::White),
        );
        let first = take(dark, "10.0.0.1").unwrap();
        let _second = take(dark, "10.0.0.1").unwrap();
        // The same address as IPv6 has it.
        assert_eq!(take(dark, "::ffff:10.0.0.1").unwrap_err(), NoSlot::Address);
        let _third = take(dark, "2001:db8::1").unwrap();
        let _fourth = take(dark, "2001:db8::ffff:1").unwrap();
        assert_eq!(take(dark, "2001:db8::2").unwrap_err(), NoSlot::Address);
        assert_eq!(take(dark, "10.0.0.2").unwrap_err(), NoSlot::Port);
        // It still has its slots on the other ports.
        let _fifth = take(white, "10.0.0.1").unwrap();
        assert_eq!(take(Port::Testing, "10.0.0.3").unwrap_err(), NoSlot::Server);
        drop(first);
        let _sixth = take(Port::Testing, "10.0.0.3").unwrap();
        assert_eq!(take(dark, "10.0.0.1").unwrap_err(), NoSlot::Server);
    }
}
