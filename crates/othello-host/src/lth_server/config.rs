//! The settings of the server.

use std::{
    net::{IpAddr, Ipv4Addr, SocketAddr},
    path::PathBuf,
    sync::Arc,
    time::Duration,
};

use othello_engine::{Level, PlayLevel};
use othello_proto::lth::{
    DARK_PORT, EVALUATION_PORT, LimitScope, TESTING_PORT, TimeLimit, WHITE_PORT,
};

use super::{results::ResultBounds, students::Students};

/// The settings of a server.
#[derive(Clone, Debug)]
pub struct ServerConfig {
    /// The port where clients choose their colour.
    pub testing: Option<SocketAddr>,
    /// The port where each id plays the two colours in turn.
    pub evaluation: Option<SocketAddr>,
    /// The port of Dark in competitions.
    pub dark: Option<SocketAddr>,
    /// The port of White in competitions.
    pub white: Option<SocketAddr>,
    /// The time limit of clients, and of the built-in player.
    pub limit: TimeLimit,
    /// The minimum time between two lines to a client.
    pub line_delay: Duration,
    /// The level of the built-in player.
    pub built_in_player_level: PlayLevel,
    /// The log of games for the results; `None` keeps results in memory.
    pub store: Option<PathBuf>,
    /// The maximum number of connections served at a time; more are refused.
    pub max_connections: usize,
    /// The maximum number of connections served at a time on one port.
    pub max_per_port: usize,
    /// The maximum number of connections served at a time on one port from one address, or one /64 network
    /// of IPv6.
    pub max_per_address: usize,
    /// The number of connections a minute from one address, or one /64 network of IPv6, with bursts of up to five
    /// minutes' worth.
    pub max_per_minute: u32,
    /// The bounds on memory and disk for the results.
    pub bounds: ResultBounds,
    /// The students whose ids are secret; `None` if ids are names.
    pub students: Option<Arc<Students>>,
    /// True if ids that no student has may play too, shown as a guest's.
    pub guests: bool,
    /// The maximum number of games of an id at a time, including those that wait for an opponent.
    pub games_at_a_time: Option<usize>,
    /// The time that a client has for its name, and again for its colour.
    pub reception_timeout: Duration,
    /// The maximum time that a client waits for an opponent on the competition ports.
    pub max_wait: Duration,
    /// The time that games may continue after a shutdown request; then they are called off.
    pub shutdown_grace: Duration,
}

impl ServerConfig {
    /// Returns the default settings for an address: the document's ports, 5 minutes a game, the built-in
    /// player at level 1, results in memory, 768 connections, 384 of them on a port and 128 from an
    /// address on a port, 120 a minute from an address, the [default bounds](ResultBounds::DEFAULT) of results, a
    /// minute for the name and for the colour, 15 minutes for an opponent, and 10 s to shut down.
    ///
    /// All students of a course may have one address, so an address is given a large part of a port, but no
    /// address takes a whole port and no port the whole server. All connections together stay below the 1024
    /// open files that many systems allow a process.
    pub const fn on(address: IpAddr) -> Self {
        Self {
            testing: Some(SocketAddr::new(address, TESTING_PORT)),
            evaluation: Some(SocketAddr::new(address, EVALUATION_PORT)),
            dark: Some(SocketAddr::new(address, DARK_PORT)),
            white: Some(SocketAddr::new(address, WHITE_PORT)),
            limit: TimeLimit {
                length: Duration::from_mins(5),
                scope: LimitScope::Game,
            },
            line_delay: Duration::ZERO,
            built_in_player_level: PlayLevel::Search(Level::MIN),
            store: None,
            max_connections: 768,
            max_per_port: 384,
            max_per_address: 128,
            max_per_minute: 120,
            bounds: ResultBounds::DEFAULT,
            students: None,
            guests: false,
            games_at_a_time: None,
            reception_timeout: Duration::from_mins(1),
            max_wait: Duration::from_mins(15),
            shutdown_grace: Duration::from_secs(10),
        }
    }

    /// Replaces all ports with free ones chosen by the system.
    #[must_use]
    pub fn on_free_ports(mut self) -> Self {
        let ports = [
            &mut self.testing,
            &mut self.evaluation,
            &mut self.dark,
            &mut self.white,
        ];
        for address in ports.into_iter().flatten() {
            address.set_port(0);
        }
        self
    }
}

impl Default for ServerConfig {
    /// Returns [`ServerConfig::on`] for the loopback address.
    fn default() -> Self {
        Self::on(IpAddr::V4(Ipv4Addr::LOCALHOST))
    }
}
