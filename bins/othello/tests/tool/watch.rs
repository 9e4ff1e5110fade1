//! Games that are watched over HTTP: of a match, of hosts, and of logs.

use std::{
    collections::BTreeSet,
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::TcpStream,
    thread,
};

use othello_web::live::{Event, Kind, State};
use serde_json::Value;

use crate::support::{Folder, Server};

const SERVER: &str = "host lth --testing 0 --without evaluation,competition";

/// Starts a program whose server's address is in a line of standard error; its standard output stays a pipe.
fn start(folder: &Folder, line: &str) -> Server {
    let mut process = folder.start(line);
    let mut errors = BufReader::new(process.stderr.take().unwrap());
    let server = Server::new(process, &mut errors);
    thread::spawn(move || errors.read_to_end(&mut Vec::new()));
    server
}

/// Returns the status of an answer and its JSON.
fn get(server: &Server, path: &str) -> (u16, Value) {
    let mut answer = String::new();
    let mut stream = server.send(path, "application/json");
    stream.read_to_string(&mut answer).unwrap();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    let status = head.split(' ').nth(1).unwrap().parse().unwrap();
    (status, serde_json::from_str(body).unwrap())
}

fn request_events(server: &Server) -> TcpStream {
    server.send("/api/games/events", "text/event-stream")
}

fn events(server: &Server) -> Events {
    Events(BufReader::new(request_events(server)))
}

/// The events of a server.
struct Events(BufReader<TcpStream>);

impl Iterator for Events {
    type Item = Event;

    fn next(&mut self) -> Option<Event> {
        let mut lines = self.0.by_ref().lines().map(Result::unwrap);
        lines.find_map(|line| Some(serde_json::from_str(line.strip_prefix("data:")?).unwrap()))
    }
}

impl Events {
    /// Applies events to a state until something is so.
    fn apply_until(&mut self, state: &mut State, mut is_so: impl FnMut(&State) -> bool) {
        while !is_so(state) {
            state.apply(&self.next().unwrap());
        }
    }
}

#[test]
fn a_match_is_watched_to_its_end() {
    let folder = Folder::new();
    let line = "match -e deep=own:hash=1 -e shallow=own:hash=1 -l deep=depth:6 -l shallow=depth:3 \
                --games 20 --concurrency 2 --web";
    let mut program = start(&folder, line);
    // A reader that reads nothing holds nobody up.
    let slow = request_events(&program);
    let mut state = State::default();
    let mut seen = BTreeSet::new();
    let mut names = BTreeSet::new();
    for event in events(&program) {
        names.insert(event.name());
        if let Event::Moved { game, .. } = &event {
            seen.insert(game.id);
        }
        state.apply(&event);
    }
    assert!(program.process.wait().unwrap().success());
    drop(slow);

    let run = state.run(1).unwrap();
    assert_eq!((run.info.kind, run.info.live), (Kind::Match, false));
    assert_eq!((run.info.finished, run.info.total), (20, Some(20)));
    assert!(run.games.iter().all(|game| game.end.is_some()));
    assert!(seen.len() > 10, "{} games were seen live", seen.len());
    let all = [
        "snapshot",
        "started",
        "moved",
        "finished",
        "standings",
        "run",
    ];
    assert!(all.iter().all(|name| names.contains(name)), "{names:?}");
    let standings = run.standings.as_ref().unwrap();
    assert_eq!((standings.games, &standings.rows[0].name[..]), (20, "deep"));
    let elo = standings.rows[0].elo.unwrap();
    assert!(elo.low < elo.value || elo.value.is_none(), "{elo:?}");
}

#[test]
fn games_of_an_lth_server_are_watched() {
    let folder = Folder::new();
    let mut program = start(&folder, &format!("{SERVER} --store games.jsonl --web"));
    let mut line = String::new();
    let mut out = BufReader::new(program.process.stdout.take().unwrap());
    out.read_line(&mut line).unwrap();
    let mut events = events(&program);
    let mut state = State::default();
    state.apply(&events.next().unwrap());
    assert_eq!(state.runs[0].info.kind, Kind::Lth);

    let mut client = TcpStream::connect(line.split(' ').next().unwrap()).unwrap();
    client.write_all(b"me\nd\nf5\n").unwrap();
    events.apply_until(&mut state, |state| {
        state.runs[0]
            .games
            .first()
            .is_some_and(|game| game.ply >= 2)
    });
    let game = &state.runs[0].games[0];
    assert_eq!((&game.black[..], &game.white[..]), ("me", "house"));
    let left = game.clocks.black.unwrap();
    assert!(
        (1..=300_000).contains(&left) && game.since.is_some(),
        "{left}"
    );

    client.write_all(b"a1\n").unwrap();
    events.apply_until(&mut state, |state| state.runs[0].standings.is_some());
    let run = &state.runs[0];
    let end = run.games[0].end.as_ref().unwrap();
    assert!(end.cause.starts_with("illegal move by Black"), "{end:?}");
    let rows = &run.standings.as_ref().unwrap().rows;
    let rows = rows.iter().map(|row| (&row.name[..], row.wins, row.losses));
    assert_eq!(rows.collect::<Vec<_>>(), [("house", 1, 0), ("me", 0, 1)]);

    for (path, status, expected) in [
        ("/api/games/7", 404, "expected the id of a run, found 7"),
        (
            "/api/games/1/x",
            400,
            "expected the number of a game, found \"x\"",
        ),
        ("/api/hint", 403, "expected a request of /api/games"),
    ] {
        let (found, answer) = get(&program, path);
        let message = answer["error"]["message"].as_str().unwrap();
        assert_eq!(found, status, "{message}");
        assert!(message.starts_with(expected), "{message}");
    }
}

#[test]
fn a_server_on_all_addresses_is_at_one_of_this_computer() {
    let folder = Folder::new();
    let line = format!("{SERVER} --web=0.0.0.0:0 --web-token 0123456789abcdef");
    let mut program = start(&folder, &line);
    let port = program.host.strip_prefix("127.0.0.1:").unwrap();
    program.host = format!("localhost:{port}");
    // The token is missing, not the host.
    let (status, answer) = get(&program, "/api/games");
    assert_eq!(status, 401, "{answer}");
}

#[test]
fn a_token_in_the_environment_matters_with_a_server_alone() {
    let folder = Folder::new();
    for (more, code) in [("", Some(0)), (" --web", Some(1))] {
        let line = format!("match -e a=own:hash=1 -e b=own:hash=1 -l depth:1 --games 2{more}");
        let mut command = folder.command(&line);
        let output = command.env("OTHELLO_TOKEN", "short").output().unwrap();
        assert_eq!(output.status.code(), code, "{output:?}");
        let errors = String::from_utf8_lossy(&output.stderr);
        let expected = "OTHELLO_TOKEN: expected a token of at least 16";
        assert_eq!(errors.contains(expected), code == Some(1), "{errors}");
    }
}

#[test]
fn a_series_at_a_host_is_watched_to_its_end() {
    let folder = Folder::new();
    let program = start(&folder, "host codewarriors --games 2 --limit 200ms --web");
    let mut state = State::default();
    for event in events(&program) {
        state.apply(&event);
    }
    let run = state.run(1).unwrap();
    assert_eq!((run.info.kind, run.info.live), (Kind::Host, false));
    assert_eq!((run.info.finished, run.info.total), (2, Some(2)));
    assert_eq!(run.standings.as_ref().unwrap().games, 2);
}
