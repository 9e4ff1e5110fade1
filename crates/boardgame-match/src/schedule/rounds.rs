//! The rounds of tournaments in which engines may come late, be absent or withdraw.

use std::collections::{BTreeMap, BTreeSet};

use boardgame_core::Color;

use super::{Form, Round, round_robin, state::Tournament};
use crate::{
    EngineId, GameId,
    stats::{Pairing, ratings, score_of_elo},
    tally::Tally,
};

/// An engine in a tournament, with the rounds that it is there for, counted from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entrant {
    /// The engine.
    pub engine: EngineId,
    /// The round in which it enters.
    pub from_round: u32,
    /// Its last round, if it withdraws.
    pub withdrawn_after: Option<u32>,
    /// The rounds that it misses.
    pub absent: Vec<u32>,
}

impl Entrant {
    /// Returns an engine that is there for all rounds.
    pub const fn new(engine: EngineId) -> Self {
        Self {
            engine,
            from_round: 1,
            withdrawn_after: None,
            absent: Vec::new(),
        }
    }

    /// Returns true if the engine can be paired in a round, counted from 1.
    pub fn is_present(&self, round: u32) -> bool {
        self.from_round <= round && !self.has_left(round) && !self.absent.contains(&round)
    }

    fn has_left(&self, round: u32) -> bool {
        self.withdrawn_after.is_some_and(|last| round > last)
    }
}

/// Returns the round that follows `rounds`, or `None` if the tournament is over or the pairings depend on results that
/// are missing. The order of the entrants is their seeding.
///
/// Engines that are absent are not paired. What they miss depends on the form:
///
/// - in a Swiss, Danish or random tournament the round, in a gauntlet the games, without a point;
/// - in a round robin nothing: further rounds have the games that are left, also those of late entrants;
/// - in a knock-out they are out; one who is left without an opponent rests and wins.
pub fn next_round(
    form: Form,
    entrants: &[Entrant],
    rounds: &[Round],
    tally: &Tally,
) -> Option<Round> {
    let results = tally.results();
    let number = rounds.len() as u32;
    let is_complete =
        || (rounds.iter().flat_map(|round| &round.games)).all(|game| results.contains_key(game));
    let there = entrants.iter().filter(|one| one.is_present(number + 1));
    let present: Vec<EngineId> = there.map(|one| one.engine).collect();
    let state = || Tournament::after(&present, rounds, results);
    match form {
        Form::Swiss { rounds } => (number < rounds && is_complete()).then(|| state().pair(number)),
        Form::Danish { rounds } => (number < rounds && is_complete()).then(|| {
            let state = state();
            state.pair_neighbours(number, state.ranked())
        }),
        Form::Random { rounds, seed } => (number < rounds).then(|| {
            let mut order: Vec<usize> = (0..present.len()).collect();
            order.sort_by_key(|&one| drawn(seed, number, present[one]));
            state().pair_neighbours(number, order)
        }),
        Form::KnockOut => is_complete().then(|| knock_out(entrants, rounds, tally))?,
        Form::Pairs { pairs } | Form::Gauntlet { pairs } => {
            (number < pairs).then(|| gauntlet(number, entrants, &present))
        }
        Form::Ladder => {
            is_complete().then(|| most_informative_pairs(number, entrants, &present, tally))?
        }
        Form::RoundRobin { cycles } => each_against_each(cycles, entrants, rounds),
        Form::DoubleRoundRobin { cycles } => {
            each_against_each(cycles.saturating_mul(2), entrants, rounds)
        }
    }
}

/// Returns a number for an engine's place in a round drawn at random.
fn drawn(seed: u64, number: u32, engine: EngineId) -> (u32, EngineId) {
    let text = format!("{seed} {number} {}", engine.0);
    (crc32fast::hash(text.as_bytes()), engine)
}

/// Returns the games of the first entrant, none if it is absent.
fn gauntlet(opening: u32, entrants: &[Entrant], present: &[EngineId]) -> Round {
    let mut round = Round::default();
    let lead = entrants.first().map(|one| one.engine);
    let is_there = |(first, _): &(&EngineId, &[EngineId])| lead == Some(**first);
    if let Some((&black, others)) = present.split_first().filter(is_there) {
        for &white in others {
            let game = GameId {
                opening,
                black,
                white,
            };
            round.games.extend([game, game.reversed()]);
        }
    }
    round
}

/// Pairs the engines whose games are the most informative: the variance of their rating difference times the variance
/// of the result is largest. The best pair is the first, then the best one without its engines, and so on.
fn most_informative_pairs(
    opening: u32,
    entrants: &[Entrant],
    present: &[EngineId],
    tally: &Tally,
) -> Option<Round> {
    let engines = entrants.iter().map(|one| one.engine.0 + 1).max()?;
    let is_known = |game: &Pairing| game.first.0.max(game.second.0) < engines;
    let mut pairings = tally.pairings();
    pairings.retain(is_known);
    let list = ratings(&pairings, engines.into());
    let gain = |[one, other]: [EngineId; 2]| {
        let difference = list.difference(one, other);
        let expected = score_of_elo(difference.value);
        difference.half_width().powi(2) * expected * (1.0 - expected)
    };
    let others = |at: usize| present[at + 1..].iter();
    let pairs =
        (0..present.len()).flat_map(|at| others(at).map(move |&other| [present[at], other]));
    let mut pairs: Vec<_> = pairs.map(|pair| (gain(pair), pair)).collect();
    // Of equals the first.
    pairs.sort_by(|one, other| other.0.total_cmp(&one.0));
    let mut round = Round::default();
    let mut paired = BTreeSet::new();
    for (_, pair @ [black, white]) in pairs {
        if pair.iter().all(|one| !paired.contains(one)) {
            paired.extend(pair);
            let game = GameId {
                opening,
                black,
                white,
            };
            round.games.extend([game, game.reversed()]);
        }
    }
    (!round.games.is_empty()).then_some(round)
}

