mod torn;

use std::{fs, sync::LazyLock};

use boardgame_core::Color;
use proptest::prelude::*;
use tempfile::TempDir;

use super::*;
use crate::countdown::{BLACK_WINS, Countdown, NINE_MOVES};
use crate::{
    fault::{Fault, StartFailure},
    record::{GameResult, Side, Thought},
};

fn header() -> Header {
    let engine = |name: &str, spec: &str| EngineEntry {
        name: name.to_owned(),
        spec: spec.to_owned(),
    };
    Header {
        engines: vec![engine("A", "own:"), engine("Bé", "gtp:b -x \"1\"")],
        schedule: "pairs".to_owned(),
        openings: "start".to_owned(),
        seed: 7,
        rules: "tolerance=100ms".to_owned(),
    }
}

fn game(opening: u32) -> PlayedGame {
    let thought = Thought {
        wall_us: 1234,
        score: Some(-0.3),
        ..Thought::default()
    };
    PlayedGame {
        game: Some("countdown".into()),
        id: GameId {
            opening,
            black: EngineId(0),
            white: EngineId(1),
        },
        names: ["A".to_owned(), "Bé".to_owned()],
        limits: ["depth:5".parse().unwrap(), Limit::default()],
        finished: 1_700_000_000,
        setup: None,
        moves: NINE_MOVES.to_owned(),
        opening_plies: 0,
        thoughts: vec![thought; 9],
        result: BLACK_WINS,
        faults: Vec::new(),
    }
}

/// A game that ended at once.
fn forfeit(opening: u32) -> PlayedGame {
    let fault = Fault::NotStarted {
        failure: StartFailure::NotRun,
        reason: "no such file\n".to_owned(),
    };
    PlayedGame {
        moves: String::new(),
        thoughts: Vec::new(),
        result: GameResult::Forfeit {
            by: Color::White.into(),
        },
        faults: vec![(Side::White, fault)],
        ..game(opening)
    }
}

fn limit() -> Limit {
    "nodes:123".parse().unwrap()
}

/// A log of a header, two games and a limit between them.
fn small_log() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log.jsonl");
    let (mut log, contents) = Log::<Countdown>::open(&path, &header()).unwrap();
    assert_eq!(contents, Contents::new(header()));
    log.append(&game(0)).unwrap();
    log.append_limit(EngineId(1), limit()).unwrap();
    log.append(&forfeit(1)).unwrap();
    drop(log);
    (folder, path)
}

fn small_contents() -> Contents {
    let mut contents = Contents::new(header());
    contents.games = vec![game(0), forfeit(1)];
    contents.limits.insert(EngineId(1), limit());
    contents
}

fn message(result: Result<impl fmt::Debug, LogError>, path: &Path) -> String {
    let message = result.unwrap_err().to_string();
    message.replace(&path.display().to_string(), "LOG")
}

#[test]
fn what_is_written_reads_back() {
    let (_folder, path) = small_log();
    assert_eq!(read::<Countdown>(&path).unwrap(), small_contents());
    let (mut log, contents) = Log::<Countdown>::open(&path, &header()).unwrap();
    assert_eq!(contents, small_contents());
    log.append(&game(2)).unwrap();
    assert_eq!(
        read::<Countdown>(&path).unwrap().games.len(),
        3,
        "also while it is open"
    );
}

#[test]
fn lines_are_json_with_the_checksum_of_the_entry() {
    let (_folder, path) = small_log();
    let text = fs::read_to_string(path).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(
        lines[0],
        "{\"crc32\":\"97b6479a\",\"match\":{\"version\":1,\"engines\":[{\"name\":\"A\",\
         \"spec\":\"own:\"},{\"name\":\"Bé\",\"spec\":\"gtp:b -x \\\"1\\\"\"}],\
         \"schedule\":\"pairs\",\"openings\":\"start\",\"seed\":7,\"rules\":\"tolerance=100ms\"}}"
    );
    // The checksum is `zlib.crc32` of the inner text.
    assert_eq!(
        lines[2],
        "{\"crc32\":\"1477cc24\",\"limit\":{\"engine\":1,\"limit\":\"nodes:123\"}}"
    );
    for line in lines {
        let value: serde_json::Value = serde_json::from_str(line).unwrap();
        assert_eq!(value.as_object().unwrap().len(), 2);
    }
}

