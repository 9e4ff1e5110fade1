//! Opening books, grown with answers at random: no two values contradict each other, and damage is refused.

use std::collections::BTreeSet;

use othello_analysis::{
    Bound, Discs, Settings, Source,
    book::{Book, BookError, BookMove, Growth, Leaf, Question, Round, search_leaf},
};
use othello_core::{Board, Color, Game, Move, Position, Square, Symmetry};
use othello_engine::book::OpeningBook;
use othello_search::{Options, Searcher, StopHandle};
use proptest::{collection::vec, prelude::*};
use rand::SeedableRng as _;
use rand_pcg::Pcg64Mcg;

const GROWTH: Growth = Growth {
    positions: 150,
    loss: Discs::whole(4),
    path: Discs::whole(8),
    ply: Discs::whole(1),
};

/// Answers that depend on the question alone.
fn answer(seed: u64, question: &Question) -> Leaf {
    let own = question.position.own().0;
    let mut random = Pcg64Mcg::seed_from_u64(seed ^ own ^ question.moves.0.rotate_left(7));
    let chosen = random.random_range(0..question.moves.count()) as usize;
    Leaf {
        square: question.moves.into_iter().nth(chosen).unwrap(),
        score: Discs::from_hundredths(random.random_range(-400..=400)),
        source: Source::Depth {
            depth: random.random_range(8..=12),
            confidence: 79,
        },
    }
}

/// Answers a round; returns `false` if nothing is left to do.
fn grow(round: &Round, book: &mut Book, seed: u64) -> bool {
    let questions = round.questions.iter();
    let answers = questions.map(|question| (question.position, Some(answer(seed, question))));
    let is_empty = round.is_empty();
    book.grow(round.known.iter().copied().chain(answers));
    !is_empty
}

fn is_read_back(book: &Book) -> bool {
    Book::from_bytes(&book.to_bytes()).as_ref() == Ok(book)
}

