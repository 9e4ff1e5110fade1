//! The committed seeds of the fuzz targets.

use std::{collections::BTreeSet, fs, panic, path::PathBuf};

use crate::Law;

/// Returns the folder of the fuzz targets and their seeds.
pub fn fuzz_folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../fuzz")
}

/// Runs each law on the seeds of its target, of which there is one at least.
pub fn replay_seeds(targets: &[(&str, Law)]) {
    for (target, law) in targets {
        let folder = fuzz_folder().join("seeds").join(target);
        let entries = fs::read_dir(&folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
        let mut seeds = 0;
        for entry in entries {
            let path = entry.expect("an entry of a folder").path();
            let seed = fs::read(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
            let outcome = panic::catch_unwind(|| law(&seed));
            assert!(outcome.is_ok(), "{} breaks its law", path.display());
            seeds += 1;
        }
        assert!(seeds > 0, "{target} has no seed");
    }
}

/// Returns the names of the fuzz targets that run laws of a crate, such as `othello_laws`.
pub fn targets_of(library: &str) -> BTreeSet<String> {
    let call = format!("| {library}::");
    let targets = fs::read_dir(fuzz_folder().join("fuzz_targets")).expect("a folder of targets");
    let paths = targets.map(|entry| entry.expect("an entry of a folder").path());
    let calls = |path: &PathBuf| {
        let source = fs::read_to_string(path).expect("a target's source");
        source.contains(&call)
    };
    let name = |path: PathBuf| {
        let stem = path.file_stem().expect("a target's name");
        stem.to_string_lossy().into_owned()
    };
    paths.filter(calls).map(name).collect()
}
