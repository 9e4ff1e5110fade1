//! Annotated records.

mod common;

use common::{WHOLE, with_losses};
use othello_analysis::{Analysis, Discs, Search, Settings, annotate};
use othello_core::{Game, Move};
use othello_records::{Note, Record};
use othello_search::{Options, Searcher};

#[test]
fn comments_and_values_of_the_record_are_kept() {
    let mut record = Record::from("f5d6".parse::<Game>().expect("legal moves"));
    let told = Note {
        value: Some(Discs::whole(3).into()),
        comment: "usual".into(),
        ..Note::default()
    };
    record.notes = vec![told];
    let mut analysis = Analysis::new(&record.game);
    let mut searcher = Searcher::new(Options::default());
    let settings = Settings {
        depth: 2,
        exact_from: 4,
    };
    analysis.deepen(
        &settings,
        &mut Search::new(&mut searcher),
        None,
        &mut |_| {},
    );
    annotate(&mut record, &analysis, "test");
    assert_eq!(record.comment, "Analyzed by test");
    let [first, second] = [0, 1].map(|index| record.note(index));
    assert!(first.comment.starts_with("usual | Black "), "{first:?}");
    assert_eq!(first.value, Some(Discs::whole(3).into()));
    let value = analysis.positions()[2].value().expect("a value");
    assert_eq!(second.value, Some((-value.score).into()));
}

#[test]
fn comments_name_what_was_lost_and_what_was_better() {
    let mut record = Record::from("f5d6c3".parse::<Game>().expect("legal moves"));
    let losses = [(1, Discs::from_hundredths(250)), (2, Discs::whole(1))];
    let analysis = with_losses(&record.game, &losses);
    annotate(&mut record, &analysis, "test");
    let expected = [
        ("Black -1.50, depth 2", -150),
        ("Black +1.00, depth 2, loses 2.50; better f4", -100),
        ("Black +0.00, depth 2, loses 1; better c4", 0),
    ];
    for (index, (comment, value)) in expected.into_iter().enumerate() {
        let note = record.note(index);
        assert_eq!(note.comment, comment);
        // From the side that moved.
        let value = Discs::from_hundredths(value);
        assert_eq!(note.value, Some(value.into()), "{index}");
    }
}

#[test]
fn a_pass_has_a_comment_and_no_value() {
    let mut record = Record::from(WHOLE.parse::<Game>().expect("legal moves"));
    let analysis = with_losses(&record.game, &[]);
    annotate(&mut record, &analysis, "test");
    let mut moves = record.game.moves().iter();
    let pass = moves.position(|&mv| mv == Move::Pass).expect("a pass");
    let note = record.note(pass);
    assert!(note.comment.starts_with("Black ") && note.value.is_none());
    assert!(record.note(pass + 1).value.is_some());
}
