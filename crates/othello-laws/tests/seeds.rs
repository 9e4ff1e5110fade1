//! Every committed seed of the fuzz targets, replayed.
#![allow(clippy::print_stdout)] // The name of the seed that fails.

use std::{collections::BTreeSet, fs, path::PathBuf};

use othello_laws::TARGETS;

fn fuzz_folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../fuzz")
}

#[test]
fn every_seed_keeps_its_law() {
    for (name, law) in TARGETS {
        let folder = fuzz_folder().join("seeds").join(name);
        let mut seeds = 0;
        for entry in fs::read_dir(&folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display())) {
            let path = entry.unwrap().path();
            println!("{}", path.display());
            law(&fs::read(&path).unwrap());
            seeds += 1;
        }
        assert!(seeds > 0, "{name} has no seed");
    }
}

#[test]
fn targets_and_seeds_match_the_laws() {
    let laws: BTreeSet<String> = TARGETS.iter().map(|(name, _)| (*name).to_owned()).collect();
    let names = |folder: &str| -> BTreeSet<String> {
        fs::read_dir(fuzz_folder().join(folder))
            .unwrap()
            .map(|entry| {
                entry
                    .unwrap()
                    .path()
                    .file_stem()
                    .unwrap()
                    .to_string_lossy()
                    .into_owned()
            })
            .collect()
    };
    assert_eq!(names("fuzz_targets"), laws);
    assert_eq!(names("seeds"), laws);
}
