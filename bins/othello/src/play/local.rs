//! Against our engine, in this process.

use std::{
    io::{self, Write},
    process::ExitCode,
    time::Instant,
};

use othello_core::{Board, Color, Game, Move, Square};
use othello_net::Thinker as _;
use othello_players::Engine;
use othello_proto::session::{Clock, Decision, Effort, Task, TaskId, Timestamp};

use super::{
    Args,
    prompt::{Answer, ask},
};
use crate::{engine::variation, watch::frame};

pub(super) fn play(args: &Args) -> anyhow::Result<ExitCode> {
    let mut engine = Engine::try_new(&args.engine)?;
    let mut game = Game::new(args.board);
    let mut out = io::stdout();
    let mut input = io::stdin().lock();
    while !game.board().is_over() {
        let board = game.board();
        if board.must_pass() {
            writeln!(out, "{} passes", board.side_to_move())?;
            game.play(Move::Pass)?;
        } else if board.side_to_move() != args.color {
            let decision = consult(&mut engine, board);
            writeln!(out, "{} plays {}", board.side_to_move(), told(&decision))?;
            game.play(decision.square)?;
        } else {
            write!(out, "{}", frame(&game))?;
            match ask(&mut input, &mut out, board.legal_moves())? {
                Answer::Play(square) => game.play(square)?,
                Answer::Hint => {
                    writeln!(
                        out,
                        "The engine would play {}",
                        told(&consult(&mut engine, board))
                    )?;
                }
                Answer::Undo if !take_back(&mut game, args.color) => {
                    writeln!(out, "There is no move of yours to take back.")?;
                }
                Answer::Undo => {}
                Answer::Quit => return Ok(ExitCode::SUCCESS),
            }
        }
    }
    conclude(&mut out, &game, game.board().leader())?;
    Ok(ExitCode::SUCCESS)
}

/// Takes back up to and with the last move that `color` chose; `false` when there is none.
pub(super) fn take_back(game: &mut Game, color: Color) -> bool {
    let mut shorter = game.clone();
    while let Some(undone) = shorter.undo() {
        if undone != Move::Pass && shorter.board().side_to_move() == color {
            *game = shorter;
            return true;
        }
    }
    false
}

/// Shows the board at the end, the result and the moves.
pub(super) fn conclude(out: &mut impl Write, game: &Game, winner: Option<Color>) -> io::Result<()> {
    write!(out, "{}", frame(game))?;
    match winner {
        Some(winner) => writeln!(out, "{winner} wins.")?,
        None => writeln!(out, "A draw.")?,
    }
    if game.moves().is_empty() {
        return Ok(());
    }
    writeln!(out, "{}", game.transcript())
}

/// Shows the move that the engine would play.
pub(super) fn consult(engine: &mut Engine, board: Board) -> Decision {
    let clock = Clock {
        started: Timestamp::ORIGIN,
        game: None,
        per_move: None,
    };
    let task = Task {
        id: TaskId::default(),
        board,
        moves: board.legal_moves(),
        clock,
        effort: Effort::default(),
    };
    engine.think(&task, Instant::now())
}

/// A choice, with what the engine expects to follow.
pub(super) fn told(decision: &Decision) -> String {
    let square: Square = decision.square;
    match &decision.assessment {
        Some(assessment) => format!(
            "{square} ({}, depth {}: {})",
            assessment.score,
            assessment.depth,
            variation(&assessment.variation)
        ),
        None => square.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_is_taken_back_with_the_answer_to_it() {
        let mut game: Game = "f5d6c3".parse().unwrap();
        assert!(take_back(&mut game, Color::White));
        assert_eq!(game.transcript().to_string(), "f5");
        assert!(!take_back(&mut game, Color::White));
        assert_eq!(game.transcript().to_string(), "f5");
    }
}
