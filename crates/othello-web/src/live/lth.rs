//! LTH servers.

use std::collections::HashMap;

use othello_core::Color;
use othello_host::{
    FORFEIT_SCORE,
    lth_server::{GameInProgress, ServerNews},
    record::{GameRecord, Winner},
};

use super::{
    GameEnd, Kind, MoveDetails, Row, RunWriter, Runs, Standings, game::allowed, throttle::Throttle,
};

/// The events in records of LTH servers.
const EVENTS: [&str; 3] = ["testing", "evaluation", "competition"];

/// The maximum number of ids in the standings sent to readers.
const MAX_ROWS: usize = 100;

/// Returns `true` if a record is of a game at an LTH server.
pub(crate) fn is_of_lth(record: &GameRecord) -> bool {
    EVENTS.contains(&record.event.as_str())
}

/// The run of an LTH server, written by its observer's events.
#[derive(Debug)]
pub struct LthRun {
    run: RunWriter,
    standings: RecordStandings,
}

impl LthRun {
    /// Adds the run of a server.
    pub fn new(runs: &Runs) -> Self {
        Self {
            run: runs.add(Kind::Lth, "LTH server", None),
            standings: RecordStandings::default(),
        }
    }

    /// Records an event of the server. If games end in quick succession, the standings may come with a later event.
    pub fn observe(&mut self, news: &ServerNews) {
        match news {
            ServerNews::Began(now) => self.start(now),
            ServerNews::Moved(now) => self.play(now),
            ServerNews::Over(number, record) | ServerNews::SaveFailed(number, record) => {
                let faults = record.faults.clone();
                self.run.finish(*number, GameEnd::of(record), faults);
                self.standings.add(record);
            }
            _ => {}
        }
        self.standings.update(&self.run);
    }

    fn start(&self, now: &GameInProgress) {
        let names = now.names.as_ref().map(String::as_str);
        let clocks = allowed(&now.clocks);
        self.run.start(now.number, names, &now.game, clocks);
        self.run.begin(now.number);
    }

    fn play(&self, now: &GameInProgress) {
        let Some(mv) = now.game.last_move() else {
            return;
        };
        let details = MoveDetails {
            took: Some(now.took),
            ..MoveDetails::default()
        };
        self.run.play(now.number, mv, details, allowed(&now.clocks));
    }
}

impl Drop for LthRun {
    /// Sets the standings that are still due.
    fn drop(&mut self) {
        self.standings.flush(&self.run);
    }
}

/// The results of recorded games by name.
#[derive(Debug, Default)]
pub(crate) struct RecordStandings {
    rows: HashMap<String, Row>,
    throttle: Throttle,
}

impl RecordStandings {
    /// Adds a game; one that was called off changes nothing.
    pub(crate) fn add(&mut self, record: &GameRecord) {
        if record.winner == Winner::None {
            return;
        }
        self.throttle.mark_stale();
        let margin = record.margin(FORFEIT_SCORE);
        let names = [(Color::Black, &record.black), (Color::White, &record.white)];
        for (color, name) in names {
            let row = self.rows.entry(name.clone()).or_default();
            match record.winner.color() {
                None => row.draws += 1,
                Some(winner) if winner == color => row.wins += 1,
                Some(_) => row.losses += 1,
            }
            row.discs += i64::from(margin.seen_by(color).half_points() / 2);
        }
    }

    /// Sets the standings of a run if they lack games and were not computed too recently.
    pub(crate) fn update(&mut self, run: &RunWriter) {
        let rows = &self.rows;
        self.throttle.update(|| run.set_standings(standings(rows)));
    }

    /// Sets the standings of a run if they lack games.
    pub(crate) fn flush(&mut self, run: &RunWriter) {
        let rows = &self.rows;
        self.throttle.flush(|| run.set_standings(standings(rows)));
    }
}

/// Returns the standings of the names with the most points.
fn standings(rows: &HashMap<String, Row>) -> Standings {
    let rows = rows.iter().map(|(name, row)| Row {
        name: name.clone(),
        ..row.clone()
    });
    let mut standings = Standings::of_rows(rows);
    let left_out = standings.rows.len().saturating_sub(MAX_ROWS);
    standings.rows.truncate(MAX_ROWS);
    if left_out > 0 {
        standings.notes.push(format!("and {left_out} more"));
    }
    standings
}
