//! Games that are watched over HTTP: of a match, of hosts, and of logs.

use std::{
    collections::BTreeSet,
    fs::{self, OpenOptions},
    io::{BufRead, BufReader, Read as _, Write as _},
    net::TcpStream,
    path::Path,
    process::{Child, Command, Stdio},
    thread,
    time::Duration,
};

use othello_web::live::{Event, GameSummary, Kind, LogRun, Run, Runs, State};
use serde_json::Value;

const OTHELLO: &str = env!("CARGO_BIN_EXE_othello");

/// A guard, not a measure: what takes longer hangs.
const LONG: Duration = Duration::from_mins(2);

/// A program that shows games. It is killed when the test ends.
struct Program {
    child: Child,
    /// The host and port of its server.
    host: String,
}

impl Program {
    /// Starts a program in a folder; its server's address is in a line of standard error.
    fn start(folder: &Path, words: &[&str]) -> Self {
        let mut child = command(folder, words)
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut errors = BufReader::new(child.stderr.take().unwrap());
        let host = host(&mut errors);
        thread::spawn(move || errors.read_to_end(&mut Vec::new()));
        Self { child, host }
    }

    /// Starts the server of logs, whose address is in a line of standard output.
    fn start_web(folder: &Path, log: &str) -> Self {
        let mut child = command(folder, &["web", log, "--no-store", "--hash", "1"])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let host = host(&mut BufReader::new(child.stdout.take().unwrap()));
        Self { child, host }
    }

