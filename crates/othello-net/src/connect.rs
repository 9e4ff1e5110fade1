//! Connecting to a server, with patience.

use std::{io, io::ErrorKind, net::SocketAddr, time::Duration};

use thiserror::Error;
use tokio::{
    net::{TcpStream, lookup_host},
    time::{sleep, timeout},
};

use crate::{Address, Backoff, Connection, TcpConnection};

/// No connection came about.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ConnectError {
    /// The name does not resolve.
    #[error("the name {:?} does not resolve", address.host)]
    NameNotFound {
        /// Where to.
        address: Address,
        /// The resolver's word.
        source: io::Error,
    },
    /// Nobody listens there.
    #[error("{address} refuses connections")]
    Refused {
        /// Where to.
        address: Address,
    },
    /// Nothing answers there.
    #[error("{address} did not answer in time")]
    TimedOut {
        /// Where to.
        address: Address,
    },
    /// There is no way there.
    #[error("{address} cannot be reached")]
    Unreachable {
        /// Where to.
        address: Address,
        /// The system's word.
        source: io::Error,
    },
    /// The connection was closed or reset before a byte came.
    #[error("{address} closed the connection before its greeting")]
    Lost {
        /// Where to.
        address: Address,
    },
    /// The connection stood, but no byte came in time.
    #[error("{address} did not greet within {limit:?}")]
    NoGreeting {
        /// Where to.
        address: Address,
        /// The time that passed.
        limit: Duration,
    },
    /// Anything else.
    #[error("could not connect to {address}")]
    Io {
        /// Where to.
        address: Address,
        /// The system's word.
        source: io::Error,
    },
}

impl ConnectError {
    /// The failure of an attempt at an address, by the kind of the error.
    fn from_io(address: &Address, source: io::Error) -> Self {
        let address = address.clone();
        match source.kind() {
            ErrorKind::ConnectionRefused => Self::Refused { address },
            ErrorKind::TimedOut => Self::TimedOut { address },
            ErrorKind::HostUnreachable
            | ErrorKind::NetworkUnreachable
            | ErrorKind::AddrNotAvailable => Self::Unreachable { address, source },
            _ => Self::Io { address, source },
        }
    }

    /// Whether another attempt may fare better. A server that holds the connection without a
    /// greeting may be waiting for the other player: leaving would lose the place.
    fn may_pass(&self) -> bool {
        !matches!(self, Self::NoGreeting { .. })
    }

    /// How much an error says, when several addresses of one name fail.
    fn weight(&self) -> u8 {
        match self {
            Self::Unreachable { .. } => 0,
            Self::TimedOut { .. } => 1,
            _ => 2,
        }
    }
}

/// Connects, trying every address that the name has, and again as `backoff` says.
///
/// A name that does not resolve is tried again too: the resolver does not tell a wrong name from
/// a network that is not up yet.
///
/// # Errors
///
/// Why the last attempt failed.
pub async fn connect(address: &Address, backoff: &Backoff) -> Result<TcpConnection, ConnectError> {
    retry(address, backoff, || attempt(address, backoff.attempt)).await
}

/// Connects and waits for the first byte, for servers that speak first.
///
/// A connection that is lost before that is tried again as `backoff` says; later it cannot be,
/// since a game cannot be resumed. The first byte remains to be read. Without a `greeting` limit
/// the wait is unlimited, as it must be where a server waits for a second player.
///
/// # Errors
///
/// Why the last attempt failed, or that no greeting came in time.
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
                Err(_) => {
                    return Err(ConnectError::NoGreeting {
                        address: address.clone(),
                        limit,
                    });
                }
            },
        };
        match greeted {
            Ok(true) => Ok(connection),
            Ok(false) | Err(_) => Err(ConnectError::Lost {
                address: address.clone(),
            }),
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
    let mut pauses = backoff.pauses();
    loop {
        let error = match attempt().await {
            Ok(connection) => {
                tracing::info!(%address, "connected");
                return Ok(connection);
            }
            Err(error) => error,
        };
        let Some(pause) = pauses.next().filter(|_| error.may_pass()) else {
            return Err(error);
        };
        tracing::warn!(%error, ?pause, "no connection yet, trying again");
        sleep(pause).await;
    }
}

/// One attempt at each address of the name.
async fn attempt(address: &Address, limit: Duration) -> Result<TcpConnection, ConnectError> {
    let mut worst: Option<ConnectError> = None;
    for socket_address in resolve(address, limit).await? {
        let error = match timeout(limit, TcpStream::connect(socket_address)).await {
            Ok(Ok(stream)) => return Ok(Connection::from_tcp(stream)),
            Ok(Err(source)) => ConnectError::from_io(address, source),
            Err(_) => ConnectError::TimedOut {
                address: address.clone(),
            },
        };
        tracing::debug!(%socket_address, %error, "this address failed");
        worst = worst
            .filter(|worst| worst.weight() >= error.weight())
            .or(Some(error));
    }
    Err(worst.unwrap_or_else(|| ConnectError::NameNotFound {
        address: address.clone(),
        source: ErrorKind::NotFound.into(),
    }))
}

async fn resolve(address: &Address, limit: Duration) -> Result<Vec<SocketAddr>, ConnectError> {
    let lookup = lookup_host((address.host.as_str(), address.port));
    let result = match timeout(limit, lookup).await {
        Ok(result) => result,
        Err(_) => Err(ErrorKind::TimedOut.into()),
    };
    match result {
        Ok(addresses) => Ok(addresses.collect()),
        Err(source) => Err(ConnectError::NameNotFound {
            address: address.clone(),
            source,
        }),
    }
}
