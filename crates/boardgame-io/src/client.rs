//! Clients of a server as limits count them, with fair shares and rate limits.

use std::{
    collections::HashMap,
    net::{IpAddr, Ipv4Addr, Ipv6Addr},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

/// A client as limits count it: an IPv4 address, also where IPv6 has it, or the /64 network of an IPv6 address,
/// which belongs to one customer.
///
/// # Examples
///
/// ```
/// use boardgame_io::Client;
///
/// let client = |address: &str| Client::from(address.parse::<std::net::IpAddr>().unwrap());
/// assert_eq!(client("::ffff:192.0.2.1"), client("192.0.2.1"));
/// assert_eq!(client("2001:db8::1"), client("2001:db8::ffff:1"));
/// assert_ne!(client("2001:db8::1"), client("2001:db8:0:1::1"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Client(IpAddr);

impl From<IpAddr> for Client {
    fn from(address: IpAddr) -> Self {
        Self(match address.to_canonical() {
            IpAddr::V6(address) if address.is_loopback() => Ipv4Addr::LOCALHOST.into(),
            IpAddr::V6(address) => {
                let network = u128::from(address) & !u128::from(u64::MAX);
                Ipv6Addr::from(network).into()
            }
            address @ IpAddr::V4(_) => address,
        })
    }
}

impl Client {
    /// Returns `true` for this computer. It may stand for many clients behind a local proxy.
    pub const fn is_loopback(self) -> bool {
        self.0.is_loopback()
    }
}

/// The reason that a client gets no place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoPlace {
    /// All are taken.
    Full,
    /// The client has its share.
    Share,
}

/// A number of places that clients share fairly: a client gets one while it has less than half as many as are
/// free. Alone it has a third of them; the more are taken, the smaller is the share of the next one, so that it takes
/// many clients to fill all. This computer may have them all, since a proxy on it connects for others.
#[derive(Clone, Debug)]
pub struct Places {
    count: usize,
    max_per_client: usize,
    taken: Arc<Mutex<HashMap<Client, usize>>>,
}

/// A place of a client, until this is dropped.
#[derive(Debug)]
pub struct Place {
    client: Client,
    taken: Arc<Mutex<HashMap<Client, usize>>>,
}

impl Places {
    /// Creates a number of places.
    pub fn new(count: usize) -> Self {
        Self {
            count,
            max_per_client: usize::MAX,
            taken: Arc::default(),
        }
    }

    /// Limits the places of each client, including this computer.
    #[must_use]
    pub fn with_max_per_client(self, max_per_client: usize) -> Self {
        Self {
            max_per_client,
            ..self
        }
    }

    /// Takes a place.
    ///
    /// # Errors
    ///
    /// When all places are taken, or the client has its share.
    pub fn take(&self, client: Client) -> Result<Place, NoPlace> {
        let mut taken = lock(&self.taken);
        let own = taken.get(&client).copied().unwrap_or_default();
        let free = self.count.saturating_sub(taken.values().sum());
        if own >= self.max_per_client || own > 0 && 2 * own >= free && !client.is_loopback() {
            return Err(NoPlace::Share);
        }
        if free == 0 {
            return Err(NoPlace::Full);
        }
        *taken.entry(client).or_default() += 1;
        Ok(Place {
            client,
            taken: Arc::clone(&self.taken),
        })
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut taken = lock(&self.taken);
        if let Some(count) = taken.get_mut(&self.client) {
            *count -= 1;
            if *count == 0 {
                taken.remove(&self.client);
            }
        }
    }
}

fn lock(taken: &Mutex<HashMap<Client, usize>>) -> MutexGuard<'_, HashMap<Client, usize>> {
    taken.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A rate limit for each client: any number of actions until a burst is used up, which regains one action per
/// interval.
#[derive(Debug)]
pub struct RateLimit {
    interval: Duration,
    burst: u32,
    /// The time when each client has its whole burst again; those that have it are forgotten.
    whole_at: HashMap<Client, Instant>,
    /// The number of clients at which they are forgotten next.
    forget_at: usize,
}

