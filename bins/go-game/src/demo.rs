//! `go-game demo`: a game of the engine against itself.

use std::{
    io::{self, Write as _},
    process::ExitCode,
    thread,
    time::Duration,
};

use boardgame_cli::{
    any_duration,
    terminal::{Detail, Watch},
};
use boardgame_core::{ByColor, Color};
use go_core::{Game, Komi, Setup, Size};
use go_engine::{Clock, Engine, Settings};

use crate::options::judge;

/// The number of moves after which the game is judged: simple ko permits cycles.
const MAX_MOVES: usize = 1200;

/// Shows a game of the engine against itself, live on a terminal, and its judgement.
#[derive(clap::Args)]
#[command(after_help = "Example: go-game demo --size 13 --seed 7")]
pub(crate) struct Args {
    /// The size of the board, 1 to 25
    #[arg(long, value_name = "LINES", default_value = "9")]
    size: Size,
    /// The seed of random choices
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    seed: u64,
    /// The number of playouts for each move
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..))]
    playouts: u32,
    /// The time that each move is shown
    #[arg(long, value_name = "TIME", default_value = "50ms", value_parser = any_duration)]
    pause: Duration,
    /// Show the result alone
    #[arg(long, short)]
    quiet: bool,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let mut watch = Watch::new(Detail {
        quiet: args.quiet,
        ..Detail::default()
    });
    let mut engines = ByColor::new_with(|color| {
        let seed = args.seed.wrapping_add((color == Color::White).into());
        Engine::new(Settings {
            seed,
            playouts: Some(args.playouts),
            ..Settings::default()
        })
    });
    let komi = Komi::from_half_points(11);
    let mut game = Game::new(Setup::new(args.size).with_komi(komi));
    while !game.position().is_over() && game.moves().len() < MAX_MOVES {
        let engine = &mut engines[game.position().side_to_move()];
        let report = engine.choose(game.position(), &Clock::default());
        game.play(report.best)?;
        watch.board(game.position());
        if watch.is_live() {
            thread::sleep(args.pause);
        }
    }
    watch.conclude(game.position())?;
    let mut out = io::stdout().lock();
    writeln!(out, "{} moves", game.moves().len())?;
    writeln!(out, "{}", judge().judge(game.position()))?;
    Ok(ExitCode::SUCCESS)
}
