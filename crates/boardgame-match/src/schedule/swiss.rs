//! Pairings of a Swiss tournament.
//!
//! A simplification of FIDE's Dutch system (Handbook C.04.3). Engines are ranked by points, then by seed. If their
//! number is odd, a bye goes to one of those with the fewest byes. These rules choose among all complete pairings of a
//! round, each among those left by the rules before it, and each for the engines in the order of rank:
//!
//! 1. No rematch, or as few earlier games as possible.
//! 2. A leader meets another leader, whatever their colours, otherwise an engine with fewer points rather than the bye.
//! 3. Two engines that must have the same colour do not meet.
//! 4. An engine meets one with points as close to its own as possible; the bye counts as the farthest.
//! 5. Among engines of equal points, the top half meets the bottom half in order; otherwise another of the bottom half,
//!    then of the top half, then the highest of the lower groups; within a half, engines that are not due the same
//!    colour are preferred.
//!
//! So the bye is given last, after all higher engines have their preferred opponents. This amounts to a maximum-weight
//! matching in which the opponent of each engine weighs more than those of all lower engines together. Such weights
//! would not fit any integer, so each rule removes, engine by engine, unwanted pairs as long as a complete pairing
//! remains.

use std::{cmp::Reverse, collections::BTreeMap};

use boardgame_core::Color;

use super::matching::Matching;
use crate::{EngineId, GameId, record::GameResult};

/// A round of a tournament.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Round {
    /// The games, from the top.
    pub(super) games: Vec<GameId>,
    /// The engine with the bye, which counts a point.
    pub(super) bye: Option<EngineId>,
}

/// Returns the rounds that can be paired: the first, and each that follows a complete one.
pub(super) fn rounds(
    engines: u16,
    count: u32,
    results: &BTreeMap<GameId, GameResult>,
) -> Vec<Round> {
    let mut tournament = Tournament::new(usize::from(engines));
    let mut rounds = Vec::new();
    for number in 0..count {
        let round = tournament.pair(number);
        let complete = tournament.add(&round, results);
        rounds.push(round);
        if !complete {
            break;
        }
    }
    rounds
}

/// The state of the tournament; engines are indexed by seed.
struct Tournament {
    players: Vec<Player>,
    /// The number of games between every two engines.
    met: Vec<Vec<u32>>,
}

#[derive(Clone, Default)]
struct Player {
    half_points: u32,
    byes: u32,
    /// The colours so far.
    colors: Vec<Color>,
    /// The colour that the engine is due after these.
    due: Option<Due>,
}

/// The colour that an engine is due.
#[derive(Clone, Copy)]
struct Due {
    /// True if the engine had the other colour in the last two games, or in two games more in all.
    absolute: bool,
    /// The difference of its games with the two colours.
    excess: u32,
    color: Color,
}

impl Due {
    /// Returns the colour due after a sequence of colours.
    fn after(colors: &[Color]) -> Option<Self> {
        let &last = colors.last()?;
        let blacks = colors.iter().filter(|&&color| color == Color::Black);
        let balance = 2 * blacks.count() as i32 - colors.len() as i32;
        let excess = balance.unsigned_abs();
        let twice = colors.len() >= 2 && colors[colors.len() - 2] == last;
        let color = match balance {
            2.. => Color::White,
            ..=-2 => Color::Black,
            _ if twice => !last,
            1 => Color::White,
            -1 => Color::Black,
            0 => !last,
        };
        Some(Self {
            absolute: excess >= 2 || twice,
            excess,
            color,
        })
    }
}

impl Tournament {
    fn new(engines: usize) -> Self {
        Self {
            players: vec![Player::default(); engines],
            met: vec![vec![0; engines]; engines],
        }
    }

    /// Adds a round; returns true if all its games have results.
    fn add(&mut self, round: &Round, results: &BTreeMap<GameId, GameResult>) -> bool {
        let mut complete = true;
        for game in &round.games {
            let result = results.get(game);
            complete &= result.is_some();
            for color in [Color::Black, Color::White] {
                let player = &mut self.players[index(game.engine(color))];
                player.colors.push(color);
                player.due = Due::after(&player.colors);
                player.half_points += result.map_or(0, |result| result.half_points(color));
            }
            let (black, white) = (index(game.black), index(game.white));
            self.met[black][white] += 1;
            self.met[white][black] += 1;
        }
        if let Some(bye) = round.bye {
            let player = &mut self.players[index(bye)];
            player.byes += 1;
            player.half_points += 2;
        }
        complete
    }

