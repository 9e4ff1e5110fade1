//! Against our engine, in this process.

use std::{
    io::{self, Write as _},
    process::ExitCode,
};

use boardgame_cli::terminal::{Answer, Keyboard, Prompt, exit_on_stop};
use go_core::{Game, Setup};
use go_engine::Clock;

use super::{
    Args, conclude,
    person::{POINT, choice_in_words, read},
    save::{COMMANDS, answer},
    take_back,
};

pub(super) fn play(args: &Args, setup: Setup) -> anyhow::Result<ExitCode> {
    let mut engine = args.engine();
    let mut game = Game::new(setup);
    let players = args.players("go-game");
    exit_on_stop()?;
    let keyboard = Keyboard::of_stdin()?;
    let mut out = io::stdout();
    while !game.position().is_over() {
        let position = game.position();
        let side = position.side_to_move();
        if side != args.color {
            let report = engine.choose(position, &Clock::default());
            writeln!(out, "{side} plays {}", choice_in_words(&report))?;
            game.play(report.best)?;
            continue;
        }
        writeln!(out, "{position}")?;
        let prompt = Prompt {
            expected: POINT,
            read: &|text| read(text, position),
            commands: COMMANDS,
            in_game: true,
            grid: None,
        };
        match keyboard.ask(&mut out, &prompt)? {
            Answer::Play(mv) => game.play(mv)?,
            Answer::Hint => {
                let report = engine.choose(position, &Clock::default());
                writeln!(out, "The engine would play {}", choice_in_words(&report))?;
            }
            Answer::Undo if !take_back(&mut game, args.color) => {
                writeln!(out, "There is no move of yours to take back.")?;
            }
            Answer::Undo => {}
            Answer::Command(command, rest) => {
                writeln!(out, "{}", answer(&game, &players, command, &rest))?;
            }
            Answer::Quit => return Ok(ExitCode::SUCCESS),
        }
    }
    conclude(&mut out, &game)?;
    let answer = |command: &str, rest: &str| answer(&game, &players, command, rest);
    keyboard.answer_after_the_game(&mut out, COMMANDS, answer)?;
    Ok(ExitCode::SUCCESS)
}
