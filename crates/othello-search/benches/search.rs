//! Benchmarks of the evaluation, a midgame search and an endgame solution.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use othello_core::{Backend, Board, Position, Tier, WithBackend};
use othello_search::{
    Limits, Options, Searcher,
    eval::{Indices, Model, Network, Weights},
};

fn position(text: &str) -> Position {
    text.parse::<Board>().expect("a board").position()
}

fn evaluation(c: &mut Criterion) {
    let midgame = position("----------O-X-----OXXX---OOXXX---OXOXX---XOOX----X-O------------ O");
    let searcher = Searcher::new(Options::default());
    c.bench_function("evaluate", |b| {
        b.iter(|| searcher.evaluate(black_box(midgame)));
    });
}

/// A walk through the tree, a few plies deep.
struct Walk<'a, const LEAF: u8>(&'a Network, Position, u32);

impl<const LEAF: u8> WithBackend for Walk<'_, LEAF> {
    type Output = i64;

    fn run<B: Backend>(self, backend: B) -> i64 {
        let indices = Indices::of(self.1);
        walk::<B, LEAF>(backend, self.0, self.1, &indices, self.2)
    }
}

/// The work at a leaf: none, computing its indices, or evaluating it.
const WALK: u8 = 0;
const INDEX: u8 = 1;
const EVALUATE: u8 = 2;

/// The sum of the leaf values, or of a cheap stand-in. Keeps the indices updated on the way, as the search does.
/// as search does it.
fn walk<B: Backend, const LEAF: u8>(
    backend: B,
    network: &Network,
    position: Position,
    indices: &Indices,
    depth: u32,
) -> i64 {
    backend.vectorize(
        #[inline(always)]
        || {
            let mut sum = 0;
            for square in backend.legal_moves(position) {
                let flipped = backend.flips(position, square);
                let child = position.after(square, flipped);
                if depth > 1 {
                    let indices = indices.after(square, flipped);
                    sum += walk::<B, LEAF>(backend, network, child, &indices, depth - 1);
                } else if LEAF == WALK {
                    sum += i64::from(child.own().count());
                } else {
                    let indices = indices.after(square, flipped);
                    let discs = 64 - child.empties().count();
                    sum += i64::from(if LEAF == EVALUATE {
                        network
                            .value(backend, &indices, backend.legal_moves(child), discs)
                            .get()
                    } else {
                        black_box(&indices);
                        0
                    });
                }
            }
            sum
        },
    )
}

/// Differences between the three show the cost of the indices, and of an evaluation including the legal moves.
fn leaves(c: &mut Criterion) {
    let midgame = position("----------O-X-----OXXX---OOXXX---OXOXX---XOOX----X-O------------ O");
    // Rows of zeros would not be backed by memory.
    let mut model = Model::default();
    for (at, row) in model.rows.iter_mut().enumerate() {
        *row = Some(std::array::from_fn(|unit| ((at + unit) as f32).sin()));
    }
    let network = Network::new(&Weights::quantized(&model).expect("small numbers"));
    let mut group = c.benchmark_group("leaves");
    group.throughput(Throughput::Elements(34_121));
    for tier in Tier::ALL.into_iter().filter(|tier| tier.is_supported()) {
        group.bench_function(format!("{tier}, walked to"), |b| {
            b.iter(|| tier.dispatch(Walk::<WALK>(&network, black_box(midgame), 4)));
        });
        group.bench_function(format!("{tier}, indexed"), |b| {
            b.iter(|| tier.dispatch(Walk::<INDEX>(&network, black_box(midgame), 4)));
        });
        group.bench_function(format!("{tier}, evaluated"), |b| {
            b.iter(|| tier.dispatch(Walk::<EVALUATE>(&network, black_box(midgame), 4)));
        });
    }
    group.finish();
}

fn midgame(c: &mut Criterion) {
    let mut searcher = Searcher::new(Options::default());
    c.bench_function("midgame, depth 9 from the start", |b| {
        b.iter(|| {
            searcher.clear();
            searcher.search(Position::START, &Limits::depth(9))
        });
    });
}

fn endgame(c: &mut Criterion) {
    let fforum_1 = position("--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X");
    let mut searcher = Searcher::new(Options::default());
    c.bench_function("endgame, 14 empties", |b| {
        b.iter(|| {
            searcher.clear();
            searcher.search(fforum_1, &Limits::depth(14))
        });
    });
}

criterion_group!(benches, evaluation, leaves, midgame, endgame);
criterion_main!(benches);
