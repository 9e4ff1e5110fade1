//! The LTH server over loopback sockets: our own player, rude clients, and thousands of them.

mod common;

use std::{
    future::{Future, pending},
    net::SocketAddr,
    path::Path,
    sync::{Arc, Mutex},
    time::Duration,
};

use common::First;
use othello_arena::{
    record::{GameRecord, Winner},
    server::{Addresses, LOG_NAME, Server, ServerConfig, ServerError, ServerNews},
    store::{Store, Tally},
};
use othello_core::Color;
use othello_net::{Connection, DriveOptions, Outcome, drive};
use othello_proto::{
    lth::{Player, PlayerOptions},
    session::{Ending, PlayerSession},
};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    sync::oneshot,
    task::JoinHandle,
    time::timeout,
};

/// A guard, not a measure: what takes longer hangs.
const LONG: Duration = Duration::from_mins(2);

struct Running {
    addresses: Addresses,
    records: Arc<Mutex<Vec<GameRecord>>>,
    shutdown: oneshot::Sender<()>,
    server: JoinHandle<()>,
}

impl Running {
    async fn start(config: ServerConfig) -> Self {
        let server = Server::bind(config.on_free_ports()).await.unwrap();
        let addresses = server.addresses();
        let records = Arc::new(Mutex::new(Vec::new()));
        let kept = Arc::clone(&records);
        let observer = move |news| match news {
            ServerNews::Moved(_) => {}
            ServerNews::Over(record) => kept.lock().unwrap().push(record),
            news => panic!("{news:?}"),
        };
        let (shutdown, wanted) = oneshot::channel();
        let server = tokio::spawn(server.run(observer, async {
            let _ = wanted.await;
        }));
        Self {
            addresses,
            records,
            shutdown,
            server,
        }
    }

    async fn stop(self) -> Vec<GameRecord> {
        self.shutdown.send(()).unwrap();
        within(self.server).await.unwrap();
        std::mem::take(&mut *self.records.lock().unwrap())
    }
}

async fn within<T>(future: impl Future<Output = T>) -> T {
    timeout(LONG, future).await.expect("it hangs")
}

/// Plays a game with our own player.
async fn play(address: Option<SocketAddr>, id: &str, color: Option<Color>) -> Outcome<Player> {
    let stream = TcpStream::connect(address.unwrap()).await.unwrap();
    let options = PlayerOptions {
        color,
        ..PlayerOptions::new(id.parse().unwrap())
    };
    let player = Player::new(options);
    let connection = Connection::from_stream(stream);
    let options = DriveOptions::default();
    let driven = drive(player, connection, First, pending(), &options);
    within(driven).await.unwrap()
}

/// Sends bytes and reads what comes until the server closes.
async fn say(address: Option<SocketAddr>, bytes: &[u8]) -> String {
    let mut stream = TcpStream::connect(address.unwrap()).await.unwrap();
    stream.write_all(bytes).await.unwrap();
    let mut text = Vec::new();
    // A reset is as good an end as any.
    let _ = within(stream.read_to_end(&mut text)).await;
    String::from_utf8(text).unwrap()
}

/// Reads up to a line that ends like this.
async fn read_to(stream: &mut TcpStream, end: &str) -> String {
    let mut text = String::new();
    let mut byte = [0];
    while !text.ends_with(end) {
        let count = within(stream.read(&mut byte)).await.unwrap();
        assert_ne!(count, 0, "the server closed after {text:?}");
        text.push(char::from(byte[0]));
    }
    text
}

fn with_files(folder: &Path) -> ServerConfig {
    ServerConfig {
        store: Some(folder.join("results.redb")),
        log: Some(folder.to_owned()),
        ..ServerConfig::default()
    }
}

