//! Clients that the LTH server refuses: misbehaving, silent, too many, or with a name in use.

use std::{net::SocketAddr, time::Duration};

use crate::support::{Running, log_in, play, read_to, say, with_log, within};
use othello_host::lth_server::{Addresses, ServerConfig};
use othello_host::record::Winner;
use othello_proto::session::Ending;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

#[tokio::test]
async fn rude_clients_are_refused_and_others_still_play() {
    let running = Running::start(ServerConfig::default()).await;
    let testing = running.addresses.testing;
    let wrong = say(testing, b"me\nx\n").await;
    let told = "error\n You provided wrong colour. Bye!\n";
    assert!(wrong.ends_with(told), "{wrong}");
    assert!(say(testing, b"\x00\n").await.contains("error\n"));
    let endless = say(testing, &[b'x'; 5000]).await;
    assert!(endless.starts_with("Hi! I am your othello server.\n"));
    assert!(say(testing, &vec![b'\n'; 2_000_000]).await.len() < 1000);
    let illegal = say(testing, b"me\nd\ne3\n").await;
    let told = "your move\nerror\n This move is illegal. Bye!\n";
    assert!(illegal.ends_with(told), "{illegal}");
    let outcome = play(testing, "polite", None).await;
    assert_eq!(outcome.ending, Ending::Orderly);
    let mut debugging = TcpStream::connect(testing.unwrap()).await.unwrap();
    debugging.write_all(b"me\nd\n").await.unwrap();
    read_to(&mut debugging, "your move\n").await;
    debugging.write_all(b"I play d3\n").await.unwrap();
    read_to(&mut debugging, "This move is illegal. Bye!\n").await;
    let records = running.stop().await;
    assert_eq!(records.len(), 3);
    assert_eq!(records[0].winner, Winner::White);
    let cause = &records[2].cause;
    assert!(
        cause.ends_with("; this line is no answer: write debugging text to standard error"),
        "{cause}"
    );
    assert_eq!(
        records[0].cause,
        "illegal move by Black: illegal move e3: it flips nothing; rows look counted from the bottom in what it writes, \
         or it looks as if it moved for the other colour"
    );
}

#[tokio::test]
async fn silent_clients_are_refused_before_and_after_their_name() {
    let config = ServerConfig {
        reception_timeout: Duration::from_millis(300),
        ..ServerConfig::default()
    };
    let running = Running::start(config).await;
    let testing = running.addresses.testing;
    for said in ["", "m", "me\n"] {
        let text = say(testing, said.as_bytes()).await;
        assert!(text.contains("error\n"), "{said:?}: {text}");
    }
    assert!(running.stop().await.is_empty());
}

#[tokio::test]
async fn the_clock_runs_for_a_client_that_falls_silent() {
    let mut config = ServerConfig::default();
    config.limit.length = Duration::from_millis(300);
    let running = Running::start(config).await;
    let text = say(running.addresses.testing, b"me\nd\n").await;
    assert!(
        text.ends_with("your move\nerror\n Time limit exceeded. Bye!\n"),
        "{text}"
    );
    let records = running.stop().await;
    let cause = &records[0].cause;
    assert!(cause.starts_with("Black ran out of time: 0.3"), "{cause}");
    assert!(
        cause.contains(" s of 0.30 s; nothing was received in time; nothing arrived: "),
        "{cause}"
    );
}