    /// Sends a request; returns the stream of its answer, of which nothing is read yet.
    fn request(&self, path: &str) -> TcpStream {
        let mut stream = TcpStream::connect(&self.host).unwrap();
        stream.set_read_timeout(Some(LONG)).unwrap();
        // An answer of HTTP/1.0 ends with the connection.
        let accept = if path.ends_with("events") {
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

fn command(folder: &Path, words: &[&str]) -> Command {
    let mut command = Command::new(OTHELLO);
    command
        .args(words)
        .current_dir(folder)
        .env("XDG_STATE_HOME", folder)
        .env_remove("OTHELLO_TOKEN")
        .stdin(Stdio::null());
    command
}

/// Returns the host and port of the first address that a program prints.
fn host(lines: &mut impl BufRead) -> String {
    let mut read = String::new();
    loop {
        let start = read.len();
        let length = lines.read_line(&mut read).unwrap();
        assert_ne!(length, 0, "expected an address, found {read:?}");
        if let Some((_, address)) = read[start..].split_once("http://") {
            return address.split('/').next().unwrap().to_owned();
        }
    }
}

/// The events of a server.
struct Events(BufReader<TcpStream>);

impl Iterator for Events {
    type Item = Event;

    fn next(&mut self) -> Option<Event> {
        loop {
            let mut line = String::new();
            if self.0.read_line(&mut line).unwrap() == 0 {
                return None;
            }
            if let Some(data) = line.strip_prefix("data:") {
                return Some(serde_json::from_str(data).unwrap());
            }
        }
    }
}

/// The contents of a run's games, which are the same live and from its log.
fn contents(run: &Run) -> BTreeSet<(String, String, String, usize)> {
    let content = |game: &GameSummary| {
        let GameSummary {
            black,
            white,
            squares,
            ply,
            ..
        } = game;
        (black.clone(), white.clone(), squares.clone(), *ply)
    };
    run.games.iter().map(|game| content(game)).collect()
}

#[test]
fn a_match_is_watched_to_its_end_and_its_log_replays() {
    let folder = tempfile::tempdir().unwrap();
    let words = "match -e deep=own:hash=1 -e shallow=own:hash=1 -l deep=depth:6 -l shallow=depth:3 \
                 --games 20 --concurrency 2 --web";
    let words: Vec<&str> = words.split_whitespace().collect();
    let mut program = Program::start(folder.path(), &words);
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
    for name in [
        "snapshot",
        "started",
        "moved",
        "finished",
        "standings",
        "run",
    ] {
        assert!(names.contains(name), "no {name} in {names:?}");
    }
    let standings = run.standings.as_ref().unwrap();
    assert_eq!((standings.games, &standings.rows[0].name[..]), (20, "deep"));
    let elo = standings.rows[0].elo.unwrap();
    assert!(elo.low < elo.value || elo.value.is_none(), "{elo:?}");

    let runs = Runs::default();
    let _log = LogRun::open(&runs, &folder.path().join("match.jsonl")).unwrap();
    let logged = runs.run(1).unwrap();
    assert_eq!(contents(&logged), contents(run));
    assert_eq!(logged.standings.as_deref(), Some(&**standings));
    replays(folder.path());
}

/// Watches the log of a match, while a line is added to it.
fn replays(folder: &Path) {
    let whole = fs::read_to_string(folder.join("match.jsonl")).unwrap();
    let growing = folder.join("growing.jsonl");
    let last = whole.trim_end().rfind('\n').unwrap() + 1;
    fs::write(&growing, &whole[..last]).unwrap();
    let program = Program::start_web(folder, "growing.jsonl");
    let mut state = State::default();
    let mut events = program.events();
    state.apply(&events.next().unwrap());
    assert_eq!(state.runs[0].info.finished, 19);

    let (status, game) = program.get("/api/games/1/19");
    assert_eq!(status, 200);
    let moves = game["moves"].as_array().unwrap();
    assert_eq!(moves.len(), game["ply"].as_u64().unwrap() as usize);
    assert_eq!(game["opening"], 8);
    assert!(
        moves[20]["ms"].is_u64() && moves[20]["score"].is_f64(),
        "{}",
        moves[20]
    );

    let mut file = OpenOptions::new().append(true).open(&growing).unwrap();
    file.write_all(&whole.as_bytes()[last..]).unwrap();
    while state.runs[0].standings.as_ref().unwrap().games < 20 {
        state.apply(&events.next().unwrap());
    }
    assert_eq!(state.runs[0].info.finished, 20);
    let (_, all) = program.get("/api/games");
    assert_eq!(all["runs"][0]["games"].as_array().unwrap().len(), 20);
}

#[test]
fn games_of_an_lth_server_are_watched() {
    let folder = tempfile::tempdir().unwrap();
    let mut child = command(
        folder.path(),
        &[
            "host",
            "lth",
            "--testing",
            "0",
            "--without",
            "evaluation,competition",
            "--store",
            "games.jsonl",
            "--web",
        ],
    )
    .stdout(Stdio::piped())
    .stderr(Stdio::piped())
    .spawn()
    .unwrap();
    let host = host(&mut BufReader::new(child.stderr.take().unwrap()));
    let mut out = BufReader::new(child.stdout.take().unwrap());
    let program = Program { child, host };
    let mut line = String::new();
    out.read_line(&mut line).unwrap();
    let testing = line.split_whitespace().next().unwrap().to_owned();
    let mut events = program.events();
    let mut state = State::default();
    state.apply(&events.next().unwrap());
    assert_eq!(state.runs[0].info.kind, Kind::Lth);

    let mut client = TcpStream::connect(testing).unwrap();
    client.write_all(b"me\nd\nf5\n").unwrap();
    let game = loop {
        state.apply(&events.next().unwrap());
        if let Some(game) = state.runs[0].games.first().filter(|game| game.ply >= 2) {
            break game.clone();
        }
    };
    assert_eq!((&game.black[..], &game.white[..]), ("me", "house"));
    let left = game.clocks.black.unwrap();
    assert!(
        (1..=300_000).contains(&left) && game.since.is_some(),
        "{left}"
    );

    client.write_all(b"a1\n").unwrap();
    while state.runs[0].standings.is_none() {
        state.apply(&events.next().unwrap());
    }
    let game = &state.runs[0].games[0];
    assert!(
        game.end
            .as_ref()
            .unwrap()
            .cause
            .starts_with("illegal move by Black")
    );
    let rows = &state.runs[0].standings.as_ref().unwrap().rows;
    let rows = rows.iter().map(|row| (&row.name[..], row.wins, row.losses));
    assert_eq!(rows.collect::<Vec<_>>(), [("house", 1, 0), ("me", 0, 1)]);

    let runs = Runs::default();
    let path = folder.path().join("games.jsonl");
    let _log = LogRun::open(&runs, &path).unwrap();
    let logged = runs.run(1).unwrap();
    assert_eq!(contents(&logged), contents(&state.runs[0]));
    let info = logged.info;
    assert_eq!((info.kind, &info.name[..]), (Kind::Lth, "games.jsonl"));
}

#[test]
fn a_log_is_watched_from_its_first_line_on() {
    let folder = tempfile::tempdir().unwrap();
    let program = Program::start_web(folder.path(), "match.jsonl");
    let mut events = program.events();
    let mut state = State::default();
    state.apply(&events.next().unwrap());
    assert_eq!(state.runs, []);
    let words = "match -e a=own:hash=1 -e b=own:hash=1 -l depth:1 --games 2 --log match.jsonl";
    let mut playing = command(folder.path(), &words.split(' ').collect::<Vec<_>>());
    // Without --web, the variable does not matter.
    let output = playing.env("OTHELLO_TOKEN", "short").output().unwrap();
    assert!(output.status.success(), "{output:?}");
    while state.runs.first().is_none_or(|run| run.info.finished < 2) {
        state.apply(&events.next().unwrap());
    }
    let output = playing.arg("--web").output().unwrap();
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(
        message.contains("OTHELLO_TOKEN: expected a token of at least 16"),
        "{message}"
    );
}

#[test]
fn a_server_on_all_addresses_is_at_one_of_this_computer() {
    let folder = tempfile::tempdir().unwrap();
    let words = "host lth --testing 0 --without evaluation,competition --web=0.0.0.0:0 \
                 --web-token 0123456789abcdef";
    let words: Vec<&str> = words.split_whitespace().collect();
    let mut program = Program::start(folder.path(), &words);
    let port = program.host.strip_prefix("127.0.0.1:").unwrap();
    program.host = format!("localhost:{port}");
    // The token is missing, not the host.
    let (status, answer) = program.get("/api/games");
    assert_eq!(status, 401, "{answer}");
}

#[test]
fn a_series_at_a_host_is_watched_to_its_end() {
    let folder = tempfile::tempdir().unwrap();
    let words = [
        "host",
        "codewarriors",
        "--games",
        "2",
        "--limit",
        "200ms",
        "--web",
    ];
    let program = Program::start(folder.path(), &words);
    let mut state = State::default();
    for event in program.events() {
        state.apply(&event);
    }
    let run = state.run(1).unwrap();
    assert_eq!((run.info.kind, run.info.live), (Kind::Host, false));
    assert_eq!((run.info.finished, run.info.total), (2, Some(2)));
    let standings = run.standings.as_ref().unwrap();
    assert_eq!(standings.games, 2);
}

#[test]
fn requests_that_cannot_be_answered_say_what_was_expected() {
    let folder = tempfile::tempdir().unwrap();
    let words = [
        "host",
        "lth",
        "--testing",
        "0",
        "--without",
        "evaluation,competition",
        "--web",
    ];
    let program = Program::start(folder.path(), &words);
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

    let refused = |words: &[&str]| {
        let output = command(folder.path(), words).output().unwrap();
        (
            output.status.code(),
            String::from_utf8_lossy(&output.stderr).into_owned(),
        )
    };
    let (code, message) = refused(&["host", "lth", "--web=0.0.0.0:0"]);
    assert!(
        code == Some(1) && message.contains("expected --web-token TOKEN too"),
        "{message}"
    );
    fs::write(folder.path().join("notes"), "notes\n").unwrap();
    let (code, message) = refused(&["web", "notes", "--no-store"]);
    assert!(
        code == Some(1) && message.contains("notes, line 1: expected the header"),
        "{message}"
    );
}
