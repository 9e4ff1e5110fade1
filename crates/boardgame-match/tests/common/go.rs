//! Go on 5x5, without a judgement of dead stones.

use boardgame_core::{Color, Game, Margin, Status};

pub const SIZE: usize = 5;
pub const POINTS: usize = SIZE * SIZE;
type Stones = [Option<Color>; POINTS];

/// A point by its number; `POINTS` is the pass.
pub type Play = usize;

#[derive(Clone, Debug, thiserror::Error)]
#[error("{0} is occupied, suicide, or repeats a position")]
pub struct Illegal(Play);

/// Go with positional superko and without suicide.
#[derive(Clone, Debug)]
pub struct Go {
    stones: Stones,
    to_move: Color,
    passes: u8,
    seen: Vec<Stones>,
}

fn neighbours(point: usize) -> impl Iterator<Item = usize> {
    (0..POINTS).filter(move |&other| {
        let rows = (point / SIZE).abs_diff(other / SIZE);
        rows + (point % SIZE).abs_diff(other % SIZE) == 1
    })
}

/// The points of a chain or an empty region, and what it borders on.
fn region(stones: &Stones, start: usize) -> (Vec<usize>, Vec<Option<Color>>) {
    let (mut points, mut borders, mut next) = (vec![start], Vec::new(), 0);
    while let Some(&point) = points.get(next) {
        next += 1;
        for neighbour in neighbours(point) {
            if stones[neighbour] != stones[start] {
                borders.push(stones[neighbour]);
            } else if !points.contains(&neighbour) {
                points.push(neighbour);
            }
        }
    }
    (points, borders)
}

/// Area scoring of a position where every stone is alive.
pub fn score(position: &Go) -> Margin {
    let owner = |point: usize| {
        let (_, borders) = region(&position.stones, point);
        let first = *borders.first()?;
        let sole = borders.iter().all(|&color| color == first);
        position.stones[point].or(first.filter(|_| sole))
    };
    let points = (0..POINTS).filter_map(owner).map(|color| match color {
        Color::Black => 1,
        Color::White => -1,
    });
    Margin::from_points(points.sum()) - Margin::from_half_points(7)
}

impl Game for Go {
    type Move = Play;
    type Setup = String;
    type IllegalMove = Illegal;
    const NAME: &'static str = "go";

    fn new(_: &String) -> Self {
        Self {
            stones: [None; POINTS],
            to_move: Color::Black,
            passes: 0,
            seen: vec![[None; POINTS]],
        }
    }

    fn side_to_move(&self) -> Color {
        self.to_move
    }

    fn forced_move(&self) -> Option<Play> {
        None
    }

    fn play(&mut self, mv: Play) -> Result<(), Illegal> {
        if mv == POINTS {
            self.passes += 1;
        } else {
            let mut stones = self.stones;
            if stones.get(mv).is_none_or(Option::is_some) {
                return Err(Illegal(mv));
            }
            stones[mv] = Some(self.to_move);
            let opponents = neighbours(mv).filter(|&n| stones[n] == Some(!self.to_move));
            for opponent in opponents.collect::<Vec<_>>() {
                let (chain, borders) = region(&stones, opponent);
                if !borders.contains(&None) {
                    for stone in chain {
                        stones[stone] = None;
                    }
                }
            }
            if !region(&stones, mv).1.contains(&None) || self.seen.contains(&stones) {
                return Err(Illegal(mv));
            }
            self.seen.push(stones);
            (self.stones, self.passes) = (stones, 0);
        }
        self.to_move = !self.to_move;
        Ok(())
    }

    fn status(&self) -> Status {
        match self.passes {
            2 => Status::Unscored,
            _ => Status::Playing,
        }
    }
}
