//! Pairings of a Swiss tournament.
//!
//! A simplification of FIDE's Dutch system (Handbook C.04.3). Engines are ranked by points, then by seed.
//! The highest engine that is not paired yet meets, within its score group, the one that pairing the top half
//! with the bottom half gives; failing that, another of the bottom half, then of the top half, then the highest
//! of the lower groups; within a half, engines that are not due the same colour are preferred. A pair is never
//! made that would leave the others without a complete pairing.

use std::{cmp::Reverse, collections::BTreeMap};

use boardgame_core::Color;

use super::matching;
use crate::{EngineId, GameId, record::GameResult};

/// A round of a tournament.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Round {
    /// One game for every two engines, from the top.
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

/// Limits on the pairings of a round.
#[derive(Clone, Copy)]
struct Rules {
    /// The maximum number of earlier games of a pair.
    met: u32,
    /// True if two engines may meet that are both due the same colour absolutely.
    clashes: bool,
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

    /// Returns the next round, with as few rematches as possible, and then without clashes of absolute colours
    /// if possible.
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
                .map(|(board, (one, other))| {
                    let (black, white) = self.colors(board, one, other);
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

    /// Returns the candidates for the bye, the lowest first: those with the fewest byes, or `None` alone if the
    /// number of engines is even.
    fn byes(&self, ranked: &[usize]) -> Vec<Option<usize>> {
        if ranked.len().is_multiple_of(2) {
            return vec![None];
        }
        let byes = |one: usize| self.players[one].byes;
        let min_byes = ranked.iter().map(|&one| byes(one)).min();
        let lowest_first = ranked.iter().rev().copied();
        let due = lowest_first.filter(|&one| Some(byes(one)) == min_byes);
        due.map(Some).collect()
    }

    /// Pairs all engines of a list in the order of rank; `None` if the rules allow no complete pairing.
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

    /// Returns the indices in `below` of the opponents of a higher engine, best first.
    fn opponents(&self, one: usize, below: &[usize]) -> Vec<usize> {
        let points = |one: usize| self.players[one].half_points;
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

    /// Returns Black and White of a pair, of which `one` is ranked higher.
    ///
    /// Each gets the colour that it is due. If both are due the same, the one with the stronger claim gets it,
    /// otherwise the higher; in the first round the colours alternate from board to board.
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
