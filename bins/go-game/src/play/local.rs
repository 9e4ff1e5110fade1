//! Against our engine, in this process.

use std::{
    io::{self, Write as _},
    process::ExitCode,
};

use boardgame_cli::terminal::{Answer, Prompt, ask};
use go_core::{Game, Setup};
use go_engine::Clock;

use super::{
    Args, conclude,
    person::{POINT, read},
    take_back,
};

pub(super) fn play(args: &Args, setup: Setup) -> anyhow::Result<ExitCode> {
    let mut engine = args.engine();
    let mut game = Game::new(setup);
    let mut out = io::stdout();
    let mut input = io::stdin().lock();
    while !game.position().is_over() {
        let position = game.position();
        let side = position.side_to_move();
        if side != args.color {
            let best = engine.choose(position, &Clock::default()).best;
            writeln!(out, "{side} plays {best}")?;
            game.play(best)?;
            continue;
        }
        writeln!(out, "{position}")?;
        let prompt = Prompt {
            expected: POINT,
            read: &|text| read(text, position),
            commands: &[],
            grid: None,
        };
        match ask(&mut input, &mut out, &prompt)? {
            Answer::Play(mv) => game.play(mv)?,
            Answer::Hint => {
                let best = engine.choose(position, &Clock::default()).best;
                writeln!(out, "The engine would play {best}")?;
            }
            Answer::Undo if !take_back(&mut game, args.color) => {
                writeln!(out, "There is no move of yours to take back.")?;
            }
            Answer::Undo | Answer::Command(..) => {}
            Answer::Quit => return Ok(ExitCode::SUCCESS),
        }
    }
    conclude(&mut out, &game)?;
    Ok(ExitCode::SUCCESS)
}
