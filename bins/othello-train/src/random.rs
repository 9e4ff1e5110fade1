//! Random numbers that depend only on a seed and a game's number.
//!
//! Draws do not use the methods of `rand`, whose results may change between releases: a generation
//! must always be reproducible.

pub(crate) use othello_engine::human::mix;
use rand::{Rng as _, SeedableRng as _};
use rand_pcg::Pcg64;

/// The random number generator of one game.
#[derive(Debug)]
pub(crate) struct Dice(Pcg64);

impl Dice {
    /// Creates the generator for a seed and a game.
    pub(crate) fn new(seed: u64, game: u64) -> Self {
        let key = mix(mix(seed).wrapping_add(game));
        let mut bytes = [0; 32];
        for (at, piece) in bytes.chunks_exact_mut(8).enumerate() {
            piece.copy_from_slice(&mix(key.wrapping_add(at as u64)).to_le_bytes());
        }
        Self(Pcg64::from_seed(bytes))
    }

    /// Draws a number below `count`, uniform up to a relative error of `count` / 2³².
    pub(crate) fn below(&mut self, count: u32) -> u32 {
        ((u64::from(self.0.next_u32()) * u64::from(count)) >> 32) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_do_not_change() {
        let mut dice = Dice::new(1, 0);
        let draws: Vec<u32> = (0..8).map(|_| dice.below(100)).collect();
        assert_eq!(draws, [29, 33, 31, 9, 69, 66, 87, 26]);
    }
}
