//! Whole games of each format, with passes on both sides.

use std::{
    env,
    io::{BufRead, BufReader, Write},
    net::TcpStream,
    path::Path,
    thread,
    time::Duration,
};

use boardgame_match::{
    Seat as _,
    fault::Fault,
    record::{GameResult, PlayedGame, Side},
};
use othello_core::{Bitboard, Board, Color, Empties, Game, Square};
use othello_match::{protocol::WireFormat, record::Othello};
use othello_proto::sloan;

use crate::kit::{
    LTH_ADDRESS, LTH_ANSWERS, LTH_END, ample, answer, format, game_with_passes, moves_of, play,
    play_against, quick, script, wire,
};

/// Any square.
fn any(_: Bitboard) -> Option<Square> {
    None
}

/// Plays a whole game with a program that sends its moves one after another, and then runs `end`.
async fn check(format: WireFormat, program: Color, end: impl Fn(&Game) -> String) {
    let game = game_with_passes(Board::START, program, any);
    let moves = moves_of(&game, program);
    let script = script(format, program, &moves, &end(&game));
    let mut seat = wire(format, &script, ample(format), quick());
    // The same seat plays one game after another.
    for _ in 0..2 {
        let played = play(&mut seat, &game, 0, program).await;
        assert_played(&played, &game);
        assert_metered(&played, program);
    }
    seat.close().await;
}

/// Checks that a game was played to its end without a fault.
fn assert_played(played: &PlayedGame, game: &Game) {
    assert_eq!(played.faults, []);
    assert_eq!(played.moves, game.transcript().to_string());
    assert_eq!(Some(played.result), GameResult::of(&game.board()));
    assert!(played.replay::<Othello>().is_ok());
}

/// Checks that the CPU time of the program's moves is known.
fn assert_metered(played: &PlayedGame, program: Color) {
    if cfg!(target_os = "linux") {
        let mut own = played
            .own_moves::<Othello>()
            .filter(|(color, _)| *color == program);
        assert!(own.all(|(_, thought)| thought.cpu_us.is_some()));
    }
}

#[tokio::test]
async fn a_sloan_program_plays_a_whole_game() {
    for name in ["sloan", "sloan-lines"] {
        for program in Color::ALL {
            let WireFormat::Sloan(dialect) = format(name) else {
                panic!("{name} is a form of Sloan's");
            };
            let end = |game: &Game| {
                let value = game.board().score(Color::Black, Empties::OnBoard);
                answer(&sloan::print(&sloan::Message::Claim(value), dialect)) + "cat >/dev/null"
            };
            check(format(name), program, end).await;
        }
    }
}

/// A Black that moves at once; if it can create the folder `marker`, its first move crosses the
/// opening pass, which it takes for the answer.
fn misreading_black(game: &Game, dialect: sloan::Dialect, marker: &Path, end: &str) -> String {
    let say = |mv| {
        let color = Color::Black;
        sloan::print(&sloan::Message::Move { color, mv }, dialect)
    };
    let moves = moves_of(game, Color::Black);
    let (_, first_answer) = game.plies().nth(1).unwrap();
    let mut mistaken = Board::START;
    mistaken.play(moves[0]).unwrap();
    let mut answered = mistaken;
    answered.play(first_answer).unwrap();
    // White may have answered by then: the move must be wrong in either case.
    let second = mistaken.passed().legal_moves() & !answered.legal_moves();
    let second = second.first().expect("such a move is not rare");
    let rest: String = moves[1..].iter().map(|&mv| answer(&say(mv))).collect();
    format!(
        "read colour; echo '{ready}'; \
         if mkdir '{marker}' 2>/dev/null; then \
         read pass; echo '{first}'; echo '{second}'; cat >/dev/null; fi; \
         echo '{first}'; {rest}{end}",
        ready = sloan::print(&sloan::Message::Ready(Color::Black), dialect),
        marker = marker.display(),
        first = say(moves[0]),
        second = say(second.into()),
    )
}

#[tokio::test]
async fn a_black_that_misreads_the_opening_pass_plays_a_whole_game() {
    for name in ["sloan", "sloan-lines"] {
        let WireFormat::Sloan(dialect) = format(name) else {
            panic!("{name} is a form of Sloan's");
        };
        let game = game_with_passes(Board::START, Color::Black, any);
        let value = game.board().score(Color::Black, Empties::OnBoard);
        let end = answer(&sloan::print(&sloan::Message::Claim(value), dialect)) + "cat >/dev/null";
        let folder = tempfile::tempdir().unwrap();
        let marker = folder.path().join("misread");
        let scripts = [
            misreading_black(&game, dialect, &marker, &end),
            script(
                format(name),
                Color::White,
                &moves_of(&game, Color::White),
                &end,
            ),
        ];
        let [mut black, mut white] =
            scripts.map(|script| wire(format(name), &script, ample(format(name)), quick()));
        // The second time the game starts without the opening pass.
        for misreadings in [1, 0] {
            let start = Game::default();
            let played = play_against(&mut black, &mut white, start, Color::Black).await;
            let misreading = (Side::Black, Fault::MisreadOpening);
            assert_eq!(played.faults, vec![misreading; misreadings]);
            assert_eq!(played.moves, game.transcript().to_string());
            assert_eq!(Some(played.result), GameResult::of(&game.board()));
        }
        black.close().await;
        white.close().await;
    }
}

