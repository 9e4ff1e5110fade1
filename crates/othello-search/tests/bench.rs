//! The signature of the benchmark: the same node count in every run and on every tier.

use othello_core::Tier;
use othello_search::{Options, bench};

#[test]
fn the_signature_is_reproduced_on_every_tier_and_twice_in_a_row() {
    let signature = |tier| {
        let options = Options {
            tier,
            ..Options::default()
        };
        bench::run(options, &mut |_| {}).nodes
    };
    let supported = Tier::ALL.into_iter().filter(|tier| tier.is_supported());
    let expected = signature(Tier::Portable);
    assert_eq!(expected, bench::SIGNATURE);
    for tier in supported.chain([Tier::best()]) {
        assert_eq!(signature(tier), expected, "{tier}");
    }
}
