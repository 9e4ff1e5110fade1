//! Round robins.

use crate::{EngineId, GameId};

/// Returns the number of rounds of a cycle.
pub(super) fn rounds(engines: u16) -> u32 {
    u32::from(engines) - u32::from(engines.is_multiple_of(2))
}

/// Returns the games of a single round robin, round by round; each round has its own opening.
///
/// In round `r` of `n`, two engines meet whose numbers sum to `r` modulo `n`. The engine that would meet itself
/// meets the last engine, or has no game if the number of engines is odd. The lower engine has Black if the sum
/// is odd; against the last engine the lower half has Black. So an engine's numbers of Black and White games
/// differ by at most one. After the Berger tables, FIDE Handbook C.05, Annex 1.
pub(super) fn single(engines: u16, cycles: u32) -> Vec<GameId> {
    let rounds = rounds(engines);
    let games = (0..cycles).flat_map(|cycle| {
        (0..rounds).flat_map(move |round| {
            let opening = cycle * rounds + round;
            meetings(engines, rounds, round).map(move |(black, white)| {
                let game = GameId {
                    opening,
                    black: EngineId(black),
                    white: EngineId(white),
                };
                if cycle % 2 == 0 {
                    game
                } else {
                    game.reversed()
                }
            })
        })
    });
    games.collect()
}

/// Returns the pairs of a round, Black first.
pub(super) fn meetings(engines: u16, rounds: u32, round: u32) -> impl Iterator<Item = (u16, u16)> {
    let last = engines - 1;
    (0..rounds as u16).filter_map(move |one| {
        let other = ((round + rounds - u32::from(one)) % rounds) as u16;
        if one < other {
            let lower_begins = (one + other) % 2 == 1;
            Some(if lower_begins {
                (one, other)
            } else {
                (other, one)
            })
        } else if one == other && engines.is_multiple_of(2) {
            let lower_begins = u32::from(one) < u32::from(engines) / 2;
            Some(if lower_begins {
                (one, last)
            } else {
                (last, one)
            })
        } else {
            None
        }
    })
}
