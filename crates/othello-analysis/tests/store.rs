//! Several processes that share one file, and killed processes.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    thread,
    time::Duration,
};

use othello_analysis::{
    Bound, Discs, DiskStore, Effort, MoveValue, Size, Source, Store as _, StoreFault, Stored,
};
use othello_core::Position;
use tempfile::TempDir;

/// The variables that make a process of this test a writer: the file, the first depth, and the step to the next.
const FILE: &str = "STORE_OF_TEST";
const FIRST: &str = "FIRST_DEPTH_OF_TEST";
const STEP: &str = "STEP_OF_TEST";

/// The greatest depth that is written.
const DEEPEST: u32 = 40;

fn open(path: &Path) -> DiskStore {
    DiskStore::open(path, "test", Size::default()).unwrap()
}

/// A place for a file.
fn place() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("analyses");
    (folder, path)
}

/// Canonical positions with moves, all different, from the start on.
fn positions(count: usize) -> Vec<Position> {
    let mut seen = vec![Position::START.canonical().0];
    for at in 0.. {
        let position = seen[at];
        for square in position.legal_moves() {
            if seen.len() == count {
                return seen;
            }
            let (next, _) = position.play_unchecked(square).canonical();
            if !next.legal_moves().is_empty() && !seen.contains(&next) {
                seen.push(next);
            }
        }
    }
    unreachable!("the game has more positions")
}

/// An entry whose values all encode its depth.
fn entry(position: Position, depth: u32) -> Stored {
    let moves = position.legal_moves().iter().map(|square| MoveValue {
        mv: square.into(),
        score: Discs::whole(depth as i32),
        bound: Bound::Exact,
        source: Source::Depth {
            depth,
            confidence: 87,
        },
        line: vec![square.into()],
    });
    Stored {
        effort: Effort::Depth(depth),
        moves: moves.collect(),
    }
}

/// Starts a process that puts entries of all positions: of the first depth, then of every `step`-th.
fn writer(path: &Path, first: u32, step: u32) -> Child {
    Command::new(env::current_exe().unwrap())
        .args(["--exact", "writes_if_it_is_told_where", "--nocapture"])
        .env(FILE, path)
        .env(FIRST, first.to_string())
        .env(STEP, step.to_string())
        .stdout(Stdio::null())
        .spawn()
        .unwrap()
}

/// The writer; without its variables it does nothing.
#[test]
fn writes_if_it_is_told_where() {
    let Some(path) = env::var_os(FILE) else {
        return;
    };
    let number = |name| env::var(name).unwrap().parse::<u32>().unwrap();
    let mut store = open(Path::new(&path));
    for depth in (number(FIRST)..=DEEPEST).step_by(number(STEP) as usize) {
        for position in positions(40) {
            store.put(position, entry(position, depth));
            assert!(store.failure().is_none(), "{:?}", store.failure());
            let found = store.get(position).expect("what was put");
            assert!(found.effort >= Effort::Depth(depth));
        }
    }
}

#[test]
fn several_processes_lose_nothing_and_keep_the_deepest() {
    let (_folder, path) = place();
    let mut writers: Vec<Child> = (1..=4).map(|first| writer(&path, first, 4)).collect();
    for writer in &mut writers {
        assert!(writer.wait().unwrap().success());
    }
    let mut store = open(&path);
    for position in positions(40) {
        assert_eq!(store.get(position), Some(entry(position, DEEPEST)));
    }
}

#[test]
fn a_file_is_whole_after_each_of_many_kills() {
    let (_folder, path) = place();
    let mut deepest = 0;
    for kill in 0..20 {
        let mut process = writer(&path, 1, 1);
        thread::sleep(Duration::from_millis(15 * (kill % 10) + 20));
        process.kill().unwrap();
        process.wait().unwrap();
        let mut store = open(&path);
        for position in positions(40) {
            let Some(found) = store.get(position) else {
                continue;
            };
            let Effort::Depth(depth) = found.effort else {
                panic!("never written")
            };
            assert_eq!(found, entry(position, depth));
            deepest = deepest.max(depth);
        }
        assert!(store.failure().is_none(), "{:?}", store.failure());
        assert_eq!(store.damaged_entries(), 0);
    }
    assert!(deepest > 0, "no process lived long enough to write");
    assert!(writer(&path, 1, 1).wait().unwrap().success());
    let mut store = open(&path);
    for position in positions(40) {
        assert_eq!(store.get(position), Some(entry(position, DEEPEST)));
    }
}

#[test]
fn a_shallower_result_never_replaces_a_deeper_one() {
    let (_folder, path) = place();
    let position = positions(1)[0];
    let mut depths = open(&path);
    for (put, expected) in [(8, 8), (7, 8), (8, 8), (20, 20), (1, 20)] {
        depths.put(position, entry(position, put));
        assert_eq!(open(&path).get(position), Some(entry(position, expected)));
    }
}

#[test]
fn after_an_error_nothing_more_is_found_or_kept() {
    let (_folder, path) = place();
    let mut store = open(&path);
    let position = positions(1)[0];
    store.put(position, entry(position, 8));
    fs::write(&path, "a file of another kind").unwrap();
    // It is shorter than the part already read, so it is reopened.
    assert_eq!(store.get(position), None);
    let failure = store.failure().unwrap().to_string();
    let expected = "analyses: expected a store of analyses of this version, found another kind";
    assert!(failure.contains(expected), "{failure}");
    store.put(position, entry(position, 8));
    assert_eq!(store.failure().unwrap().to_string(), failure);
    assert_eq!(fs::read(&path).unwrap(), b"a file of another kind");
}

#[test]
fn a_place_where_no_file_can_be_is_an_error() {
    let (_folder, path) = place();
    fs::write(&path, "").unwrap();
    for path in [path.join("below"), path.parent().unwrap().to_owned()] {
        let error = DiskStore::open(&path, "test", Size::default()).unwrap_err();
        assert!(matches!(error.cause, StoreFault::Io(_)), "{error}");
    }
}

#[test]
fn a_text_is_found_however_the_position_is_turned() {
    let (_folder, path) = place();
    let mut store = open(&path);
    let position = Position::START.play_unchecked(othello_core::Square::F5);
    assert_eq!(store.text(position), None);
    for text in ["first", "second"] {
        store.keep_text(position, text);
        for symmetry in othello_core::Symmetry::ALL {
            let found = open(&path).text(symmetry.position(position));
            assert_eq!(found.as_deref(), Some(text));
        }
    }
    let mut others = DiskStore::open(&path, "others", Size::default()).unwrap();
    assert_eq!(others.text(position), None);
}
