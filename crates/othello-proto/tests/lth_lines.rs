//! Lines: the document's templates, older servers', and lenient spellings.

use std::time::Duration;

use othello_core::{Color, Move, Square};
use othello_proto::lth::{
    ClientLine, Complaint, GameOutcome, Id, InvalidId, OldLine, ServerLine, parse,
};

/// Every server line of the document, filled in, with its meaning.
fn templates() -> Vec<(&'static str, ServerLine)> {
    let count = |color, discs| ServerLine::Count { color, discs };
    let hello = |wins| ServerLine::Hello {
        id: "idstring".into(),
        wins,
    };
    vec![
        ("Hi! I am your othello server.", ServerLine::Greeting),
        ("What is your name?", ServerLine::NameQuestion),
        (
            "Hello idstring! Your current win count is 17",
            hello(Some(17)),
        ),
        ("Hello idstring!", hello(None)),
        (
            "Your time limit is 30 secs",
            ServerLine::TimeLimit(Duration::from_secs(30)),
        ),
        (
            "Move format: column (letter) + row (number).",
            ServerLine::MoveFormat,
        ),
        (
            "choose colour, 'd' for dark, 'w' for white.",
            ServerLine::ColorQuestion,
        ),
        ("you are dark", ServerLine::YouAre(Color::Black)),
        ("you are white", ServerLine::YouAre(Color::White)),
        ("opponent's move", ServerLine::OpponentsMove),
        ("your move", ServerLine::YourMove),
        ("e6", ServerLine::Move(Move::Place(Square::E6))),
        ("PASS", ServerLine::Move(Move::Pass)),
        ("error", ServerLine::Error),
        (
            " You provided wrong colour. Bye!",
            ServerLine::Complaint(Complaint::WrongColor),
        ),
        (
            " This move is illegal. Bye!",
            ServerLine::Complaint(Complaint::IllegalMove),
        ),
        (
            " Time limit exceeded. Bye!",
            ServerLine::Complaint(Complaint::TimeLimit),
        ),
        (
            " Your name is invalid. Bye!",
            ServerLine::Complaint(Complaint::InvalidName),
        ),
        (
            " Your name is reserved. Bye!",
            ServerLine::Complaint(Complaint::ReservedName),
        ),
        ("The game is finished", ServerLine::Finished),
        ("White: 20", count(Color::White, 20)),
        ("Dark: 44", count(Color::Black, 44)),
        (
            "White won",
            ServerLine::Outcome(GameOutcome::Won(Color::White)),
        ),
        (
            "Dark won",
            ServerLine::Outcome(GameOutcome::Won(Color::Black)),
        ),
        ("Draw", ServerLine::Outcome(GameOutcome::Draw)),
        ("id1 won", ServerLine::NamedWinner("id1".into())),
    ]
}

#[test]
fn every_line_of_the_document_is_read_and_printed_as_it_stands() {
    for (line, meaning) in templates() {
        assert_eq!(parse::server_line(line.as_bytes()), Ok(meaning.clone()));
        assert_eq!(meaning.to_string(), line);
        assert_eq!(parse::leniency(line.as_bytes(), &meaning), None);
    }
}

#[test]
fn lines_of_older_servers_are_read() {
    let check = |line: &str, meaning: OldLine| {
        let meaning = ServerLine::Old(meaning);
        assert_eq!(parse::server_line(line.as_bytes()), Ok(meaning.clone()));
        assert_eq!(
            parse::leniency(line.as_bytes(), &meaning),
            Some("older-server")
        );
    };
    check("hi! I am your othello server.", OldLine::Greeting);
    check("hi!", OldLine::Greeting);
    check("my move", OldLine::MyMove);
    check(
        "\"The game is finished\" White: 12",
        OldLine::FinishedWhite(Some(12)),
    );
    check(
        "\"The game is finished\" White: ",
        OldLine::FinishedWhite(None),
    );
    check("Dark: ", OldLine::Label(Color::Black));
    check("52", OldLine::Number(52));
    check("E: wrong colour", OldLine::Error("wrong colour".into()));
    check("error: wrong colour", OldLine::Error("wrong colour".into()));
    check(
        "error This move is illegal",
        OldLine::Error("This move is illegal".into()),
    );
}

