//! The tally of a match: results, and the resources used.

use std::{
    collections::{BTreeMap, HashSet},
    time::Duration,
};

use boardgame_core::{Color, Margin, TimeMeasure};

use crate::{
    EngineId, ForfeitScore, GameId,
    fault::{Fault, FaultKind},
    limit::{Limit, after_move},
    record::{GameResult, PlayedGame, RecordFormat},
    stats::{MeanMargin, Pairing, Pentanomial, Trinomial},
};

/// The results of a match so far, and the usage of each engine.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    results: BTreeMap<GameId, GameResult>,
    /// The margins that count for Black.
    margins: BTreeMap<GameId, Margin>,
    /// The games with a result by a person's decision.
    decided: HashSet<GameId>,
    resigned: HashSet<GameId>,
    /// The margin of a game lost by a fault, if it has one.
    forfeit: Option<ForfeitScore>,
    engines: Vec<Usage>,
    contents: HashSet<Content>,
    repeated: u32,
}

/// The content of a game: the players, Black first, the setup and the moves.
type Content = ([EngineId; 2], Option<String>, String);

/// The time and nodes that an engine used, and its faults.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    /// The limit in the last game.
    pub limit: Limit,
    /// The number of games finished.
    pub games: u32,
    /// The number of moves chosen.
    pub moves: u64,
    /// The wall-clock time of these moves.
    pub wall: Duration,
    /// The longest time of a move.
    pub longest: Duration,
    /// The number of moves whose CPU time is known.
    pub metered: u64,
    /// The CPU time of these moves.
    pub cpu: Duration,
    /// The wall-clock time of these moves.
    pub metered_wall: Duration,
    /// The number of positions searched, as far as the engine reported it.
    pub nodes: u64,
    /// The number of moves that exceeded their limit or clock, within the tolerance or not.
    pub overruns: u32,
    /// The numbers of faults by kind.
    pub faults: BTreeMap<FaultKind, u32>,
}

impl Usage {
    fn count_move(&mut self, wall: Duration) {
        self.moves += 1;
        self.wall += wall;
        self.longest = self.longest.max(wall);
    }

    /// Returns the mean CPU time of a game, if it is known.
    pub fn cpu_per_game(&self) -> Option<Duration> {
        (self.metered > 0 && self.games > 0).then(|| self.cpu / self.games)
    }

    /// Returns the mean CPU time of a move, if it is known.
    pub fn cpu_per_move(&self) -> Option<Duration> {
        (self.metered > 0).then(|| self.cpu.div_f64(self.metered as f64))
    }

    /// Returns the ratio of CPU time to wall-clock time: 1 for one thread that never waits.
    pub fn cpu_share(&self) -> Option<f64> {
        let wall = self.metered_wall.as_secs_f64();
        (wall > 0.0).then(|| self.cpu.as_secs_f64() / wall)
    }
}

impl Tally {
    /// Returns an empty tally of a number of engines, with the margin of a game lost by a fault if it has one.
    pub fn new(engines: usize, forfeit: Option<ForfeitScore>) -> Self {
        Self {
            forfeit,
            engines: vec![Usage::default(); engines],
            ..Self::default()
        }
    }

    /// Adds a game.
    pub fn add<F: RecordFormat>(&mut self, played: &PlayedGame) {
        self.decided.remove(&played.id);
        self.resigned.remove(&played.id);
        self.insert(played.id, played.result, played.margin::<F>(self.forfeit));
        let players = [played.id.black, played.id.white];
        let content = (players, played.setup.clone(), played.moves.clone());
        let new = self.contents.insert(content);
        self.repeated += u32::from(!new && !played.thoughts.is_empty());
        for (color, limit) in Color::ALL.into_iter().zip(played.limits) {
            let usage = self.engine_mut(played.id.engine(color));
            usage.games += 1;
            usage.limit = limit;
        }
        let mut clocks = played.limits.map(|limit| limit.clock());
        for (color, thought) in played.own_moves::<F>() {
            let wall = Duration::from_micros(thought.wall_us);
            let clock = &mut clocks[color as usize];
            // User CPU time is not recorded separately.
            let is_wall = clock.control().measure == TimeMeasure::Wall;
            let allowed = clock.allowed().filter(|_| is_wall);
            *clock = after_move(*clock, wall);
            let usage = self.engine_mut(played.id.engine(color));
            usage.count_move(wall);
            usage.nodes += thought.nodes.unwrap_or(0);
            usage.overruns += u32::from(allowed.is_some_and(|allowed| wall > allowed));
            if let Some(cpu) = thought.cpu_us {
                usage.metered += 1;
                usage.metered_wall += wall;
                usage.cpu += Duration::from_micros(cpu);
            }
        }
        for (side, fault) in &played.faults {
            if *fault == Fault::Resigned {
                self.resigned.insert(played.id);
            }
            self.count_fault(played.id.engine((*side).into()), fault);
        }
    }

