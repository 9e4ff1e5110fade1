//! Formats of books of other programs: random books keep their values, links and leaves, and damage is refused.

use othello_analysis::{
    Discs, Source,
    book::{
        Answer, Book, Entry, FormatError, Growth, Import, Imported, Leaf, Question, edax,
        egaroucid, list,
    },
};
use othello_core::{Game, Position, Square};
use proptest::prelude::*;
use rand::SeedableRng as _;
use rand_pcg::Pcg64Mcg;

type Read = fn(&[u8], &mut Import) -> Result<(), FormatError>;
type Write = fn(&Book) -> Vec<u8>;

/// The readers and writers of formats of bytes.
const BINARY: [(Read, Write); 2] = [
    (edax::read, edax::write),
    (egaroucid::read, egaroucid::write),
];

/// A book that grew with answers at random.
fn book(seed: u64) -> Book {
    let growth = Growth {
        positions: 60,
        loss: Discs::whole(20),
        path: Discs::whole(60),
        ply: Discs::whole(1),
    };
    let mut random = Pcg64Mcg::seed_from_u64(seed);
    let mut answer = |question: &Question| {
        let mut below = |bound: u32| random.random_range(0..bound);
        let chosen = below(question.moves.count()) as usize;
        let source = match below(3) {
            0 => Source::Exact,
            _ => Source::Depth {
                depth: 1 + below(60),
                confidence: [50, 73, 91, 100][below(4) as usize],
            },
        };
        let score = if below(20) == 0 {
            6400
        } else {
            below(2000) as i32 - 1000
        };
        let leaf = Leaf {
            square: question.moves.into_iter().nth(chosen).unwrap(),
            score: Discs::from_hundredths(score),
            source,
        };
        (question.position, Some(leaf))
    };
    let mut book = Book::new(1);
    loop {
        let round = book.round(&growth);
        if round.is_empty() {
            return book;
        }
        let answers: Vec<Answer> = round.questions.iter().map(&mut answer).collect();
        book.grow(round.known.into_iter().chain(answers));
    }
}

fn import(read: Read, bytes: &[u8]) -> Imported {
    let mut import = Import::default();
    read(bytes, &mut import).unwrap();
    import.finish()
}

fn import_text(text: &[u8]) -> Imported {
    let mut import = Import::default();
    list::read(text, &mut import).unwrap();
    import.finish()
}

/// Returns a value in whole discs, rounded as players of other programs see it.
fn whole(value: Discs) -> Discs {
    Discs::whole(value.to_f64().round() as i32)
}

/// Returns the entries of a book with other values and evidence for its leaves.
fn entries(
    book: &Book,
    value: impl Fn(Discs) -> Discs,
    source: impl Fn(Source) -> Source,
) -> Vec<(Position, Entry)> {
    let entries = book.entries().map(|(position, entry)| {
        let leaf = entry.leaf.map(|leaf| Leaf {
            score: value(leaf.score),
            source: source(leaf.source),
            ..leaf
        });
        let value = value(entry.value);
        (position, Entry { value, leaf })
    });
    entries.collect()
}

const NO_SOURCE: Source = Source::Exact;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn whole_discs_links_and_leaves_survive_other_formats(seed: u64) {
        let book = book(seed);
        for (read, write) in BINARY {
            let imported = import(read, &write(&book));
            let expected = entries(&book, whole, |_| NO_SOURCE);
            prop_assert_eq!(entries(&imported.book, |value| value, |_| NO_SOURCE), expected);
            prop_assert_eq!((imported.changed, imported.left_out), (0, 0));
            prop_assert_eq!(imported.book.weights(), Book::FOREIGN);
            prop_assert_eq!(Book::from_bytes(&imported.book.to_bytes()), Ok(imported.book.clone()));
            // No level says more than was searched, and the levels stay what they are.
            for (position, entry) in imported.book.entries() {
                let before = book.get(position).and_then(|entry| entry.leaf);
                let is_less = entry.leaf.zip(before).is_none_or(|(leaf, before)| leaf.source <= before.source);
                prop_assert!(is_less, "{:?} {:?}", entry.leaf, before);
            }
            prop_assert_eq!(import(read, &write(&imported.book)), imported);
        }
    }

    #[test]
    fn values_survive_opening_lists(seed: u64) {
        let book = book(seed);
        let lines: Vec<_> = list::lines(&book).collect();
        let json = serde_json::to_string(&lines).unwrap();
        let lines: Vec<list::Line> = serde_json::from_str(&json).unwrap();
        let mut import = Import::default();
        for line in &lines {
            list::add(line, &mut import).unwrap();
        }
        let lines = import.finish();
        prop_assert_eq!(entries(&lines.book, |value| value, |source| source), entries(&book, |value| value, |source| source));
        let text = import_text(&list::write(&book));
        let bare = |book: &Book| entries(book, |value| value, |_| NO_SOURCE);
        prop_assert_eq!(bare(&text.book), bare(&book));
        prop_assert_eq!((text.changed, lines.changed, text.left_out, lines.left_out), (0, 0, 0, 0));
    }

    #[test]
    fn no_bytes_break_a_reader(format in 0..BINARY.len(), bytes: Vec<u8>, seed in 0_u64..8, changes: Vec<(u16, u8)>) {
        let (read, write) = BINARY[format];
        let _ = read(&bytes, &mut Import::default());
        let _ = list::read(&bytes, &mut Import::default());
        let mut damaged = write(&book(seed));
        for (offset, byte) in changes {
            let offset = usize::from(offset) % damaged.len();
            damaged[offset] = byte;
        }
        let mut import = Import::default();
        if read(&damaged, &mut import).is_ok() {
            let book = import.finish().book;
            prop_assert_eq!(Book::from_bytes(&book.to_bytes()), Ok(book));
        }
    }
}