impl RateLimit {
    /// The number of clients below which none is forgotten.
    const MIN_FORGET: usize = 1024;

    /// Creates a limit.
    pub fn new(interval: Duration, burst: u32) -> Self {
        Self {
            interval,
            burst,
            whole_at: HashMap::new(),
            forget_at: Self::MIN_FORGET,
        }
    }

    /// Returns `true` if the client may act now, and counts the action.
    pub fn allow(&mut self, client: Client, now: Instant) -> bool {
        if self.whole_at.len() >= self.forget_at {
            self.whole_at.retain(|_, whole_at| *whole_at > now);
            self.forget_at = Self::MIN_FORGET.max(2 * self.whole_at.len());
        }
        let whole_at = self.whole_at.get(&client).copied().unwrap_or(now).max(now);
        let next = whole_at + self.interval;
        let is_allowed = next - now <= self.interval * self.burst;
        if is_allowed {
            self.whole_at.insert(client, next);
        }
        is_allowed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn client(text: &str) -> Client {
        text.parse::<IpAddr>().unwrap().into()
    }

    fn numbered(number: u32) -> Client {
        IpAddr::from(Ipv4Addr::from_bits(number)).into()
    }

    #[test]
    fn this_computer_is_a_client_by_any_of_its_addresses() {
        for text in ["127.0.0.1", "::1", "::ffff:127.0.0.1"] {
            assert_eq!(client(text), client("127.0.0.1"));
            assert!(client(text).is_loopback());
        }
        assert!(!client("::2").is_loopback());
    }

    #[test]
    fn few_clients_do_not_fill_all_places() {
        let places = Places::new(384);
        let mut held = Vec::new();
        for number in 0..13 {
            while let Ok(place) = places.take(numbered(number)) {
                held.push(place);
            }
            assert_eq!(places.take(numbered(number)).unwrap_err(), NoPlace::Share);
            if number == 0 {
                assert_eq!(held.len(), 128);
            }
        }
        assert!(places.take(numbered(13)).is_ok());
        held.clear();
        assert!(lock(&places.taken).is_empty());
    }

    #[test]
    fn one_network_is_one_client() {
        let places = Places::new(256);
        let address = |number: u32| client(&format!("2001:db8::{number:x}"));
        let held: Vec<_> = (1..=298)
            .map_while(|n| places.take(address(n)).ok())
            .collect();
        assert_eq!(held.len(), 86);
        assert!(places.take(client("192.0.2.1")).is_ok());
    }

    #[test]
    fn this_computer_may_have_all_places_up_to_the_limit_of_a_client() {
        let places = Places::new(3);
        let own = || places.take(client("::1"));
        let held: Vec<_> = (0..3).map(|_| own().unwrap()).collect();
        assert_eq!(own().unwrap_err(), NoPlace::Full);
        assert_eq!(places.take(numbered(1)).unwrap_err(), NoPlace::Full);
        drop(held);
        let places = places.with_max_per_client(1);
        let _held = places.take(client("::1")).unwrap();
        assert_eq!(places.take(client("::1")).unwrap_err(), NoPlace::Share);
    }

    #[test]
    fn a_burst_grows_again_and_idle_clients_are_forgotten() {
        let begin = Instant::now();
        let second = Duration::from_secs(1);
        let mut limit = RateLimit::new(second, 3);
        let mut count = |client, now| (0..10).filter(|_| limit.allow(client, now)).count();
        assert_eq!(count(numbered(0), begin), 3);
        assert_eq!(count(numbered(1), begin), 3);
        assert_eq!(count(numbered(0), begin + second), 1);
        assert_eq!(count(numbered(0), begin + 60 * second), 3);
        for number in 0..100_000 {
            limit.allow(numbered(number), begin + number * second);
        }
        assert!(limit.whole_at.len() <= RateLimit::MIN_FORGET);
    }
}
