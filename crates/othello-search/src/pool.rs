//! The helper threads of a searcher.

use std::{
    sync::Arc,
    thread::{Builder, JoinHandle},
};

use othello_core::{Backend, WithBackend};

use crate::{
    control::Search,
    private::PrivateTable,
    threads::{Order, Split, Team, locked},
    worker::Worker,
};

/// The threads besides the calling thread, joined when the pool is dropped.
pub(crate) struct Pool {
    team: Arc<Team>,
    threads: Vec<JoinHandle<()>>,
}

impl Pool {
    /// Creates a pool of `helpers` threads, or fewer if the system provides neither them nor memory for their tables.
    ///
    /// All memory is taken before this returns, so that the caller sees what is left.
    pub(crate) fn new(helpers: usize) -> Self {
        let team = Arc::new(Team::new(helpers));
        let threads = (1..=helpers).map_while(|thread| {
            *locked(&team.privates[thread - 1]) = Some(PrivateTable::new()?);
            let own = Arc::clone(&team);
            let name = format!("search {thread}");
            Builder::new()
                .name(name)
                .spawn(move || run_helper(&own, thread))
                .ok()
        });
        let threads = threads.collect();
        Self { team, threads }
    }

    /// The state shared by the threads.
    pub(crate) fn team(&self) -> &Arc<Team> {
        &self.team
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.team.shut_down();
        for thread in self.threads.drain(..) {
            // The search has already reported a panic in this thread.
            let _ = thread.join();
        }
    }
}

/// Executes orders until shutdown.
fn run_helper(team: &Team, thread: usize) {
    while let Order::Help(split) = team.wait(thread, None) {
        let mut private = locked(&team.privates[thread - 1]);
        let Some(private) = private.as_mut() else {
            return;
        };
        let search = Arc::clone(split.search());
        let help = Help {
            search: &search,
            private,
            team,
            thread,
            split,
        };
        search.tier.dispatch(help);
    }
}

/// The work of a helper at a split, generic over the tier.
struct Help<'a> {
    search: &'a Arc<Search>,
    private: &'a mut PrivateTable,
    team: &'a Team,
    thread: usize,
    split: Arc<Split>,
}

impl WithBackend for Help<'_> {
    type Output = ();

    fn run<B: Backend>(self, backend: B) {
        let Self {
            search,
            private,
            team,
            thread,
            split,
        } = self;
        Worker::new(backend, search, private, Some(team), thread).help(&split);
    }
}
