//! The configuration of a server.

use std::{
    num::NonZeroUsize,
    sync::{Arc, Mutex},
    time::Duration,
};

use crate::{live::Runs, requests::Library};
use othello_analysis::Store;
use othello_engine::Settings;

use super::{Drill, Hosts, Token};

/// A store of analyses shared by all searches of a server.
pub type SharedStore = Arc<Mutex<dyn Store + Send>>;

/// The configuration of a [`Server`](crate::Server).
#[derive(Clone)]
pub struct Config {
    /// The name and version of the program, for reports.
    pub program: String,
    /// The table, threads and evaluation of each search.
    pub engine: Settings,
    /// The number of searches at a time.
    pub searches: NonZeroUsize,
    /// The time limit of a search, which then ends with its results so far.
    pub time_limit: Duration,
    /// The hosts that a request may name.
    pub hosts: Hosts,
    /// The token that each request must have, if there is one.
    pub token: Option<Token>,
    /// The store of analyses, if any.
    pub store: Option<SharedStore>,
    /// The games and the book for the explorer.
    pub library: Arc<Library>,
    /// The games to watch.
    pub runs: Runs,
    /// The address of a page for links that are shared, if not this server's.
    pub share_base: Option<String>,
    /// The questions of a person, if any.
    pub drill: Option<Drill>,
}
