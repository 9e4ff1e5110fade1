//! Standings of a match.

use std::collections::{BTreeMap, BTreeSet};

use boardgame_core::Color;

use crate::{
    EngineId, GameId,
    record::GameResult,
    schedule::{Form, Schedule},
};

/// The standing of an engine.
///
/// Engines are ranked by points. Ties are broken in this order:
///
/// - in a Swiss tournament: Buchholz, direct encounter, margin;
/// - in any other form: direct encounter, Sonneborn–Berger, margin.
///
/// Engines that remain tied share a rank, and are listed in the order of the match.
///
/// The names follow the FIDE Handbook, C.07.
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
    /// The games lost by its own fault.
    pub forfeits: u32,
    /// The byes.
    pub byes: u32,
    /// The sum of its margins in the games that were played to the end, in points.
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
            margin: 0.0,
            buchholz: 0.0,
            sonneborn_berger: 0.0,
            direct: None,
        }
    }
}

/// Returns the standings of the engines of a schedule, best first; results of games outside the schedule do
/// not count.
///
/// # Examples
///
/// ```
/// use std::collections::BTreeMap;
///
/// use boardgame_core::Margin;
/// use boardgame_match::{
///     EngineId,
///     record::GameResult,
///     schedule::{Form, Schedule},
///     standings::standings,
/// };
///
/// let schedule = Schedule::new(Form::Pairs { pairs: 1 }, 2)?;
/// let games = schedule.known(&BTreeMap::new());
/// // The second engine wins with Black by 10 points, and draws with White.
/// let played = |points| GameResult::Played { margin: Margin::from_points(points) };
/// let results = BTreeMap::from([
///     (games[0], played(0)),
///     (games[1], played(10)),
/// ]);
/// let table = standings(&schedule, &results);
/// assert_eq!(table[0].engine, EngineId(1));
/// assert_eq!((table[0].points, table[0].margin), (1.5, 10.0));
/// # Ok::<(), boardgame_match::schedule::ScheduleError>(())
/// ```
pub fn standings(schedule: &Schedule, results: &BTreeMap<GameId, GameResult>) -> Vec<Standing> {
    let known = schedule.known(results);
    let played = known
        .iter()
        .filter_map(|game| Some((*game, *results.get(game)?)));
    let played: Vec<(GameId, GameResult)> = played.collect();

    let mut table: Vec<_> = (0..schedule.engines())
        .map(EngineId)
        .map(Standing::new)
        .collect();
    count(&mut table, &played, &schedule.byes(results));
    let is_swiss = matches!(schedule.form(), Form::Swiss { .. });
    let first = |one: &Standing| [one.points, if is_swiss { one.buchholz } else { 0.0 }];
    table.sort_by(|one, other| descending(&first(one), &first(other)));
    for group in table.chunk_by_mut(|one, other| descending(&first(one), &first(other)).is_eq()) {
        meet(group, &played);
    }
    let all = |one: &Standing| {
        let [points, buchholz] = first(one);
        let berger = if is_swiss { 0.0 } else { one.sonneborn_berger };
        let direct = one.direct.unwrap_or(0.0);
        [points, buchholz, direct, berger, one.margin]
    };
    table.sort_by(|one, other| descending(&all(one), &all(other)));
    for place in 1..table.len() {
        let equal = descending(&all(&table[place]), &all(&table[place - 1])).is_eq();
        table[place].rank = if equal {
            table[place - 1].rank
        } else {
            place as u32 + 1
        };
    }
    table
}

/// Fills in everything but rank and direct encounter; the table is in the order of engines.
fn count(table: &mut [Standing], played: &[(GameId, GameResult)], byes: &[EngineId]) {
    for &(game, result) in played {
        for color in [Color::Black, Color::White] {
            let standing = &mut table[usize::from(game.engine(color).0)];
            match result.half_points(color) {
                2 => standing.wins += 1,
                1 => standing.draws += 1,
                _ => standing.losses += 1,
            }
            let by_fault = matches!(result, GameResult::Forfeit { by } if color == by.into());
            standing.forfeits += u32::from(by_fault);
            standing.margin += result.margin(color).unwrap_or_default().points();
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
