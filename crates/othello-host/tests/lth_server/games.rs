//! The LTH server over loopback sockets: games of our own player and their results.

use std::time::Duration;

use crate::support::{Running, logged, play, read_to, say, with_log, within};
use othello_core::Color;
use othello_host::lth_server::{Addresses, Server, ServerConfig, ServerError};
use othello_host::record::Winner;
use othello_proto::session::Ending;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

#[tokio::test]
async fn both_colours_play_on_the_testing_port() {
    let running = Running::start(ServerConfig::default()).await;
    for color in Color::ALL {
        let outcome = play(running.addresses.testing, "me", Some(color)).await;
        assert_eq!(outcome.ending, Ending::Orderly);
        assert_eq!(outcome.session.color(), Some(color));
        assert!(outcome.session.board().is_over());
    }
    let records = running.stop().await;
    let names: Vec<_> = records
        .iter()
        .map(|record| (record.black.as_str(), record.white.as_str()))
        .collect();
    assert_eq!(names, [("me", "house"), ("house", "me")]);
    assert!(
        records
            .iter()
            .all(|record| record.cause == "played to the end")
    );
}

#[tokio::test]
async fn evaluation_alternates_colours_for_each_id() {
    let running = Running::start(ServerConfig::default()).await;
    let evaluation = running.addresses.evaluation;
    for (id, color) in [
        ("a", Color::Black),
        ("a", Color::White),
        ("b", Color::Black),
        ("a", Color::Black),
        ("b", Color::White),
    ] {
        let outcome = play(evaluation, id, None).await;
        assert_eq!(outcome.session.color(), Some(color), "{id}");
    }
    // Also while a game is in progress, and again after one was broken off before its start.
    let greet = async |expected: &str| {
        let mut stream = TcpStream::connect(evaluation.unwrap()).await.unwrap();
        stream.write_all(b"c\n").await.unwrap();
        read_to(&mut stream, expected).await;
        stream
    };
    let first = greet("you are dark\n").await;
    let second = greet("you are white\n").await;
    let third = greet("you are dark\n").await;
    drop((first, second, third));
    running.stop().await;
}

#[tokio::test]
async fn wins_are_counted_on_disk_and_told() {
    let folder = tempfile::tempdir().unwrap();
    for wins in [0, 2] {
        let running = Running::start(with_log(folder.path())).await;
        let Addresses {
            testing,
            dark,
            white,
            ..
        } = running.addresses;
        for wins in [wins, wins + 1] {
            let told = say(testing, b"count\nx\n").await;
            let hello = format!("\nHello count! Your current win count is {wins}\n");
            assert!(told.contains(&hello), "{told}");
            // Its opponent's move is illegal.
            let opponent = say(dark, b"other\na1\n");
            let (count, _) = tokio::join!(say(white, b"count\n"), opponent);
            assert!(count.ends_with("White won\n"), "{count}");
        }
        // A loss does not change the count.
        say(testing, b"count\nd\na1\n").await;
        running.stop().await;
    }
    let winners = logged(folder.path()).into_iter().map(|game| game.winner);
    assert!(winners.eq([Winner::White; 6]));
}

#[tokio::test]
async fn competitors_meet_in_the_order_in_which_they_came() {
    let running = Running::start(ServerConfig::default()).await;
    let Addresses { dark, white, .. } = running.addresses;
    // A client that leaves while it waits gets no opponent.
    let mut gone = TcpStream::connect(white.unwrap()).await.unwrap();
    gone.write_all(b"gone\n").await.unwrap();
    read_to(&mut gone, "you are white\n").await;
    drop(gone);
    let mut first = TcpStream::connect(white.unwrap()).await.unwrap();
    first.write_all(b"first\n").await.unwrap();
    read_to(&mut first, "you are white\n").await;
    let second = play(white, "second", None);
    let dark_one = async {
        let one = play(dark, "one", None).await;
        assert_eq!(one.session.color(), Some(Color::Black));
        play(dark, "two", None).await
    };
    let play_first = async {
        // It leaves after a move of the other's: its opponent wins.
        read_to(&mut first, "your move\n").await;
        drop(first);
    };
    let (second, two, ()) = tokio::join!(second, dark_one, play_first);
    assert_eq!(second.ending, Ending::Orderly);
    assert_eq!(two.session.board(), second.session.board());
    let records = running.stop().await;
    assert_eq!(records.len(), 2);
    assert_eq!(
        (records[0].black.as_str(), records[0].white.as_str()),
        ("one", "first")
    );
    assert_eq!(
        (records[0].winner, records[0].cause.as_str()),
        (Winner::Black, "White left")
    );
    assert_eq!(
        (records[1].black.as_str(), records[1].white.as_str()),
        ("two", "second")
    );
}

#[tokio::test]
async fn a_competitor_that_has_closed_its_side_plays_what_it_sent_before() {
    let running = Running::start(ServerConfig::default()).await;
    let Addresses { dark, white, .. } = running.addresses;
    for said in ["early\nd6\n", "early\n\n"] {
        let mut early = TcpStream::connect(white.unwrap()).await.unwrap();
        early.write_all(said.as_bytes()).await.unwrap();
        early.shutdown().await.unwrap();
        read_to(&mut early, "you are white\n").await;
        if said == "early\n\n" {
            // Without an answer it cannot play.
            let mut rest = String::new();
            within(early.read_to_string(&mut rest)).await.unwrap();
            assert_eq!(rest, "");
            continue;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
        let late = say(dark, b"late\nf5\na1\n").await;
        let told = "opponent's move\nd6\nyour move\nerror\n This move is illegal. Bye!\n";
        assert!(late.ends_with(told), "{late}");
        read_to(&mut early, "your move\nThe game is finished\n").await;
        read_to(&mut early, "White won\n").await;
    }
    assert_eq!(running.stop().await.len(), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_games_are_played_at_a_time() {
    let running = Running::start(ServerConfig::default()).await;
    let addresses = running.addresses;
    let mut clients = tokio::task::JoinSet::new();
    for number in 0..24 {
        let port = match number % 4 {
            0 => addresses.testing,
            1 => addresses.evaluation,
            2 => addresses.dark,
            _ => addresses.white,
        };
        clients.spawn(async move { play(port, &format!("id {number}"), None).await });
    }
    while let Some(outcome) = clients.join_next().await {
        let outcome = outcome.unwrap();
        assert_eq!(outcome.ending, Ending::Orderly);
        assert!(outcome.session.board().is_over());
    }
    assert_eq!(running.stop().await.len(), 18);
}

#[tokio::test]
async fn a_delay_between_lines_keeps_the_game_whole() {
    let config = ServerConfig {
        line_delay: Duration::from_millis(1),
        ..ServerConfig::default()
    };
    let running = Running::start(config).await;
    let outcome = play(running.addresses.testing, "slow", Some(Color::White)).await;
    assert_eq!(outcome.ending, Ending::Orderly);
    assert!(outcome.session.board().is_over());
    running.stop().await;
}

#[tokio::test]
async fn a_port_that_is_taken_is_an_error_with_its_address() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap();
    let mut config = ServerConfig::default().on_free_ports();
    config.evaluation = Some(address);
    let Err(ServerError::Bind { address: told, .. }) = Server::bind(config).await else {
        panic!("the port is taken");
    };
    assert_eq!(told, address);
}
