//! Standings of a run.

use boardgame_match::{
    EngineId,
    schedule::{Form, Schedule},
    standings::{TieBreak, standings},
    stats::{Estimate, Sprt, ratings},
    tally::Tally,
};
use serde::{Deserialize, Serialize};

/// The standings of a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Standings {
    /// The number of games counted.
    pub games: u64,
    /// The participants, best first.
    pub rows: Vec<Row>,
    /// Further figures, in words.
    pub notes: Vec<String>,
}

/// The standing of a participant.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// The name.
    pub name: String,
    /// The points: 1 for a win or a bye, 0.5 for a draw.
    pub points: f64,
    /// The number of games won.
    pub wins: u32,
    /// The number of games drawn.
    pub draws: u32,
    /// The number of games lost.
    pub losses: u32,
    /// The number of rounds without an opponent.
    #[serde(default)]
    pub byes: u32,
    /// The sum of its disc differences in the games that count for it.
    pub discs: i64,
    /// The Elo difference to the other of two engines, or the rating among several; `None` if not estimated.
    pub elo: Option<Interval>,
}

/// An estimate with its 95 % interval; an unbounded end is `None`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Interval {
    /// The point estimate.
    pub value: Option<f64>,
    /// The lower end.
    pub low: Option<f64>,
    /// The upper end.
    pub high: Option<f64>,
}

impl Interval {
    fn new(Estimate { value, low, high }: Estimate) -> Self {
        let finite = |number: f64| Some(number).filter(|number| number.is_finite());
        Self {
            value: finite(value),
            low: finite(low),
            high: finite(high),
        }
    }

    /// Returns the estimate for the other side.
    fn negated(self) -> Self {
        let negated = |number: Option<f64>| number.map(|number| -number);
        Self {
            value: negated(self.value),
            low: negated(self.high),
            high: negated(self.low),
        }
    }
}

impl Standings {
    /// Returns the standings of participants in any order, whose points follow from their games.
    pub(crate) fn of_rows(rows: impl Iterator<Item = Row>) -> Self {
        let with_points = |row: Row| Row {
            points: f64::from(row.wins) + f64::from(row.draws) / 2.0,
            ..row
        };
        let mut rows: Vec<Row> = rows.map(with_points).collect();
        let games = |row: &Row| u64::from(row.wins + row.draws + row.losses);
        rows.sort_by(|one, other| {
            let by_points = other.points.total_cmp(&one.points);
            by_points
                .then(other.discs.cmp(&one.discs))
                .then_with(|| one.name.cmp(&other.name))
        });
        Self {
            // Every game counts for two participants.
            games: rows.iter().map(games).sum::<u64>() / 2,
            rows,
            notes: Vec::new(),
        }
    }

    /// Returns the standings of a match.
    pub(crate) fn of_match(
        names: &[String],
        schedule: &Schedule,
        ties: &[TieBreak],
        sprt: Option<&Sprt>,
        tally: &Tally,
    ) -> Self {
        let (elo, notes) = match names.len() {
            2 => of_two(sprt, tally),
            _ => (of_many(names.len(), tally), Vec::new()),
        };
        let table = standings(schedule, tally, ties);
        let rows = table.into_iter().map(|standing| {
            let engine = usize::from(standing.engine.0);
            Row {
                name: names[engine].clone(),
                points: standing.points,
                wins: standing.wins,
                draws: standing.draws,
                losses: standing.losses,
                byes: standing.byes,
                discs: standing.margin as i64,
                elo: elo.get(engine).copied().flatten(),
            }
        });
        let mut rows: Vec<Row> = rows.collect();
        if schedule.form() == Form::Ladder {
            let elo = |row: &Row| row.elo.and_then(|elo| elo.value).unwrap_or_default();
            rows.sort_by(|one, other| elo(other).total_cmp(&elo(one)));
        }
        Self {
            rows,
            games: tally.results().len() as u64,
            notes,
        }
    }
}

/// Returns the Elo differences of two engines by pairs of games, and further figures in words.
fn of_two(sprt: Option<&Sprt>, tally: &Tally) -> (Vec<Option<Interval>>, Vec<String>) {
    let duel = tally.duel(EngineId(0), EngineId(1));
    let elo = Interval::new(duel.pairs.elo());
    let mut notes = vec![format!(
        "The first engine is stronger with a likelihood of {:.1} %, by {} pairs of games.",
        100.0 * duel.pairs.los(),
        duel.pairs.units(),
    )];
    if let Some(sprt) = sprt {
        let state = sprt.test(&duel.pairs);
        notes.push(format!(
            "Sequential test: log-likelihood ratio {:+.2}, bounds {:+.2} and {:+.2}.",
            state.llr, state.lower, state.upper
        ));
    }
    (vec![Some(elo), Some(elo.negated())], notes)
}

/// Returns the ratings of several engines.
fn of_many(engines: usize, tally: &Tally) -> Vec<Option<Interval>> {
    let mut elo = vec![None; engines];
    for rating in ratings(&tally.pairings(), engines).ratings() {
        elo[usize::from(rating.engine.0)] = Some(Interval::new(rating.elo));
    }
    elo
}
