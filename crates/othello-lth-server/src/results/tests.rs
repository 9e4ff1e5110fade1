use std::fs;

use tempfile::TempDir;

use super::*;
use crate::LOG_NAME;

/// A folder with a store and a log.
struct Files(TempDir);

impl Files {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn store(&self) -> PathBuf {
        self.0.path().join("results.redb")
    }

    fn log(&self) -> PathBuf {
        self.0.path().join(LOG_NAME)
    }

    fn open(&self) -> (Results, Recovered) {
        Results::open(Some(&self.store()), Some(&self.log())).unwrap()
    }

    /// The wins of an id, once opened again.
    fn wins(&self, id: &str) -> u64 {
        self.open().0.tally(id).wins
    }

    fn lines(&self) -> Vec<Option<GameRecord>> {
        record::read(self.log())
            .unwrap()
            .map(Result::unwrap)
            .collect()
    }
}

/// A game that the first of these won as Black.
fn game(event: &str, winner: &str, loser: &str) -> GameRecord {
    GameRecord {
        finished: 1_764_000_000,
        event: event.into(),
        black: winner.into(),
        white: loser.into(),
        start: None,
        moves: "f5".into(),
        discs: [4, 1],
        winner: Winner::Black,
        cause: "White left".into(),
        used: None,
        faults: Vec::new(),
        serial: None,
    }
}

fn save(results: &mut Results, record: GameRecord) -> FlushOutcome {
    results.add(record);
    results.flush()
}

#[test]
fn games_count_for_clients_alone() {
    let mut results = Results::in_memory();
    let drawn = GameRecord {
        winner: Winner::Draw,
        ..game(EVALUATION, "house", "a")
    };
    let called_off = GameRecord {
        winner: Winner::None,
        ..game(COMPETITION, "a", "b")
    };
    let others = [
        game(TESTING, "a", "house"),
        game(EVALUATION, "house", "a"),
        game(COMPETITION, "b", "a"),
        // Of other hosts.
        game("referee", "a", "b"),
    ];
    for record in [drawn, called_off].into_iter().chain(others) {
        assert!(
            save(&mut results, record).is_durable,
            "there is no file to save it in"
        );
    }
    let expected = Tally {
        wins: 1,
        draws: 1,
        losses: 2,
        evaluations: 2,
    };
    assert_eq!(results.tally("a"), expected);
    assert_eq!(results.tally("b").wins, 1);
    assert_eq!(results.tally("house"), Tally::default());
    assert!(results.into_unsaved().is_empty());
}

#[test]
fn what_the_log_alone_has_is_counted_once_at_the_next_start() {
    let files = Files::new();
    let (mut results, _) = files.open();
    assert!(save(&mut results, game(COMPETITION, "a", "b")).is_durable);
    drop(results);
    let before = fs::read(files.store()).unwrap();
    let (mut results, _) = files.open();
    for _ in 0..3 {
        assert!(save(&mut results, game(COMPETITION, "a", "b")).is_durable);
    }
    drop(results);
    // As if the server had been killed between the log and the store, three times.
    fs::write(files.store(), before).unwrap();
    let (results, recovered) = files.open();
    assert_eq!((results.tally("a").wins, recovered.games), (4, 3));
    drop(results);
    let (results, recovered) = files.open();
    assert_eq!((results.tally("a").wins, recovered.games), (4, 0));
    assert_eq!(results.tally("b").losses, 4);
}

#[test]
fn a_line_that_is_there_twice_counts_once_and_an_incomplete_one_not_at_all() {
    let files = Files::new();
    drop(files.open());
    let before = fs::read(files.store()).unwrap();
    let (mut results, _) = files.open();
    save(&mut results, game(TESTING, "a", "house"));
    drop(results);
    let line = fs::read_to_string(files.log()).unwrap();
    let incomplete = &line[..line.len() / 2];
    fs::write(
        files.log(),
        format!("{line}{incomplete}\n{line}\0\0\n{incomplete}"),
    )
    .unwrap();
    fs::write(files.store(), before).unwrap();
    let (results, recovered) = files.open();
    assert_eq!(results.tally("a").wins, 1);
    assert_eq!((recovered.games, recovered.unreadable), (1, 3));
}

#[test]
fn older_logs_and_stores_go_on_without_counting_twice() {
    let files = Files::new();
    let mut old = Journal::open(files.log()).unwrap();
    old.append(&game(TESTING, "a", "house")).unwrap();
    let old = fs::read_to_string(files.log()).unwrap();
    assert!(!old.contains("serial"), "{old}");
    // A store that counted that game, but does not say so: of before games had numbers.
    let (mut store, _) = Store::open(files.store()).unwrap();
    let mut tally = Tally::default();
    tally.add(GameResult::Won, false);
    store.write([("a", tally)], 0).unwrap();
    drop(store);
    let (mut results, recovered) = files.open();
    assert_eq!((results.tally("a").wins, recovered.games), (1, 0));
    save(&mut results, game(TESTING, "a", "house"));
    drop(results);
    assert_eq!(files.wins("a"), 2);
}

