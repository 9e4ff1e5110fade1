//! Counts the distinct positions after each number of plies, up to symmetry.
//!
//! `cargo run --release -p othello-core --example count_openings -- 7`

#![allow(clippy::print_stdout)] // Examples print their results.

use std::{collections::HashSet, env, error::Error};

use othello_core::Position;

fn main() -> Result<(), Box<dyn Error>> {
    let plies: u32 = env::args().nth(1).map_or(Ok(6), |plies| plies.parse())?;
    let mut positions = HashSet::from([Position::START]);
    for ply in 1..=plies {
        let children = positions.iter().flat_map(|&position| {
            let placed = position.legal_moves().iter();
            let placed = placed.map(move |square| position.play_unchecked(square));
            let passed = position.must_pass().then(|| position.passed());
            placed.chain(passed).map(|child| child.canonical().0)
        });
        positions = children.collect();
        println!("{ply:2} {:9}", positions.len());
    }
    Ok(())
}
