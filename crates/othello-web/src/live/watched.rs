//! A game in progress, whose events are written to a run.

use boardgame_core::ByColor;
use boardgame_match::{GameSpec, ObservedClocks};
use boardgame_session::GameEvent;
use othello_core::{Board, Game, IllegalMove, Move};

use super::{MoveDetails, RunWriter, game::allowed};

#[derive(Clone, Debug)]
pub(crate) struct WatchedGame {
    id: u64,
    names: ByColor<String>,
    opening: Game,
    clocks: ObservedClocks,
}

impl WatchedGame {
    /// Returns a game that has not begun.
    ///
    /// # Errors
    ///
    /// Fails if a move of the opening is illegal.
    pub(crate) fn new(
        id: u64,
        names: ByColor<&str>,
        spec: &GameSpec<Board>,
    ) -> Result<Self, IllegalMove> {
        let mut opening = Game::new(spec.setup);
        spec.opening.iter().try_for_each(|&mv| opening.play(mv))?;
        Ok(Self {
            id,
            names: names.map(str::to_owned),
            opening,
            clocks: ObservedClocks::new(spec.time),
        })
    }

    /// Returns another game with the same opening and clocks.
    pub(crate) fn another(&self, id: u64, names: ByColor<&str>) -> Self {
        let names = names.map(str::to_owned);
        Self {
            id,
            names,
            ..self.clone()
        }
    }

    pub(crate) const fn id(&self) -> u64 {
        self.id
    }

    /// Starts the game in a run.
    pub(crate) fn start(&self, run: &RunWriter) {
        let names = self.names.as_ref().map(String::as_str);
        run.start(self.id, names, &self.opening, allowed(self.clocks.clocks()));
    }

    /// Writes an event of the game to a run.
    pub(crate) fn observe(&mut self, run: &RunWriter, event: &GameEvent<Move>) {
        self.clocks.update(event);
        match event {
            GameEvent::Began => run.begin(self.id),
            GameEvent::Restarted => self.start(run),
            GameEvent::Moved(_, mv, thought) => {
                let clocks = allowed(self.clocks.clocks());
                let details = thought.as_ref().map(MoveDetails::from);
                run.play(self.id, *mv, details.unwrap_or_default(), clocks);
            }
            GameEvent::Said(..) => {}
        }
    }
}
