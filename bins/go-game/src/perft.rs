//! `go-game perft`: counts move sequences.

use std::{
    io::{self, Write as _},
    process::ExitCode,
    time::Instant,
};

use go_core::{PerftMoves, Position, Setup, Size, perft, perft_divide};

/// Counts the sequences of stones of a given length from the empty board, with simple ko and no suicide.
///
/// A program's rules are right when its counts agree with known ones: 81, 6480, 511920, 39929136 for
/// depths 1 to 4 on 9x9.
#[derive(clap::Args)]
#[command(after_help = "Example: go-game perft --size 9 4")]
pub(crate) struct Args {
    /// The number of moves
    #[arg(default_value_t = 3)]
    depth: u32,
    /// The size of the board, 1 to 25
    #[arg(long, value_name = "LINES", default_value = "9")]
    size: Size,
    /// Count passes too; two in a row end a sequence
    #[arg(long)]
    passes: bool,
    /// Show the count behind each first move
    #[arg(long)]
    divide: bool,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let position = Position::new(&Setup::new(args.size));
    let moves = if args.passes {
        PerftMoves::StonesAndPasses
    } else {
        PerftMoves::Stones
    };
    let mut out = io::stdout().lock();
    if args.divide {
        for (mv, count) in perft_divide(&position, args.depth, moves) {
            writeln!(out, "{mv}: {count}")?;
        }
    }
    let began = Instant::now();
    let count = perft(&position, args.depth, moves);
    let seconds = began.elapsed().as_secs_f64();
    writeln!(out, "{count} sequences of {} moves", args.depth)?;
    let speed = count as f64 / seconds.max(1e-9) / 1e6;
    writeln!(io::stderr(), "{seconds:.3} s, {speed:.1} M sequences/s")?;
    Ok(ExitCode::SUCCESS)
}
