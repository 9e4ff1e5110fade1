//! The values of a position's moves while a search deepens.

use std::time::Duration;

use othello_analysis::{Effort, Hint, HintLimits, MoveReport, Store};
use othello_core::Game;
use othello_search::{Searcher, StopHandle};

use super::{
    BoardInfo, Event, HintRequest, RequestError, Update,
    source::{game, in_range},
};

/// The search for a hint.
#[derive(Clone, Debug)]
pub struct HintTask {
    game: Game,
    depth: Option<u32>,
    time: Option<Duration>,
}

impl HintTask {
    pub(crate) fn new(request: &HintRequest) -> Result<Self, RequestError> {
        Ok(Self {
            game: game(&request.board, &request.moves)?,
            depth: in_range("depth", request.depth, 1, 60)?,
            time: request.time_ms.map(Duration::from_millis),
        })
    }

    /// Searches deeper and deeper, and reports those values of each iteration that are comparable.
    pub(crate) fn run(
        &self,
        searcher: &mut Searcher,
        stop: &StopHandle,
        mut store: Option<&mut dyn Store>,
        emit: &mut dyn FnMut(&Event),
    ) {
        // Reborrowed: the search keeps its results in it.
        let known = store.as_mut().map(|store| &mut **store as &mut dyn Store);
        let mut hint = Hint::new(self.game.board().position(), known);
        if hint.is_final() {
            emit(&self.update(&hint, true));
            return;
        }
        if hint.shown.is_some() {
            emit(&self.update(&hint, false));
        }
        let limits = HintLimits {
            depth: self.depth,
            time: self.time,
            stop: Some(stop.clone()),
            every_depth: false,
        };
        hint.search(searcher, &limits, store, &mut |hint| {
            emit(&self.update(hint, false));
        });
        emit(&self.update(&hint, true));
    }

    fn update(&self, hint: &Hint, done: bool) -> Event {
        let shown = hint.shown.as_ref();
        Event::Update(Update {
            board: BoardInfo::last_of(&self.game),
            moves: shown.map_or_else(Vec::new, |shown| MoveReport::ranked(&shown.moves)),
            depth: match shown.map(|shown| shown.effort) {
                Some(Effort::Depth(depth)) => depth,
                Some(Effort::Exact) => self.game.board().empties().count(),
                None => 0,
            },
            nodes: hint.nodes,
            elapsed_ms: hint.elapsed.as_millis() as u64,
            done,
        })
    }
}
