//! The game that a person plays, as reported by its driver.

use std::{
    sync::{Arc, Condvar, Mutex, PoisonError},
    time::Duration,
};

use othello_core::{Board, Game, Move};

/// The time for a move's report to arrive, once the next one is asked for.
const MAX_WAIT: Duration = Duration::from_secs(1);

/// The game so far, shared with its driver.
#[derive(Clone, Default)]
pub(super) struct History(Arc<(Mutex<Game>, Condvar)>);

impl History {
    /// Creates the history of a game so far.
    pub(super) fn new(game: Game) -> Self {
        Self(Arc::new((Mutex::new(game), Condvar::new())))
    }

    /// Records the current game.
    pub(super) fn set(&self, game: Game) {
        let (current, changed) = &*self.0;
        *current.lock().unwrap_or_else(PoisonError::into_inner) = game;
        changed.notify_all();
    }

    /// Returns the game that reaches `board` by these further moves. Waits briefly for a game that has not got there;
    /// if it does not, the game starts on `board`.
    pub(super) fn at(&self, moves: &[Move], board: Board) -> Game {
        let (current, changed) = &*self.0;
        let guard = current.lock().unwrap_or_else(PoisonError::into_inner);
        let reached = |game: &Game| {
            let mut game = game.clone();
            let is_legal = moves.iter().all(|&mv| game.play(mv).is_ok());
            (is_legal && game.board() == board).then_some(game)
        };
        let waited = changed.wait_timeout_while(guard, MAX_WAIT, |game| reached(game).is_none());
        let (guard, _) = waited.unwrap_or_else(PoisonError::into_inner);
        reached(&guard).unwrap_or(Game::new(board))
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;

    #[test]
    fn a_move_may_be_reported_late() {
        let game: Game = "f5d6".parse().expect("a transcript");
        let history = History::default();
        let reporter = history.clone();
        let reported = game.clone();
        let thread = thread::spawn(move || reporter.set(reported));
        assert_eq!(history.at(&[], game.board()).moves(), game.moves());
        thread.join().expect("the game is reported");
    }

    #[test]
    fn moves_lead_on_from_where_a_conductor_began() {
        let whole: Game = "f5d6c3".parse().expect("a transcript");
        let history = History::new("f5".parse().expect("a transcript"));
        let at = history.at(&whole.moves()[1..], whole.board());
        assert_eq!(at.moves(), whole.moves());
    }

    #[test]
    fn another_game_begins_on_its_board() {
        let game: Game = "f5".parse().expect("a transcript");
        let at = History::default().at(&[], game.board());
        assert_eq!((at.start(), at.moves().len()), (game.board(), 0));
    }
}