#[test]
fn a_game_is_kept_once() {
    let (_folder, path) = small_log();
    let (mut log, _) = Log::<Countdown>::open(&path, &header()).unwrap();
    let expected = "not written to the log LOG: the game of opening 0 between engines 0 and 1 \
                    is there already";
    assert_eq!(message(log.append(&game(0)), &path), expected);
    drop(log);
    assert_eq!(read::<Countdown>(&path).unwrap(), small_contents());

    // A file with the same game twice is bad, too.
    let text = fs::read_to_string(&path).unwrap();
    let line = text.lines().nth(1).unwrap();
    fs::write(&path, format!("{text}{line}\n")).unwrap();
    let expected =
        "the log LOG, line 5: the game of opening 0 between engines 0 and 1 is there already; to";
    assert!(message(read::<Countdown>(&path), &path).starts_with(expected));
    assert!(message(Log::<Countdown>::open(&path, &header()), &path).starts_with(expected));
}

#[test]
fn what_could_not_be_read_back_is_not_written() {
    let (_folder, path) = small_log();
    let (mut log, _) = Log::<Countdown>::open(&path, &header()).unwrap();
    let mut illegal = game(2);
    illegal.moves.replace_range(2..3, "3");
    let mut stranger = game(2);
    stranger.id.white = EngineId(2);
    let mut misnamed = game(2);
    misnamed.names.swap(0, 1);
    for (game, expected) in [
        (
            illegal,
            "the moves: expected to take 1 or 2 of 8 counters, found 3",
        ),
        (
            stranger,
            "expected one of the 2 engines of the match, found number 2",
        ),
        (misnamed, "expected the engine \"A\", found \"Bé\""),
    ] {
        let message = message(log.append(&game), &path);
        assert!(message.contains(expected), "{message}");
    }
    log.append_limit(EngineId(2), limit()).unwrap_err();
    drop(log);
    assert_eq!(read::<Countdown>(&path).unwrap(), small_contents());
}

#[test]
fn the_log_of_another_match_is_refused_and_left_alone() {
    let (_folder, path) = small_log();
    let before = fs::read(&path).unwrap();
    let change = |change: fn(&mut Header)| {
        let mut header = header();
        change(&mut header);
        message(Log::<Countdown>::open(&path, &header), &path)
    };
    let another = "the log LOG is that of another match: expected the";
    for (message, difference) in [
        (
            change(|header| header.seed = 8),
            "seed to be \"8\", found \"7\"",
        ),
        (
            change(|header| header.openings = "xot".to_owned()),
            "openings to be \"xot\", found \"start\"",
        ),
        (
            change(|header| header.schedule = "swiss".to_owned()),
            "schedule to be \"swiss\", found \"pairs\"",
        ),
        (
            change(|header| header.engines.truncate(1)),
            "number of engines to be \"1\", found \"2\"",
        ),
        (
            change(|header| header.engines[1].name = "C".to_owned()),
            "name of engine 2 to be \"C\", found \"Bé\"",
        ),
        (
            change(|header| header.engines[0].spec = "own:level=3".to_owned()),
            "engine A to be \"own:level=3\", found \"own:\"",
        ),
    ] {
        assert_eq!(message, format!("{another} {difference}"));
    }
    assert_eq!(fs::read(&path).unwrap(), before);
}

#[test]
fn the_log_of_another_match_that_kept_nothing_is_taken_over() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log.jsonl");
    drop(Log::<Countdown>::open(&path, &header()).unwrap());
    let other = Header {
        seed: 8,
        ..header()
    };
    let (mut log, contents) = Log::<Countdown>::open(&path, &other).unwrap();
    assert_eq!(contents, Contents::new(other.clone()));
    log.append_limit(EngineId(1), limit()).unwrap();
    drop(log);
    assert_eq!(read::<Countdown>(&path).unwrap().header, other);
    Log::<Countdown>::open(&path, &header()).unwrap_err();
}

#[test]
fn a_file_that_is_no_log_is_refused_and_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("notes.txt");
    for text in [
        "notes",
        "notes\nmore\n",
        "{\"crc32\":\"00000000\"}\n",
        "{\"cr",
    ] {
        fs::write(&path, text).unwrap();
        let opened = Log::<Countdown>::open(&path, &header());
        if text == "{\"cr" {
            // A header that was only partly written.
            assert_eq!(opened.unwrap().1.torn, Some(Torn::Bytes(4)));
        } else {
            let expected = "LOG is not the log of a match: expected its header in line 1";
            assert_eq!(message(opened, &path), expected);
            assert_eq!(fs::read_to_string(&path).unwrap(), text);
        }
    }
    let error = read::<Countdown>(&folder.path().join("none")).unwrap_err();
    assert!(matches!(error, LogError::Io { .. }));
}

