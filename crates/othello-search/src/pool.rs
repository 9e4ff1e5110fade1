//! The threads that help in the searches of one searcher.

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

/// The threads besides the one that searches, joined when it is dropped.
pub(crate) struct Pool {
    team: Arc<Team>,
    threads: Vec<JoinHandle<()>>,
}

impl Pool {
    /// A pool of `helpers` threads; fewer if the system gives no more.
    pub(crate) fn new(helpers: usize) -> Self {
        let team = Arc::new(Team::new(helpers));
        let threads = (1..=helpers).map_while(|thread| {
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

    /// Returns the state that the threads share.
    pub(crate) fn team(&self) -> &Arc<Team> {
        &self.team
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.team.shut_down();
        for thread in self.threads.drain(..) {
            // A panic in this thread was reported by its search.
            let _ = thread.join();
        }
    }
}

/// Executes orders to help until the shutdown. A thread without memory for its table gives no help.
fn run_helper(team: &Team, thread: usize) {
    let Some(private) = PrivateTable::new() else {
        return;
    };
    *locked(&team.privates[thread - 1]) = Some(private);
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

/// A helper's work at a split, for whichever tier.
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
