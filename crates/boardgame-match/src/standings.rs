//! Standings of a match.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
    str::FromStr,
};

use boardgame_core::Color;

use crate::{
    EngineId, GameId,
    record::GameResult,
    schedule::{Form, Schedule, knock_out_results},
    tally::Tally,
};

/// A criterion that breaks ties of points. The names follow the FIDE Handbook, C.07.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TieBreak {
    /// The sum of the points of all opponents.
    Buchholz,
    /// The points against the engines tied so far, if every two of them have played the same number of games.
    Direct,
    /// The sum of the points of the opponents in games won, and of half of them in games drawn.
    SonnebornBerger,
    /// The sum of the margins.
    Margin,
}

/// The error of a text that is no [`TieBreak`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "expected a tie-break: buchholz, direct, sonneborn-berger or discs (margin), found {found:?}"
)]
pub struct ParseTieBreakError {
    /// The text.
    pub found: String,
}

impl TieBreak {
    const ALL: [Self; 4] = [
        Self::Buchholz,
        Self::Direct,
        Self::SonnebornBerger,
        Self::Margin,
    ];

    /// Returns the usual criteria of a form, in their order.
    pub const fn usual(form: Form) -> [Self; 3] {
        match form {
            Form::Swiss { .. } | Form::Danish { .. } | Form::Random { .. } => {
                [Self::Buchholz, Self::Direct, Self::Margin]
            }
            _ => [Self::Direct, Self::SonnebornBerger, Self::Margin],
        }
    }

    /// Returns the name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Buchholz => "buchholz",
            Self::Direct => "direct",
            Self::SonnebornBerger => "sonneborn-berger",
            Self::Margin => "margin",
        }
    }

    /// Returns an engine's value; higher is better.
    pub fn of(self, standing: &Standing) -> f64 {
        match self {
            Self::Buchholz => standing.buchholz,
            Self::Direct => standing.direct.unwrap_or(0.0),
            Self::SonnebornBerger => standing.sonneborn_berger,
            Self::Margin => standing.margin,
        }
    }
}

impl FromStr for TieBreak {
    type Err = ParseTieBreakError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let found = Self::ALL.into_iter().find(|known| known.name() == text);
        found.ok_or_else(|| ParseTieBreakError { found: text.into() })
    }
}

impl fmt::Display for TieBreak {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The standing of an engine.
///
/// Engines are ranked by points, in a knock-out by the rounds that they survived. [`TieBreak`]s come next. Engines that
/// remain tied share a rank, and are listed in the order of the match.
#[derive(Clone, Debug, PartialEq)]
pub struct Standing {
    /// The engine.
    pub engine: EngineId,
    /// The rank, from 1; tied engines share it.
    pub rank: u32,
    /// The points: 1 for a win or a bye, 0.5 for a draw.
    pub points: f64,
    /// The games won.
    pub wins: u32,
    /// The games drawn.
    pub draws: u32,
    /// The games lost.
    pub losses: u32,
    /// The games lost by its own fault, not resigned or lost by a person's decision.
    pub forfeits: u32,
    /// The byes.
    pub byes: u32,
    /// The rounds of a knock-out that it survived; otherwise 0.
    pub survived: u32,
    /// The sum of its margins in points, in which a game lost by a fault counts as the tally has it.
    pub margin: f64,
    /// The sum of the points of its opponents in all games; a bye adds nothing.
    pub buchholz: f64,
    /// The sum of the points of the opponents in games won, and of half of them in games drawn.
    pub sonneborn_berger: f64,
    /// The points against the engines tied with it so far; `None` unless every two of them have played the same
    /// number of games, at least one.
    pub direct: Option<f64>,
}

impl Standing {
    /// Returns the number of games played.
    pub const fn games(&self) -> u32 {
        self.wins + self.draws + self.losses
    }

