//! The laws of the fuzz targets over random bytes.

use othello_proto::laws::lth;
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn lines_read_back_what_they_print(data in prop::collection::vec(any::<u8>(), 0..80)) {
        lth::parse(&data);
    }

    #[test]
    fn a_client_keeps_the_rules(data in prop::collection::vec(any::<u8>(), 0..1500)) {
        lth::player(&data);
    }

    #[test]
    fn a_server_keeps_the_rules(data in prop::collection::vec(any::<u8>(), 0..1500)) {
        lth::server(&data);
    }
}
