//! Plays a game in which both sides flip as many discs as possible, and prints the final board.
//!
//! `cargo run -p othello-core --example greedy_game`

#![allow(clippy::print_stdout)] // Examples print their results.

use othello_core::{Empties, Game, Move};

fn main() -> Result<(), othello_core::IllegalMove> {
    let mut game = Game::default();
    while !game.is_over() {
        let position = game.board().position();
        let greedy = position
            .legal_moves()
            .iter()
            .max_by_key(|&square| position.flips(square).count());
        game.play(greedy.map_or(Move::Pass, Move::Place))?;
    }
    let last = game.last_move().and_then(Move::square);
    println!("{}", game.board().pretty().last_move(last));
    println!("{}", game.transcript());
    if let Some(winner) = game.board().leader() {
        println!(
            "{winner} wins by {}",
            game.board().score(winner, Empties::ToWinner)
        );
    }
    Ok(())
}
