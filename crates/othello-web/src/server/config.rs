//! The configuration of a server.

use std::{
    num::NonZeroUsize,
    sync::{Arc, Mutex},
    time::Duration,
};

use crate::live::Runs;
use othello_analysis::Store;
use othello_engine::Settings;

use super::{Hosts, Token};

/// A store of analyses that all searches of a server share.
pub type SharedStore = Arc<Mutex<dyn Store + Send>>;

/// The configuration of a [`Server`](crate::Server).
#[derive(Clone)]
pub struct Config {
    /// The name and version of the program, as reports state them.
    pub program: String,
    /// The table, threads and evaluation of each search.
    pub engine: Settings,
    /// The number of searches at a time.
    pub searches: NonZeroUsize,
    /// The longest time of a search. It then ends with what it has found.
    pub time_limit: Duration,
    /// The hosts that a request may name.
    pub hosts: Hosts,
    /// The token that each request must have, if there is one.
    pub token: Option<Token>,
    /// The store of analyses, if there is one.
    pub store: Option<SharedStore>,
    /// The games that are watched.
    pub runs: Runs,
}