#[test]
fn lenient_spellings_are_read_and_named() {
    let check = |line: &[u8], canonical: &str, name| {
        let read = parse::server_line(line).unwrap();
        assert_eq!(read.to_string(), canonical);
        assert_eq!(parse::leniency(line, &read), Some(name));
    };
    check(
        "opponent’s move".as_bytes(),
        "opponent's move",
        "apostrophe",
    );
    check(b"opponent`s move", "opponent's move", "apostrophe");
    check(b"opponent\x92s move", "opponent's move", "apostrophe");
    check(b"YOUR MOVE", "your move", "case");
    check(b"F5", "f5", "case");
    check(b"pass", "PASS", "case");
    check(b"  your  move ", "your move", "blanks");
    check(b"White:7", "White: 7", "blanks");
    check(
        b"This move is illegal. Bye!",
        " This move is illegal. Bye!",
        "blanks",
    );
    check(b"you are black", "you are dark", "wording");
    check(b"Dark wins!", "Dark won", "wording");
    check(
        b"Your time limit is 5 seconds.",
        "Your time limit is 5 secs",
        "wording",
    );
    check(
        b"Your time limit is 0.50 secs",
        "Your time limit is 0.5 secs",
        "wording",
    );
    check(
        b"choose color",
        "choose colour, 'd' for dark, 'w' for white.",
        "wording",
    );
}

#[test]
fn a_line_that_is_none_says_what_was_expected_where() {
    let check = |line: &str, expected: &str, offset| {
        let error = parse::server_line(line.as_bytes()).unwrap_err();
        assert_eq!(
            (error.expected(), error.offset()),
            (expected, offset),
            "{line}"
        );
        assert_eq!(error.text(), line);
    };
    check("nonsense", "a line of the server", 0);
    check("Your time limit is x secs", "a number of seconds", 19);
    check(" Your time limit is 5 hours", "`secs`", 22);
    check("you are green", "`dark` or `white`", 8);
    check("your move now", "the end of the line", 9);
    check("Hello idstring", "a name and `!`", 6);
    check(
        "Hello x! Your current win count is many",
        "a number of wins",
        35,
    );
    check("White: 65", "the end of the line", 7);
    // Of two things that could come at one place the first is named.
    check("The game is finished-", "the end of the line", 20);
}

#[test]
fn the_answers_of_a_client_are_read_and_printed() {
    let moves = |line: &[u8]| parse::move_answer(line).map_err(|error| error.offset());
    assert_eq!(moves(b"c4"), Ok(Move::Place(Square::C4)));
    assert_eq!(moves(b" C4 "), Ok(Move::Place(Square::C4)));
    assert_eq!(moves(b"PASS"), Ok(Move::Pass));
    assert_eq!(moves(b"i4"), Err(0));
    assert_eq!(moves(b"c4d4"), Err(2));
    assert_eq!(moves(b"c4!"), Err(2));
    assert_eq!(moves(b"c4 ."), Err(2));
    assert_eq!(moves(b"PASS:"), Err(4));
    assert_eq!(parse::color_answer(b"d"), Ok(Color::Black));
    assert_eq!(parse::color_answer(b"W"), Ok(Color::White));
    assert!(parse::color_answer(b"dark").is_err());
    assert!(parse::color_answer(b"").is_err());
    assert_eq!(parse::name_answer(b" me ").unwrap().as_str(), "me");
    assert_eq!(
        parse::name_answer(b"a\xff"),
        Err(InvalidId::NotUtf8 { offset: 1 })
    );
    let id: Id = "me".parse().unwrap();
    assert_eq!(ClientLine::Name(id).to_string(), "me");
    assert_eq!(ClientLine::Color(Color::Black).to_string(), "d");
    assert_eq!(ClientLine::Color(Color::White).to_string(), "w");
    assert_eq!(ClientLine::Move(Move::Place(Square::H8)).to_string(), "h8");
    assert_eq!(ClientLine::Move(Move::Pass).to_string(), "PASS");
}

#[test]
fn the_words_after_error_are_taken_whatever_they_are() {
    assert_eq!(
        parse::complaint(b" This move is illegal. Bye!"),
        Complaint::IllegalMove
    );
    let other = parse::complaint(b" Go away.");
    assert_eq!(other, Complaint::Other("Go away.".into()));
}
