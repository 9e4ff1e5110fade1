//! Wall time of the evaluation, a midgame search and an endgame solution.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use othello_core::{Board, Position};
use othello_search::{Limits, Options, Searcher};

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

fn midgame(c: &mut Criterion) {
    let mut searcher = Searcher::new(Options::default());
    c.bench_function("midgame, depth 9 from the start", |b| {
        b.iter(|| {
            searcher.clear();
            searcher.search(Position::START, &Limits::depth(9), &mut |_| {})
        });
    });
}

fn endgame(c: &mut Criterion) {
    let fforum_1 = position("--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X");
    let mut searcher = Searcher::new(Options::default());
    c.bench_function("endgame, 14 empties", |b| {
        b.iter(|| {
            searcher.clear();
            searcher.search(fforum_1, &Limits::depth(14), &mut |_| {})
        });
    });
}

criterion_group!(benches, evaluation, midgame, endgame);
criterion_main!(benches);
