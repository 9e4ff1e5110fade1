use std::io::Cursor;

use super::*;

/// A file of games of different lengths: with passes, with an early end, complete.
fn file(games: &[&[u8]]) -> Vec<u8> {
    let mut file = vec![20, 24, 6, 30];
    file.extend((games.len() as u32).to_le_bytes());
    file.extend([0, 0, 0xe9, 0x07, 8, 0, 24, 0]);
    for moves in games {
        file.extend([1, 0, 2, 0, 3, 0, 33, 34]);
        file.extend(*moves);
        file.resize(file.len() + MOVES - moves.len(), 0);
    }
    file
}

fn read_all(file: &[u8]) -> Vec<String> {
    read(file, Names::default())
        .map(|read| match read {
            Ok(record) => record.game.transcript().to_string(),
            Err(error) => error.to_string(),
        })
        .collect()
}

#[test]
fn a_game_has_its_numbers_and_scores() {
    let bytes = file(&[&[56, 64, 33]]);
    let record = read(bytes.as_slice(), Names::default())
        .next()
        .unwrap()
        .unwrap();
    assert_eq!(record.game.transcript().to_string(), "f5d6c3");
    let [black, white] = record
        .players
        .as_ref()
        .map(|player| player.name.as_str())
        .into_array();
    assert_eq!((record.event.as_str(), black, white), ("#1", "#2", "#3"));
    assert_eq!(record.result, Some(Outcome::played(2)));
    assert_eq!(record.tags, [(THEORETICAL.into(), "34/24".into())]);
    assert_eq!(record.date, Some(Date::year(2025)));
}

#[test]
fn other_files_and_boards_are_rejected() {
    let with = |index: usize, byte: u8| {
        let mut bytes = file(&[&[56]]);
        bytes[index] = byte;
        read_all(&bytes).join("\n")
    };
    assert_eq!(
        with(12, 10),
        "game 1, byte 0: expected games on a board of 8x8, found 10x10"
    );
    assert_eq!(with(12, 0), "f5");
    assert_eq!(
        with(13, 1),
        "game 1, byte 0: expected a WTHOR file of games, not one of solitaires, which are endgames"
    );
    assert_eq!(
        with(2, 13),
        "game 1, byte 0: expected the header of a WTHOR file of games"
    );
}

#[test]
fn names_round_trip_by_number() {
    let mut names = Names::default();
    let mut number = |name: &str| names.number_of_player(name);
    assert_eq!(number("Tastet Marc"), Ok(0));
    assert_eq!(number("René"), Ok(1));
    assert_eq!(number("Tastet Marc"), Ok(0));
    assert_eq!(number("A name of more than 19 letters"), Ok(2));
    assert_eq!(number("#7"), Ok(7));
    assert_eq!(number("#8x"), Ok(8));
    assert_eq!(number(""), Ok(9));
    let taken = NumberError::Taken {
        number: 1,
        name: "René".into(),
    };
    assert_eq!(number("#1"), Err(taken));
    assert_eq!(names.number_of_tournament("Cannes"), Ok(0));
    let mut players = Vec::new();
    names.write_players(&mut players).unwrap();
    let mut again = Names::default();
    again.read_players(&players).unwrap();
    let read = [0, 1, 2, 7, 8, 9, 10].map(|number| again.player(number));
    assert_eq!(
        read,
        [
            "Tastet Marc",
            "René",
            "A name of more than",
            "#7",
            "#8x",
            "",
            "#10"
        ]
    );
    let length = again.read_tournaments(&players).unwrap_err();
    assert_eq!(
        length.to_string(),
        "expected 276 bytes, 10 names of 26 bytes after the header, found 216"
    );
    assert_eq!(again.read_players(b"no names"), Err(NamesError::Header));
}

#[test]
fn a_table_has_at_most_the_names_that_its_header_can_count() {
    let mut names = Names::default();
    for number in 0..u16::MAX {
        assert_eq!(names.number_of_player(&format!("n{number}")), Ok(number));
    }
    let full = names.number_of_player("another").unwrap_err();
    let expected = "expected at most 65535 names, found another one: another";
    assert_eq!(full.to_string(), expected);
    let mut players = Vec::new();
    names.write_players(&mut players).unwrap();
    let mut again = Names::default();
    again.read_players(&players).unwrap();
    assert_eq!(again.player(u16::MAX - 1), "n65534");
}

#[test]
fn a_game_that_the_file_cannot_hold_is_rejected() {
    let mut output = Cursor::new(Vec::new());
    let mut writer = Writer::new(&mut output, Names::default()).unwrap();
    let mut record = Record {
        date: Some(Date::year(2001)),
        ..Record::default()
    };
    writer.write(&record).unwrap();
    let mut refused = |record: &Record| writer.write(record).unwrap_err().to_string();
    record.date = Some(Date::year(2002));
    assert_eq!(
        refused(&record),
        "expected games of 2001, since a WTHOR file holds a single year, found 2002"
    );
    record.date = Some(Date::year(2001));
    record.tag(THEORETICAL, "40/22");
    assert_eq!(
        refused(&record),
        "expected theoretical scores at 0 empty squares, as in the games before, found 22"
    );
    let set_up = Record::of_board(othello_core::Board::START.passed());
    assert_eq!(
        refused(&set_up),
        "expected a game from the standard start, which is all that the format wthor holds"
    );
    writer.finish().unwrap();
    assert_eq!(output.into_inner().len(), HEADER + GAME);
}
