//! Work of the tests: item k has the record `k²`.

use std::path::Path;

use boardgame_files::shards::{Part, Parts, Shard, ShardError, Work};

pub(crate) fn work(seed: u64, items: u64) -> Work {
    let settings = [("seed".into(), seed.into()), ("items".into(), items.into())];
    Work {
        command: "square".into(),
        settings: settings.into(),
    }
}

pub(crate) fn parts(folder: &Path) -> Parts {
    Parts::new(folder, "squares", "txt")
}

pub(crate) fn shard(text: &str) -> Shard {
    text.parse().unwrap()
}

/// Appends at most `max` records.
pub(crate) fn go_on(part: &mut Part, max: usize) {
    for _ in 0..max {
        let Some(item) = part.next_item() else {
            return;
        };
        part.append(&(item * item).to_string()).unwrap();
    }
}

/// Makes a whole part.
pub(crate) fn make(folder: &Path, seed: u64, of: &str, items: u64) -> Result<(), ShardError> {
    let mut part = parts(folder).open(&work(seed, items), shard(of))?;
    go_on(&mut part, usize::MAX);
    assert!(part.is_complete());
    Ok(())
}
