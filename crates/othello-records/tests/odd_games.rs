//! Unusual games of a database and of a logbook: very short and very long ones, many passes, wipe-outs, early ends.

use std::io::Cursor;

use othello_core::Move;
use othello_records::{
    Format, Openings, Record, write_text,
    wthor::{Names, Writer},
};

const WTHOR: &[u8] = include_bytes!("data/odd.wtb");
const LOGBOOK: &[u8] = include_bytes!("data/odd.gam");

fn records(format: Format, bytes: &[u8]) -> Vec<Record> {
    assert_eq!(Format::detect(bytes), Ok(format));
    format
        .read(bytes)
        .map(|record| record.expect("a legal game"))
        .collect()
}

/// A line that describes a game.
fn describe(record: &Record) -> String {
    let moves = record.game.moves();
    let passes = moves.iter().filter(|&&mv| mv == Move::Pass).count();
    let end = if record.game.is_over() {
        "over"
    } else {
        "not over"
    };
    let follows = if record.result_follows() {
        "on the board"
    } else {
        "told"
    };
    let discs = record
        .result
        .and_then(|result| result.discs())
        .expect("a result");
    let name = Openings::default()
        .of(&record.game)
        .map_or("no name", |opening| opening.name);
    format!(
        "{} moves, {passes} passes, {end}, {discs:+} {follows}, {name}\n",
        moves.len()
    )
}

#[test]
fn odd_games_are_read_and_replayed() {
    let games = [
        records(Format::Wthor, WTHOR),
        records(Format::Logbook, LOGBOOK),
    ]
    .concat();
    insta::assert_snapshot!(games.iter().map(describe).collect::<String>());
}

#[test]
fn a_database_round_trips() {
    let mut file = Cursor::new(Vec::new());
    let mut writer = Writer::new(&mut file, Names::default()).expect("memory takes it");
    for record in records(Format::Wthor, WTHOR) {
        writer.write(&record).expect("a game of such a file");
    }
    writer.finish().expect("memory takes it");
    // Everything except the creation date.
    assert_eq!(file.into_inner()[4..], WTHOR[4..]);
}

#[test]
fn a_logbook_round_trips() {
    let mut text = Vec::new();
    for record in records(Format::Logbook, LOGBOOK) {
        write_text(Format::Logbook, &record, 0, &mut text).expect("memory takes it");
    }
    assert_eq!(text, LOGBOOK);
}
