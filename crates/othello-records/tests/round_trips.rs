//! Round trips: a format preserves the parts of a record that `losses` does not name, also between other records.

use std::{io::Cursor, time::Duration};

use othello_core::{
    ByColor, Color, Game, Move, Score,
    strategies::{boards, games, games_from},
};
use othello_records::{
    Clock, Date, Format, Note, Outcome, OutcomeKind, Part, Player, Record, Value, losses,
    write_text,
    wthor::{self, Names, WriteError},
};
use proptest::prelude::*;

/// Text with characters that have a meaning in the formats.
fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => Just(String::new()),
        4 => "[A-Za-z0-9.-]{1,12}",
        2 => "[ -~]{1,30}",
        1 => "[\\]\\[\\\\(){};:|\"\n\t ?#*O1-9é名-]{1,12}",
        1 => prop_oneof![
            Just("\n(;GM[2]".to_owned()),
            Just("(;GM[Othello]".to_owned()),
            Just("x wins 40-24".to_owned()),
            Just("[Black \"x\"]\n".to_owned()),
            Just("?".to_owned()),
            Just("#7".to_owned()),
        ],
    ]
}

fn kind() -> impl Strategy<Value = OutcomeKind> {
    prop::sample::select(vec![
        OutcomeKind::Played,
        OutcomeKind::Resigned,
        OutcomeKind::TimedOut,
        OutcomeKind::Agreed,
        OutcomeKind::Left,
        OutcomeKind::Forfeited,
    ])
}

fn outcome() -> impl Strategy<Value = Outcome> {
    let color = prop::sample::select(vec![Color::Black, Color::White]);
    let won = (color, kind()).prop_map(|(winner, kind)| Outcome {
        winner: Some(winner),
        score: None,
        kind,
    });
    let whole = (-64i32..=64, kind()).prop_map(|(discs, kind)| Outcome {
        kind,
        ..Outcome::played(discs)
    });
    let any = (-6400i32..=6400, kind())
        .prop_map(|(score, kind)| Outcome::new(Value::from_hundredths(score), kind));
    prop_oneof![won, whole, any]
}

fn date() -> impl Strategy<Value = Date> {
    let day = prop::option::of((1u8..=12, prop::option::of(1u8..=28)));
    let time = prop_oneof![Just(String::new()), Just("12:33:18.MST".to_owned()), text()];
    (1u16..=9999, day, time).prop_map(|(year, day, time)| Date {
        year,
        month: day.map(|(month, _)| month),
        day: day.and_then(|(_, day)| day),
        time,
    })
}

fn clock() -> impl Strategy<Value = Clock> {
    let time = || prop_oneof![Just(0u64), 0u64..100_000_000].prop_map(Duration::from_millis);
    (time(), time(), time()).prop_map(|(main, increment, grace)| Clock {
        main,
        increment,
        grace,
    })
}

fn player() -> impl Strategy<Value = Player> {
    let rating = prop_oneof![text(), "[0-9]{1,4}", "[0-9]{1,4}\\.[1-9]"];
    (text(), rating, prop::option::of(clock())).prop_map(|(name, rating, clock)| Player {
        name,
        rating,
        clock,
    })
}

fn note() -> impl Strategy<Value = Note> {
    let value = prop::option::of((-7000i32..7000).prop_map(Value::from_hundredths));
    let time = prop::option::of((0u64..10_000_000).prop_map(Duration::from_millis));
    prop_oneof![
        Just(Note::default()),
        (value, time, text()).prop_map(|(value, time, comment)| Note {
            value,
            time,
            comment
        }),
    ]
}

/// A game from the standard start, or from a board reached by other moves.
fn game() -> impl Strategy<Value = Game> {
    let board = boards(0..=70).prop_map(Game::new);
    prop_oneof![3 => games(0..=70), 2 => games_from(boards(0..=70), 0..=70), 1 => board]
}

fn tags() -> impl Strategy<Value = Vec<(String, String)>> {
    let name = prop::sample::select(vec![
        "TY",
        "id",
        "THEORETICAL",
        "AP",
        "DT",
        "Date",
        "x",
        "C",
        "FEN",
        "ZZ",
    ]);
    let value = prop_oneof![text(), Just("34/24".to_owned()), Just("8r20".to_owned())];
    prop::collection::vec((name.prop_map(str::to_owned), value), 0..2)
}

fn record() -> impl Strategy<Value = Record> {
    let names = (player(), player(), prop::option::of(date()));
    let texts = (text(), text(), text(), text());
    let notes = prop::collection::vec(note(), 0..70);
    (
        game(),
        names,
        texts,
        prop::option::of(outcome()),
        notes,
        tags(),
    )
        .prop_map(
            |(
                game,
                (black, white, date),
                (event, round, place, comment),
                result,
                mut notes,
                tags,
            )| {
                notes.truncate(game.moves().len());
                let moves = game.board().legal_moves();
                let scores = match game.moves() {
                    [] => moves
                        .iter()
                        .map(|square| (Move::Place(square), Score::DRAW))
                        .collect(),
                    _ => Vec::new(),
                };
                Record {
                    game,
                    notes,
                    players: ByColor { black, white },
                    date,
                    event,
                    round,
                    place,
                    result,
                    comment,
                    scores,
                    tags,
                    encoding: None,
                }
            },
        )
}

/// Writes records in sequence, and returns the names of WTHOR's numbers.
fn write(format: Format, records: &[&Record], output: &mut Vec<u8>) -> Result<Names, WriteError> {
    if format == Format::Wthor {
        let mut file = Cursor::new(Vec::new());
        let mut writer = wthor::Writer::new(&mut file, Names::default())?;
        records.iter().try_for_each(|record| writer.write(record))?;
        let (_, names) = writer.finish()?;
        *output = file.into_inner();
        return Ok(names);
    }
    let mut numbered = records.iter().zip(0..);
    numbered.try_for_each(|(record, number)| write_text(format, record, number, &mut *output))?;
    Ok(Names::default())
}

