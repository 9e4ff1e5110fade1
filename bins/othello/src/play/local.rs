//! Against our engine, in this process.

use std::{
    io::{self, Write},
    process::ExitCode,
};

use boardgame_cli::terminal::{Answer, Keyboard, Prompt};
use othello_analysis::Source;
use othello_core::{Color, Game, Move, Square};
use othello_engine::{Clock, Engine, Settings};
use othello_search::{Exactness, Report};

use super::{
    Args,
    person::{SQUARE, read, with_grid},
    words::WORDS,
};
use crate::{
    diagram::Diagram,
    engine::{source, value, variation},
};

pub(super) fn play(args: &Args) -> anyhow::Result<ExitCode> {
    let mut engine = Engine::try_new(Settings::from(&args.engine))?;
    let words = args.words("othello");
    let keyboard = Keyboard::of_stdin()?;
    let mut game = Game::new(args.board);
    let mut out = io::stdout();
    while !game.board().is_over() {
        let board = game.board();
        if board.must_pass() {
            writeln!(out, "{} passes", board.side_to_move())?;
            game.play(Move::Pass)?;
        } else if board.side_to_move() != args.color {
            let report = engine.choose(board, &Clock::default());
            writeln!(out, "{} plays {}", board.side_to_move(), told(&report))?;
            game.play(report.best.map_or(Move::Pass, Move::from))?;
        } else {
            match ask(&keyboard, &mut out, &game)? {
                Answer::Play(square) => game.play(square)?,
                Answer::Hint => {
                    let report = engine.choose(board, &Clock::default());
                    writeln!(out, "The engine would play {}", told(&report))?;
                }
                Answer::Word(word, rest) => {
                    writeln!(out, "{}", words.answer(&game, word, &rest))?;
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
    words.answer_after_the_game(&keyboard, &game, &mut out)?;
    Ok(ExitCode::SUCCESS)
}

/// Shows the board and asks for a move.
fn ask(keyboard: &Keyboard, out: &mut impl Write, game: &Game) -> io::Result<Answer<Square>> {
    let legal = game.board().legal_moves();
    with_grid(game, |grid| {
        if !keyboard.shows(grid) {
            writeln!(out, "{}", Diagram::of(game))?;
        }
        let prompt = Prompt {
            expected: SQUARE,
            read: &|text| read(text, legal),
            words: WORDS,
            grid: Some(grid),
        };
        keyboard.ask(out, &prompt)
    })
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
    writeln!(out, "{}", Diagram::of(game))?;
    match winner {
        Some(winner) => writeln!(out, "{winner} wins.")?,
        None => writeln!(out, "A draw.")?,
    }
    if game.moves().is_empty() {
        return Ok(());
    }
    writeln!(out, "{}", game.transcript())
}

/// The choice of the engine, with the line of play that it expects.
pub(super) fn told(report: &Report) -> String {
    match report.best {
        Some(square) => {
            let is_exact = report.exactness == Exactness::Exact;
            let value = value(report.score, is_exact);
            let line = variation(&report.pv);
            let is_to_the_end = matches!(report.exactness, Exactness::Probable { .. });
            let source = source(Source::of_report(report), is_to_the_end);
            format!("{square} ({value}, {source}: {line})")
        }
        None => Move::Pass.to_string(),
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