/// The format of a game whose records do not name it.
#[derive(Debug)]
struct Unnamed;

impl RecordFormat for Unnamed {
    type Game = Countdown;

    const GAME: Option<&'static str> = None;

    fn default_setup() -> Option<u32> {
        Countdown::default_setup()
    }
}

#[test]
fn the_log_of_another_game_is_refused() {
    let (folder, path) = small_log();
    let expected = |found: &str| {
        format!(
            "LOG is the log of a match of another game: expected games of countdown, found {found}"
        )
    };
    let error = message(read::<Unnamed>(&path), &path);
    assert_eq!(error, expected("one of countdown"));
    let path = folder.path().join("unnamed.jsonl");
    let (mut log, _) = Log::<Unnamed>::open(&path, &header()).unwrap();
    let unnamed = PlayedGame {
        game: None,
        ..game(0)
    };
    log.append(&unnamed).unwrap();
    drop(log);
    let error = message(Log::<Countdown>::open(&path, &header()), &path);
    assert_eq!(error, expected("one without a name"));
}

#[test]
fn another_format_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log.jsonl");
    let value = "{\"version\":2,\"players\":[]}";
    let sum = crc32fast::hash(value.as_bytes());
    fs::write(
        &path,
        format!("{{\"crc32\":\"{sum:08x}\",\"match\":{value}}}\n"),
    )
    .unwrap();
    let expected = "the log LOG, line 1: expected a log of format 1, found format 2";
    assert_eq!(message(read::<Countdown>(&path), &path), expected);
}

#[test]
fn only_one_writes() {
    let (_folder, path) = small_log();
    let (log, _) = Log::<Countdown>::open(&path, &header()).unwrap();
    let expected = "the log LOG is being written by another match";
    assert_eq!(
        message(Log::<Countdown>::open(&path, &header()), &path),
        expected
    );
    drop(log);
    Log::<Countdown>::open(&path, &header()).unwrap();
}

#[test]
fn a_bad_line_is_named() {
    let (_folder, path) = small_log();
    let text = fs::read_to_string(&path).unwrap();
    for (from, to, expected) in [
        ("nodes:123", "nodes:124", "line 3: expected the checksum"),
        (
            "\"limit\":{",
            "\"limes\":{",
            "line 3: expected a checksum and an entry",
        ),
        ("{\"crc32\":\"", "", "not the log of a match"),
        ("\n", "\n\0\n", "line 2: expected a checksum and an entry"),
    ] {
        assert!(text.contains(from));
        let changed = text.replacen(from, to, 1);
        fs::write(&path, &changed).unwrap();
        let message = message(Log::<Countdown>::open(&path, &header()), &path);
        assert!(message.contains(expected), "{message}");
        let no_log = expected == "not the log of a match";
        assert!(
            no_log || message.contains("; to continue the match, keep a copy and delete the line")
        );
        assert_eq!(fs::read_to_string(&path).unwrap(), changed, "left alone");
    }
}

/// Without the line that an error names, the match goes on with all other games.
#[test]
fn a_bad_line_can_be_taken_out() {
    let (_folder, path) = small_log();
    let text = fs::read_to_string(&path).unwrap();
    let changed = text.replacen(NINE_MOVES, &NINE_MOVES.replace(' ', "  "), 1);
    fs::write(&path, &changed).unwrap();
    let told = message(Log::<Countdown>::open(&path, &header()), &path);
    assert!(
        told.starts_with("the log LOG, line 2: expected the checksum"),
        "{told}"
    );
    let lines = changed.split_inclusive('\n').enumerate();
    let others: String = lines
        .filter(|(index, _)| *index != 1)
        .map(|(_, line)| line)
        .collect();
    fs::write(&path, others).unwrap();
    let (mut log, contents) = Log::<Countdown>::open(&path, &header()).unwrap();
    assert_eq!(contents.games, [forfeit(1)]);
    log.append(&game(0)).unwrap();
}

