//! The games in progress of each id.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError, Weak},
};

use othello_proto::lth::Id;

/// The reason why an id may not play, as sent to the client.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum NotAdmitted {
    /// It is not a student's.
    #[error("Your name is not known here. Bye!")]
    Unknown,
    /// It plays [`ServerConfig::games_at_a_time`](super::ServerConfig::games_at_a_time).
    #[error("You play too many games at a time. Bye!")]
    Playing,
}

/// A game of an id in progress.
#[derive(Debug)]
pub(crate) struct Playing(Arc<()>);

impl Playing {
    /// Returns the number of other games of the id in progress.
    pub(crate) fn others(&self) -> u64 {
        Arc::strong_count(&self.0) as u64 - 1
    }
}

/// The games in progress by id, as handles of their [`Playing`].
#[derive(Debug, Default)]
pub(crate) struct GamesInProgress(Mutex<HashMap<String, Weak<()>>>);

impl GamesInProgress {
    /// Begins a game of an id, unless it has `max` already.
    pub(crate) fn begin(&self, id: &Id, max: Option<usize>) -> Option<Playing> {
        let mut games = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        games.retain(|_, game| game.strong_count() > 0);
        let game = games.get(id.as_str()).and_then(Weak::upgrade);
        let playing = Playing(game.unwrap_or_default());
        if max.is_some_and(|max| playing.others() >= max as u64) {
            return None;
        }
        games.insert(id.as_str().to_owned(), Arc::downgrade(&playing.0));
        Some(playing)
    }
}
