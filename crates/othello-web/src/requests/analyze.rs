//! The analysis of a game.

use othello_analysis::{Analysis, Report, Search, Settings, Store};
use othello_records::Record;
use othello_search::{Searcher, StopHandle};

use super::{
    AnalysisReport, AnalyzeRequest, Event, Progress, RequestError,
    source::{Text, game, in_range},
};

/// The searches of an analysis.
#[derive(Clone, Debug)]
pub struct AnalyzeTask {
    record: Record,
    /// The reason why the record ends before the game does.
    fault: Option<String>,
    settings: Settings,
}

impl AnalyzeTask {
    pub(crate) fn new(request: &AnalyzeRequest) -> Result<Self, RequestError> {
        let defaults = Settings::default();
        let depth = in_range("depth", request.depth, 2, 60)?;
        let exact_from = in_range("exact_from", request.exact_from, 0, 60)?;
        let (record, fault) = record_of(request)?;
        Ok(Self {
            record,
            fault,
            settings: Settings {
                depth: depth.unwrap_or(defaults.depth),
                exact_from: exact_from.unwrap_or(defaults.exact_from),
            },
        })
    }

    /// Analyzes the game step by step, and reports after each step.
    pub(crate) fn run(
        &self,
        program: &str,
        searcher: &mut Searcher,
        stop: &StopHandle,
        mut store: Option<&mut dyn Store>,
        emit: &mut dyn FnMut(&Event),
    ) {
        let mut analysis = Analysis::new(&self.record.game);
        let mut done = Settings::FIRST_LOOK;
        let steps = self.settings.steps();
        for (index, step) in steps.iter().enumerate() {
            let total = analysis.pending(step);
            let mut search = Search::with_stop(searcher, stop.clone());
            let mut progress = |analysis: &Analysis| {
                emit(&Event::Progress(Progress {
                    done: total - analysis.pending(step),
                    total,
                    depth: step.depth,
                    exact_from: step.exact_from,
                }));
            };
            // Reborrowed: each step borrows the store for its own duration.
            let store = store.as_mut().map(|store| &mut **store as &mut dyn Store);
            let all = analysis.deepen(step, &mut search, store, &mut progress);
            if all || index == 0 {
                done = *step;
            }
            emit(&Event::Report(Box::new(AnalysisReport {
                report: Report::new(program, &self.record, &analysis, &done),
                complete: all && index + 1 == steps.len(),
                fault: self.fault.clone(),
            })));
            if !all {
                return;
            }
        }
    }
}

/// Returns the record of a request's text with the reason why it was cut short, or the record of its board and moves.
fn record_of(request: &AnalyzeRequest) -> Result<(Record, Option<String>), RequestError> {
    let text = Text::of(request.text.as_deref(), request.base64.as_ref())?;
    let is_line = request.board.is_some() || request.moves.is_some();
    match text {
        Some(text) if !is_line => text.record(request.game),
        None if is_line && request.game.is_none() => {
            let part = |part: &Option<String>| part.clone().unwrap_or_default();
            let game = game(&part(&request.board), &part(&request.moves))?;
            Ok((game.into(), None))
        }
        _ => Err(RequestError::Source),
    }
}
