//! Against our engine, in this process.

use std::{
    io::{self, IsTerminal as _, Write},
    process::ExitCode,
    thread,
    time::{Duration, Instant},
};

use boardgame_cli::terminal::{Answer, Keyboard, Prompt, exit_on_stop};
use othello_core::{Board, Color, Game, Move, Square};
use othello_engine::{Clock, Engine, Report, Settings, Strength};

use super::{
    Args,
    commands::COMMANDS,
    person::{SQUARE, choice_in_words, read, with_grid},
};
use crate::diagram::Diagram;

pub(super) fn play(args: &Args) -> anyhow::Result<ExitCode> {
    let mut engine = Engine::try_new(Settings::from(&args.engine))?;
    let commands = args.commands("othello");
    exit_on_stop()?;
    let keyboard = Keyboard::of_stdin()?;
    let mut game = Game::new(args.board);
    let mut out = io::stdout();
    while !game.board().is_over() {
        let board = game.board();
        let empties = board.empties().count();
        if board.must_pass() {
            writeln!(out, "{} passes", board.side_to_move())?;
            game.play(Move::Pass)?;
        } else if board.side_to_move() != args.color {
            let started = Instant::now();
            let report = engine.choose(board, &Clock::default());
            if engine.settings().strength.person.is_some() && io::stdin().is_terminal() {
                thread::sleep(moment(board).saturating_sub(started.elapsed()));
            }
            let (side, choice) = (board.side_to_move(), choice_in_words(&report, empties));
            writeln!(out, "{side} plays {choice}")?;
            game.play(report.best.map_or(Move::Pass, Move::from))?;
        } else {
            match ask(&keyboard, &mut out, &game)? {
                Answer::Play(square) => game.play(square)?,
                Answer::Hint => {
                    let report = hint(&mut engine, board);
                    let choice = choice_in_words(&report, empties);
                    writeln!(out, "The engine would play {choice}")?;
                }
                Answer::Command(command, rest) => {
                    writeln!(out, "{}", commands.answer(&game, command, &rest))?;
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
    commands.answer_after_the_game(&keyboard, &game, &mut out)?;
    Ok(ExitCode::SUCCESS)
}

/// Returns the time that a person takes for a move: longer with more choice.
fn moment(board: Board) -> Duration {
    Duration::from_millis(300) + Duration::from_millis(120) * board.legal_moves().count().min(10)
}

/// Returns the engine's choice at full strength, if it imitates a person.
fn hint(engine: &mut Engine, board: Board) -> Report {
    let strength = engine.settings().strength;
    if strength.person.is_some() {
        engine.set_strength(Strength::default());
    }
    let report = engine.choose(board, &Clock::default());
    engine.set_strength(strength);
    report
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
            commands: COMMANDS,
            in_game: true,
            grid: Some(grid),
        };
        keyboard.ask(out, &prompt)
    })
}

/// Takes back moves up to the last one that `color` chose, included; `false` if there is none.
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

/// Shows the final board, the result and the moves.
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
