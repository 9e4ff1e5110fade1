use super::*;

fn read_all(text: &str) -> Vec<String> {
    crate::tests::transcripts(read(text.as_bytes()))
}

fn join(id: &str) -> String {
    let mut text = Vec::new();
    let mut record = Record::default();
    record.players.black.name = "alice".into();
    record.players.white.name = "bob".into();
    record.players.white.rating = "1700.0".into();
    write(&record, 0, &mut text).unwrap();
    String::from_utf8(text)
        .unwrap()
        .replace(".0 8", &format!("{id} 8"))
}

#[test]
fn games_are_followed_from_start_to_end() {
    let text = [
        "login: me\n".into(),
        join(".5"),
        join(".6.0"),
        "/os: update .5 8 K?\n|  1: d3/0.50/1.20\n|alice    (1720.0 *) 04:59,0:0//02:00,0:0\n"
            .into(),
        "/os: update .6.0 8 K?\n|  1: f5\n".into(),
        "/os: update .7 8 K?\n|  1: f5\n".into(),
        "/os: update .5 8 K?\n|  2: c3\n".into(),
        "/os: end .5 ( alice vs. bob ) bob resigned\n".into(),
        "/os: update .5 8 K?\n|  3: c4\n".into(),
        "|(;GM[Othello]B[F5];)\n".into(),
    ]
    .concat();
    let records: Vec<Record> = read(text.as_bytes()).map(Result::unwrap).collect();
    let games: Vec<String> = records
        .iter()
        .map(|record| record.game.transcript().to_string())
        .collect();
    assert_eq!(games, ["d3c3", "f5", "f5"]);
    let result = records[0].result.unwrap();
    assert_eq!(
        (result.winner, result.kind),
        (Some(Color::Black), ggf::OutcomeKind::Resigned)
    );
    assert_eq!(records[0].notes[0].value.unwrap().hundredths(), 50);
    assert_eq!(records[0].players.white.rating, "1700.0");
}

#[test]
fn a_game_in_progress_is_joined_with_its_moves() {
    let mut record: Record = "f5d6c3".parse::<Game>().unwrap().into();
    record.players.black.clock = Clock::read("05:00,0:0//02:00,0:0");
    record.result = Some(Outcome::played(4));
    let mut text = Vec::new();
    write(&record, 3, &mut text).unwrap();
    insta::assert_snapshot!(String::from_utf8(text.clone()).unwrap());
    assert_eq!(read(text.as_slice()).next().unwrap().unwrap(), record);
}

#[test]
fn the_records_of_a_synchronized_game_share_a_line() {
    let text = "|2 (;GM[Othello]B[F5];)(;GM[Othello]B[F5]W[D6];) x\n|(;GM[Othello]B[F5]W[F5];)\n";
    let illegal = "game 3, byte 70: move 2: illegal move f5: the square is occupied";
    assert_eq!(read_all(text), ["f5", "f5d6", illegal]);
}

#[test]
fn a_damaged_message_does_not_affect_other_games() {
    let good = join(".1");
    let text = [
        good.clone(),
        good.replace(".1", ".2").replace("| 3 - ", "| 3 "),
        good.replace(".1", ".3").replace("0 move(s)", "moves"),
        good.replace(".1", ".4").replace("|* to move\n", ""),
        good.replace(".1", ".5").replace("|0 move", "|2 move"),
        good.replace(".1", ".6").replace("* to move", "to move"),
        good.replace(".1", ".8")
            .replace("|0 move", &format!("|{} move", u64::MAX)),
        join(".7"),
        "/os: update .7 8 K?\n|  1: a1\n/os: update .7 8 K?\n|  1: d3\n".into(),
        "/os: update .1 8 K?\n|  1: d3\n".into(),
    ];
    insta::assert_snapshot!(read_all(&text.concat()).join("\n"));
}
