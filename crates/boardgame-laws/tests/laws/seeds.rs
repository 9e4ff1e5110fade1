//! The seeds and binaries of the fuzz targets.

use std::{collections::BTreeSet, fs, panic, path::PathBuf};

use boardgame_laws::{Law, TARGETS, go, othello};

fn fuzz_folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../fuzz")
}

fn targets() -> impl Iterator<Item = (&'static str, Law)> {
    let all = [TARGETS, othello::TARGETS, go::TARGETS].concat();
    all.into_iter()
}

#[test]
fn every_seed_keeps_its_law() {
    for (target, law) in targets() {
        for entry in fs::read_dir(fuzz_folder().join("seeds").join(target)).unwrap() {
            let path = entry.unwrap().path();
            let seed = fs::read(&path).unwrap();
            let outcome = panic::catch_unwind(|| law(&seed));
            assert!(outcome.is_ok(), "{} breaks its law", path.display());
        }
    }
}

/// A checkout has no empty folders, so each target with a folder has a seed.
#[test]
fn every_law_has_its_target_with_its_seeds() {
    let names = |folder: &str| -> BTreeSet<String> {
        let entries = fs::read_dir(fuzz_folder().join(folder)).unwrap();
        let paths = entries.map(|entry| entry.unwrap().path());
        let stems = paths.map(|path| path.file_stem().unwrap().to_owned());
        stems.map(|stem| stem.into_string().unwrap()).collect()
    };
    let manifest = fs::read_to_string(fuzz_folder().join("Cargo.toml")).unwrap();
    let binaries: BTreeSet<String> = (manifest.lines())
        .filter_map(|line| line.strip_prefix("path = \"fuzz_targets/"))
        .filter_map(|name| name.strip_suffix(".rs\""))
        .map(String::from)
        .collect();
    let laws: BTreeSet<String> = targets().map(|(name, _)| name.to_owned()).collect();
    assert_eq!(names("fuzz_targets"), laws);
    assert_eq!(names("seeds"), laws);
    assert_eq!(binaries, laws);
}