/// The games of an id in the store of a folder.
fn tally(folder: &Path, id: &str) -> Tally {
    let (_, contents) = Store::open(folder.join("results.redb")).unwrap();
    contents.tallies.get(id).copied().unwrap_or_default()
}

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
    // Also while a game is in progress, and again once one was broken off before it began.
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
    let mut wins = 0;
    for _ in 0..2 {
        let running = Running::start(with_files(folder.path())).await;
        let testing = running.addresses.testing;
        for _ in 0..2 {
            let mut stream = TcpStream::connect(testing.unwrap()).await.unwrap();
            stream.write_all(b"count\n").await.unwrap();
            let hello = format!("Hello count! Your current win count is {wins}\n");
            read_to(&mut stream, &hello).await;
            drop(stream);
            // The house loses when it faces nobody else: it plays, we win or not.
            let outcome = play(testing, "count", Some(Color::White)).await;
            let won = outcome.session.board().leader() == Some(Color::White);
            wins += u64::from(won);
        }
        running.stop().await;
    }
    let tally = tally(folder.path(), "count");
    assert_eq!(
        (tally.wins, tally.wins + tally.draws + tally.losses),
        (wins, 4)
    );
    let log = std::fs::read_to_string(folder.path().join(LOG_NAME)).unwrap();
    let records: Vec<GameRecord> = log
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(records.len(), 4);
    let won = records
        .iter()
        .filter(|record| record.winner == Winner::White);
    assert_eq!(won.count() as u64, wins);
}

#[tokio::test]
async fn competitors_meet_in_the_order_in_which_they_came() {
    let folder = tempfile::tempdir().unwrap();
    let running = Running::start(with_files(folder.path())).await;
    let Addresses { dark, white, .. } = running.addresses;
    // One that leaves while it waits is nobody's opponent.
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
    assert_eq!(tally(folder.path(), "one").wins, 1);
    assert_eq!(tally(folder.path(), "first").losses, 1);
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
    let illegal = say(testing, b"me\nd\na1\n").await;
    let told = "your move\nerror\n This move is illegal. Bye!\n";
    assert!(illegal.ends_with(told), "{illegal}");
    let outcome = play(testing, "polite", None).await;
    assert_eq!(outcome.ending, Ending::Orderly);
    let records = running.stop().await;
    assert_eq!(records.len(), 2);
    assert_eq!(records[0].winner, Winner::White);
    let cause = &records[0].cause;
    assert!(cause.starts_with("illegal move by Black"), "{cause}");
}

