use std::collections::HashSet;

use othello_core::Position;
use othello_engine::book::{BookMove, OpeningBook};

use super::*;

fn read(text: &str) -> Result<Openings, OpeningsError> {
    Openings::read("mine.txt", text, 1)
}

fn message(text: &str) -> String {
    read(text).unwrap_err().to_string()
}

fn key(opening: &Game) -> Position {
    opening.board().position().canonical().0
}

#[test]
fn the_built_in_list_is_whole_and_has_no_opening_twice() {
    let openings = Openings::load(&Source::Xot, 3).unwrap();
    assert_eq!(openings.len(), Some(10_784));
    let all: Vec<Game> = (0..10_784).map(|number| openings.get(number)).collect();
    assert!(all.iter().all(|opening| opening.moves().len() == 8));
    let distinct: HashSet<Position> = all.iter().map(key).collect();
    assert_eq!(distinct.len(), all.len());
}

#[test]
fn a_seed_gives_one_order_and_another_seed_another() {
    let texts = |seed| {
        let openings = Openings::load(&Source::Xot, seed).unwrap();
        let text = |number| openings.get(number).transcript().to_string();
        let mut texts: Vec<String> = (0..10_784).map(text).collect();
        let first = texts[..20].to_vec();
        texts.sort();
        (first, texts, openings.fingerprint().to_owned())
    };
    let (first, all, fingerprint) = texts(1);
    assert_eq!(texts(1).0, first);
    let (other_first, other_all, other_fingerprint) = texts(2);
    assert_ne!(first, other_first);
    assert_eq!(all, other_all);
    assert_ne!(fingerprint, other_fingerprint);
    let in_order: Vec<&str> = XOT.lines().take(20).collect();
    assert_ne!(first, in_order);
}

/// Guards the order that existing logs rely on.
#[test]
fn fingerprints_stay() {
    let fingerprint = |source| Openings::load(&source, 7).unwrap().fingerprint().to_owned();
    let fingerprints = [
        Source::Start,
        Source::Xot,
        Source::Random { plies: 4 },
        Source::Random { plies: 12 },
    ]
    .map(fingerprint);
    assert_eq!(
        fingerprints,
        [
            "start, 1 with seed 7, checksum d8f09270",
            "xot, 10784 with seed 7, checksum 72b3c12c",
            "random:4, 60 with seed 7, checksum 4706af90",
            "random:12, seed 7, checksum 4987283c",
        ]
    );
}

#[test]
fn a_changed_line_changes_the_fingerprint() {
    let fingerprint = |text| read(text).unwrap().fingerprint().to_owned();
    assert_eq!(
        fingerprint("f5d6\nf5f6\n"),
        fingerprint("F5 D6 % x\n\nf5f6 Diagonal opening")
    );
    assert_ne!(fingerprint("f5d6\nf5f6\n"), fingerprint("f5d6\nf5f4\n"));
}

#[test]
fn transcripts_and_boards_may_be_mixed() {
    let board = "-".repeat(27) + "OX------XO" + &"-".repeat(27) + " X; F5:+0;";
    let openings = read(&format!("f5d6c3\n\n  {board}\n% both\n")).unwrap();
    assert_eq!(openings.len(), Some(2));
    let mut plies = [0, 1, 2].map(|number| openings.get(number).moves().len());
    assert_eq!(plies[0], plies[2], "they begin anew");
    plies[..2].sort_unstable();
    assert_eq!(plies[..2], [0, 3]);
}

#[test]
fn a_bad_line_is_named_with_its_offset() {
    let full = "X".repeat(64);
    for (text, expected) in [
        (
            "f5d6\n\nf5d6c9",
            "mine.txt, line 3: expected a square a1-h8 or a pass at offset 4",
        ),
        (
            " f5f5",
            "mine.txt, line 1: illegal move f5: the square is occupied at offset 3",
        ),
        (
            "--?",
            "mine.txt, line 1: expected one of 64 squares (X, O or -) at offset 2",
        ),
        (
            "% x\n  ??",
            "mine.txt, line 2: expected a transcript such as f5d6c3 or an OBF board of X, O \
             and - at offset 2",
        ),
        (
            &(full + " X;"),
            "mine.txt, line 1: expected an opening, found a game that is over at its end, \
             offset 67",
        ),
        (
            " \n% none\n",
            "expected an opening in each line, found none in mine.txt",
        ),
    ] {
        assert_eq!(message(text), expected);
    }
    let missing = Source::File("no/such/file".into());
    let error = Openings::load(&missing, 1).unwrap_err();
    assert_eq!(
        error.to_string(),
        "cannot read the openings in no/such/file"
    );
}

