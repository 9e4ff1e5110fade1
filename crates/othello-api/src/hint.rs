//! The values of a position's moves while a search deepens.

use std::time::Duration;

use othello_analysis::{
    Effort, MoveReport, Store, Stored, keep, look_up_values, moves_to_compare, values,
};
use othello_core::{Game, Position};
use othello_search::{Limits, Report, Searcher, StopHandle, TimeBudget};

use crate::{
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

    /// Searches ever deeper, and reports the values of each iteration that can be compared with others.
    pub(crate) fn run(
        &self,
        searcher: &mut Searcher,
        stop: &StopHandle,
        mut store: Option<&mut dyn Store>,
        emit: &mut dyn FnMut(&Event),
    ) {
        let position = self.game.board().position();
        let known = store
            .as_deref_mut()
            .and_then(|store| look_up_values(store, position));
        let mut hint = Hint {
            board: BoardInfo::last_of(&self.game),
            position,
            shown: known,
            found: None,
        };
        if hint.is_final() {
            emit(&hint.update(0, Duration::ZERO, true));
            return;
        }
        if hint.shown.is_some() {
            emit(&hint.update(0, Duration::ZERO, false));
        }
        let limits = self.limits(position, stop);
        let report = searcher.search_observed(position, &limits, &mut |report| {
            if hint.take(report) {
                emit(&hint.update(report.nodes, report.elapsed, false));
            }
        });
        if hint.shown.is_none() {
            hint.take(&report);
        }
        emit(&hint.update(report.nodes, report.elapsed, true));
        if let (Some(store), Some(found)) = (store, hint.found) {
            keep(store, position, &found);
        }
    }

    fn limits(&self, position: Position, stop: &StopHandle) -> Limits {
        let moves = moves_to_compare(position);
        Limits {
            depth: self.depth,
            time: self.time.map(TimeBudget::fixed),
            moves: Some(moves),
            // With one line, a single move would not be searched.
            multi_pv: moves.count().max(2) as usize,
            stop: Some(stop.clone()),
            ..Limits::default()
        }
    }
}

/// What is known of a position.
struct Hint {
    board: BoardInfo,
    position: Position,
    /// The values to show, those of the most effort and, of the same, of the most confidence.
    shown: Option<Stored>,
    /// What the search found, for the store.
    found: Option<Stored>,
}

impl Hint {
    /// Returns `true` if no search can find out more.
    fn is_final(&self) -> bool {
        let effort = self.shown.as_ref().map(|shown| shown.effort);
        self.board.over || effort == Some(Effort::Exact)
    }

    /// Takes in what an iteration found, and returns `true` if that is to be shown. Iterations of the other parity than
    /// those of analyses are not, lest the values swing from one iteration to the next.
    fn take(&mut self, report: &Report) -> bool {
        if let Some(found) = Stored::of_report(report, self.position) {
            self.found = Some(found.clone());
            let shown = self.shown.as_ref();
            let is_shown = shown.is_none_or(|shown| found.replaces(shown));
            if is_shown {
                self.shown = Some(found);
            }
            return is_shown;
        }
        // The first iteration may be of the other parity; a pass has no value of its own in the store.
        let is_shown = self.shown.is_none() || self.board.must_pass;
        match values(report, self.position) {
            Some(moves) if is_shown => {
                let effort = Effort::of_report(report);
                self.shown = Some(Stored { effort, moves });
                true
            }
            _ => false,
        }
    }

    fn update(&self, nodes: u64, elapsed: Duration, done: bool) -> Event {
        let shown = self.shown.as_ref();
        Event::Update(Update {
            board: self.board.clone(),
            moves: shown.map_or_else(Vec::new, |shown| MoveReport::ranked(&shown.moves)),
            depth: match shown.map(|shown| shown.effort) {
                Some(Effort::Depth(depth)) => depth,
                Some(Effort::Exact) => self.position.empties().count(),
                None => 0,
            },
            nodes,
            elapsed_ms: elapsed.as_millis() as u64,
            done,
        })
    }
}
