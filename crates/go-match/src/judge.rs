//! The judge of finished games.

use boardgame_core::Margin;
use boardgame_match::Scorer;
use go_core::{LifeAndDeath, PlayOut, Position};

use crate::Judgement;

/// A judge who finds dead stones by reading, random playouts and a search: the part of the tournament's human judge
/// that a program can take over.
///
/// # Examples
///
/// ```
/// use go_core::{Move, Position, Setup};
/// use go_match::Judge;
///
/// let mut position = Position::new(&"5x5 komi 0.5".parse::<Setup>()?);
/// for mv in ["C3", "pass", "pass"] {
///     position.play(mv.parse::<Move>()?)?;
/// }
/// assert_eq!(Judge::default().judge(&position).margin.to_string(), "B+23.5");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Judge {
    /// The number of playouts.
    pub playouts: u32,
    /// The seed of the playouts.
    pub seed: u64,
    /// The search that plays a position on if reading and playouts leave something open.
    pub search: Option<PlayOut>,
}

impl Default for Judge {
    /// 2,000 playouts, seed 1, no search.
    fn default() -> Self {
        Self {
            playouts: 2000,
            seed: 1,
            search: None,
        }
    }
}

impl Judge {
    /// Judges a position as it stands, with the scoring of its rules.
    pub fn judge(&self, position: &Position) -> Judgement {
        let status = LifeAndDeath::decide(position, self.playouts, self.seed, self.search);
        Judgement::new(position, status)
    }
}

impl Scorer<Position> for Judge {
    fn score(&self, position: &Position) -> Margin {
        self.judge(position).margin
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use go_core::{Move, Ownership, Random, Setup};

    /// An eye of three points: the side that plays in its middle decides the life of White's chain.
    const THREE: &str = "7x7 black A7 G7 A6 G6 A5 B5 C5 D5 E5 F5 G5 white B7 F7 B6 C6 D6 E6 F6";

    fn position(setup: &str, moves: &str) -> Position {
        let mut position = Position::new(&setup.parse::<Setup>().unwrap());
        for mv in moves.split_whitespace() {
            position.play(mv.parse::<Move>().unwrap()).unwrap();
        }
        position
    }

    #[test]
    fn a_dead_stone_is_a_prisoner() {
        let walls = "5x5 komi 0.5 black B1 B2 B3 B4 B5 C2 E2 white D1 D2 D3 D4 D5 E3";
        let judgement = Judge::default().judge(&position(walls, "pass pass"));
        assert_eq!(judgement.status.dead.to_string(), "E2");
        assert!(judgement.is_resolved());
        // Five points each, White's with a prisoner.
        assert_eq!(judgement.margin.to_string(), "W+0.5");
        let score = Judge::default().score(&position(walls, "pass pass"));
        assert_eq!(score, judgement.margin);
    }

    #[test]
    fn a_search_decides_what_playouts_leave_open_if_it_decides_all() {
        let walls = "9x9 black D1 D2 D3 D4 D5 D6 D7 D8 D9 white E1 E2 E3 E4 E5 E6 E7 E8 E9";
        let walls = position(walls, "");
        let judged = |search| {
            let judge = Judge {
                playouts: 0,
                seed: 1,
                search,
            };
            judge.judge(&walls)
        };
        let open = judged(None);
        assert!(!open.is_resolved());
        assert_eq!(judged(Some(|_, _| Ownership::default())), open);
        let searched = judged(Some(|position, seed| {
            Ownership::estimate(position.board(), 100, &mut Random::new(seed))
        }));
        assert!(searched.is_resolved());
        assert_eq!(searched.margin.to_string(), "W+9");
    }

    #[test]
    fn chains_that_either_side_may_lose_are_unsettled() {
        let opening = position(THREE, "");
        let judgement = Judge::default().judge(&opening);
        assert_eq!(
            judgement.status.unsettled.to_string(),
            "B6 C6 D6 E6 F6 B7 F7"
        );
        assert!(!judgement.is_resolved());
        let seeded = |seed| {
            let judge = Judge {
                seed,
                playouts: 50,
                search: None,
            };
            judge.judge(&opening)
        };
        assert_eq!(seeded(7), seeded(7));
    }
}