/// Writes a record between two others and reads all three.
fn check(format: Format, record: &Record) -> Result<(), TestCaseError> {
    let other = Record {
        date: record.date.clone(),
        // Games of a server are in the order of their ends.
        result: record.result.map(|_| Outcome::played(4)),
        tags: record
            .tags
            .iter()
            .filter(|(name, _)| name == "THEORETICAL")
            .cloned()
            .collect(),
        ..Record::from("f5d6c3".parse::<Game>().expect("a game"))
    };
    let mut bytes = Vec::new();
    let names = match write(format, &[&other, record, &other], &mut bytes) {
        Ok(names) => names,
        Err(WriteError::Start { .. }) => {
            prop_assert!(losses(record, format).contains(&Part::Start));
            return Ok(());
        }
        Err(WriteError::NoMoves) => {
            prop_assert!(record.game.moves().is_empty());
            return Ok(());
        }
        Err(WriteError::Number(_)) => return Ok(()),
        Err(error) => return Err(TestCaseError::fail(error.to_string())),
    };
    let shown = String::from_utf8_lossy(&bytes);
    prop_assert_eq!(Format::detect(&bytes), Ok(format), "{}", shown);
    let read: Result<Vec<Record>, _> = format.read_with(bytes.as_slice(), &names).collect();
    let read = read.map_err(|error| TestCaseError::fail(format!("{error}\n{shown}")))?;
    prop_assert_eq!(read.len(), 3, "{}", shown);
    let lost = losses(record, format);
    // A score that is not recorded must not be made up.
    let is_checked = |part: &Part| part.is_present(record) || *part == Part::Score;
    for part in Part::ALL
        .into_iter()
        .filter(|part| is_checked(part) && !lost.contains(part))
    {
        prop_assert!(
            part.is_same(record, &read[1]),
            "{}: {:?}\n{:?}\n{}",
            part,
            record,
            read[1],
            shown
        );
    }
    Ok(())
}

macro_rules! round_trips {
    ($($name:ident: $format:ident,)*) => {
        proptest! {
            #![proptest_config(ProptestConfig::with_cases(64))]

            $(
                #[test]
                fn $name(record in record()) {
                    check(Format::$format, &record)?;
                }
            )*
        }
    };
}

round_trips! {
    transcripts_hold_what_they_say: Transcript,
    boards_hold_what_they_say: Board,
    boards_in_rows_hold_what_they_say: Rows,
    hexadecimal_boards_hold_what_they_say: Hex,
    problems_round_trip: Obf,
    ggf_round_trips: Ggf,
    sgf_round_trips: Sgf,
    pgn_round_trips: Pgn,
    wthor_round_trips: Wthor,
    quest_round_trips: Quest,
    nboard_round_trips: NBoard,
    ggs_round_trips: Ggs,
    a_logbook_round_trips: Logbook,
}

proptest! {
    /// A format that can start from any board preserves at least the start of a game without other properties.
    #[test]
    fn a_bare_game_survives_every_format_of_games(game in game()) {
        let record = Record::from(game);
        for format in [Format::Ggf, Format::Sgf, Format::Pgn, Format::NBoard, Format::Ggs] {
            prop_assert_eq!(losses(&record, format), [], "{}", format);
            check(format, &record)?;
        }
    }
}

#[test]
fn a_win_without_a_score_gets_the_boards_or_is_reported() {
    let (mut over, mut open) = (Game::default(), Game::default());
    over.play_choices([0; 70]);
    open.play_choices([0; 20]);
    assert!(over.is_over() && !open.is_over());
    let of_board = Record::from(over.clone()).outcome().expect("a result");
    for (game, winner) in [&over, &open]
        .into_iter()
        .flat_map(|game| Color::ALL.map(|color| (game, color)))
    {
        let record = Record {
            result: Some(Outcome {
                winner: Some(winner),
                score: None,
                kind: OutcomeKind::Played,
            }),
            ..Record::from(game.clone())
        };
        for format in Format::ALL {
            check(format, &record).unwrap_or_else(|error| panic!("{format}: {error}"));
        }
        let follows = game.is_over() && Some(winner) == of_board.winner;
        for format in [Format::Ggf, Format::Ggs, Format::Wthor] {
            let lost = losses(&record, format).contains(&Part::Score);
            assert_eq!(lost, !follows, "{format}");
        }
    }
}

#[test]
fn the_parts_that_a_format_does_not_hold_are_these() {
    let player = |name: &str| Player {
        name: name.into(),
        rating: "1500".into(),
        clock: Some(Clock::new(Duration::from_mins(5))),
    };
    let note = Note {
        value: Some(Value::from_hundredths(150)),
        time: Some(Duration::from_secs(2)),
        comment: "good".into(),
    };
    let record = Record {
        players: ByColor {
            black: player("Ann"),
            white: player("Bob"),
        },
        date: Some(Date {
            month: Some(12),
            day: Some(15),
            time: "12:33:18".into(),
            ..Date::year(2003)
        }),
        event: "Cup".into(),
        round: "7".into(),
        place: "here".into(),
        result: Some(Outcome {
            kind: OutcomeKind::Resigned,
            ..Outcome::played(4)
        }),
        comment: "a game".into(),
        notes: vec![note; 3],
        tags: vec![("TY".into(), "8r20".into())],
        ..Record::from("f5d6c3".parse::<Game>().expect("a game"))
    };
    let lines = Format::ALL.map(|format| format!("{format}: {:?}\n", losses(&record, format)));
    insta::assert_snapshot!(lines.concat());
}
