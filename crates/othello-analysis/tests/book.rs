//! Opening books, grown with answers at random: no two values contradict each other, and damage is refused.

use othello_analysis::{
    Discs, Settings, Source,
    book::{Book, BookError, BookMove, Growth, Leaf, Question, search_leaf},
};
use othello_core::{Game, Position, Square, Symmetry};
use othello_engine::book::OpeningBook;
use othello_search::{Options, Searcher, StopHandle};
use proptest::prelude::*;
use rand::SeedableRng as _;
use rand_pcg::Pcg64Mcg;

const GROWTH: Growth = Growth {
    positions: 150,
    loss: Discs::whole(4),
    path: Discs::whole(8),
    ply: Discs::whole(1),
};

/// Answers that depend on the question alone.
fn answer(seed: u64, question: &Question) -> Option<Leaf> {
    let own = question.position.own().0;
    let mut random = Pcg64Mcg::seed_from_u64(seed ^ own ^ question.moves.0.rotate_left(7));
    let count = question.moves.count();
    let chosen = (count > 0).then(|| random.random_range(0..count) as usize)?;
    Some(Leaf {
        square: question.moves.into_iter().nth(chosen)?,
        score: Discs::from_hundredths(random.random_range(-400..=400)),
        source: Source::Depth {
            depth: 9,
            confidence: 79,
        },
    })
}

/// Answers a round; returns `false` if nothing is left to ask.
fn grow(book: &mut Book, growth: &Growth, seed: u64) -> bool {
    let questions = book.round(growth);
    let answers = questions
        .iter()
        .map(|question| (question.position, answer(seed, question)));
    book.grow(answers.collect::<Vec<_>>());
    !questions.is_empty()
}

fn grown(seed: u64) -> Book {
    let mut book = Book::new(1);
    while grow(&mut book, &GROWTH, seed) {}
    book
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn no_two_values_contradict_each_other_after_any_round(seed: u64) {
        let mut book = Book::new(1);
        while grow(&mut book, &GROWTH, seed) {
            prop_assert_eq!(Book::from_bytes(&book.to_bytes()), Ok(book.clone()));
            for (position, entry) in book.entries() {
                let moves = book.moves(position);
                prop_assert_eq!(moves[0].value, entry.value);
                for mv in moves.iter().filter(|mv| mv.source.is_none()) {
                    let after = position.play_unchecked(mv.square);
                    let value = match book.get(after) {
                        Some(next) => -next.value,
                        None => book.get(after.passed()).unwrap().value,
                    };
                    prop_assert_eq!(mv.value, value);
                }
            }
        }
        prop_assert!(book.len() <= GROWTH.positions && book.len() > 1);
    }

    #[test]
    fn a_position_is_found_however_it_is_turned(seed: u64) {
        let book = grown(seed);
        let in_place = OpeningBook::new(book.to_bytes()).unwrap();
        for (position, entry) in book.entries() {
            for symmetry in Symmetry::ALL {
                let turned = symmetry.position(position);
                let found = book.get(turned).unwrap();
                prop_assert_eq!(found.value, entry.value);
                prop_assert!(found.leaf.is_none_or(|leaf| turned.legal_moves().contains(leaf.square)));
                let moves: Vec<_> = book.moves(turned).iter().map(parts).collect();
                let read: Vec<_> = in_place.moves(turned);
                let read: Vec<_> = read.iter().map(|mv| (mv.square, mv.value.into(), mv.stays)).collect();
                prop_assert_eq!(read, moves);
            }
            let out = book.moves(position).into_iter().find(|mv| mv.source.is_some());
            let after = out.map(|mv| position.play_unchecked(mv.square));
            prop_assert!(after.is_none_or(|after| in_place.moves(after).is_empty()));
        }
    }
}

/// Returns the square of a move, its value in hundredths and whether it stays in the book.
fn parts(mv: &BookMove) -> (Square, i32, bool) {
    (mv.square, mv.value.hundredths(), mv.source.is_none())
}

#[test]
fn a_cut_or_changed_file_is_refused() {
    let bytes = grown(3).to_bytes();
    assert_eq!(bytes.len(), 24 + 23 * grown(3).len());
    for length in 0..bytes.len() {
        assert!(
            Book::from_bytes(&bytes[..length]).is_err(),
            "{length} bytes"
        );
    }
    for offset in 0..bytes.len() {
        let mut changed = bytes.clone();
        changed[offset] ^= 1 << (offset % 8);
        assert!(Book::from_bytes(&changed).is_err(), "offset {offset}");
    }
}

#[test]
fn a_value_that_contradicts_another_is_refused_with_its_place() {
    let mut bytes = grown(3).to_bytes();
    let value = 24 + 23 * 5 + 16;
    bytes[value] ^= 1;
    let records = crc32fast::hash(&bytes[24..]);
    bytes[16..20].copy_from_slice(&records.to_le_bytes());
    let header = crc32fast::hash(&bytes[..20]);
    bytes[20..24].copy_from_slice(&header.to_le_bytes());
    assert!(matches!(
        Book::from_bytes(&bytes),
        Err(BookError::Record { .. })
    ));
}

#[test]
fn lines_that_lose_more_than_the_limits_are_not_followed() {
    let narrow = Growth {
        loss: Discs::ZERO,
        path: Discs::ZERO,
        ..GROWTH
    };
    let mut book = Book::new(1);
    while book.len() < 40 && grow(&mut book, &narrow, 5) {}
    let plies = |book: &Book| {
        book.entries()
            .map(|(position, _)| position.empties().count())
            .min()
    };
    let mut wide = Book::new(1);
    while wide.len() < book.len() && grow(&mut wide, &GROWTH, 5) {}
    assert!(plies(&book) < plies(&wide));
}

#[test]
fn the_search_answers_with_a_move_that_was_asked_for() {
    let mut searcher = Searcher::try_new(Options {
        hash_mib: 1,
        ..Options::default()
    })
    .unwrap();
    let position: Position = "f5".parse::<Game>().unwrap().board().position();
    let question = Question {
        position,
        moves: Square::D6.into(),
    };
    let settings = Settings {
        depth: 4,
        exact_from: 0,
    };
    let stop = StopHandle::new();
    let leaf = search_leaf(&mut searcher, &stop, settings, &question).unwrap();
    assert_eq!(leaf.square, Square::D6);
    stop.stop();
    assert_eq!(search_leaf(&mut searcher, &stop, settings, &question), None);
}