/// Whatever bit changes, the file is refused, or its end is reported as dropped.
#[test]
fn a_flipped_bit_is_noticed() {
    let (_folder, path) = small_log();
    let mut bytes = fs::read(&path).unwrap();
    for index in 0..bytes.len() {
        for bit in 0..8 {
            bytes[index] ^= 1 << bit;
            assert!(
                read::contents::<Countdown>(&path, &bytes).is_err(),
                "byte {index}, bit {bit}"
            );
            bytes[index] ^= 1 << bit;
        }
    }
}

proptest! {
    /// Any bytes in any place give an error or the original content, never a panic.
    #[test]
    fn changed_bytes_are_noticed(
        at in 0.0..1.0,
        change in proptest::collection::vec(any::<u8>(), 0..40),
    ) {
        static BYTES: LazyLock<Vec<u8>> = LazyLock::new(|| {
            let (_folder, path) = small_log();
            fs::read(path).unwrap()
        });
        let at = (at * BYTES.len() as f64) as usize;
        let end = BYTES.len().min(at + change.len());
        let changed = [&BYTES[..at], &change, &BYTES[end..]].concat();
        if let Ok(contents) = read::contents::<Countdown>(Path::new("LOG"), &changed) {
            prop_assert!(changed == *BYTES || contents.torn.is_some());
            prop_assert!(small_contents().games.starts_with(&contents.games));
        }
    }
}

fn ruling(game: GameId, result: Option<GameResult>) -> Entry {
    Entry::Ruling(Ruling {
        game,
        result,
        reason: "power cut".into(),
        by: "Eva".into(),
        time: 1_700_000_000,
    })
}

#[test]
fn a_tournament_takes_late_engines_rounds_and_decisions() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.jsonl");
    // A log without rounds fixes nothing, nor does a header that was cut off.
    let mut before = header();
    before.seed = 8;
    drop(Log::<Countdown>::open_tournament(&path, &before));
    let new = read_tournament::<Countdown>(&path, &header()).unwrap();
    assert_eq!(new, Contents::new(header()));
    let torn = &fs::read(&path).unwrap()[..50];
    fs::write(&path, torn).unwrap();
    let new = read_tournament::<Countdown>(&path, &before).unwrap();
    assert_eq!(new, Contents::new(before.clone()));
    drop(Log::<Countdown>::open_tournament(&path, &before));
    let (mut log, _) = Log::<Countdown>::open_tournament(&path, &header()).unwrap();
    let [first, second] = [game(0), game(1)];
    for round in [&first, &second] {
        let games = vec![round.id];
        let byes = Vec::new();
        log.append_entry(&Entry::Round(Round { games, byes }))
            .unwrap();
        log.append(round).unwrap();
    }
    log.append_entry(&ruling(
        first.id,
        Some(GameResult::Forfeit { by: Side::Black }),
    ))
    .unwrap();
    log.append_entry(&ruling(second.id, None)).unwrap();
    drop(log);

    let mut later = header();
    later.engines.push(EngineEntry {
        name: "C".into(),
        spec: "gtp:c".into(),
    });
    later.engines[0].spec = "own:hash=1".into();
    let seen = read_tournament::<Countdown>(&path, &later).unwrap();
    assert_eq!(
        (seen.header.clone(), &seen.games[..]),
        (later.clone(), &[first.clone()][..])
    );
    let tally = seen.tally::<Countdown>(None);
    assert_eq!(tally.results()[&first.id].winner(), Some(Color::White));
    assert!(!tally.is_forfeit(first.id), "decided by a person");
    assert!(
        !tally.results().contains_key(&second.id),
        "to be played again"
    );

    let (mut log, contents) = Log::<Countdown>::open_tournament(&path, &later).unwrap();
    assert_eq!(contents, seen);
    log.append(&second).unwrap();
    let refused = [
        Entry::Game(Box::new(second.clone())),
        Entry::Round(contents.rounds[0].clone()),
        ruling(game(7).id, None),
    ];
    for entry in refused {
        let error = log.append_entry(&entry).unwrap_err();
        assert!(matches!(error, LogError::Refused { .. }), "{error}");
    }
    drop(log);
    let contents = read::<Countdown>(&path).unwrap();
    assert_eq!(contents.header, later);
    assert_eq!(contents.games, [first, second]);

    later.seed = 8;
    let other = read_tournament::<Countdown>(&path, &later);
    assert!(message(other, &path).contains("seed"));
}
