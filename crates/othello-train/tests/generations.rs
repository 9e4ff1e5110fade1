//! The record of the generations that the built-in weights come from.

use std::{fs, path::Path};

use othello_train::Manifest;

#[test]
fn every_generation_has_a_manifest_that_can_be_read() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("generations");
    let mut players = Vec::new();
    for entry in fs::read_dir(&folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap();
        let text = fs::read_to_string(&path).unwrap();
        let manifest = Manifest::parse(&text).unwrap();
        // What comes before is for people.
        let (_, told) = text.split_once("\n\n").unwrap();
        assert_eq!(manifest.to_toml(), told, "generation {name}");
        assert!(manifest.shards.iter().all(|shard| shard.games > 1_000));
        let recipe = manifest.recipe();
        assert!(name == "0" || recipe.depth > 0 && recipe.solve_from >= 12);
        players.push(manifest.player);
    }
    let count = players.len();
    assert!(count >= 8, "{count}");
    // No two were played alike.
    players.sort();
    players.dedup();
    assert_eq!(players.len(), count);
}