/// The positions after `plies` plies, up to symmetry.
#[test]
fn short_random_openings_are_all_there_are() {
    for (plies, count) in [(1, 1), (2, 3), (3, 14), (4, 60), (5, 322), (6, 1773)] {
        let openings = Openings::random(plies, 5).unwrap();
        assert_eq!(openings.len(), Some(count));
        let all: Vec<Game> = (0..count).map(|number| openings.get(number)).collect();
        let distinct: HashSet<Position> = all.iter().map(key).collect();
        assert_eq!(distinct.len(), count as usize);
        let as_long = |opening: &Game| opening.moves().len() == plies as usize;
        assert!(all.iter().all(as_long));
    }
}

#[test]
fn random_openings_are_told_by_seed_and_number_alone() {
    for plies in [6, 12, 40] {
        let forwards = Openings::random(plies, 9).unwrap();
        let backwards = Openings::random(plies, 9).unwrap();
        let other = Openings::random(plies, 10).unwrap();
        let mut same = 0;
        let mut distinct = HashSet::new();
        for number in (0..1000).rev() {
            assert_eq!(forwards.get(999 - number), forwards.get(999 - number));
            let opening = backwards.get(number);
            assert!(!opening.is_over() && !opening.board().must_pass());
            let discs = opening.moves().iter().filter(|mv| mv.square().is_some());
            assert_eq!(discs.count(), plies as usize);
            assert!(distinct.insert(key(&opening)), "{plies} plies, {number}");
            same += u32::from(other.get(number) == opening);
        }
        for number in 0..1000 {
            assert_eq!(forwards.get(number), backwards.get(number));
        }
        assert!(same < 10, "{same}");
    }
}

/// With fewer openings than draws, all are found before one comes twice.
#[test]
fn drawn_openings_repeat_only_once_there_are_no_more() {
    let random = Random::new(4, 1);
    let mut distinct = HashSet::new();
    for number in 0..60 {
        assert!(distinct.insert(key(&random.get(number).game())), "{number}");
    }
    assert!(!distinct.insert(key(&random.get(60).game())));
}

#[test]
fn plies_out_of_range_are_refused() {
    for plies in [0, 51] {
        let error = Openings::random(plies, 1).unwrap_err();
        assert!(matches!(error, OpeningsError::Plies { .. }));
        assert!(format!("random:{plies}").parse::<Source>().is_err());
    }
    for text in ["start", "xot", "random:50", "a/b.txt"] {
        assert_eq!(text.parse::<Source>().unwrap().to_string(), text);
    }
}

fn book_lines(text: &str) -> Result<Vec<Game>, OpeningsError> {
    let openings = Openings::load(&text.parse().unwrap(), 1)?;
    let count = openings.len().unwrap();
    Ok((0..count).map(|number| openings.get(number)).collect())
}

#[test]
fn lines_of_a_book_are_balanced_and_distinct() {
    let book = OpeningBook::built_in();
    let lines = book_lines("book:built-in,plies=6,margin=1.5").unwrap();
    let distinct: HashSet<Position> = lines.iter().map(key).collect();
    assert_eq!(distinct.len(), lines.len());
    for line in &lines {
        assert_eq!(line.moves().len(), 6);
        let end = book.get(line.board().position()).unwrap();
        assert!(end.value.abs() <= 150, "{end:?}");
        for (board, mv) in line.plies() {
            let position = board.position();
            let after = |square| position.play_unchecked(square).canonical().0;
            let moves = book.moves(position);
            let is_played = |known: &&BookMove| Some(after(known.square)) == mv.square().map(after);
            let known = moves.iter().find(is_played).unwrap();
            assert!(known.stays && known.value + 150 >= moves[0].value);
        }
    }
    // With the greatest margin they are all positions of the ply.
    let all = book_lines("book:built-in,margin=64").unwrap().len();
    let records = book.records().filter_map(Result::ok);
    let of_ply = records.filter(|record| record.position.empties().count() == 52);
    assert_eq!(all, of_ply.count());
    assert!(lines.len() < all);
}

#[test]
fn lines_of_a_book_are_refused() {
    for text in ["book:", "book:a,plies=0", "book:a,margin=-1", "book:a,b"] {
        assert!(text.parse::<Source>().is_err(), "{text}");
    }
    let error = |text| book_lines(text).unwrap_err().to_string();
    assert_eq!(error("book:no-such"), "cannot read the book no-such");
    let none = error("book:built-in,plies=50");
    assert!(
        none.starts_with("book:built-in,plies=50,margin=2: expected lines whose moves lose"),
        "{none}"
    );
}