    const fn new(engine: EngineId) -> Self {
        Self {
            engine,
            rank: 1,
            points: 0.0,
            wins: 0,
            draws: 0,
            losses: 0,
            forfeits: 0,
            byes: 0,
            survived: 0,
            margin: 0.0,
            buchholz: 0.0,
            sonneborn_berger: 0.0,
            direct: None,
        }
    }
}

/// Returns the standings of the engines of a schedule, best first, with ties broken by criteria in their order. Results
/// of games outside the schedule do not count.
///
/// # Examples
///
/// ```
/// use boardgame_core::Margin;
/// use boardgame_match::{
///     EngineId,
///     record::GameResult,
///     schedule::{Form, Schedule},
///     standings::{TieBreak, standings},
///     tally::Tally,
/// };
///
/// let schedule = Schedule::new(Form::Pairs { pairs: 1 }, 2)?;
/// let games = schedule.known(&Tally::default());
/// // The second engine wins with Black by 10 points, and draws with White.
/// let played = |points| GameResult::Played { margin: Margin::from_points(points) };
/// let mut tally = Tally::new(2, None);
/// tally.set_result(games[0], Some(played(0)));
/// tally.set_result(games[1], Some(played(10)));
/// let table = standings(&schedule, &tally, &[TieBreak::Margin]);
/// assert_eq!(table[0].engine, EngineId(1));
/// assert_eq!((table[0].points, table[0].margin), (1.5, 10.0));
/// # Ok::<(), boardgame_match::schedule::ScheduleError>(())
/// ```
pub fn standings(schedule: &Schedule, tally: &Tally, ties: &[TieBreak]) -> Vec<Standing> {
    let results = tally.results();
    let known = schedule.known(tally);
    let played = known
        .iter()
        .filter_map(|game| Some((*game, *results.get(game)?)));
    let played: Vec<(GameId, GameResult)> = played.collect();

    let mut table: Vec<_> = (0..schedule.engines())
        .map(EngineId)
        .map(Standing::new)
        .collect();
    count(&mut table, &played, tally, &schedule.byes(tally));
    if schedule.form() == Form::KnockOut {
        for round in schedule.rounds(tally) {
            let won = knock_out_results(&round, tally).into_iter();
            for engine in won.map(|[winner, _]| winner).chain(round.byes) {
                table[usize::from(engine.0)].survived += 1;
            }
        }
    }
    rank(table, &played, ties)
}

/// Sorts the table and fills in the ranks and, before its turn among the criteria, the direct encounter.
fn rank(
    mut table: Vec<Standing>,
    played: &[(GameId, GameResult)],
    ties: &[TieBreak],
) -> Vec<Standing> {
    let values = |one: &Standing, ties: &[TieBreak]| -> Vec<f64> {
        let first = [f64::from(one.survived), one.points];
        let ties = ties.iter().map(|tie| tie.of(one));
        first.into_iter().chain(ties).collect()
    };
    let sort = |table: &mut Vec<Standing>, ties: &[TieBreak]| {
        table.sort_by(|one, other| descending(&values(one, ties), &values(other, ties)));
    };
    let equal = |one: &Standing, other: &Standing, ties: &[TieBreak]| {
        descending(&values(one, ties), &values(other, ties)).is_eq()
    };
    if let Some(turn) = ties.iter().position(|&tie| tie == TieBreak::Direct) {
        let before = &ties[..turn];
        sort(&mut table, before);
        for group in table.chunk_by_mut(|one, other| equal(one, other, before)) {
            meet(group, played);
        }
    }
    sort(&mut table, ties);
    for place in 1..table.len() {
        table[place].rank = if equal(&table[place], &table[place - 1], ties) {
            table[place - 1].rank
        } else {
            place as u32 + 1
        };
    }
    table
}

/// Fills in everything but rank and direct encounter; the table is in the order of engines.
fn count(
    table: &mut [Standing],
    played: &[(GameId, GameResult)],
    tally: &Tally,
    byes: &[EngineId],
) {
    for &(game, result) in played {
        let margin = tally.margin(game).unwrap_or_default();
        for color in [Color::Black, Color::White] {
            let standing = &mut table[usize::from(game.engine(color).0)];
            match result.half_points(color) {
                2 => standing.wins += 1,
                1 => standing.draws += 1,
                _ => standing.losses += 1,
            }
            let by_fault = tally.is_fault(game) && result.winner() != Some(color);
            standing.forfeits += u32::from(by_fault);
            standing.margin += margin.seen_by(color).points();
            standing.points += points(result, color);
        }
    }
    for bye in byes {
        let standing = &mut table[usize::from(bye.0)];
        standing.byes += 1;
        standing.points += 1.0;
    }
    let all_points: Vec<f64> = table.iter().map(|standing| standing.points).collect();
    for &(game, result) in played {
        for color in [Color::Black, Color::White] {
            let standing = &mut table[usize::from(game.engine(color).0)];
            let opponent = all_points[usize::from(game.engine(!color).0)];
            standing.buchholz += opponent;
            standing.sonneborn_berger += points(result, color) * opponent;
        }
    }
}

/// Fills in the direct encounter of a tied group if every two of its engines have played the same number of games.
fn meet(group: &mut [Standing], played: &[(GameId, GameResult)]) {
    let members: BTreeSet<_> = group.iter().map(|standing| standing.engine).collect();
    let mut won: BTreeMap<EngineId, f64> = BTreeMap::new();
    let mut met: BTreeMap<[EngineId; 2], u32> = BTreeMap::new();
    for &(game, result) in played {
        if members.contains(&game.black) && members.contains(&game.white) {
            let pair = [game.black.min(game.white), game.black.max(game.white)];
            *met.entry(pair).or_default() += 1;
            for color in [Color::Black, Color::White] {
                *won.entry(game.engine(color)).or_default() += points(result, color);
            }
        }
    }
    let all = met.len() == members.len() * (members.len() - 1) / 2;
    let as_often = met.values().min() == met.values().max();
    if all && as_often {
        for standing in group {
            standing.direct = won.get(&standing.engine).copied();
        }
    }
}

fn points(result: GameResult, color: Color) -> f64 {
    f64::from(result.half_points(color)) / 2.0
}

/// Compares for descending order.
fn descending(one: &[f64], other: &[f64]) -> std::cmp::Ordering {
    other.partial_cmp(one).unwrap_or(std::cmp::Ordering::Equal)
}

#[cfg(test)]
mod tests;
