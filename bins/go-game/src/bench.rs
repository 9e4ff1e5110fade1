//! `go-game bench`: the speed of random playouts, and their signature.

use std::{
    io::{self, Write as _},
    process::ExitCode,
    time::Instant,
};

use boardgame_io::cpu;
use crc32fast::Hasher;
use go_core::{Board, Color, Random, Size, playout};

/// The sizes of the boards, each with a number of playouts.
const BOARDS: [(u8, u32); 3] = [(9, 20_000), (13, 10_000), (19, 5_000)];

/// The seed of the playouts on each board.
const SEED: u64 = 1;

/// Plays random playouts on empty boards of 9x9, 13x13 and 19x19; the last line is a signature.
///
/// The signature is a checksum of the final boards. It is the same in every run and on every machine, and changes when
/// the rules or the playouts do. Speeds are by CPU time, where the system reports it.
#[derive(clap::Args)]
pub(crate) struct Args {}

pub(crate) fn run(_: &Args) -> anyhow::Result<ExitCode> {
    let mut out = io::stdout().lock();
    let mut signature = Hasher::new();
    let began = Instant::now();
    let time = || cpu::of_this_thread().unwrap_or_else(|| began.elapsed());
    for (lines, playouts) in BOARDS {
        let Some(size) = Size::new(lines) else {
            continue;
        };
        let before = time();
        let moves = play(size, playouts, &mut signature);
        let seconds = time().saturating_sub(before).as_secs_f64().max(1e-9);
        writeln!(out, "{size}: {playouts} playouts, {moves} moves")?;
        out.flush()?;
        let speed = f64::from(playouts) / seconds;
        writeln!(
            io::stderr(),
            "{size}: {seconds:.3} s, {speed:.0} playouts/s"
        )?;
    }
    writeln!(out, "signature {:08x}", signature.finalize())?;
    Ok(ExitCode::SUCCESS)
}

/// Plays playouts from the empty board and adds the final boards to the signature; returns the number of moves.
fn play(size: Size, playouts: u32, signature: &mut Hasher) -> u64 {
    let empty = Board::new(size);
    let (mut board, mut random) = (empty.clone(), Random::new(SEED));
    let mut moves = 0;
    for _ in 0..playouts {
        board.clone_from(&empty);
        moves += u64::from(playout(&mut board, Color::Black, &mut random));
        let stones: Vec<u8> = size.points().map(|point| symbol(&board, point)).collect();
        signature.update(&stones);
    }
    moves
}

fn symbol(board: &Board, point: go_core::Point) -> u8 {
    match board.stone(point) {
        None => 0,
        Some(Color::Black) => 1,
        Some(Color::White) => 2,
    }
}
