//! Games that are watched over HTTP: of a match, of hosts, and of logs.

use std::{
    collections::BTreeSet,
    fs::OpenOptions,
    io::{BufRead, BufReader, Read as _, Write as _},
    net::TcpStream,
    process::Child,
    thread,
    time::Duration,
};

use othello_web::live::{Event, GameSummary, Kind, LogRun, Run, Runs, State};
use serde_json::Value;

use crate::support::Folder;

/// A guard, not a measure: what takes longer hangs.
const LONG: Duration = Duration::from_mins(2);

const SERVER: &str = "host lth --testing 0 --without evaluation,competition";

/// A program that shows games. It is killed when the test ends.
struct Program {
    child: Child,
    /// The host and port of its server.
    host: String,
}

impl Program {
    /// Starts a program whose server's address is in a line of standard error; its standard output stays a pipe.
    fn start(folder: &Folder, line: &str) -> Self {
        let mut child = folder.start(line);
        let mut errors = BufReader::new(child.stderr.take().unwrap());
        let host = host(&mut errors);
        thread::spawn(move || errors.read_to_end(&mut Vec::new()));
        Self { child, host }
    }

    /// Sends a request; returns the stream of its answer, of which nothing is read yet.
    fn request(&self, path: &str) -> TcpStream {
        let mut stream = TcpStream::connect(&self.host).unwrap();
        stream.set_read_timeout(Some(LONG)).unwrap();
        // An answer of HTTP/1.0 ends with the connection.
        let is_stream = path.ends_with("events");
        let accept = if is_stream {
            "text/event-stream"
        } else {
            "application/json"
        };
        let host = &self.host;
        let request = format!("GET {path} HTTP/1.0\r\nHost: {host}\r\nAccept: {accept}\r\n\r\n");
        stream.write_all(request.as_bytes()).unwrap();
        stream
    }

    /// Returns the status of an answer and its JSON.
    fn get(&self, path: &str) -> (u16, Value) {
        let mut answer = String::new();
        self.request(path).read_to_string(&mut answer).unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        (status, serde_json::from_str(body).unwrap())
    }

    fn events(&self) -> Events {
        Events(BufReader::new(self.request("/api/games/events")))
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Returns the host and port of the first address that a program prints.
fn host(lines: &mut impl BufRead) -> String {
    let mut lines = lines.lines().map(Result::unwrap);
    let address = lines.find_map(|line| Some(line.split_once("http://")?.1.to_owned()));
    let address = address.expect("an address");
    address.split('/').next().unwrap().to_owned()
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

/// The contents of a run's games, which are the same live and from its log.
fn contents(run: &Run) -> BTreeSet<(String, String, String, usize)> {
    let content = |game: &GameSummary| {
        let names = (game.black.clone(), game.white.clone());
        (names.0, names.1, game.squares.clone(), game.ply)
    };
    run.games.iter().map(|game| content(game)).collect()
}

#[test]
fn a_match_is_watched_to_its_end_and_its_log_replays() {
    let folder = Folder::new();
    let line = "match -e deep=own:hash=1 -e shallow=own:hash=1 -l deep=depth:6 -l shallow=depth:3 \
                --games 20 --concurrency 2 --web";
    let mut program = Program::start(&folder, line);
    // A reader that reads nothing holds nobody up.
    let slow = program.request("/api/games/events");
    let mut state = State::default();
    let mut seen = BTreeSet::new();
    let mut names = BTreeSet::new();
    for event in program.events() {
        names.insert(event.name());
        if let Event::Moved { game, .. } = &event {
            seen.insert(game.id);
        }
        state.apply(&event);
    }
    assert!(program.child.wait().unwrap().success());
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

    let runs = Runs::default();
    let _log = LogRun::open(&runs, &folder.path("match.jsonl")).unwrap();
    let logged = runs.run(1).unwrap();
    assert_eq!(contents(&logged), contents(run));
    assert_eq!(logged.standings.as_deref(), Some(&**standings));
    check_replay(&folder);
}

/// Watches the log of a match, while a line is added to it.
fn check_replay(folder: &Folder) {
    let whole = folder.read("match.jsonl");
    let last = whole.trim_end().rfind('\n').unwrap() + 1;
    folder.write("growing.jsonl", &whole[..last]);
    let mut child = folder.start("web growing.jsonl --no-store --hash 1");
    let host = host(&mut BufReader::new(child.stdout.take().unwrap()));
    let program = Program { child, host };
    let mut state = State::default();
    let mut events = program.events();
    state.apply(&events.next().unwrap());
    assert_eq!(state.runs[0].info.finished, 19);

    let (status, game) = program.get("/api/games/1/19");
    assert_eq!((status, &game["opening"]), (200, &Value::from(8)));
    let moves = game["moves"].as_array().unwrap();
    assert_eq!(moves.len(), game["ply"].as_u64().unwrap() as usize);
    let (ms, score) = (&moves[20]["ms"], &moves[20]["score"]);
    assert!(ms.is_u64() && score.is_f64(), "{}", moves[20]);

    let mut options = OpenOptions::new();
    let mut file = options
        .append(true)
        .open(folder.path("growing.jsonl"))
        .unwrap();
    file.write_all(&whole.as_bytes()[last..]).unwrap();
    events.apply_until(&mut state, |state| {
        state.runs[0].standings.as_ref().unwrap().games == 20
    });
    assert_eq!(state.runs[0].info.finished, 20);
    let (_, all) = program.get("/api/games");
    assert_eq!(all["runs"][0]["games"].as_array().unwrap().len(), 20);
}

#[test]
fn games_of_an_lth_server_are_watched() {
    let folder = Folder::new();
    let mut program = Program::start(&folder, &format!("{SERVER} --store games.jsonl --web"));
    let mut line = String::new();
    let mut out = BufReader::new(program.child.stdout.take().unwrap());
    out.read_line(&mut line).unwrap();
    let mut events = program.events();
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

    let runs = Runs::default();
    let _log = LogRun::open(&runs, &folder.path("games.jsonl")).unwrap();
    let logged = runs.run(1).unwrap();
    assert_eq!(contents(&logged), contents(run));
    let info = logged.info;
    assert_eq!((info.kind, &info.name[..]), (Kind::Lth, "games.jsonl"));

    for (path, status, expected) in [
        ("/api/games/7", 404, "expected the id of a run, found 7"),
        (
            "/api/games/1/x",
            400,
            "expected the number of a game, found \"x\"",
        ),
        ("/api/hint", 403, "expected a request of /api/games"),
    ] {
        let (found, answer) = program.get(path);
        let message = answer["error"]["message"].as_str().unwrap();
        assert_eq!(found, status, "{message}");
        assert!(message.starts_with(expected), "{message}");
    }
}

#[test]
fn a_server_on_all_addresses_is_at_one_of_this_computer() {
    let folder = Folder::new();
    let line = format!("{SERVER} --web=0.0.0.0:0 --web-token 0123456789abcdef");
    let mut program = Program::start(&folder, &line);
    let port = program.host.strip_prefix("127.0.0.1:").unwrap();
    program.host = format!("localhost:{port}");
    // The token is missing, not the host.
    let (status, answer) = program.get("/api/games");
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
    let program = Program::start(&folder, "host codewarriors --games 2 --limit 200ms --web");
    let mut state = State::default();
    for event in program.events() {
        state.apply(&event);
    }
    let run = state.run(1).unwrap();
    assert_eq!((run.info.kind, run.info.live), (Kind::Host, false));
    assert_eq!((run.info.finished, run.info.total), (2, Some(2)));
    assert_eq!(run.standings.as_ref().unwrap().games, 2);
}
