//! `othello perft`: counts move sequences.

use std::{
    io::{self, Write as _},
    process::ExitCode,
    time::Instant,
};

use othello_core::{Board, perft, perft_divide};

use crate::{board::board, tier::TierOption};

/// Counts the move sequences of a given length, a pass being a ply.
///
/// A program's rules are right when its counts agree with known ones: 4, 12, 56, 244, 1396, 8200,
/// 55092, 390216, 3005288, 24571284 for depths 1 to 10 from the start.
#[derive(clap::Args)]
#[command(after_help = "Example: othello perft 9 --divide")]
pub(crate) struct Args {
    /// The length in plies
    depth: u32,
    /// The board to start from: 64 squares of X, O and -, a1 to h8, then the side to move; or a printed board
    #[arg(long, value_parser = board, default_value_t = Board::START, hide_default_value = true, allow_hyphen_values = true)]
    board: Board,
    /// Show the count behind each first move
    #[arg(long)]
    divide: bool,
    #[command(flatten)]
    tier: TierOption,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let tier = args.tier.or_best();
    let position = args.board.position();
    let mut out = io::stdout().lock();
    if args.divide {
        for (mv, leaves) in perft_divide(position, args.depth, tier) {
            writeln!(out, "{mv}: {leaves}")?;
        }
    }
    let began = Instant::now();
    let leaves = perft(position, args.depth, tier);
    let elapsed = began.elapsed();
    let speed = leaves as f64 / elapsed.as_secs_f64().max(1e-9) / 1e6;
    writeln!(out, "{leaves} leaves at depth {}", args.depth)?;
    writeln!(
        io::stderr(),
        "{:.3} s, {speed:.1} M leaves/s, {tier}",
        elapsed.as_secs_f64()
    )?;
    Ok(ExitCode::SUCCESS)
}
