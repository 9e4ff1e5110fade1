//! Every committed seed of the fuzz targets of this crate, replayed.

use boardgame_laws::{replay_seeds, targets_of};
use go_laws::TARGETS;

#[test]
fn every_seed_keeps_its_law() {
    replay_seeds(TARGETS);
}

#[test]
fn the_targets_are_the_laws() {
    let laws = TARGETS.iter().map(|(name, _)| (*name).to_owned()).collect();
    assert_eq!(targets_of("go_laws"), laws);
}
