//! The LTH player as seen by a server: over a loopback socket.
#![forbid(unsafe_code)]

#[path = "../../../tests/support/mod.rs"]
mod support;

mod server;

use std::net::TcpListener;

use othello_core::Color;
use server::{Greeting, Server};
use support::Program;

const PLAYER: &str = env!("CARGO_BIN_EXE_othello-lth");

/// Starts a player that connects to a server on its own port.
fn connect(args: &str) -> (Program, Server) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let args = format!("127.0.0.1:{port} --depth 2 --threads 1 --hash 1 {args}");
    let player = Program::start(PLAYER, &args);
    (player, Server::accept(&listener))
}

#[test]
fn the_complaint_of_a_server_is_told() {
    let (player, mut server) = connect("--name x");
    server.log_in(Greeting::Testing, Color::Black);
    server.say("error\n You provided wrong colour. Bye!\n");
    drop(server);
    let end = player.finish();
    assert_eq!((end.code, end.rest.as_str()), (Some(4), ""));
    assert!(
        end.errors.contains("You provided wrong colour. Bye!"),
        "{}",
        end.errors
    );
}

#[test]
fn a_server_that_leaves_in_mid_game_is_told_from_one_that_ends_it() {
    for (words, place) in [
        ("Hi! I am your othello server.\n", "before the game"),
        ("you are white\n", "in mid-game, moves played: 0"),
        (
            "you are white\nopponent's move\nf5\n",
            "in mid-game, moves played: 1",
        ),
    ] {
        let (player, mut server) = connect("--name x");
        server.say(words);
        let address = server.address();
        drop(server);
        let end = player.finish();
        assert_eq!((end.code, end.rest.as_str()), (Some(3), ""));
        let told = format!("othello-lth: {address} closed the connection {place}\n");
        assert_eq!(end.errors, told);
    }
}

#[test]
fn a_result_that_the_server_keeps_to_itself_is_that_of_our_board() {
    let (player, mut server) = connect("--name x");
    server.log_in(Greeting::Competition, Color::White);
    let board = server.play_moves(Color::White, 1);
    drop(server);
    let end = player.finish();
    let [dark, white] = Color::ALL.map(|color| board.discs(color).count());
    let told = format!("White {white}, Dark {dark} by our board, the server says nothing\n");
    let (how, counts) = end.rest.split_once(" as white: ").unwrap();
    assert_eq!(
        (end.code, counts),
        (Some(0), told.as_str()),
        "{}",
        end.errors
    );
    let won = ["Lost", "Drawn", "Won"][(white.cmp(&dark) as i8 + 1) as usize];
    assert_eq!(how, won);
}

#[test]
fn a_broken_connection_has_its_exit_status() {
    let (player, mut server) = connect("--name x");
    server.say("Hi! I am your othello server.\nWhat is your name?\n");
    server.break_off();
    let end = player.finish();
    assert_eq!(end.code, Some(10), "{}", end.errors);
}

#[test]
fn a_server_of_something_else_is_recognised() {
    let (player, mut server) = connect("--name x");
    server.say(&"HTTP/1.1 400 Bad Request\n".repeat(100));
    let end = player.finish();
    assert_eq!(end.code, Some(5), "{}", end.errors);
}

#[test]
fn nobody_at_the_port_is_told() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    drop(listener);
    let end = support::run(PLAYER, &format!("{address} --name x --retry 0s"));
    assert_eq!((end.code, end.rest.as_str()), (Some(8), ""));
    assert_eq!(
        end.errors,
        format!("othello-lth: {address} refuses connections\n")
    );
}

#[test]
fn a_name_without_an_address_is_told() {
    // Reserved by RFC 6761 so that it never resolves.
    let end = support::run(PLAYER, "othello.invalid --name x --retry 0s");
    assert_eq!(end.code, Some(7), "{}", end.errors);
    assert!(end.errors.contains("othello.invalid"), "{}", end.errors);
}

#[cfg(unix)]
#[test]
fn signals_end_the_player_before_and_after_the_greeting() {
    // It handles signals before it connects.
    let (player, server) = connect("--name x");
    player.signal("INT");
    assert_eq!(player.wait().code, Some(130));
    drop(server);
    let (player, mut server) = connect("--name x");
    server.log_in(Greeting::Competition, Color::White);
    player.signal("TERM");
    assert_eq!(player.wait().code, Some(130));
}

#[test]
fn the_id_comes_from_an_option_a_file_or_the_environment() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("id");
    std::fs::write(&file, "from-file\r\n").unwrap();
    let (player, mut server) = connect(&format!("--name-file {}", file.display()));
    assert_eq!(server.log_in(Greeting::Testing, Color::Black), "from-file");
    drop((player, server));

    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let variables = [("OTHELLO_NAME", "from environment")];
    let player = Program::start_with(PLAYER, &address, &variables);
    let mut server = Server::accept(&listener);
    assert_eq!(
        server.log_in(Greeting::Testing, Color::Black),
        "from environment"
    );
    drop(player);

    let end = Program::start_with(PLAYER, &address, &[("OTHELLO_NAME", "")]).finish();
    assert_eq!(end.code, Some(2));
    assert!(
        end.errors.contains("expected an id: give --name ID"),
        "{}",
        end.errors
    );
}

#[test]
fn help_shows_a_worked_example() {
    let end = support::run(PLAYER, "--help");
    assert_eq!((end.code, end.errors.as_str()), (Some(0), ""));
    insta::assert_snapshot!(end.rest);
}

#[test]
fn a_server_that_stops_talking_or_never_greets_is_given_up() {
    for greets in [true, false] {
        let (player, mut server) = connect("--name x --silence 100ms");
        if greets {
            server.log_in(Greeting::Competition, Color::White);
        }
        let end = player.finish();
        assert_eq!(end.code, Some(6), "{}", end.errors);
    }
}

#[test]
fn a_wrong_command_line_is_refused_with_what_was_expected() {
    let long = format!("localhost --name {}", "x".repeat(129));
    let unreadable = "cannot read the id from /nowhere/id";
    support::check_refused(
        PLAYER,
        &[
            ("", "<HOST[:PORT]>"),
            ("localhost", "expected an id: give --name ID"),
            ("localhost --name x --name-file y", "cannot be used with"),
            ("localhost --name-file /nowhere/id", unreadable),
            (&long, "1 to 128 printable characters"),
            ("localhost:x --name x", "expected a port from 1 to 65535"),
            (
                "localhost --name x --color green",
                "possible values: dark, white",
            ),
            (
                "localhost --name x --limit-per day",
                "possible values: game, move",
            ),
        ],
    );
}

/// Fewer than eleven open files are too few for a connection.
#[cfg(target_os = "linux")]
#[test]
fn a_game_is_played_whatever_the_system_limits() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let args = format!("127.0.0.1:{port} --depth 2 --threads 1 --hash 1 --name x --retry 0s");
    support::under_limits(PLAYER, &args, |player, limit| {
        if ["-n 4", "-n 5", "-n 7", "-n 8", "-n 9"].contains(&limit) {
            let end = player.finish();
            assert!(end.code != Some(0) && !end.errors.is_empty(), "{limit}");
            return;
        }
        let mut server = Server::accept(&listener);
        server.log_in(Greeting::Competition, Color::White);
        server.play_moves(Color::White, 1);
        drop(server);
        let end = player.finish();
        assert_eq!((end.code, &*end.errors), (Some(0), ""), "{limit}");
    });
}
