//! SGF.

use go_core::sgf::Record;

/// Records read back as they are written, and so does what stands before an error, which is inside the text.
pub fn parse(data: &[u8]) {
    let Ok(text) = str::from_utf8(data) else {
        return;
    };
    let read = Record::read(text, usize::MAX);
    check_record(&read.record);
    assert!(read.error.is_none_or(|error| error.offset <= data.len()));
    assert!((read.leniencies.iter()).all(|leniency| leniency.offset <= data.len()));
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
