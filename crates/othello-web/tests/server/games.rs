//! Games that are watched.

use othello_core::{Game, Square};
use othello_web::live::{ByColor, GameEnd, Kind, MoveDetails, RunWriter, Runs};

use crate::client::{TestServer, config};

const NAMES: ByColor<&str> = ByColor {
    black: "a",
    white: "b",
};

/// Adds a run with a game of two moves.
pub(crate) fn watched_run(runs: &Runs) -> RunWriter {
    let run = runs.add(Kind::Match, "a – b", Some(2));
    run.start(1, NAMES, &Game::default(), ByColor::default());
    run.begin(1);
    for square in [Square::F5, Square::D6] {
        run.play(1, square, MoveDetails::default(), ByColor::default());
    }
    run
}

#[tokio::test]
async fn a_reader_gets_the_last_of_what_happened_together() {
    let config = config();
    let run = watched_run(&config.runs);
    let server = TestServer::start(config).await;
    let mut events = server.stream("/api/games/events").await;
    let (name, snapshot) = events.next().await.unwrap();
    assert_eq!(
        (&name[..], &snapshot["runs"][0]["games"][0]["last"]),
        ("snapshot", &"d6".into())
    );
    for square in [Square::C3, Square::D3] {
        run.play(1, square, MoveDetails::default(), ByColor::default());
    }
    run.start(2, NAMES, &Game::default(), ByColor::default());
    let (name, moved) = events.next().await.unwrap();
    assert_eq!((&name[..], &moved["move"]["move"]), ("moved", &"d3".into()));
    assert_eq!(moved["game"]["ply"], 4);
    let (name, started) = events.next().await.unwrap();
    assert_eq!((&name[..], &started["game"]["id"]), ("started", &2.into()));
}

#[tokio::test]
async fn a_stream_ends_with_the_server_after_its_last_event() {
    let config = config();
    let run = watched_run(&config.runs);
    let server = TestServer::start(config).await;
    let mut events = server.stream("/api/games/events").await;
    events.next().await.unwrap();
    run.finish(1, GameEnd::called_off("tired"), Vec::new());
    drop(run);
    server.end().await;
    let mut names = Vec::new();
    while let Some((name, _)) = events.next().await {
        names.push(name);
    }
    assert_eq!(names, ["finished", "run"]);
}

#[tokio::test]
async fn readers_of_events_are_limited_and_others_are_not_held_up() {
    let config = config();
    let run = watched_run(&config.runs);
    let server = TestServer::start(config).await;
    let mut readers = Vec::new();
    for _ in 0..64 {
        readers.push(server.stream("/api/games/events").await);
    }
    for reader in &mut readers {
        reader.next().await.unwrap();
    }
    let headers = ["Accept: text/event-stream"];
    let refused = server.ask("GET", "/api/games/events", &headers, b"").await;
    assert_eq!(
        (refused.status, refused.header("retry-after")),
        (429, Some("2"))
    );
    // None of them reads, and games go on.
    for id in 2..5000 {
        run.start(id, NAMES, &Game::default(), ByColor::default());
        run.finish(id, GameEnd::called_off("tired"), Vec::new());
    }
    let all = server.get("/api/games/1").await.json();
    assert_eq!(all["finished"], 4998);
    drop(readers.pop());
    let mut last = readers.pop().unwrap();
    loop {
        let (_, event) = last.next().await.unwrap();
        let run = event["runs"].get(0).unwrap_or(&event);
        if run["finished"] == 4998 {
            break;
        }
    }
}