#[test]
fn a_new_store_counts_the_whole_log_and_another_stores_games_are_its_own() {
    let files = Files::new();
    let (mut results, _) = files.open();
    save(&mut results, game(TESTING, "a", "house"));
    drop(results);
    let first = files.0.path().join("first.redb");
    fs::rename(files.store(), &first).unwrap();
    let (mut results, recovered) = files.open();
    assert_eq!((recovered.games, recovered.is_new), (1, true));
    save(&mut results, game(TESTING, "a", "house"));
    drop(results);
    assert_eq!(files.wins("a"), 2);
    // The first one counted its own game, and none of the second one's.
    fs::rename(&first, files.store()).unwrap();
    assert_eq!(files.wins("a"), 1);
}

#[cfg(target_os = "linux")]
#[test]
fn a_log_that_fails_is_made_good_and_the_store_counts_meanwhile() {
    let files = Files::new();
    let (mut results, _) = files.open();
    fs::remove_file(files.log()).unwrap();
    std::os::unix::fs::symlink("/dev/full", files.log()).unwrap();
    results.log.as_mut().unwrap().journal = Some(Journal::open(files.log()).unwrap());
    for _ in 0..2 {
        let flushed = save(&mut results, game(TESTING, "a", "house"));
        assert!(flushed.is_durable, "the store has it");
        let told = flushed.error.unwrap().to_string();
        assert!(told.contains(LOG_NAME), "{told}");
    }
    assert!(results.is_behind());
    fs::remove_file(files.log()).unwrap();
    assert!(results.flush().error.is_none());
    assert!(!results.is_behind());
    let numbers = files
        .lines()
        .into_iter()
        .flatten()
        .filter_map(|record| record.serial);
    assert_eq!(
        numbers.map(|serial| serial.game).collect::<Vec<_>>(),
        [1, 2]
    );
    drop(results);
    assert_eq!(files.wins("a"), 2);
}

#[test]
fn a_store_that_fails_leaves_the_log_to_be_counted() {
    let files = Files::new();
    let (mut results, _) = files.open();
    save(&mut results, game(TESTING, "a", "house"));
    // Another store in its place is refused for as long as it lies there.
    let aside = files.0.path().join("aside.redb");
    drop(results.store.take());
    fs::rename(files.store(), &aside).unwrap();
    let (other, _) = Store::open(files.store()).unwrap();
    let (mut own, _) = Store::open(&aside).unwrap();
    own.forget_file(files.store());
    results.store = Some(own);
    let flushed = save(&mut results, game(TESTING, "a", "house"));
    assert!(flushed.is_durable, "the log has it");
    assert!(
        matches!(flushed.error, Some(StorageError::Store(_))),
        "{flushed:?}"
    );
    drop((results, other));
    fs::rename(&aside, files.store()).unwrap();
    assert_eq!(files.wins("a"), 2);
}

#[test]
fn a_result_that_no_file_takes_is_told_apart_and_handed_back() {
    let files = Files::new();
    let (mut results, _) = Results::open(Some(&files.store()), None).unwrap();
    results
        .store
        .as_mut()
        .unwrap()
        .forget_file(files.0.path().to_owned());
    let flushed = save(&mut results, game(TESTING, "a", "house"));
    assert!(!flushed.is_durable && flushed.error.is_some());
    assert_eq!(
        results.tally("a").wins,
        1,
        "it is counted while the server runs"
    );
    let unsaved = results.into_unsaved();
    assert_eq!(unsaved.len(), 1);
    assert_eq!(unsaved[0].black, "a");
}

#[test]
fn a_line_that_is_twice_in_a_log_without_a_store_counts_once() {
    let files = Files::new();
    for _ in 0..2 {
        let (mut results, _) = Results::open(None, Some(&files.log())).unwrap();
        save(&mut results, game(TESTING, "a", "house"));
    }
    let lines = fs::read_to_string(files.log()).unwrap();
    fs::write(files.log(), lines.repeat(2)).unwrap();
    let (results, recovered) = files.open();
    assert_eq!((results.tally("a").wins, recovered.games), (2, 2));
}

#[test]
fn an_older_copy_of_the_store_is_brought_up_to_date() {
    let files = Files::new();
    let older = files.0.path().join("older.redb");
    let (mut results, _) = files.open();
    save(&mut results, game(TESTING, "a", "house"));
    drop(results);
    fs::copy(files.store(), &older).unwrap();
    let (mut results, _) = files.open();
    save(&mut results, game(TESTING, "b", "house"));
    // The file fails, and the copy lies in its place when it is opened again.
    results.store.as_mut().unwrap().forget_file(files.store());
    fs::rename(&older, files.store()).unwrap();
    assert!(
        save(&mut results, game(TESTING, "a", "house"))
            .error
            .is_none()
    );
    drop(results);
    let (_, contents) = Store::open(files.store()).unwrap();
    let wins = ["a", "b"].map(|id| contents.tallies[id].wins);
    assert_eq!((wins, contents.counted), ([2, 1], 3));
}
