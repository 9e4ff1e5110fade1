//! Measures the store: the time to write and to read an entry, and the size of the file.
//!
//! `cargo run --release -p othello-store --example entries -- FILE 10000` writes as many entries of made-up values to a
//! new file, as one process and then as two threads that share the file, and reads them.

use std::{
    collections::HashSet,
    error::Error,
    fs,
    io::{self, Write as _},
    path::Path,
    thread,
    time::{Duration, Instant},
};

use othello_analysis::{Bound, Discs, Effort, MoveValue, Source, Store as _, Stored};
use othello_core::{Move, Position};
use othello_store::{DiskStore, Size};

/// The moves of a line, as searches to a middling depth find.
const LINE: usize = 14;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let usage = "expected the path of a new file and a number of entries";
    let path = arguments.next().ok_or(usage)?;
    let count = arguments.next().ok_or(usage)?.parse()?;
    let path = Path::new(&path);
    if path.exists() {
        return Err(usage.into());
    }
    let entries = entries(count);
    let write = timed(|| put(path, &entries, 12));
    let read = timed(|| {
        let mut store = open(path);
        for (position, _) in &entries {
            assert!(store.get(*position).is_some());
        }
    });
    let size = fs::metadata(path)?.len();
    let shared = timed(|| {
        thread::scope(|scope| {
            for depth in [13, 14] {
                let entries = &entries;
                scope.spawn(move || put(path, entries, depth));
            }
        });
    });
    let micros = |time: Duration, entries: usize| time.as_secs_f64() * 1e6 / entries as f64;
    writeln!(
        io::stdout(),
        "{count} entries: write {:.0} µs, by two at once {:.0} µs, read {:.0} µs, {:.0} bytes an entry, {:.1} MB",
        micros(write, count),
        micros(shared, 2 * count),
        micros(read, count),
        size as f64 / count as f64,
        size as f64 / 1e6
    )?;
    Ok(())
}

fn open(path: &Path) -> DiskStore {
    DiskStore::open(path, "measured", Size::default()).expect("a store")
}

fn put(path: &Path, entries: &[(Position, Stored)], depth: u32) {
    let mut store = open(path);
    for (position, stored) in entries {
        let effort = Effort::Depth(depth);
        let moves = stored.moves.clone();
        store.put(*position, Stored { effort, moves });
    }
    assert!(store.failure().is_none());
}

fn timed(act: impl FnOnce()) -> Duration {
    let start = Instant::now();
    act();
    start.elapsed()
}

/// Entries of different positions of random games.
fn entries(count: usize) -> Vec<(Position, Stored)> {
    let mut seen = HashSet::new();
    let mut entries = Vec::new();
    let mut random = 1;
    while entries.len() < count {
        let mut position = Position::START;
        while let Some(next) = step(position, &mut random) {
            position = next;
            let (canonical, _) = position.canonical();
            if entries.len() < count
                && !canonical.legal_moves().is_empty()
                && seen.insert(canonical)
            {
                entries.push((canonical, values(canonical, &mut random)));
            }
        }
    }
    entries
}

/// The position after a random move or a pass, or `None` if the game is over.
fn step(position: Position, random: &mut u64) -> Option<Position> {
    if position.must_pass() {
        return Some(position.passed());
    }
    let moves = position.legal_moves();
    let chosen = next(random) as usize % (moves.count().max(1) as usize);
    let square = moves.into_iter().nth(chosen)?;
    Some(position.play_unchecked(square))
}

fn values(position: Position, random: &mut u64) -> Stored {
    let moves = position.legal_moves().into_iter().map(|square| {
        let mut line = vec![Move::Place(square)];
        let mut position = position.play_unchecked(square);
        while line.len() < LINE
            && let Some(next) = step(position, random)
        {
            let played = (next.own().0 | next.opponent().0) & position.empties().0;
            let square = othello_core::Bitboard(played).into_iter().next();
            line.push(square.map_or(Move::Pass, Move::Place));
            position = next;
        }
        MoveValue {
            mv: square.into(),
            score: Discs::from_hundredths(next(random) as i32 % 1000),
            bound: Bound::Exact,
            source: Source::Depth {
                depth: 12,
                confidence: 79,
            },
            line,
        }
    });
    Stored {
        effort: Effort::Depth(12),
        moves: moves.collect(),
    }
}

/// The next number of a linear congruential generator.
fn next(random: &mut u64) -> u64 {
    *random = random.wrapping_mul(6364136223846793005).wrapping_add(1);
    *random >> 33
}
