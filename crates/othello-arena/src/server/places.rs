//! The places for connections: of all, of each port, and of each address on a port.

use std::{
    collections::HashMap,
    net::{IpAddr, Ipv6Addr},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use othello_proto::lth::Door;

use super::ServerConfig;

/// The least time between two lines of the log on refusals.
const LOG_PAUSE: Duration = Duration::from_secs(1);

/// The reason that there is no place for a connection, as it is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum NoPlace {
    /// As many connections as the server takes are there.
    #[error("The server is full. Bye!")]
    Server,
    /// As many as a port takes.
    #[error("Too many connections on this port. Bye!")]
    Port,
    /// As many as an address may have on a port.
    #[error("Too many connections from your address. Bye!")]
    Address,
}

/// The places for connections.
#[derive(Debug)]
pub(super) struct Places {
    total: usize,
    per_port: usize,
    per_address: usize,
    taken: Mutex<HashMap<(Door, IpAddr), usize>>,
}

impl Places {
    pub(super) fn new(config: &ServerConfig) -> Arc<Self> {
        Arc::new(Self {
            total: config.max_connections,
            per_port: config.max_per_port,
            per_address: config.max_per_address,
            taken: Mutex::default(),
        })
    }

    /// Takes a place, until the returned value is dropped.
    pub(super) fn take(self: &Arc<Self>, door: Door, address: IpAddr) -> Result<Place, NoPlace> {
        let key = (door, host(address));
        let mut taken = self.taken();
        let on_port = taken.iter().filter(|((other, _), _)| *other == door);
        let (all, on_port) = (
            taken.values().sum::<usize>(),
            on_port.map(|(_, n)| n).sum::<usize>(),
        );
        if taken.get(&key).is_some_and(|&own| own >= self.per_address) {
            return Err(NoPlace::Address);
        }
        if on_port >= self.per_port {
            return Err(NoPlace::Port);
        }
        if all >= self.total {
            return Err(NoPlace::Server);
        }
        *taken.entry(key).or_default() += 1;
        Ok(Place {
            places: Arc::clone(self),
            key,
        })
    }

    fn taken(&self) -> MutexGuard<'_, HashMap<(Door, IpAddr), usize>> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A place for a connection.
#[derive(Debug)]
pub(super) struct Place {
    places: Arc<Places>,
    key: (Door, IpAddr),
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut taken = self.places.taken();
        if let Some(count) = taken.get_mut(&self.key) {
            *count -= 1;
            if *count == 0 {
                taken.remove(&self.key);
            }
        }
    }
}

/// The address of a customer; in IPv6 its network, since one has 2^64 addresses that differ in their last 64 bits.
fn host(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => {
            let network = u128::from(address) & !u128::from(u64::MAX);
            IpAddr::V6(Ipv6Addr::from(network))
        }
        address @ IpAddr::V4(_) => address,
    }
}

/// The log of those who got no place: a line a second at most, with the number of the others.
#[derive(Debug, Default)]
pub(super) struct Refusals {
    last: Option<Instant>,
    unlogged: u64,
}

impl Refusals {
    pub(super) fn log(&mut self, door: Door, address: IpAddr, reason: NoPlace) {
        if self.last.is_some_and(|last| last.elapsed() < LOG_PAUSE) {
            self.unlogged += 1;
            return;
        }
        let others = std::mem::take(&mut self.unlogged);
        self.last = Some(Instant::now());
        tracing::warn!(?door, %address, %reason, others, "no place for a connection");
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
    fn each_limit_is_kept_and_a_place_is_given_back() {
        let places = Places::new(&ServerConfig {
            max_connections: 5,
            max_per_port: 4,
            max_per_address: 2,
            ..ServerConfig::default()
        });
        let take = |door, text| places.take(door, address(text));
        let (dark, white) = (
            Door::Competition(Color::Black),
            Door::Competition(Color::White),
        );
        let first = take(dark, "10.0.0.1").unwrap();
        let _second = take(dark, "10.0.0.1").unwrap();
        // The same address as IPv6 has it.
        assert_eq!(take(dark, "::ffff:10.0.0.1").unwrap_err(), NoPlace::Address);
        let _third = take(dark, "2001:db8::1").unwrap();
        let _fourth = take(dark, "2001:db8::ffff:1").unwrap();
        assert_eq!(take(dark, "2001:db8::2").unwrap_err(), NoPlace::Address);
        assert_eq!(take(dark, "10.0.0.2").unwrap_err(), NoPlace::Port);
        // It still has its places on the other ports.
        let _fifth = take(white, "10.0.0.1").unwrap();
        assert_eq!(
            take(Door::Testing, "10.0.0.3").unwrap_err(),
            NoPlace::Server
        );
        drop(first);
        let _sixth = take(Door::Testing, "10.0.0.3").unwrap();
        assert_eq!(take(dark, "10.0.0.1").unwrap_err(), NoPlace::Server);
    }
}
