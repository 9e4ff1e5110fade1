//! A round robin of random movers at Go on 5x5, two in this process and one over a stream.

mod common;

use std::{future, sync::Arc, time::Duration};

use boardgame_core::{ByColor, Color, Game, Margin, Status};
use boardgame_io::{Link, LinkOptions};
use boardgame_match::{
    Choice, GameOptions, GameSpec, LocalPlayer, LocalSeat, Seat, SessionSeat, SessionSeatOptions,
    Turn, conduct,
};
use boardgame_session::Thought;
use common::{LineSession, Rules, answer_lines};
use rand::{RngExt as _, SeedableRng as _};
use rand_pcg::Pcg64;

const SIZE: usize = 5;
const POINTS: usize = SIZE * SIZE;
type Stones = [Option<Color>; POINTS];

/// A point by its number; `POINTS` is the pass.
type Play = usize;

#[derive(Clone, Debug, thiserror::Error)]
#[error("{0} is occupied, suicide, or repeats a position")]
struct Illegal(Play);

/// Go with positional superko and without suicide.
#[derive(Clone, Debug)]
struct Go {
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
fn score(position: &Go) -> Margin {
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

/// Makes random legal moves, and passes where it finds none in a few trials.
struct Random(Pcg64);

impl Random {
    fn choose(&mut self, position: &Go) -> Play {
        let trials = (0..10).map(|_| self.0.random_range(0..POINTS));
        let legal = |mv: &Play| position.clone().play(*mv).is_ok();
        trials.into_iter().find(legal).unwrap_or(POINTS)
    }
}

impl LocalPlayer<Go> for Random {
    fn choose(&mut self, turn: &Turn<Go>) -> Choice<Play> {
        Choice::Move(self.choose(&turn.position), Thought::default())
    }
}

/// Players 0 and 1 are in this process, player 2 is over a stream.
fn seat(player: usize, seed: u64) -> Box<dyn Seat<Go>> {
    let mut random = Random(Pcg64::seed_from_u64(seed));
    let name = player.to_string();
    if player < 2 {
        let grace = Duration::from_secs(1);
        return Box::new(LocalSeat::new(name, random, grace).unwrap());
    }
    let (host, peer) = tokio::io::duplex(1024);
    let [link, peer] = [host, peer].map(|end| Link::of(end, LinkOptions::default()));
    let start = Go::new(&String::new());
    tokio::spawn(answer_lines(peer, start, move |position| {
        random.choose(position)
    }));
    let session = LineSession::new(Rules::default());
    Box::new(SessionSeat::link(
        name,
        session,
        link,
        SessionSeatOptions::default(),
    ))
}

#[tokio::test]
async fn random_movers_play_a_round_robin() {
    let mut points = [0; 3];
    for (black, white) in [(0, 1), (1, 0), (0, 2), (2, 0), (1, 2), (2, 1)] {
        let mut seats = ByColor::from([seat(black, 1), seat(white, 2)]);
        let game = GameSpec {
            scorer: Some(Arc::new(score)),
            ..GameSpec::new("5x5".into())
        };
        let keep = |_: &Go, _: &_| future::ready(());
        let options = GameOptions::default();
        let seats = seats.as_mut().map(Box::as_mut);
        let report = conduct(game, seats, |_, _| {}, keep, &options, future::pending()).await;
        let report = report.expect("there is no opening");
        let verdict = report.outcome.verdict().expect("a verdict");
        assert_eq!(verdict.margin, Some(score(&report.position)));
        let moves = report.seats.as_ref().map(|seat| seat.moves as usize);
        assert_eq!(moves.black + moves.white, report.moves.len());
        assert!(report.seats.iter().all(|seat| seat.faults.is_empty()));
        let winner = report.winner().expect("with a half point no game is drawn");
        points[ByColor { black, white }[winner]] += 1;
    }
    assert_eq!(points.iter().sum::<u32>(), 6);
}