    /// Returns the next round, by the rules of this module.
    fn pair(&self, number: u32) -> Round {
        let mut ranked: Vec<usize> = (0..self.players.len()).collect();
        ranked.sort_by_key(|&one| Reverse(self.players[one].half_points));
        let (met, mut matching) = self.fewest_meetings();
        for &one in &ranked {
            matching.minimize(one, |other| self.meetings(one, other).unwrap_or(met));
        }
        for &one in self.leaders(&ranked) {
            matching.minimize(one, |other| self.descent(one, other));
        }
        for &one in &ranked {
            matching.minimize(one, |other| self.must_clash(one, other));
        }
        for &one in &ranked {
            matching.minimize(one, |other| self.distance(one, other));
        }
        let mut round = Round {
            games: Vec::new(),
            bye: None,
        };
        while !ranked.is_empty() {
            let first = ranked.remove(0);
            let mut opponents = self.opponents(first, &ranked).into_iter();
            let place = opponents.find(|&place| {
                let opponent = ranked[place];
                matching.narrow(first, |other| other == opponent)
            });
            let Some(place) = place else {
                round.bye = Some(id(first));
                continue;
            };
            let (black, white) = self.colors(round.games.len(), first, ranked.remove(place));
            round.games.push(GameId {
                opening: number,
                black: id(black),
                white: id(white),
            });
        }
        round
    }

    /// Returns the minimum number of earlier games that a pairing must allow, and the matching of pairs with no more.
    /// If the number of engines is odd, the bye is one more vertex, the last.
    fn fewest_meetings(&self) -> (u32, Matching) {
        let count = self.players.len().next_multiple_of(2);
        let min_byes = self.players.iter().map(|player| player.byes).min();
        let may_rest = |one: usize| Some(self.players[one].byes) == min_byes;
        let fits = |one: usize, other: usize, met: u32| {
            let (one, other) = (one.min(other), one.max(other));
            let meets = || self.meetings(one, other).map(|games| games <= met);
            one != other && meets().unwrap_or_else(|| may_rest(one))
        };
        let mut met = 0;
        loop {
            let row = |one| (0..count).map(|other| fits(one, other, met)).collect();
            let allowed = (0..count).map(row).collect();
            if let Some(matching) = Matching::new(allowed) {
                return (met, matching);
            }
            met += 1;
        }
    }

    /// Returns the engines with the most points, given all in the order of rank.
    fn leaders<'a>(&self, ranked: &'a [usize]) -> &'a [usize] {
        let top = self.half_points(ranked[0]);
        &ranked[..ranked.partition_point(|&one| self.half_points(one) == top)]
    }

    fn half_points(&self, one: usize) -> u32 {
        self.players[one].half_points
    }

    /// Returns the number of earlier games of two engines, or `None` if the other one is the bye.
    fn meetings(&self, one: usize, other: usize) -> Option<u32> {
        self.met[one].get(other).copied()
    }

    /// Returns the difference of the half points of two engines; the bye is farther than any.
    fn distance(&self, one: usize, other: usize) -> u32 {
        let other = self.players.get(other);
        other.map_or(u32::MAX, |other| {
            self.half_points(one).abs_diff(other.half_points)
        })
    }

    /// Returns the rank of a leader's opponent by rule 2: 0 for a leader, 1 for an engine below, 2 for the bye.
    fn descent(&self, leader: usize, other: usize) -> u8 {
        match self.distance(leader, other) {
            0 => 0,
            u32::MAX => 2,
            _ => 1,
        }
    }

    /// Returns whether two engines must have the same colour.
    fn must_clash(&self, one: usize, other: usize) -> bool {
        let must_have = |one: usize| {
            let due = self.players.get(one)?.due.filter(|due| due.absolute)?;
            Some(due.color)
        };
        must_have(one).is_some_and(|color| must_have(other) == Some(color))
    }

    /// Returns the indices in `below` of the opponents of a higher engine, best first.
    fn opponents(&self, one: usize, below: &[usize]) -> Vec<usize> {
        let points = |one: usize| self.half_points(one);
        let equals = below
            .iter()
            .take_while(|&&other| points(other) == points(one));
        let equals = equals.count();
        // The score group includes the engine itself.
        let bottom = equals.div_ceil(2).saturating_sub(1);
        let mut places: Vec<usize> = (bottom..equals)
            .chain((0..bottom).rev())
            .chain(equals..below.len())
            .collect();
        // The sort is stable.
        places.sort_by_key(|&place| {
            let other = below[place];
            let top_half = place < bottom;
            let clash = self
                .due(one)
                .is_some_and(|color| self.due(other) == Some(color));
            (top_half, clash)
        });
        places
    }

    fn due(&self, one: usize) -> Option<Color> {
        self.players[one].due.map(|due| due.color)
    }

    /// Returns Black and White of a pair; `one` is ranked higher.
    ///
    /// Each gets the colour that it is due. If both are due the same, it goes to the stronger claim, or to the higher
    /// rank if the claims are equal. In the first round the colours alternate from board to board.
    fn colors(&self, board: usize, one: usize, other: usize) -> (usize, usize) {
        let due = [one, other].map(|one| self.players[one].due);
        let urgency = |due: Due| (due.absolute, due.excess);
        let color_of_one = match due {
            [None, None] if board.is_multiple_of(2) => Color::Black,
            [None, None] => Color::White,
            [Some(one), Some(other)] if urgency(other) > urgency(one) => !other.color,
            [Some(one), _] => one.color,
            [None, Some(other)] => !other.color,
        };
        match color_of_one {
            Color::Black => (one, other),
            Color::White => (other, one),
        }
    }
}

const fn id(seed: usize) -> EngineId {
    EngineId(seed as u16)
}

fn index(engine: EngineId) -> usize {
    usize::from(engine.0)
}

#[cfg(test)]
mod tests;
