//! Random playouts from the empty board, on one thread.
//!
//! `cargo bench -p go-core` runs all; `cargo bench -p go-core -- 19x19` runs some.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use go_core::{Board, Color, Random, Size, playout};

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

criterion_group!(benches, playouts);
criterion_main!(benches);
