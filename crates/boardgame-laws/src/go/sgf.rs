//! SGF.

use go_core::sgf::{Collection, NodeId, Record};

/// Collections are written in canonical form, which reads back as the same, and take no more memory than
/// their text has bytes; their games are records that read back as they are, or errors, as is what stands before an error.
pub fn parse(data: &[u8]) {
    if let Ok(text) = str::from_utf8(data) {
        check_record(&Record::parse_until_error(text).0);
    }
    let collection = match Collection::parse(data) {
        Ok(collection) => collection,
        Err(error) => {
            assert!(error.offset <= data.len());
            return;
        }
    };
    let nodes = nodes(&collection);
    assert!(nodes.len() <= data.len(), "more nodes than bytes");
    let text = collection.to_string();
    // What is added is line breaks: after every tenth node or so, and after each game.
    assert!(text.len() <= 2 * data.len() + 1, "the text grows");
    let again = Collection::parse(text.as_bytes()).expect("what was written");
    assert_eq!(again.to_string(), text);
    assert_eq!(again.games().len(), collection.games().len());
    let read_back = self::nodes(&again);
    assert_eq!(read_back.len(), nodes.len());
    for (one, other) in nodes.into_iter().zip(read_back) {
        let (one, other) = (collection.node(one), again.node(other));
        assert!(one.properties().eq(other.properties()));
        assert_eq!(one.children().count(), other.children().count());
    }
    for &game in collection.games() {
        match Record::read(&collection, game) {
            Ok(record) => check_record(&record),
            Err(error) => assert!(error.offset <= data.len()),
        }
    }
}

/// Returns the nodes of all games, each before those that follow it.
fn nodes(collection: &Collection) -> Vec<NodeId> {
    let mut nodes = Vec::new();
    let mut open: Vec<NodeId> = collection.games().iter().rev().copied().collect();
    while let Some(node) = open.pop() {
        nodes.push(node);
        let begin = open.len();
        open.extend(collection.node(node).children());
        open[begin..].reverse();
    }
    nodes
}

fn check_record(record: &Record) {
    let text = record.to_string();
    let again: Record = text.parse().expect("what was written");
    assert_eq!(again.game.setup(), record.game.setup());
    assert_eq!(again.game.moves(), record.game.moves());
    assert_eq!(again.game.position(), record.game.position());
    assert_eq!(again.players, record.players);
    assert_eq!(again.result, record.result);
    assert_eq!((&again.event, &again.date), (&record.event, &record.date));
    assert_eq!(again.comments, record.comments);
    assert_eq!(again.to_string(), text);
}
