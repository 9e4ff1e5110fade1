//! The laws of the fuzz targets over random bytes.

use boardgame_laws::othello::{core, gtp, lth, nboard, records, sloan};
use proptest::prelude::*;

/// Events of `boardgame_laws::othello::player_session`: mostly the server's next lines and the search's answers.
fn player_games() -> impl Strategy<Value = Vec<u8>> {
    let event = prop_oneof![
        30 => any::<u8>().prop_map(|choice| vec![6, 5, 0, choice]),
        30 => any::<u8>().prop_map(|square| vec![4, square]),
        2 => prop::collection::vec(any::<u8>(), 4),
    ];
    let events = prop::collection::vec(event, 0..200).prop_map(|events| events.concat());
    (any::<[u8; 2]>(), events).prop_map(|(head, events)| [head.to_vec(), events].concat())
}

/// Events of `boardgame_laws::othello::host_game`: mostly answers of the guests.
fn server_games() -> impl Strategy<Value = Vec<u8>> {
    let event = prop_oneof![
        30 => (0u8..2, any::<u8>()).prop_map(|(seat, choice)| vec![seat, 9, 5, choice]),
        10 => Just(vec![0, 2, 6]),
        1 => prop::collection::vec(any::<u8>(), 4),
    ];
    let events = prop::collection::vec(event, 0..600).prop_map(|events| events.concat());
    (any::<[u8; 4]>(), 0u8..3, events)
        .prop_map(|(head, port, events)| [head.to_vec(), vec![0, port], events].concat())
}

/// Events of `boardgame_laws::host_game`: mostly an answer of each program, or the moves of both.
fn asked_programs() -> impl Strategy<Value = Vec<u8>> {
    let event = prop_oneof![
        20 => (0u8..2, 0u8..3, any::<u8>()).prop_map(|(seat, kind, index)| vec![seat, 9, kind, index]),
        20 => any::<u8>().prop_map(|index| vec![0, 9, 0, 1, 0, 9, 5, index, 1, 9, 0, 1, 1, 9, 5, index]),
        2 => (0u8..16).prop_map(|time| vec![0, 2, time]),
        1 => prop::collection::vec(any::<u8>(), 4),
    ];
    let events = prop::collection::vec(event, 0..100).prop_map(|events| events.concat());
    (0u8..4, events).prop_map(|(start, events)| {
        let greeting = [0, 9, 0, 0, 1, 9, 0, 0];
        [&[start][..], &greeting, &events].concat()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn a_client_keeps_the_rules_through_whole_games(data in player_games()) {
        lth::player(&data);
    }

    #[test]
    fn a_server_keeps_the_rules_through_whole_games(data in server_games()) {
        lth::server(&data);
    }
}

proptest! {
    #[test]
    fn any_bytes_keep_the_laws(data in prop::collection::vec(any::<u8>(), 0..900)) {
        for (_, law) in boardgame_laws::othello::TARGETS {
            law(&data);
        }
    }

    #[test]
    fn any_text_keeps_the_laws_of_parsing(text in "[()IRCBWibrwc a-h1-8+.,\n\r\té-]{0,60}") {
        sloan::parse(text.as_bytes());
    }

    #[test]
    fn any_text_keeps_the_laws_of_core(text in "[a-hA-H1-8xXoO.*;:%+\\- é0-9#●()|/\n]{0,90}") {
        core::text(text.as_bytes());
    }

    #[test]
    fn games_of_programs_that_are_asked_keep_the_laws(data in asked_programs()) {
        gtp::host(&data);
        nboard::host(&data);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Mostly a controller's commands, and decisions.
    #[test]
    fn gtp_keeps_the_laws_upon_plausible_events(
        events in prop::collection::vec((any::<bool>(), any::<u8>(), any::<u8>()), 0..300),
    ) {
        let spell = |(speak, one, other)| if speak { vec![6, one, other] } else { vec![4, other] };
        gtp::player(&events.into_iter().flat_map(spell).collect::<Vec<u8>>());
    }
}

/// Bytes that have a meaning in formats of records.
fn records_text() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop::sample::select(vec![
        "(;",
        "GM[Othello]",
        "GM[2]",
        "BO[8 ",
        "PB[",
        "C[",
        "B[F5]",
        ";W[d6]",
        "RE[+4]",
        "]",
        ";)",
        ")",
        "\\",
        "f5",
        "d6",
        "1.",
        " ",
        "\n",
        "--",
        "pass",
        "{",
        "}",
        "\"",
        "[Black \"a\"]",
        "[FEN \"",
        "[Result \"1-0\"]",
        "set game ",
        "move ",
        "/os: join .1 8 K?\n",
        "|0 move(s)\n",
        "/os: end .1 ",
        "|",
        "+f5-d6",
        ": +04 10",
        "0x0000000810000000 ",
        "X",
        "O",
        "--------",
        "{\"position\":{\"moves\":[",
        "{\"m\":\"f5\"}",
        "]}}",
        ",",
        "%",
        "#",
        "\u{feff}",
    ]);
    let piece = prop_oneof![
        20 => piece.prop_map(|piece| piece.as_bytes().to_vec()),
        1 => prop::collection::vec(any::<u8>(), 1..4),
    ];
    prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn records_keep_the_law(data in records_text(), choice in any::<u8>()) {
        records::read(&data);
        // If the first byte belongs to no format, it chooses one.
        records::read(&[&[choice % 32], data.as_slice()].concat());
    }
}
