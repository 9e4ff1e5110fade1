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

use super::{Round, matching::Matching, state::Tournament};

impl Tournament {
    /// Returns the next round, by the rules of this module.
    pub(super) fn pair(&self, number: u32) -> Round {
        let mut ranked = self.ranked();
        let mut round = Round::default();
        if ranked.is_empty() {
            return round;
        }
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
        while !ranked.is_empty() {
            let first = ranked.remove(0);
            let mut opponents = self.opponents(first, &ranked).into_iter();
            let place = opponents.find(|&place| {
                let opponent = ranked[place];
                matching.narrow(first, |other| other == opponent)
            });
            let Some(place) = place else {
                round.byes.push(self.ids[first]);
                continue;
            };
            self.add_game(&mut round, number, [first, ranked.remove(place)]);
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
}

#[cfg(test)]
mod tests;
