//! A server for the tests, and its clients.

use std::{
    fs,
    future::{Future, pending},
    net::SocketAddr,
    path::{Path, PathBuf},
    sync::{Arc, Mutex},
    time::Duration,
};

use othello_core::Color;
use othello_host::{
    lth_server::{Addresses, Server, ServerConfig, ServerNews},
    record::GameRecord,
};
use othello_net::{Connection, DriveOptions, DriveOutcome, Thinker, drive};
use othello_proto::{
    lth::{Player, PlayerOptions},
    session::{Choice, Question, Task},
};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    sync::oneshot,
    task::JoinHandle,
    time::timeout,
};

/// Plays the first of its moves.
pub(crate) struct First;

impl Thinker<Question> for First {
    fn think(&mut self, task: &Task, _: std::time::Instant) -> Choice {
        task.question.moves.first().unwrap().into()
    }
}

/// A guard, not a measure: anything longer counts as hanging.
pub(crate) const LONG: Duration = Duration::from_mins(2);

pub(crate) struct Running {
    pub(crate) addresses: Addresses,
    pub(crate) records: Arc<Mutex<Vec<GameRecord>>>,
    shutdown: oneshot::Sender<()>,
    server: JoinHandle<()>,
}

impl Running {
    pub(crate) async fn start(config: ServerConfig) -> Self {
        let server = Server::bind(config.on_free_ports()).await.unwrap();
        let addresses = server.addresses();
        let records = Arc::new(Mutex::new(Vec::new()));
        let kept = Arc::clone(&records);
        let observer = move |news| match news {
            ServerNews::Began(_) | ServerNews::Moved(_) => {}
            ServerNews::Over(_, record) => kept.lock().unwrap().push(record),
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

    pub(crate) async fn stop(self) -> Vec<GameRecord> {
        self.shutdown.send(()).unwrap();
        within(self.server).await.unwrap();
        std::mem::take(&mut *self.records.lock().unwrap())
    }
}

pub(crate) async fn within<T>(future: impl Future<Output = T>) -> T {
    timeout(LONG, future).await.expect("it hangs")
}

/// Plays a game with our own player.
pub(crate) async fn play(
    address: Option<SocketAddr>,
    id: &str,
    color: Option<Color>,
) -> DriveOutcome<Player> {
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

/// Sends bytes and reads everything until the server closes.
pub(crate) async fn say(address: Option<SocketAddr>, bytes: &[u8]) -> String {
    let mut stream = TcpStream::connect(address.unwrap()).await.unwrap();
    stream.write_all(bytes).await.unwrap();
    let mut text = Vec::new();
    // A reset is as good an end as any.
    let _ = within(stream.read_to_end(&mut text)).await;
    String::from_utf8(text).unwrap()
}

/// Reads up to a line that ends with `end`.
pub(crate) async fn read_to(stream: &mut TcpStream, end: &str) -> String {
    let mut text = String::new();
    let mut byte = [0];
    while !text.ends_with(end) {
        let count = within(stream.read(&mut byte)).await.unwrap();
        assert_ne!(count, 0, "the server closed after {text:?}");
        text.push(char::from(byte[0]));
    }
    text
}

/// Settings with a log in a folder.
pub(crate) fn with_log(folder: &Path) -> ServerConfig {
    ServerConfig {
        store: Some(log_in(folder)),
        ..ServerConfig::default()
    }
}

pub(crate) fn log_in(folder: &Path) -> PathBuf {
    folder.join("games.jsonl")
}

/// The games of a folder's log.
pub(crate) fn logged(folder: &Path) -> Vec<GameRecord> {
    let text = fs::read_to_string(log_in(folder)).unwrap();
    let lines = text.lines();
    lines
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}