#[tokio::test]
async fn a_game_that_cannot_begin_again_is_played_anew_after_a_misread_opening() {
    // After a move, an LTH client cannot be told to restart the game.
    let game = game_with_passes(Board::START, Color::Black, any);
    let value = game.board().score(Color::Black, Empties::OnBoard);
    let dialect = sloan::Dialect::Expressions;
    let end = answer(&sloan::print(&sloan::Message::Claim(value), dialect)) + "cat >/dev/null";
    let folder = tempfile::tempdir().unwrap();
    let misreads = misreading_black(&game, dialect, &folder.path().join("misread"), &end);
    let (sloan, lth) = (format("sloan"), format("lth"));
    let mut black = wire(sloan, &misreads, ample(sloan), quick());
    let client = script(lth, Color::White, &moves_of(&game, Color::White), "exit");
    let mut white = wire(lth, &client, ample(lth), quick());
    for misreadings in [1, 0] {
        let start = Game::default();
        let played = play_against(&mut black, &mut white, start, Color::Black).await;
        let misreading = (Side::Black, Fault::MisreadOpening);
        assert_eq!(played.faults, vec![misreading; misreadings]);
        assert_eq!(played.moves, game.transcript().to_string());
        assert_eq!(Some(played.result), GameResult::of(&game.board()));
    }
    black.close().await;
    white.close().await;
}

#[tokio::test]
async fn a_code_warriors_program_plays_a_whole_game() {
    for program in Color::ALL {
        // Both sides pass once neither can move, unless the board is full.
        let end = |game: &Game| {
            let full = game.board().empties().is_empty();
            let pass = if full { String::new() } else { answer("PS") };
            pass + "cat >/dev/null"
        };
        check(format("codewarriors"), program, end).await;
    }
}

#[tokio::test]
async fn an_lth_client_plays_a_whole_game() {
    if let Ok(address) = env::var(LTH_ADDRESS) {
        return be_an_lth_client(&address);
    }
    for program in Color::ALL {
        check(format("lth"), program, |_| "exit".into()).await;
    }
}

/// Answers every question for a move with its next answer.
fn be_an_lth_client(address: &str) {
    let mut stream = TcpStream::connect(address).unwrap();
    let lines = BufReader::new(stream.try_clone().unwrap()).lines();
    let answers = env::var(LTH_ANSWERS).unwrap();
    let mut answers = answers.split_whitespace();
    for line in lines.map_while(Result::ok) {
        let said = match line.as_str() {
            "What is your name?" => Some("client"),
            "your move" => Some(answers.next().unwrap_or_else(|| end_as_told())),
            _ => None,
        };
        if let Some(said) = said {
            // In one write: the second of two would wait for an acknowledgement.
            stream.write_all(format!("{said}\n").as_bytes()).unwrap();
        }
    }
}

fn end_as_told() -> ! {
    if env::var(LTH_END).unwrap() == "exit" {
        std::io::stderr().write_all(b"alas\n").unwrap();
        std::process::exit(3);
    }
    loop {
        thread::sleep(Duration::from_secs(1));
    }
}

/// Reads a board and plays the first of the listed moves.
const FIRST: &str = "for row in 1 2 3 4 5 6 7 8; do read squares; done; \
                     read side; read time; read count first rest; echo $first";

#[tokio::test]
async fn a_gui_program_plays_a_whole_game_from_any_board() {
    // The released program lists moves column by column.
    let by_column = |moves: Bitboard| {
        let squares = moves.iter();
        squares.min_by_key(|square| (square.column(), square.row()))
    };
    let by_row = |moves: Bitboard| moves.first();
    let stay = format!(
        "echo v1.0.0; while read squares; do {}; done",
        FIRST.replace("1 2 3 4 5 6 7 8", "2 3 4 5 6 7 8")
    );
    let opening: Game = "f5d6c3d3c4f4".parse().unwrap();
    for (name, script, first) in [
        ("gui", FIRST.to_owned(), by_column as fn(_) -> _),
        ("gui-v2", format!("echo v1.0.0; {FIRST}"), by_row),
        ("gui-stay-v2", stay, by_row),
    ] {
        let format = format(name);
        for program in Color::ALL {
            let rest = game_with_passes(opening.board(), program, first);
            let mut whole = opening.clone();
            for &mv in rest.moves() {
                whole.play(mv).unwrap();
            }
            let mut seat = wire(format, &script, ample(format), quick());
            let from = opening.moves().len();
            let played = play(&mut seat, &whole, from, program).await;
            assert_played(&played, &whole);
            assert!(played.own_moves::<Othello>().count() > 20);
        }
    }
}
