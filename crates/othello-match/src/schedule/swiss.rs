//! A Swiss tournament: engines of equal points meet.
//!
//! The pairing is simpler than that of FIDE's Dutch system (Handbook C.04.3), from which its
//! notions come: everyone is ranked by points and then by seed. The highest who is not paired yet
//! meets, of those with as many points, the one that the top half against the bottom half gives;
//! failing that, another of the bottom half, then of the top half, then the highest below; among
//! those of a half, one that is not due the same colour. Nobody is chosen whose choice would leave
//! others without an opponent.

use std::{cmp::Reverse, collections::BTreeMap};

use othello_core::Color;

use super::matching;
use crate::record::{EngineId, GameId, GameResult};

/// A round of a tournament.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Round {
    /// One game for every two engines, from the top.
    pub(super) games: Vec<GameId>,
    /// The engine that rests, and gets a point for it.
    pub(super) bye: Option<EngineId>,
}

/// The rounds that can be paired: the first, and each that follows one with all its results.
pub(super) fn rounds(
    engines: u16,
    count: u32,
    results: &BTreeMap<GameId, GameResult>,
) -> Vec<Round> {
    let mut table = Table::new(usize::from(engines));
    let mut rounds = Vec::new();
    for number in 0..count {
        let round = table.pair(number);
        let complete = table.add(&round, results);
        rounds.push(round);
        if !complete {
            break;
        }
    }
    rounds
}

/// Where everyone stands; engines are told by their seeds.
struct Table {
    players: Vec<Player>,
    /// The number of games that each two have played.
    met: Vec<Vec<u32>>,
}

#[derive(Clone, Default)]
struct Player {
    half_points: u32,
    byes: u32,
    /// The colours so far.
    colors: Vec<Color>,
    /// The colour that these call for.
    due: Option<Due>,
}

/// A colour that a player should have.
#[derive(Clone, Copy)]
struct Due {
    /// Whether it had the other colour in the last two games, or in two games more.
    absolute: bool,
    /// The number of games by which it had the other colour more often.
    excess: u32,
    color: Color,
}

impl Due {
    /// Returns the claim that follows from the colours of the games so far.
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

/// Limits on the pairings of a round.
#[derive(Clone, Copy)]
struct Rules {
    /// The number of games that two may have played before.
    met: u32,
    /// Whether two may meet that must have the same colour.
    clashes: bool,
}

impl Table {
    fn new(engines: usize) -> Self {
        Self {
            players: vec![Player::default(); engines],
            met: vec![vec![0; engines]; engines],
        }
    }

    /// Counts a round, and says whether it has all its results.
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

    /// The next round: with rematches only if there is no other way, and then with two meeting
    /// that must have the same colour only if there is no other way.
    fn pair(&self, number: u32) -> Round {
        let mut ranked: Vec<usize> = (0..self.players.len()).collect();
        ranked.sort_by_key(|&one| Reverse(self.players[one].half_points));
        let byes = self.byes(&ranked);
        let ways = (0..).flat_map(|met| {
            byes.iter()
                .flat_map(move |&bye| [false, true].map(|clashes| (bye, Rules { met, clashes })))
        });
        let mut paired = ways.filter_map(|(bye, rules)| {
            let playing = ranked.iter().copied().filter(|&one| Some(one) != bye);
            Some((bye, self.pair_all(playing.collect(), rules)?))
        });
        let (bye, pairs) = paired.next().unwrap_or_default();
        let games = pairs.into_iter().enumerate();
        Round {
            games: games
                .map(|(table, (one, other))| {
                    let (black, white) = self.colors(table, one, other);
                    GameId {
                        opening: number,
                        black: id(black),
                        white: id(white),
                    }
                })
                .collect(),
            bye: bye.map(id),
        }
    }

    /// Returns those who may rest, the lowest first: those with the fewest byes; nobody if the number is even.
    fn byes(&self, ranked: &[usize]) -> Vec<Option<usize>> {
        if ranked.len().is_multiple_of(2) {
            return vec![None];
        }
        let byes = |one: usize| self.players[one].byes;
        let fewest = ranked.iter().map(|&one| byes(one)).min();
        let lowest_first = ranked.iter().rev().copied();
        let due = lowest_first.filter(|&one| Some(byes(one)) == fewest);
        due.map(Some).collect()
    }

    /// Pairs all of these, who come in the order of their rank, if the rules let them be paired.
    fn pair_all(&self, mut ranked: Vec<usize>, rules: Rules) -> Option<Vec<(usize, usize)>> {
        if !self.can_pair(&ranked, rules) {
            return None;
        }
        let mut pairs = Vec::new();
        while !ranked.is_empty() {
            let first = ranked.remove(0);
            let place = self.opponents(first, &ranked).into_iter().find(|&place| {
                let mut rest = ranked.clone();
                let other = rest.remove(place);
                self.may_meet(first, other, rules) && self.can_pair(&rest, rules)
            })?;
            pairs.push((first, ranked.remove(place)));
        }
        Some(pairs)
    }

    /// The places, in `below`, of the opponents of one who is ranked above them, best first.
    fn opponents(&self, one: usize, below: &[usize]) -> Vec<usize> {
        let points = |one: usize| self.players[one].half_points;
        let equals = below
            .iter()
            .take_while(|&&other| points(other) == points(one));
        let equals = equals.count();
        // With the one itself the group has one more.
        let bottom = equals.div_ceil(2).saturating_sub(1);
        let mut places: Vec<usize> = (bottom..equals)
            .chain((0..bottom).rev())
            .chain(equals..below.len())
            .collect();
        // Among equals the order stays.
        places.sort_by_key(|&place| {
            let other = below[place];
            let distance = points(one) - points(other);
            let top_half = place < bottom;
            let clash = self
                .due(one)
                .is_some_and(|color| self.due(other) == Some(color));
            (self.met[one][other], distance, top_half, clash)
        });
        places
    }

    fn due(&self, one: usize) -> Option<Color> {
        self.players[one].due.map(|due| due.color)
    }

    fn may_meet(&self, one: usize, other: usize, rules: Rules) -> bool {
        let must_have = |one: usize| self.players[one].due.filter(|due| due.absolute);
        let clash = || match (must_have(one), must_have(other)) {
            (Some(one), Some(other)) => one.color == other.color,
            _ => false,
        };
        self.met[one][other] <= rules.met && (rules.clashes || !clash())
    }

    fn can_pair(&self, players: &[usize], rules: Rules) -> bool {
        let allowed = players.iter().map(|&one| {
            let others = players.iter().enumerate();
            let allowed = others
                .filter(|&(_, &other)| other != one && self.may_meet(one, other, rules))
                .map(|(place, _)| place);
            allowed.collect()
        });
        matching::is_perfect(&allowed.collect::<Vec<_>>())
    }

    /// Black and White of two who meet, the first being ranked higher.
    ///
    /// Each has the colour that it is due. If that is the same, the one has it for whom it is more
    /// urgent, and else the higher; in a first game the colours alternate from table to table.
    fn colors(&self, table: usize, one: usize, other: usize) -> (usize, usize) {
        let due = [one, other].map(|one| self.players[one].due);
        let urgency = |due: Due| (due.absolute, due.excess);
        let color_of_one = match due {
            [None, None] if table.is_multiple_of(2) => Color::Black,
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
