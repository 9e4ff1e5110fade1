//! The manifests of the generations that the built-in weights come from.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use othello_train::Manifest;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("generations")
}

/// The texts of the manifests by name.
fn manifests() -> BTreeMap<String, String> {
    let read = |entry: std::io::Result<fs::DirEntry>| {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        (name, fs::read_to_string(path).unwrap())
    };
    fs::read_dir(folder()).unwrap().map(read).collect()
}

#[test]
fn every_generation_has_a_valid_manifest() {
    let manifests = manifests();
    let expected = [
        "0",
        "1",
        "2",
        "3",
        "4",
        "5",
        "6",
        "7-depth-2",
        "7-depth-2-more",
        "7-depth-4",
        "7-depth-6",
        "8-depth-4",
        "8-depth-4-first",
        "8-depth-8",
        "9-depth-4",
    ];
    assert!(manifests.keys().eq(&expected), "{:?}", manifests.keys());
    let mut players = Vec::new();
    for (name, text) in &manifests {
        let manifest = Manifest::read(&folder().join(format!("{name}.toml"))).unwrap();
        // A comment precedes the manifest.
        let (_, toml) = text.split_once("\n\n").unwrap();
        assert_eq!(manifest.to_string(), toml, "generation {name}");
        for entry in manifest.shards() {
            assert!(entry.records > 1_000);
            assert_eq!(manifest.games_of(entry.shard), Some(entry.records));
            // Some shards were stopped early.
            let generation = manifest.generation("1".into(), None).unwrap();
            assert!(entry.records <= entry.shard.share_of(generation.games));
        }
        let recipe = manifest.recipe();
        assert!(name == "0" || recipe.depth > 0 && recipe.solve_from >= 12);
        players.push(manifest.player());
    }
    // All were played by different players.
    players.sort_unstable();
    players.dedup();
    assert_eq!(players.len(), expected.len());
}

#[test]
fn the_built_in_weights_are_those_of_the_last_generation() {
    let weights = "../../crates/othello-search/src/eval/weights.bin";
    let bytes = fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join(weights)).unwrap();
    let line = format!("of 9.weights {:08x}.", crc32fast::hash(&bytes));
    assert!(manifests()["9-depth-4"].contains(&line), "{line}");
}
