//! The time and memory that the graph of a book takes while it grows, with random answers in place of searches:
//! `cargo run --release -p othello-analysis --features book --example book_growth -- POSITIONS`.
#![expect(clippy::print_stdout, reason = "the result")]

use std::time::{Duration, Instant};

use othello_analysis::{
    Discs, Source,
    book::{Book, Growth, Leaf, Question},
};
use othello_engine::human::mix;

/// Returns an answer that depends on the question alone.
fn answer(question: &Question) -> Leaf {
    let position = question.position;
    let random = mix(position.own().0 ^ mix(position.opponent().0 ^ mix(question.moves.0)));
    let chosen = random % u64::from(question.moves.count());
    let square = question.moves.into_iter().nth(chosen as usize);
    Leaf {
        square: square.expect("a move"),
        score: Discs::from_hundredths((random >> 32) as i32 & 511),
        source: Source::Depth {
            depth: 12,
            confidence: 79,
        },
    }
}

fn main() {
    let positions = std::env::args().nth(1).and_then(|text| text.parse().ok());
    let growth = Growth {
        positions: positions.expect("a number of positions"),
        loss: Discs::whole(64),
        path: Discs::whole(640),
        ply: Discs::from_hundredths(50),
    };
    let mut book = Book::new(1);
    let (mut rounds, mut choosing, mut growing) = (0, Duration::ZERO, Duration::ZERO);
    loop {
        let start = Instant::now();
        let round = book.round(&growth);
        choosing += start.elapsed();
        if round.is_empty() {
            break;
        }
        rounds += 1;
        let questions = round.questions.iter();
        let answers: Vec<_> = questions
            .map(|it| (it.position, Some(answer(it))))
            .collect();
        let start = Instant::now();
        book.grow(round.known.into_iter().chain(answers));
        growing += start.elapsed();
    }
    println!(
        "{} positions, {rounds} rounds, {choosing:.1?} to choose, {growing:.1?} to grow",
        book.len()
    );
}