#[test]
fn cut_files_are_refused_where_they_end() {
    for (read, write) in BINARY {
        let bytes = write(&book(1));
        let error = |bytes: &[u8]| read(bytes, &mut Import::default()).unwrap_err();
        for length in 0..bytes.len() {
            assert!(error(&bytes[..length]).offset <= length);
        }
        let longer = [bytes.as_slice(), &[0]].concat();
        let error = error(&longer).to_string();
        let end = format!("offset {}: expected the end of the file", bytes.len());
        assert!(error.starts_with(&end), "{error}");
    }
}

#[test]
fn damage_is_refused_with_its_place() {
    let bytes = edax::write(&book(1));
    let damaged = |offset: usize, byte| {
        let mut bytes = bytes.clone();
        bytes[offset] = byte;
        edax::read(&bytes, &mut Import::default())
            .unwrap_err()
            .to_string()
    };
    assert_eq!(
        damaged(0, 0),
        "offset 0: expected a book of Edax (`XADEKOOB`)"
    );
    assert_eq!(
        damaged(8, 3),
        "offset 8: expected version 4 of Edax's format"
    );
    // The move of the first position's first link or leaf.
    let fault = "offset 82: expected a legal move with a value from -64 to 64 discs";
    assert_eq!(damaged(83, 27), fault);
    assert_eq!(damaged(82, 65), fault);
    for (row, fault) in [
        ("f5d6", "expected moves, then a value"),
        (
            "f5d6 high",
            "expected a value from -64 to 64 discs after the moves",
        ),
        (
            "f5d6 65",
            "expected a value from -64 to 64 discs after the moves",
        ),
        (" 0.5", "expected moves, then a value"),
        (
            "f5d5 0",
            "illegal move d5: the square is occupied at offset 2",
        ),
    ] {
        let text = format!("# A list\nf5d6 0\n{row}\n");
        let error = list::read(text.as_bytes(), &mut Import::default())
            .unwrap_err()
            .to_string();
        assert_eq!(error, format!("line 3: {fault}"));
    }
}

#[test]
fn of_values_that_contradict_each_other_those_of_the_longer_lines_count() {
    let text = "f5f6 +3\nF5 d6 C3 1.5\nf5d6, -0.5\nf5d6c5;-2\nf5d6c4 4\n";
    let imported = import_text(text.as_bytes());
    let value = |moves: &str| {
        let game: Game = moves.parse().unwrap();
        imported.book.get(game.board().position()).unwrap().value
    };
    // Black's best after f5 d6 is c4, and White's best after f5 is f6.
    assert_eq!(value("f5d6"), Discs::whole(4));
    assert_eq!(value("f5"), Discs::whole(-3));
    assert_eq!(value(""), Discs::whole(3));
    let result = (imported.changed, imported.max_change, imported.left_out);
    assert_eq!(result, (1, Discs::from_hundredths(450), 2));
    let lines = list::write(&imported.book);
    assert_eq!(lines, b"f5f6 +3.00\nf5d6c4 +4.00\n");
}

#[test]
fn a_pass_is_a_position_of_its_own_in_edax_alone() {
    let text = "c4c3f5b4a4a5b2a3c1 -3";
    let book = import_text(text.as_bytes()).book;
    let bytes = edax::write(&book);
    assert_eq!(bytes[38], book.len() as u8 + 1);
    for (read, write) in BINARY {
        let imported = import(read, &write(&book));
        assert_eq!((imported.book, imported.changed), (book.clone(), 0));
    }
}

#[test]
fn a_position_of_egaroucid_with_a_value_alone_is_a_move_that_leads_out() {
    let start = Position::START.canonical().0;
    let after = Position::START.play_unchecked(Square::D3).canonical().0;
    let mut bytes = b"DICUORAGE\x03\x02\0\0\0".to_vec();
    for (position, value) in [(start, 1), (after, -3_i8)] {
        bytes.extend(position.own().0.to_le_bytes());
        bytes.extend(position.opponent().0.to_le_bytes());
        bytes.extend([value.cast_unsigned(), 7, 0, 0, 0, 0, 130, 125, 255]);
    }
    let imported = import(egaroucid::read, &bytes);
    assert_eq!((imported.book.len(), imported.changed), (1, 1));
    let entry = imported.book.get(Position::START).unwrap();
    let source = Source::Depth {
        depth: 8,
        confidence: 100,
    };
    assert_eq!(entry.value, Discs::whole(3));
    assert_eq!(entry.leaf.map(|leaf| leaf.source), Some(source));
}
