//! Benchmarks of move generation and perft on every tier that the CPU supports.
//!
//! `cargo bench -p othello-core` runs all of them, `cargo bench -p othello-core -- perft` only
//! perft.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use othello_core::{Backend, Position, Square, Tier, WithBackend, perft};

fn supported() -> impl Iterator<Item = Tier> {
    Tier::ALL.into_iter().filter(|tier| tier.is_supported())
}

/// Positions from all stages of a game, each with a legal move.
fn positions() -> Vec<(Position, Square)> {
    let mut positions = Vec::new();
    for choice in 0..16 {
        let mut position = Position::START;
        while !position.is_over() {
            let moves = position.legal_moves();
            let nth = (choice * 7 + positions.len()) % moves.count().max(1) as usize;
            let Some(square) = moves.iter().nth(nth) else {
                position = position.passed();
                continue;
            };
            positions.push((position, square));
            position = position.play_unchecked(square);
        }
    }
    positions
}

struct LegalMoves<'a>(&'a [(Position, Square)]);

impl WithBackend for LegalMoves<'_> {
    type Output = u64;

    fn run<B: Backend>(self, backend: B) -> u64 {
        backend.vectorize(
            #[inline(always)]
            || {
                let moves = |&(position, _): &(Position, Square)| backend.legal_moves(position).0;
                self.0.iter().map(moves).fold(0, |all, moves| all | moves)
            },
        )
    }
}

struct Flips<'a>(&'a [(Position, Square)]);

impl WithBackend for Flips<'_> {
    type Output = u64;

    fn run<B: Backend>(self, backend: B) -> u64 {
        backend.vectorize(
            #[inline(always)]
            || {
                let flips =
                    |&(position, square): &(Position, Square)| backend.flips(position, square).0;
                self.0.iter().map(flips).fold(0, |all, flips| all | flips)
            },
        )
    }
}

fn kernels(criterion: &mut Criterion) {
    let positions = positions();
    let mut group = criterion.benchmark_group("legal-moves");
    group.throughput(Throughput::Elements(positions.len() as u64));
    for tier in supported() {
        group.bench_function(tier.name(), |bench| {
            bench.iter(|| tier.dispatch(LegalMoves(black_box(&positions))));
        });
    }
    group.finish();
    let mut group = criterion.benchmark_group("flips");
    group.throughput(Throughput::Elements(positions.len() as u64));
    for tier in supported() {
        group.bench_function(tier.name(), |bench| {
            bench.iter(|| tier.dispatch(Flips(black_box(&positions))));
        });
    }
    group.finish();
}

fn perft_from_the_start(criterion: &mut Criterion) {
    const DEPTH: u32 = 9;
    let mut group = criterion.benchmark_group("perft");
    group.throughput(Throughput::Elements(perft(
        Position::START,
        DEPTH,
        Tier::best(),
    )));
    for tier in supported() {
        group.bench_function(tier.name(), |bench| {
            bench.iter(|| perft(black_box(Position::START), DEPTH, tier));
        });
    }
    group.finish();
}

criterion_group!(benches, kernels, perft_from_the_start);
criterion_main!(benches);
