//! The seeds of the laws of this crate, and the names of all fuzz targets.

use std::{collections::BTreeSet, fs};

use boardgame_laws::{TARGETS, fuzz_folder, replay_seeds, targets_of};

#[test]
fn every_seed_keeps_its_law() {
    replay_seeds(TARGETS);
}

#[test]
fn the_targets_are_the_laws() {
    let laws = TARGETS.iter().map(|(name, _)| (*name).to_owned()).collect();
    assert_eq!(targets_of("boardgame_laws"), laws);
}

#[test]
fn every_target_has_its_seeds_and_its_binary() {
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
    assert_eq!(names("fuzz_targets"), binaries);
    assert_eq!(names("seeds"), binaries);
    let libraries = ["boardgame_laws", "othello_laws", "go_laws"];
    let of_libraries: BTreeSet<String> = libraries.into_iter().flat_map(targets_of).collect();
    assert_eq!(of_libraries, binaries);
}