/// Pairs the engines that have lost no meeting, the best seed with the worst. In the first round the best seeds rest
/// until a power of two is left. Every meeting is of two games.
fn knock_out(entrants: &[Entrant], rounds: &[Round], tally: &Tally) -> Option<Round> {
    let opening = rounds.len() as u32;
    let met = rounds.iter();
    let met = met.flat_map(|round| knock_out_results(round, tally));
    let out: BTreeSet<EngineId> = met.map(|[_, loser]| loser).collect();
    let survives = |one: &&Entrant| {
        let mut since = one.from_round..=opening + 1;
        let stays = !since.is_empty() && since.all(|round| one.is_present(round));
        stays && !out.contains(&one.engine)
    };
    let left = entrants.iter().filter(survives).map(|one| one.engine);
    let mut left: Vec<EngineId> = left.collect();
    // The opponents of the last one may all have left.
    let survivors = |round: &Round| round.byes.len() + round.games.len() / 2;
    let is_walkover = left.len() == 1 && rounds.last().is_some_and(|round| survivors(round) > 1);
    if is_walkover {
        let (byes, games) = (left, Vec::new());
        return Some(Round { games, byes });
    }
    if left.len() < 2 {
        return None;
    }
    let byes = left.len().next_power_of_two() - left.len();
    let mut round = Round {
        byes: left.drain(..byes).collect(),
        games: Vec::new(),
    };
    let (better, worse) = left.split_at(left.len() / 2);
    for (&black, &white) in better.iter().zip(worse.iter().rev()) {
        let game = GameId {
            opening,
            black,
            white,
        };
        round.games.extend([game, game.reversed()]);
    }
    Some(round)
}

/// Returns the winner and the loser of each decided meeting of a knock-out round: by points, then by margins, then by
/// seed.
pub(crate) fn knock_out_results(round: &Round, tally: &Tally) -> Vec<[EngineId; 2]> {
    let meetings = round.games.chunks_exact(2).filter_map(|games| {
        // In the first game the better seed has Black.
        let (better, worse) = (games[0].black, games[0].white);
        let (mut points, mut margin) = (0, 0_i64);
        for game in games {
            let result = tally.results().get(game)?;
            let color = if game.black == better {
                Color::Black
            } else {
                Color::White
            };
            points += i64::from(result.half_points(color)) - 1;
            let counted = tally.margin(*game).unwrap_or_default();
            margin += i64::from(counted.seen_by(color).half_points());
        }
        Some(if (points, margin) >= (0, 0) {
            [better, worse]
        } else {
            [worse, better]
        })
    });
    meetings.collect()
}

/// Returns the next round of a round robin: of the table of those who were there at the start, then of the games left.
fn each_against_each(cycles: u32, entrants: &[Entrant], rounds: &[Round]) -> Option<Round> {
    let opening = rounds.len() as u32;
    let mut met: BTreeMap<[EngineId; 2], (u32, GameId)> = BTreeMap::new();
    for &game in rounds.iter().flat_map(|round| &round.games) {
        let (count, last) = met.entry(pair(game.black, game.white)).or_insert((0, game));
        (*count, *last) = (*count + 1, game);
    }
    let count = |one, other| met.get(&pair(one, other)).map_or(0, |(count, _)| *count);
    // Two who have met exchange colours.
    let with_colors = |game: GameId| match met.get(&pair(game.black, game.white)) {
        Some((_, last)) if last.black == game.black => game.reversed(),
        _ => game,
    };
    let is_there = |one: &Entrant| one.is_present(opening + 1);
    let starts = |one: &&Entrant| one.from_round <= 1 && !one.has_left(1);
    let starters: Vec<&Entrant> = entrants.iter().filter(starts).collect();
    let length = round_robin::rounds(starters.len().max(2) as u16);
    let cycle = opening / length;
    let mut round = Round::default();
    if cycle < cycles && starters.len() >= 2 {
        let table = round_robin::meetings(starters.len() as u16, length, opening % length);
        for (black, white) in table {
            let [black, white] = [black, white].map(|place| starters[usize::from(place)]);
            let game = GameId {
                opening,
                black: black.engine,
                white: white.engine,
            };
            let is_due = count(game.black, game.white) <= cycle;
            if is_due && is_there(black) && is_there(white) {
                round.games.push(with_colors(game));
            }
        }
        return Some(round);
    }
    let mut free: Vec<&Entrant> = entrants.iter().filter(|one| is_there(one)).collect();
    while !free.is_empty() {
        let one = free.remove(0);
        let due = |other: &&Entrant| count(one.engine, other.engine) < cycles;
        if let Some(place) = free.iter().position(due) {
            let other = free.remove(place).engine;
            let game = GameId {
                opening,
                black: one.engine,
                white: other,
            };
            let is_even = opening.is_multiple_of(2);
            let game = if is_even { game } else { game.reversed() };
            round.games.push(with_colors(game));
        }
    }
    let stay = || entrants.iter().filter(|one| !one.has_left(opening + 1));
    let owes = |one: &Entrant| {
        let mut others = stay().filter(|other| other.engine != one.engine);
        others.any(|other| count(one.engine, other.engine) < cycles)
    };
    // Those who miss this round may play in a later one.
    let mut missing = stay().filter(|one| !is_there(one));
    (!round.games.is_empty() || missing.any(owes)).then_some(round)
}

fn pair(one: EngineId, other: EngineId) -> [EngineId; 2] {
    [one.min(other), one.max(other)]
}

#[cfg(test)]
mod tests;
