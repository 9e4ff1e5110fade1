//! Connecting to a server, with repeated attempts.

use std::{
    io,
    io::ErrorKind,
    net::{IpAddr, SocketAddr, ToSocketAddrs as _},
    thread,
    time::Duration,
};

use thiserror::Error;
use tokio::{
    net::TcpStream,
    sync::oneshot,
    time::{Instant, sleep, timeout},
};

use crate::{Address, Backoff, Connection, TcpConnection};

/// The error of a failed connection.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ConnectError {
    /// The name cannot be resolved.
    #[error("the name {:?} does not resolve", .0.host)]
    NameNotFound(Address, #[source] io::Error),
    /// Nobody listens there.
    #[error("{0} refuses connections")]
    Refused(Address),
    /// Nothing answers there.
    #[error("{0} did not answer in time")]
    TimedOut(Address),
    /// The address is not reachable.
    #[error("{0} cannot be reached")]
    Unreachable(Address, #[source] io::Error),
    /// The connection was closed or reset before the first byte.
    #[error("{0} closed the connection before its greeting")]
    Lost(Address),
    /// The connection was made, but no byte came in time.
    #[error("{0} did not greet within {1:?}")]
    NoGreeting(Address, Duration),
    /// Anything else.
    #[error("could not connect to {0}")]
    Io(Address, #[source] io::Error),
}

impl ConnectError {
    /// Returns the error of a failed attempt at an address, by its kind.
    fn from_io(address: &Address, source: io::Error) -> Self {
        let address = address.clone();
        match source.kind() {
            ErrorKind::ConnectionRefused => Self::Refused(address),
            ErrorKind::TimedOut => Self::TimedOut(address),
            ErrorKind::HostUnreachable
            | ErrorKind::NetworkUnreachable
            | ErrorKind::AddrNotAvailable => Self::Unreachable(address, source),
            _ => Self::Io(address, source),
        }
    }

    /// Returns whether another attempt may succeed. A server that holds the connection without a
    /// greeting may be waiting for the other player: leaving would lose the place.
    fn may_pass(&self) -> bool {
        !matches!(self, Self::NoGreeting(..))
    }

    /// Returns the rank of an error. Of a name's addresses, the error with the highest rank is reported.
    fn weight(&self) -> u8 {
        match self {
            Self::Unreachable(..) => 0,
            Self::TimedOut(_) => 1,
            _ => 2,
        }
    }
}

/// Connects, trying every address of the name, and repeats as `backoff` says.
///
/// A name that does not resolve is tried again too: the resolver does not distinguish a wrong name from a network that
/// is not up yet.
///
/// # Errors
///
/// Returns the error of the last attempt.
pub async fn connect(address: &Address, backoff: &Backoff) -> Result<TcpConnection, ConnectError> {
    retry(address, backoff, || attempt(address, backoff.attempt)).await
}

/// Connects and waits for the first byte, for servers that speak first.
///
/// A connection lost before that is tried again as `backoff` says; a later loss is final, since a game cannot be
/// resumed. The first byte is left unread. Without a `greeting` limit the wait is unlimited, as is necessary if a
/// server waits for a second player.
///
/// # Errors
///
/// Returns the error of the last attempt, or [`ConnectError::NoGreeting`].
pub async fn connect_greeted(
    address: &Address,
    backoff: &Backoff,
    greeting: Option<Duration>,
) -> Result<TcpConnection, ConnectError> {
    retry(address, backoff, || async {
        let mut connection = attempt(address, backoff.attempt).await?;
        let greeted = match greeting {
            None => connection.readable().await,
            Some(limit) => match timeout(limit, connection.readable()).await {
                Ok(greeted) => greeted,
                Err(_) => return Err(ConnectError::NoGreeting(address.clone(), limit)),
            },
        };
        match greeted {
            Ok(true) => Ok(connection),
            Ok(false) | Err(_) => Err(ConnectError::Lost(address.clone())),
        }
    })
    .await
}

async fn retry<F>(
    address: &Address,
    backoff: &Backoff,
    mut attempt: impl FnMut() -> F,
) -> Result<TcpConnection, ConnectError>
where
    F: Future<Output = Result<TcpConnection, ConnectError>>,
{
    let started = Instant::now();
    let mut pauses = backoff.pauses();
    loop {
        let error = match attempt().await {
            Ok(connection) => {
                tracing::info!(%address, "connected");
                return Ok(connection);
            }
            Err(error) => error,
        };
        let left = backoff.total.saturating_sub(started.elapsed());
        let pause = pauses.next().map(|pause| pause.min(left));
        let Some(pause) = pause.filter(|pause| error.may_pass() && !pause.is_zero()) else {
            return Err(error);
        };
        tracing::warn!(%error, ?pause, "no connection yet, trying again");
        sleep(pause).await;
    }
}

/// Tries each address of the name once.
async fn attempt(address: &Address, limit: Duration) -> Result<TcpConnection, ConnectError> {
    let candidates = resolve(address, limit).await?;
    attempt_each(address, &candidates, limit).await
}

/// Connects to the first candidate that answers, or else returns the most informative error.
async fn attempt_each(
    address: &Address,
    candidates: &[SocketAddr],
    limit: Duration,
) -> Result<TcpConnection, ConnectError> {
    let mut failure: Option<ConnectError> = None;
    for candidate in candidates {
        let error = match timeout(limit, TcpStream::connect(candidate)).await {
            Ok(Ok(stream)) => return Ok(Connection::from_tcp(stream)),
            Ok(Err(source)) => ConnectError::from_io(address, source),
            Err(_) => ConnectError::TimedOut(address.clone()),
        };
        tracing::debug!(%candidate, %error, "this address failed");
        failure = failure
            .filter(|failure| failure.weight() >= error.weight())
            .or(Some(error));
    }
    Err(failure
        .unwrap_or_else(|| ConnectError::NameNotFound(address.clone(), ErrorKind::NotFound.into())))
}

async fn resolve(address: &Address, limit: Duration) -> Result<Vec<SocketAddr>, ConnectError> {
    let result = match timeout(limit, look_up(address)).await {
        Ok(result) => result,
        Err(_) => Err(ErrorKind::TimedOut.into()),
    };
    result.map_err(|source| ConnectError::NameNotFound(address.clone(), source))
}

/// Looks up a host on its own thread; tokio panics if the system cannot start one.
async fn look_up(address: &Address) -> io::Result<Vec<SocketAddr>> {
    let Address { host, port } = address.clone();
    if let Ok(ip) = host.parse::<IpAddr>() {
        return Ok(vec![SocketAddr::new(ip, port)]);
    }
    let (sender, receiver) = oneshot::channel();
    let thread = thread::Builder::new().name("look-up".into());
    thread.spawn(move || {
        let addresses = (host.as_str(), port).to_socket_addrs();
        // The caller may have stopped waiting.
        let _ = sender.send(addresses.map(Iterator::collect));
    })?;
    receiver
        .await
        .unwrap_or_else(|_| Err(ErrorKind::Other.into()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::net::{TcpListener, TcpSocket};

    const LIMIT: Duration = Duration::from_secs(50);

    #[tokio::test]
    async fn the_address_that_answers_is_found_behind_one_that_does_not() {
        // Bound without listening, a port is taken and refuses.
        let refusing = TcpSocket::new_v4().unwrap();
        refusing.bind("127.0.0.1:0".parse().unwrap()).unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let refused = refusing.local_addr().unwrap();
        let open = listener.local_addr().unwrap();
        let address = Address::new("example", 1);

        attempt_each(&address, &[refused, open], LIMIT)
            .await
            .unwrap();
        let error = attempt_each(&address, &[refused], LIMIT).await.unwrap_err();
        assert!(matches!(error, ConnectError::Refused(..)), "{error}");
    }

    #[tokio::test(start_paused = true)]
    async fn attempts_that_take_long_are_not_repeated_beyond_the_total() {
        let address = Address::new("example", 1);
        let started = Instant::now();
        let backoff = Backoff::default();
        let error = retry(&address, &backoff, || async {
            sleep(Duration::from_secs(4)).await;
            Err(ConnectError::TimedOut(address.clone()))
        });
        assert!(matches!(error.await, Err(ConnectError::TimedOut(..))));
        // They start after 0, 4.1 and 8.3 s.
        assert_eq!(started.elapsed().as_millis(), 12_300);
    }

    #[tokio::test]
    async fn a_name_without_addresses_is_not_found() {
        let address = Address::new("example", 1);
        let error = attempt_each(&address, &[], LIMIT).await.unwrap_err();
        assert!(matches!(error, ConnectError::NameNotFound(..)), "{error}");
    }

    #[test]
    fn each_kind_of_failure_has_its_error() {
        let address = Address::new("example", 1);
        let text = |kind: ErrorKind| ConnectError::from_io(&address, kind.into()).to_string();
        assert_eq!(
            text(ErrorKind::ConnectionRefused),
            "example:1 refuses connections"
        );
        assert_eq!(
            text(ErrorKind::TimedOut),
            "example:1 did not answer in time"
        );
        for kind in [ErrorKind::HostUnreachable, ErrorKind::NetworkUnreachable] {
            assert_eq!(text(kind), "example:1 cannot be reached");
        }
        assert_eq!(
            text(ErrorKind::PermissionDenied),
            "could not connect to example:1"
        );
    }
}
