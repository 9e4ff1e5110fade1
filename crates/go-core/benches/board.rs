//! Benchmarks of random playouts from the empty board, and of perft, on one thread.
//!
//! `cargo bench -p go-core` runs all of them, `cargo bench -p go-core -- 19x19` only those on
//! 19x19.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use go_core::{Board, Color, PerftMoves, Position, Random, Setup, Size, perft, playout};

fn playouts(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("playouts");
    group.throughput(Throughput::Elements(1));
    for size in [Size::NINE, Size::NINETEEN] {
        let empty = Board::new(size);
        let (mut board, mut random) = (empty.clone(), Random::new(1));
        group.bench_function(size.to_string(), |bench| {
            bench.iter(|| {
                board.clone_from(black_box(&empty));
                playout(&mut board, Color::Black, &mut random)
            });
        });
    }
    group.finish();
}

fn perft_on_9x9(criterion: &mut Criterion) {
    const DEPTH: u32 = 3;
    let empty = Position::new(&Setup::new(Size::NINE));
    let mut group = criterion.benchmark_group("perft");
    group.throughput(Throughput::Elements(perft(
        &empty,
        DEPTH,
        PerftMoves::Stones,
    )));
    group.bench_function("9x9", |bench| {
        bench.iter(|| perft(black_box(&empty), DEPTH, PerftMoves::Stones));
    });
    group.finish();
}

criterion_group!(benches, playouts, perft_on_9x9);
criterion_main!(benches);