#[tokio::test]
async fn silent_clients_are_refused_before_and_after_their_name() {
    let config = ServerConfig {
        patience: Duration::from_millis(300),
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
    assert_eq!(records[0].cause, "Black ran out of time");
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
    // The other ports do not suffer, until the server is full.
    served.push(hold(dark).await);
    served.push(hold(white).await);
    let told = "error\n The server is full. Bye!\n";
    assert_eq!(say(evaluation, b"").await, told);
    // Once somebody leaves there is a place again.
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
async fn the_name_of_the_house_is_reserved() {
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

#[tokio::test]
async fn a_shutdown_can_be_hurried() {
    let config = ServerConfig {
        // Longer than the test may take.
        shutdown: 10 * LONG,
        ..ServerConfig::default()
    };
    let server = Server::bind(config.on_free_ports()).await.unwrap();
    let testing = server.addresses().testing.unwrap();
    let (hurry, hurried) = oneshot::channel::<()>();
    let (shutdown, wanted) = oneshot::channel::<()>();
    let wanted = async { drop(wanted.await) };
    let hurried = async { drop(hurried.await) };
    let server = tokio::spawn(server.run_until(drop, wanted, hurried));
    let mut playing = TcpStream::connect(testing).await.unwrap();
    playing.write_all(b"plays\nd\n").await.unwrap();
    read_to(&mut playing, "your move\n").await;
    shutdown.send(()).unwrap();
    // Still played, for the other ports are closed only from now on.
    while TcpStream::connect(testing).await.is_ok() {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    playing.write_all(b"f5\n").await.unwrap();
    read_to(&mut playing, "your move\n").await;
    hurry.send(()).unwrap();
    read_to(&mut playing, "error\n The server shuts down. Bye!\n").await;
    within(server).await.unwrap();
}

#[tokio::test]
async fn a_result_that_is_being_told_is_not_called_off() {
    let config = ServerConfig {
        line_delay: Duration::from_millis(300),
        shutdown: Duration::ZERO,
        ..ServerConfig::default()
    };
    let running = Running::start(config).await;
    let mut stream = TcpStream::connect(running.addresses.testing.unwrap())
        .await
        .unwrap();
    stream.write_all(b"me\nd\na1\n").await.unwrap();
    // The result is kept; its second line is still to come.
    read_to(&mut stream, "error\n").await;
    let stopped = tokio::spawn(running.stop());
    let mut rest = String::new();
    within(stream.read_to_string(&mut rest)).await.unwrap();
    assert_eq!(rest, " This move is illegal. Bye!\n");
    let records = stopped.await.unwrap();
    let winners = records.iter().map(|record| record.winner);
    assert_eq!(winners.collect::<Vec<_>>(), [Winner::White]);
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_full_disk_is_told_once_and_no_client_waits_for_it() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join(LOG_NAME);
    std::os::unix::fs::symlink("/dev/full", &log).unwrap();
    let config = ServerConfig {
        log: Some(folder.path().to_owned()),
        ..ServerConfig::default()
    };
    let server = Server::bind(config.on_free_ports()).await.unwrap();
    let testing = server.addresses().testing;
    let (shutdown, wanted) = oneshot::channel::<()>();
    let (sender, mut heard) = tokio::sync::mpsc::unbounded_channel();
    let observer = move |news| sender.send(news).unwrap();
    let wanted = async { drop(wanted.await) };
    let server = tokio::spawn(server.run(observer, wanted));
    let mut game = async |expected: &str| {
        let text = say(testing, b"me\nd\na1\n").await;
        assert!(text.ends_with(" This move is illegal. Bye!\n"), "{text}");
        let mut news = String::new();
        while !news.ends_with(expected) {
            let next = match within(heard.recv()).await.unwrap() {
                ServerNews::Moved(_) => "",
                ServerNews::Over(_) => " over",
                ServerNews::NotKept(_) => " not kept",
                ServerNews::StorageFailed(error) => {
                    assert!(error.to_string().contains(LOG_NAME), "{error}");
                    " failed"
                }
                ServerNews::StorageRestored => " restored",
                ServerNews::NotClosed => " not closed",
                ServerNews::Unsaved(_) => " unsaved",
            };
            news += next;
        }
        news
    };
    assert_eq!(game("not kept").await, " failed not kept");
    assert_eq!(game("not kept").await, " not kept");
    std::fs::remove_file(&log).unwrap();
    let news = game("over").await;
    assert!(news.contains("restored"), "{news}");
    shutdown.send(()).unwrap();
    within(server).await.unwrap();
    let games = othello_arena::record::read(&log).unwrap();
    assert!(games.map(|line| line.unwrap().is_some()).eq([true; 3]));
}

#[tokio::test]
async fn shutdown_waits_for_games_within_its_bound_and_tells_the_rest() {
    let config = ServerConfig {
        shutdown: Duration::from_millis(500),
        ..ServerConfig::default()
    };
    let running = Running::start(config).await;
    let Addresses { testing, dark, .. } = running.addresses;
    let mut greeted = TcpStream::connect(testing.unwrap()).await.unwrap();
    read_to(&mut greeted, "name?\n").await;
    let mut waiting = TcpStream::connect(dark.unwrap()).await.unwrap();
    waiting.write_all(b"waits\n").await.unwrap();
    read_to(&mut waiting, "you are dark\n").await;
    let mut playing = TcpStream::connect(testing.unwrap()).await.unwrap();
    playing.write_all(b"plays\nd\n").await.unwrap();
    read_to(&mut playing, "your move\n").await;
    let stopped = tokio::spawn(running.stop());
    for mut stream in [greeted, waiting, playing] {
        let mut text = String::new();
        within(stream.read_to_string(&mut text)).await.unwrap();
        assert_eq!(text.trim_start(), "error\n The server shuts down. Bye!\n");
    }
    let records = stopped.await.unwrap();
    assert_eq!(records.len(), 1);
    assert_eq!(
        (records[0].winner, records[0].cause.as_str()),
        (Winner::None, "called off")
    );
    assert!(TcpStream::connect(testing.unwrap()).await.is_err());
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