    /// Sets the result of a game without its record, or another than its record has; `None` for no result.
    pub fn set_result(&mut self, id: GameId, result: Option<GameResult>) {
        self.results.remove(&id);
        self.margins.remove(&id);
        if let Some(result) = result {
            self.insert(id, result, result.margin(self.forfeit, || None));
        }
    }

    /// Sets the result of a game by a person's decision; `None` if it is played again.
    pub fn decide(&mut self, id: GameId, result: Option<GameResult>) {
        self.set_result(id, result);
        self.decided.insert(id);
    }

    /// Returns true if a fault decided a game, rather than a person.
    pub fn is_forfeit(&self, id: GameId) -> bool {
        let is_fault = |result: &GameResult| matches!(result, GameResult::Forfeit { .. });
        self.results.get(&id).is_some_and(is_fault) && !self.decided.contains(&id)
    }

    /// Returns true if a fault other than resigning decided a game, rather than a person.
    pub fn is_fault(&self, id: GameId) -> bool {
        self.is_forfeit(id) && !self.resigned.contains(&id)
    }

    /// Adds an engine.
    pub fn add_engine(&mut self) {
        self.engines.push(Usage::default());
    }

    pub(crate) fn insert(&mut self, id: GameId, result: GameResult, margin: Option<Margin>) {
        self.results.insert(id, result);
        self.margins.remove(&id);
        self.margins.extend(margin.map(|margin| (id, margin)));
    }

    fn count_fault(&mut self, engine: EngineId, fault: &Fault) {
        let usage = self.engine_mut(engine);
        if let Fault::Late { took, .. } = fault {
            // A late move is not among the thoughts.
            usage.count_move(*took);
            usage.overruns += 1;
        }
        *usage.faults.entry(fault.kind()).or_default() += 1;
    }

    /// Returns the results by game.
    pub const fn results(&self) -> &BTreeMap<GameId, GameResult> {
        &self.results
    }

    /// Returns the margin of a game that counts for Black, if it has one.
    pub fn margin(&self, id: GameId) -> Option<Margin> {
        self.margins.get(&id).copied()
    }

    /// Returns the number of games that repeat, move for move, an earlier game of the same engines and
    /// colours, and so add no information.
    pub const fn repeated(&self) -> u32 {
        self.repeated
    }

    /// Returns the number of games that repeat no earlier one.
    pub fn distinct(&self) -> usize {
        self.results.len() - self.repeated as usize
    }

    /// Returns the usage of an engine.
    pub fn usage(&self, engine: EngineId) -> &Usage {
        &self.engines[usize::from(engine.0)]
    }

    fn engine_mut(&mut self, engine: EngineId) -> &mut Usage {
        &mut self.engines[usize::from(engine.0)]
    }

    /// Returns the results as pairings for a rating list, one for each two engines and their colours.
    pub fn pairings(&self) -> Vec<Pairing> {
        let mut pairings: BTreeMap<[EngineId; 2], Pairing> = BTreeMap::new();
        for (id, result) in &self.results {
            let pairing = pairings.entry([id.black, id.white]).or_insert(Pairing {
                first: id.black,
                second: id.white,
                half_points_first: 0,
                games: 0,
            });
            pairing.half_points_first += result.half_points(Color::Black);
            pairing.games += 1;
        }
        pairings.into_values().collect()
    }

    /// Returns the results of `first` against `second`.
    pub fn duel(&self, first: EngineId, second: EngineId) -> Duel {
        let mut duel = Duel::default();
        for (id, &as_black) in &self.results {
            if (id.black, id.white) == (first, second) {
                duel.games.add(as_black.half_points(Color::Black));
                if let Some(&as_white) = self.results.get(&id.reversed()) {
                    let points = |result: GameResult, color| result.half_points(color);
                    let both = points(as_black, Color::Black) + points(as_white, Color::White);
                    duel.pairs.add(both);
                    duel.add_margins(self.margin(*id), self.margin(id.reversed()));
                }
            } else if (id.black, id.white) == (second, first) {
                duel.games.add(as_black.half_points(Color::White));
            }
        }
        duel
    }
}

/// The results of two engines against each other, from the point of view of the first.
#[derive(Clone, Debug, Default)]
pub struct Duel {
    /// All games.
    pub games: Trinomial,
    /// The pairs of games from one opening with colours exchanged.
    pub pairs: Pentanomial,
    /// The margins of the pairs whose games both have one.
    pub margin: MeanMargin,
}

impl Duel {
    /// Adds the margins of the games that the first engine played as Black and as White.
    fn add_margins(&mut self, as_black: Option<Margin>, as_white: Option<Margin>) {
        if let Some((as_black, as_white)) = as_black.zip(as_white) {
            self.margin.add([as_black.points(), -as_white.points()]);
        }
    }
}

#[cfg(test)]
mod tests;
