//! Times the opening of a book and the look-up of its positions, which are of random play and have no values:
//! `book_speed POSITIONS FILE`.

#![allow(clippy::print_stdout)]

use std::{
    collections::BTreeSet, env, error::Error, fs, hint::black_box, path::Path, time::Instant,
};

use othello_core::Position;
use othello_engine::{
    book::{OpeningBook, Record, next, to_bytes},
    human::mix,
};

/// The number of plies of a random line.
const PLIES: u64 = 30;

fn main() -> Result<(), Box<dyn Error>> {
    let [_, positions, file] = &env::args().collect::<Vec<_>>()[..] else {
        return Err("expected a number of positions and a file".into());
    };
    let (file, mut positions) = (Path::new(file), random_positions(positions.parse()?));
    let record = |&position: &Position| Record {
        position,
        value: 0,
        leaf: None,
    };
    fs::write(file, to_bytes(0, positions.iter().map(record)))?;

    let mut opened: Vec<f64> = Vec::new();
    for _ in 0..11 {
        let started = Instant::now();
        black_box(OpeningBook::read(file)?);
        opened.push(1e3 * started.elapsed().as_secs_f64());
    }
    opened.sort_by(f64::total_cmp);
    println!("open          {:.2} ms, median of 11", opened[5]);

    let book = OpeningBook::read(file)?;
    positions.sort_by_key(|position| mix(position.own().0));
    positions.truncate(100_000);
    let time = |name, look_up: &dyn Fn(Position)| {
        let started = Instant::now();
        for &position in &positions {
            look_up(position);
        }
        let each = 1e6 * started.elapsed().as_secs_f64() / positions.len() as f64;
        println!("{name} {each:.2} µs, mean of {}", positions.len());
    };
    time("a position   ", &|position| {
        assert!(black_box(book.get(position)).is_some());
    });
    time("and its moves", &|position| {
        black_box(book.moves(position));
    });
    Ok(())
}

/// Returns canonical positions of random lines from the start, in ascending order.
fn random_positions(count: usize) -> Vec<Position> {
    let mut positions = BTreeSet::new();
    for line in 0.. {
        let mut position = Position::START.canonical().0;
        for ply in 0..PLIES {
            if positions.len() == count {
                return positions.into_iter().collect();
            }
            positions.insert(position);
            let moves = position.legal_moves();
            let random = mix(PLIES * line + ply) % u64::from(moves.count());
            let reached = moves.into_iter().nth(random as usize);
            let Some((after, _)) = reached.and_then(|square| next(position, square)) else {
                break;
            };
            position = after;
        }
    }
    Vec::new()
}
