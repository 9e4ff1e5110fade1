use tempfile::TempDir;

use super::*;

fn place() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.jsonl");
    (folder, path)
}

fn open(path: &Path) -> Results {
    let (results, unreadable) = Results::open(Some(path), ResultBounds::DEFAULT).unwrap();
    assert_eq!(unreadable, 0);
    results
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
    }
}

fn save(results: &mut Results, games: &[GameRecord]) -> Result<bool, JournalError> {
    for game in games {
        results.count(game);
    }
    results.write(games)
}

#[test]
fn games_count_for_clients_alone() {
    let (mut results, _) = Results::open(None, ResultBounds::DEFAULT).unwrap();
    let drawn = GameRecord {
        winner: Winner::Draw,
        ..game(EVALUATION, "house", "a")
    };
    let called_off = GameRecord {
        winner: Winner::None,
        ..game(COMPETITION, "a", "b")
    };
    let games = [
        drawn,
        called_off,
        game(TESTING, "a", "house"),
        game(EVALUATION, "house", "a"),
        game(COMPETITION, "b", "a"),
        // Games of other hosts.
        game("referee", "a", "b"),
    ];
    assert!(
        save(&mut results, &games).unwrap(),
        "there is no log to save it in"
    );
    let a = results.tally("a");
    assert_eq!((a.wins, a.evaluations), (1, 2));
    let score = |won, drawn, lost| Score { won, drawn, lost };
    assert_eq!(
        (a.evaluation, a.competition),
        (score(0, 1, 1), score(0, 0, 1))
    );
    assert_eq!(results.tally("b").wins, 1);
    assert_eq!(results.tally("house"), Tally::default());
}

#[test]
fn what_was_saved_is_counted_at_the_next_start_and_an_incomplete_line_is_not() {
    let (_folder, path) = place();
    for wins in 0..3 {
        let mut results = open(&path);
        assert_eq!(results.tally("a").wins, 2 * wins);
        let won = game(COMPETITION, "a", "b");
        assert!(save(&mut results, &[won.clone(), won]).unwrap());
    }
    let whole = fs::read_to_string(&path).unwrap();
    fs::write(&path, &whole[..whole.len() - 20]).unwrap();
    for unreadable in [1, 1] {
        let opened = Results::open(Some(&path), ResultBounds::DEFAULT).unwrap();
        assert_eq!((opened.0.tally("a").wins, opened.1), (5, unreadable));
    }
}

#[test]
fn a_log_belongs_to_one_server_and_is_a_file_of_games() {
    let (folder, path) = place();
    let open = |path: &Path| Results::open(Some(path), ResultBounds::DEFAULT);
    let first = open(&path).unwrap();
    let told = open(&path).unwrap_err().to_string();
    assert!(told.ends_with("another server has it open"), "{told}");
    drop(first);
    for other in ["(;GM[2])", "{\"crc32\":1}\n", "\n", "{\"finisheD"] {
        fs::write(&path, other).unwrap();
        let told = open(&path).unwrap_err().to_string();
        assert!(told.contains("expected a log of games"), "{told}");
        assert_eq!(fs::read_to_string(&path).unwrap(), other);
    }
    // The server was killed while it wrote its first line.
    fs::write(&path, "{\"fin").unwrap();
    assert_eq!(open(&path).unwrap().1, 1);
    open(folder.path()).unwrap_err();
}

#[test]
fn a_new_log_goes_on_with_the_counts_of_the_old_one() {
    let (folder, path) = place();
    assert_eq!(rotate(&path).unwrap(), None);
    for number in 1..=2 {
        save(&mut open(&path), &[game(EVALUATION, "a", "b\n")]).unwrap();
        let before = fs::read(&path).unwrap();
        let aside = folder.path().join(format!("games.jsonl.{number}"));
        assert_eq!(rotate(&path).unwrap().as_ref(), Some(&aside));
        assert_eq!(fs::read(aside).unwrap(), before);
        let lines = fs::read_to_string(&path).unwrap();
        assert!(lines.lines().all(|line| is_count_line(line.as_bytes())));
        let a = open(&path).tally("a");
        assert_eq!(
            (a.wins, a.evaluation.won, a.today),
            (number, number, number)
        );
        assert_eq!(open(&path).tally("b\n").evaluations, number);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_log_that_fails_is_left_alone() {
    let mut results = Results::full(ResultBounds::DEFAULT);
    let games = [game(TESTING, "a", "house")];
    assert_eq!(results.no_room("a", 0), None);
    let told = save(&mut results, &games).unwrap_err().to_string();
    assert!(told.contains("/dev/full"), "{told}");
    assert!(!save(&mut results, &games).unwrap());
    assert_eq!(results.no_room("a", 0), Some(NoRoom::Games));
    assert_eq!(
        results.tally("a").wins,
        2,
        "it is counted while the server runs"
    );
}

#[test]
fn counts_are_reset_by_a_line_of_the_log() {
    let (_folder, path) = place();
    let won = game(COMPETITION, "a", "b");
    let mut results = open(&path);
    assert!(results.reset("a").unwrap(), "there is nothing to reset");
    save(&mut results, std::slice::from_ref(&won)).unwrap();
    assert!(results.reset("a").unwrap());
    assert_eq!(results.tally("a"), Tally::default());
    save(&mut results, &[won]).unwrap();
    drop(results);
    let lines = fs::read_to_string(&path).unwrap();
    let is_count = lines.lines().map(|line| is_count_line(line.as_bytes()));
    assert!(is_count.eq([false, true, false]), "{lines}");
    let results = open(&path);
    assert_eq!(
        (results.tally("a").wins, results.tally("b").competition.lost),
        (1, 2)
    );
}

#[test]
fn counts_of_an_earlier_version_are_read() {
    let (_folder, path) = place();
    fs::write(&path, "{\"id\":\"a\",\"wins\":3,\"evaluations\":4}\n").unwrap();
    let a = open(&path).tally("a");
    assert_eq!((a.wins, a.evaluations), (3, 4));
}

#[test]
fn games_of_today_and_in_progress_are_limited() {
    let bounds = ResultBounds {
        games_a_day: Some(2),
        ..ResultBounds::DEFAULT
    };
    let (mut results, _) = Results::open(None, bounds).unwrap();
    let yesterday = game(TESTING, "a", "house");
    let today = GameRecord {
        finished: now(),
        ..yesterday.clone()
    };
    for (played, refused) in [
        (&yesterday, None),
        (&today, None),
        (&today, Some(NoRoom::Day)),
    ] {
        save(&mut results, std::slice::from_ref(played)).unwrap();
        assert_eq!(results.no_room("a", 0), refused);
    }
    assert_eq!(results.no_room("b", 1), None);
    assert_eq!(results.no_room("b", 2), Some(NoRoom::Day));
}
