use std::fs;

use tempfile::TempDir;

use super::*;
use crate::server::LOG_NAME;

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

    fn open(&self) -> (Ledger, Recovered) {
        Ledger::open(Some(&self.store()), Some(&self.log())).unwrap()
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

fn keep(ledger: &mut Ledger, record: GameRecord) -> Flushed {
    ledger.enter(record);
    ledger.flush()
}

#[test]
fn games_count_for_clients_alone() {
    let mut ledger = Ledger::default();
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
            keep(&mut ledger, record).kept,
            "there is no file to keep it in"
        );
    }
    let expected = Tally {
        wins: 1,
        draws: 1,
        losses: 2,
        evaluations: 2,
    };
    assert_eq!(ledger.tally("a"), expected);
    assert_eq!(ledger.tally("b").wins, 1);
    assert_eq!(ledger.tally("house"), Tally::default());
    assert!(ledger.into_unsaved().is_empty());
}

#[test]
fn what_the_log_alone_has_is_counted_once_at_the_next_start() {
    let files = Files::new();
    let (mut ledger, _) = files.open();
    assert!(keep(&mut ledger, game(COMPETITION, "a", "b")).kept);
    drop(ledger);
    let before = fs::read(files.store()).unwrap();
    let (mut ledger, _) = files.open();
    for _ in 0..3 {
        assert!(keep(&mut ledger, game(COMPETITION, "a", "b")).kept);
    }
    drop(ledger);
    // As if the server had been killed between the log and the store, three times.
    fs::write(files.store(), before).unwrap();
    let (ledger, recovered) = files.open();
    assert_eq!((ledger.tally("a").wins, recovered.games), (4, 3));
    drop(ledger);
    let (ledger, recovered) = files.open();
    assert_eq!((ledger.tally("a").wins, recovered.games), (4, 0));
    assert_eq!(ledger.tally("b").losses, 4);
}

#[test]
fn a_line_that_stands_twice_counts_once_and_a_torn_one_not_at_all() {
    let files = Files::new();
    drop(files.open());
    let before = fs::read(files.store()).unwrap();
    let (mut ledger, _) = files.open();
    keep(&mut ledger, game(TESTING, "a", "house"));
    drop(ledger);
    let line = fs::read_to_string(files.log()).unwrap();
    let torn = &line[..line.len() / 2];
    fs::write(files.log(), format!("{line}{torn}\n{line}\0\0\n{torn}")).unwrap();
    fs::write(files.store(), before).unwrap();
    let (ledger, recovered) = files.open();
    assert_eq!(ledger.tally("a").wins, 1);
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
    let (mut ledger, recovered) = files.open();
    assert_eq!((ledger.tally("a").wins, recovered.games), (1, 0));
    keep(&mut ledger, game(TESTING, "a", "house"));
    drop(ledger);
    assert_eq!(files.wins("a"), 2);
}

#[test]
fn a_new_store_counts_the_whole_log_and_another_stores_games_are_its_own() {
    let files = Files::new();
    let (mut ledger, _) = files.open();
    keep(&mut ledger, game(TESTING, "a", "house"));
    drop(ledger);
    let first = files.0.path().join("first.redb");
    fs::rename(files.store(), &first).unwrap();
    let (mut ledger, recovered) = files.open();
    assert_eq!((recovered.games, recovered.is_new), (1, true));
    keep(&mut ledger, game(TESTING, "a", "house"));
    drop(ledger);
    assert_eq!(files.wins("a"), 2);
    // The first one counted its own game, and none of the second one's.
    fs::rename(&first, files.store()).unwrap();
    assert_eq!(files.wins("a"), 1);
}

#[cfg(target_os = "linux")]
#[test]
fn a_log_that_fails_is_made_good_and_the_store_counts_meanwhile() {
    let files = Files::new();
    let (mut ledger, _) = files.open();
    fs::remove_file(files.log()).unwrap();
    std::os::unix::fs::symlink("/dev/full", files.log()).unwrap();
    ledger.log.as_mut().unwrap().journal = Some(Journal::open(files.log()).unwrap());
    for _ in 0..2 {
        let flushed = keep(&mut ledger, game(TESTING, "a", "house"));
        assert!(flushed.kept, "the store has it");
        let told = flushed.error.unwrap().to_string();
        assert!(told.contains(LOG_NAME), "{told}");
    }
    assert!(ledger.is_behind());
    fs::remove_file(files.log()).unwrap();
    assert!(ledger.flush().error.is_none());
    assert!(!ledger.is_behind());
    let numbers = files
        .lines()
        .into_iter()
        .flatten()
        .filter_map(|record| record.serial);
    assert_eq!(
        numbers.map(|serial| serial.game).collect::<Vec<_>>(),
        [1, 2]
    );
    drop(ledger);
    assert_eq!(files.wins("a"), 2);
}

#[test]
fn a_store_that_fails_leaves_the_log_to_be_counted() {
    let files = Files::new();
    let (mut ledger, _) = files.open();
    keep(&mut ledger, game(TESTING, "a", "house"));
    // Another store in its place is refused for as long as it lies there.
    let aside = files.0.path().join("aside.redb");
    drop(ledger.store.take());
    fs::rename(files.store(), &aside).unwrap();
    let (other, _) = Store::open(files.store()).unwrap();
    let (mut own, _) = Store::open(&aside).unwrap();
    own.forget_file(files.store());
    ledger.store = Some(own);
    let flushed = keep(&mut ledger, game(TESTING, "a", "house"));
    assert!(flushed.kept, "the log has it");
    assert!(
        matches!(flushed.error, Some(KeepError::Store(_))),
        "{flushed:?}"
    );
    drop((ledger, other));
    fs::rename(&aside, files.store()).unwrap();
    assert_eq!(files.wins("a"), 2);
}

#[test]
fn a_result_that_no_file_takes_is_told_apart_and_handed_back() {
    let files = Files::new();
    let (mut ledger, _) = Ledger::open(Some(&files.store()), None).unwrap();
    ledger
        .store
        .as_mut()
        .unwrap()
        .forget_file(files.0.path().to_owned());
    let flushed = keep(&mut ledger, game(TESTING, "a", "house"));
    assert!(!flushed.kept && flushed.error.is_some());
    assert_eq!(
        ledger.tally("a").wins,
        1,
        "it is counted while the server runs"
    );
    let unsaved = ledger.into_unsaved();
    assert_eq!(unsaved.len(), 1);
    assert_eq!(unsaved[0].black, "a");
}
