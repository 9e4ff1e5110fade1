//! Annotated records.

use othello_analysis::{Analysis, Discs, Search, Settings, annotate};
use othello_core::Game;
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
