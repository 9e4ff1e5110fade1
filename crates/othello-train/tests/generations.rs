//! The record of the generations that the built-in weights come from.

use std::{fs, path::Path};

use othello_train::Manifest;

#[test]
fn every_generation_has_a_manifest_that_can_be_read() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("generations");
    let count = fs::read_dir(&folder).unwrap().count();
    assert!(count >= 3, "{count}");
    let mut players = Vec::new();
    for number in 0..count {
        let text = fs::read_to_string(folder.join(format!("{number}.toml"))).unwrap();
        let manifest = Manifest::parse(&text).unwrap();
        // What comes before is for people.
        let (_, told) = text.split_once("\n\n").unwrap();
        assert_eq!(manifest.to_toml(), told, "generation {number}");
        assert!(manifest.shards.iter().all(|shard| shard.games > 1_000));
        let recipe = manifest.recipe();
        assert!(number == 0 || recipe.depth > 0 && recipe.solve_from >= 12);
        players.push(manifest.player);
    }
    // No two were played alike.
    players.sort();
    players.dedup();
    assert_eq!(players.len(), count);
}