fn grown(seed: u64) -> Book {
    let mut book = Book::new(1);
    while grow(&book.round(&GROWTH), &mut book, seed) {}
    book
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn all_moves_of_a_position_have_values_or_bounds(seed: u64) {
        let book = grown(seed);
        for (position, entry) in book.entries() {
            let turned = Symmetry::ALL[(seed % 8) as usize].position(position);
            let values = book.values(turned).unwrap();
            prop_assert_eq!(values[0].score, entry.value);
            prop_assert_eq!(values.len() as u32, turned.legal_moves().count());
            let moves = book.moves(turned);
            let after = |mv: Move| turned.play_unchecked(mv.square().unwrap()).canonical().0;
            for value in values {
                let known = moves.iter().find(|mv| after(mv.square.into()) == after(value.mv));
                let score = known.map_or(entry.leaf.map(|leaf| leaf.score), |mv| Some(mv.value));
                prop_assert_eq!((Some(value.score), value.bound == Bound::Exact), (score, known.is_some()));
                prop_assert_eq!(value.line[0], value.mv);
                let line: Vec<_> = value.line.iter().map(ToString::to_string).collect();
                let start = Board::new(turned, Color::Black);
                prop_assert!(Game::from_transcript(start, &line.concat()).is_ok(), "{}", line.concat());
            }
        }
    }

    #[test]
    fn no_two_values_contradict_each_other_after_any_round(seed: u64) {
        let mut book = Book::new(1);
        while grow(&book.round(&GROWTH), &mut book, seed) {
            prop_assert!(is_read_back(&book));
            // Links that are kept are those of a book that is read.
            let read = Book::from_bytes(&book.to_bytes()).unwrap();
            prop_assert_eq!(read.round(&GROWTH), book.round(&GROWTH));
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

    #[test]
    fn positions_of_games_come_into_a_book(seed: u64, choices in vec(vec(any::<u64>(), 0..60), 1..9)) {
        let mut book = grown(seed);
        let mut positions = Vec::new();
        for choices in choices {
            let mut game = Game::default();
            game.play_choices(choices);
            positions.extend(game.boards().map(Board::position));
        }
        while grow(&book.learn(&positions), &mut book, seed) {
            prop_assert!(is_read_back(&book));
        }
        for position in positions.into_iter().filter(|position| !position.is_over()) {
            let position = if position.must_pass() { position.passed() } else { position };
            prop_assert!(book.get(position).is_some());
        }
    }

    #[test]
    fn a_merged_book_has_the_positions_and_the_better_evidence_of_both(seed: u64) {
        let (mut book, from) = (grown(seed), grown(!seed));
        let own = book.clone();
        while grow(&book.merge(&from), &mut book, seed) {
            prop_assert!(is_read_back(&book));
        }
        for (position, _) in own.entries().chain(from.entries()) {
            let leaf = |book: &Book| book.get(position).and_then(|entry| entry.leaf);
            let Some(found) = leaf(&book) else { continue };
            let known = [leaf(&own), leaf(&from)].into_iter().flatten();
            let known: Vec<Leaf> = known
                .filter(|leaf| book.moves(position).iter().any(|mv| {
                    mv.square == leaf.square && mv.source.is_some()
                }))
                .collect();
            prop_assert!(known.iter().all(|leaf| leaf.source <= found.source));
        }
        let union = own.entries().chain(from.entries()).map(|(position, _)| position);
        prop_assert_eq!(union.collect::<BTreeSet<_>>().len(), book.len());
    }

    #[test]
    fn a_pruned_book_keeps_the_values_of_what_it_keeps(
        seed: u64, positions in 1..150usize, loss in 0..800, ply in 0..3,
    ) {
        let book = grown(seed);
        let mut pruned = book.clone();
        let (loss, ply) = (Discs::from_hundredths(loss), Discs::whole(ply));
        pruned.prune(&Growth { positions, loss, path: loss, ply });
        prop_assert!(is_read_back(&pruned));
        prop_assert!(!pruned.is_empty() && pruned.len() <= positions);
        prop_assert_eq!(reached(&pruned), pruned.len());
        for (position, entry) in pruned.entries() {
            prop_assert_eq!(Some(entry.value), book.get(position).map(|entry| entry.value));
        }
    }

    #[test]
    fn no_two_values_contradict_each_other_after_any_operations(seed: u64, operations in vec(0..4, 2..7)) {
        let (mut book, from) = (grown(seed), grown(!seed));
        for (operation, seed) in operations.into_iter().zip(seed..) {
            let size = book.len();
            let growth = Growth { positions: size + 20, ..GROWTH };
            match operation {
                0 => while grow(&book.round(&growth), &mut book, seed) {},
                1 => while grow(&book.merge(&from), &mut book, seed) {},
                2 => book.prune(&Growth { positions: 2 * size / 3, ..GROWTH }),
                _ => {
                    let questions = book.weaker_than(Settings { depth: 10, exact_from: 0 });
                    let round = Round { questions, ..Round::default() };
                    grow(&round, &mut book, seed);
                }
            }
            prop_assert!(is_read_back(&book));
        }
    }

    #[test]
    fn a_deeper_search_leaves_no_weaker_evidence(seed: u64) {
        let mut book = grown(seed);
        let settings = Settings { depth: 11, exact_from: 0 };
        let deep = |question: &Question| {
            let source = Source::Depth { depth: 11, confidence: 79 };
            (question.position, Some(Leaf { source, ..answer(!seed, question) }))
        };
        let questions = book.weaker_than(settings);
        prop_assert!(!questions.is_empty());
        book.grow(questions.iter().map(deep));
        prop_assert!(is_read_back(&book) && book.weaker_than(settings).is_empty());
    }

    #[test]
    fn lines_come_in_the_order_of_their_losses(seed: u64) {
        let book = grown(seed);
        let (start, entry) = book.entries().nth(seed as usize % book.len()).unwrap();
        let lines: Vec<_> = book.lines(start).collect();
        prop_assert_eq!((lines[0].loss, lines[0].value), (Discs::ZERO, entry.value));
        prop_assert!(lines.is_sorted_by_key(|line| line.loss));
        for line in &lines {
            let (last, before) = line.moves.split_last().unwrap();
            let mut game = Game::new(Board::new(start, Color::Black));
            for &square in before {
                game.play_recorded(square).unwrap();
            }
            let leaf = book.get(game.board().position()).and_then(|entry| entry.leaf).unwrap();
            let is_turned = game.side_to_move() == Color::White;
            let value = if is_turned { -line.value } else { line.value };
            prop_assert_eq!((leaf.square, leaf.score, leaf.source), (*last, value, line.source));
        }
    }
}

/// Returns the square of a move, its value in hundredths and whether it stays in the book.
/// Returns the number of positions that moves of the book reach from the start.
fn reached(book: &Book) -> usize {
    let mut found = BTreeSet::new();
    let mut left = vec![Position::START.canonical().0];
    while let Some(position) = left.pop() {
        if book.get(position).is_some() && found.insert(position) {
            let moves = book.moves(position);
            let stays = moves.iter().filter(|mv| mv.source.is_none());
            left.extend(stays.map(|mv| {
                let after = position.play_unchecked(mv.square);
                let after = if after.must_pass() {
                    after.passed()
                } else {
                    after
                };
                after.canonical().0
            }));
        }
    }
    found.len()
}

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
    while book.len() < 40 && grow(&book.round(&narrow), &mut book, 5) {}
    let plies = |book: &Book| {
        book.entries()
            .map(|(position, _)| position.empties().count())
            .min()
    };
    let mut wide = Book::new(1);
    while wide.len() < book.len() && grow(&wide.round(&GROWTH), &mut wide, 5) {}
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
