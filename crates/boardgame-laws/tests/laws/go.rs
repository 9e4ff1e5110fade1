//! The laws of the fuzz targets over random bytes.

use boardgame_laws::go::{gtp, sgf, usenix};
use proptest::prelude::*;

/// Events of `boardgame_laws::player_session`: mostly the referee's next lines and decisions.
fn player_games() -> impl Strategy<Value = Vec<u8>> {
    let event = prop_oneof![
        30 => any::<[u8; 3]>().prop_map(|[kind, high, low]| vec![6, 15, kind % 11, high, low, 15]),
        30 => any::<[u8; 3]>().prop_map(|[kind, column, row]| vec![4, kind, column, row]),
        2 => prop::collection::vec(any::<u8>(), 6),
    ];
    games::<3>(event)
}

/// Events of `boardgame_laws::host_game`: mostly answers of the programs.
fn referee_games() -> impl Strategy<Value = Vec<u8>> {
    let event = prop_oneof![
        30 => (0u8..2, any::<[u8; 3]>())
            .prop_map(|(seat, [kind, high, low])| vec![seat, 9, 1, kind % 10, high, low, 15]),
        5 => (0u8..14).prop_map(|time| vec![0, 2, time]),
        1 => prop::collection::vec(any::<u8>(), 7),
    ];
    games::<3>(event)
}

/// Events of `boardgame_laws::player_session`: mostly a controller's GTP commands, and decisions.
fn gtp_games() -> impl Strategy<Value = Vec<u8>> {
    let event = prop_oneof![
        30 => any::<[u8; 4]>().prop_map(|[kind, high, low, spelling]| vec![6, kind, high, low, spelling]),
        30 => any::<[u8; 3]>().prop_map(|[kind, column, row]| vec![4, kind, column, row]),
        2 => prop::collection::vec(any::<u8>(), 6),
    ];
    games::<2>(event)
}

/// Events after the `N` bytes that choose a game.
fn games<const N: usize>(event: impl Strategy<Value = Vec<u8>>) -> impl Strategy<Value = Vec<u8>> {
    let events = prop::collection::vec(event, 0..200).prop_map(|events| events.concat());
    (any::<[u8; N]>(), events).prop_map(|(head, events)| [head.to_vec(), events].concat())
}

proptest! {
    #[test]
    fn any_bytes_keep_the_laws(data in prop::collection::vec(any::<u8>(), 0..400)) {
        for (_, law) in boardgame_laws::go::TARGETS {
            law(&data);
        }
    }

    #[test]
    fn any_lines_keep_the_laws_of_parsing(text in "([A-Za-z]?[0-9]{0,3}|pass|byo-[ry]omi|black|[ \t\r\n]){0,8}") {
        usenix::parse(text.as_bytes());
        gtp::parse(text.as_bytes());
    }

    #[test]
    fn any_records_keep_the_laws(text in "\\(;(SZ\\[[1-9]{1,2}\\])?(;?[BW]\\[[a-i]{2}\\]|A[BWE](\\[[a-e]{2}(:[a-e]{2})?\\]){1,3}|C\\[[ a\\\\\r\n:é]{0,5}\\]|RE\\[[BW]\\+[R0-9.]{0,3}\\]|\\(;|\\)){0,12}\\)") {
        sgf::parse(text.as_bytes());
    }

    #[test]
    fn whole_games_keep_the_laws_of_players(data in player_games()) {
        usenix::player(&data);
    }

    #[test]
    fn whole_games_keep_the_laws_of_referees(data in referee_games()) {
        usenix::referee(&data);
    }

    #[test]
    fn whole_games_keep_the_laws_of_gtp(data in gtp_games()) {
        gtp::player(&data);
    }
}