#[tokio::test]
async fn connections_beyond_the_limits_are_told_so_and_closed() {
    let config = ServerConfig {
        max_connections: 3,
        max_per_port: 2,
        max_per_address: 1,
        ..ServerConfig::default()
    };
    let running = Running::start(config).await;
    let Addresses {
        testing,
        evaluation,
        dark,
        white,
    } = running.addresses;
    let hold = async |port: Option<SocketAddr>| {
        let mut stream = TcpStream::connect(port.unwrap()).await.unwrap();
        read_to(&mut stream, "name?\n").await;
        stream
    };
    let mut served = vec![hold(testing).await];
    let told = "error\n Too many connections from your address. Bye!\n";
    for _ in 0..200 {
        assert_eq!(say(testing, b"").await, told);
    }
    // The other ports are not affected until the server is full.
    served.push(hold(dark).await);
    served.push(hold(white).await);
    let full = "error\n The server is full. Bye!\n";
    assert_eq!(say(evaluation, b"").await, full);
    // Both sides of a game count.
    served[1].write_all(b"one\n").await.unwrap();
    served[2].write_all(b"two\n").await.unwrap();
    read_to(&mut served[1], "your move\n").await;
    assert_eq!(say(dark, b"").await, told);
    assert_eq!(say(white, b"").await, told);
    assert_eq!(say(evaluation, b"").await, full);
    // Once a client leaves there is a slot again.
    served.pop();
    for attempt in 0.. {
        let mut stream = TcpStream::connect(evaluation.unwrap()).await.unwrap();
        let mut first = [0; 2];
        within(stream.read_exact(&mut first)).await.unwrap();
        if first == *b"Hi" {
            break;
        }
        assert!(attempt < 1000, "the place is not free");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    running.stop().await;
}

#[tokio::test]
async fn a_client_that_connects_too_often_is_told_so() {
    let config = ServerConfig {
        max_per_minute: 1,
        ..ServerConfig::default()
    };
    let running = Running::start(config).await;
    let testing = running.addresses.testing;
    let told = "error\n Too many connections in a short time. Bye!\n";
    for _ in 0..5 {
        assert!(say(testing, b"\x00\n").await.starts_with("Hi!"));
    }
    assert_eq!(say(testing, b"").await, told);
    running.stop().await;
}

#[tokio::test]
async fn names_and_games_are_bounded() {
    let folder = tempfile::tempdir().unwrap();
    let mut config = with_log(folder.path());
    config.bounds.ids = 1;
    config.bounds.log_size = 1000;
    let running = Running::start(config).await;
    let testing = running.addresses.testing;
    let leave = async |id: &str| say(testing, format!("{id}\nd\na1\n").as_bytes()).await;
    let illegal = "error\n This move is illegal. Bye!\n";
    assert!(leave("known").await.ends_with(illegal));
    let no_names = "error\n The server takes no more names. Bye!\n";
    assert!(leave("new").await.ends_with(no_names));
    let no_games = "error\n The server takes no more games. Bye!\n";
    let mut games = 1;
    loop {
        let told = leave("known").await;
        if told.ends_with(no_games) {
            break;
        }
        assert!(told.ends_with(illegal), "{told}");
        games += 1;
    }
    assert_eq!(running.stop().await.len(), games);
    let log = std::fs::metadata(log_in(folder.path())).unwrap();
    assert!((1000..2000).contains(&log.len()), "{}", log.len());
}

#[tokio::test]
async fn a_competitor_for_whom_nobody_comes_is_told_so() {
    let config = ServerConfig {
        max_wait: Duration::from_millis(50),
        ..ServerConfig::default()
    };
    let running = Running::start(config).await;
    let text = say(running.addresses.white, b"lonely\n").await;
    let told = "you are white\nerror\n No opponent came in time. Bye!\n";
    assert!(text.ends_with(told), "{text}");
    assert!(running.stop().await.is_empty());
}

#[tokio::test]
async fn an_id_is_never_paired_with_itself() {
    let running = Running::start(ServerConfig::default()).await;
    let Addresses { dark, white, .. } = running.addresses;
    let mut own = Vec::new();
    for (port, color) in [(dark, "dark"), (white, "white"), (white, "white")] {
        let mut stream = TcpStream::connect(port.unwrap()).await.unwrap();
        stream.write_all(b"me\n").await.unwrap();
        read_to(&mut stream, &format!("you are {color}\n")).await;
        own.push(stream);
    }
    // Another id is paired with the first of them, though it is no longer the first in the queue.
    let other = play(white, "other", None);
    let end = async {
        read_to(&mut own[0], "your move\n").await;
        own[0].write_all(b"a1\n").await.unwrap();
    };
    let (other, ()) = tokio::join!(other, end);
    assert_eq!(other.ending, Ending::Orderly);
    let records = running.stop().await;
    let names = records
        .iter()
        .map(|record| (&*record.black, &*record.white));
    assert_eq!(names.collect::<Vec<_>>(), [("me", "other")]);
}

#[tokio::test]
async fn the_name_of_the_built_in_player_is_reserved() {
    let running = Running::start(ServerConfig::default()).await;
    let Addresses { testing, dark, .. } = running.addresses;
    for (port, name) in [(testing, "house"), (testing, "House"), (dark, " HOUSE ")] {
        let text = say(port, format!("{name}\nd\n").as_bytes()).await;
        assert!(
            text.ends_with("error\n Your name is reserved. Bye!\n"),
            "{text}"
        );
    }
    assert!(say(testing, b"houses\nx\n").await.contains("Hello houses!"));
    running.stop().await;
}
