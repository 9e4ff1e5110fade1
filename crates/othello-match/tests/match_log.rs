//! An old log can be read, and is written again byte for byte.

use std::fs;

use boardgame_match::{
    EngineId,
    log::{self, Log},
};
use othello_match::record::Othello;

/// Games from a board of their own and from the start, with passes, thoughts and faults, and a limit.
const WRITTEN: &str = include_str!("data/match.jsonl");

#[test]
fn a_log_of_othello_is_written_again_byte_for_byte() {
    let folder = tempfile::tempdir().unwrap();
    let (old, new) = (folder.path().join("old"), folder.path().join("new"));
    fs::write(&old, WRITTEN).unwrap();
    let contents = log::read::<Othello>(&old).unwrap();
    assert_eq!((contents.games.len(), contents.torn), (3, None));

    let (mut log, _) = Log::<Othello>::open(&new, &contents.header).unwrap();
    let [first, others @ ..] = &contents.games[..] else {
        panic!("{contents:?}")
    };
    log.append(first).unwrap();
    let engine = EngineId(0);
    log.append_limit(engine, contents.limits[&engine]).unwrap();
    for game in others {
        log.append(game).unwrap();
    }
    assert_eq!(fs::read_to_string(new).unwrap(), WRITTEN);
}
