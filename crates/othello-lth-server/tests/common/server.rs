//! A server of the tests, and clients of it.

use std::{
    future::{Future, pending},
    net::SocketAddr,
    path::Path,
    sync::{Arc, Mutex},
    time::Duration,
};

use othello_core::Color;
use othello_host::record::GameRecord;
use othello_lth_server::{
    Addresses, Server, ServerConfig, ServerNews,
    store::{Store, Tally},
};
use othello_net::{Connection, DriveOptions, DriveOutcome, drive};
use othello_proto::lth::{Player, PlayerOptions};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    sync::oneshot,
    task::JoinHandle,
    time::timeout,
};

use super::First;

/// A guard, not a measure: what takes longer hangs.
pub const LONG: Duration = Duration::from_mins(2);

pub struct Running {
    pub addresses: Addresses,
    pub records: Arc<Mutex<Vec<GameRecord>>>,
    shutdown: oneshot::Sender<()>,
    server: JoinHandle<()>,
}

impl Running {
    pub async fn start(config: ServerConfig) -> Self {
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

    pub async fn stop(self) -> Vec<GameRecord> {
        self.shutdown.send(()).unwrap();
        within(self.server).await.unwrap();
        std::mem::take(&mut *self.records.lock().unwrap())
    }
}

pub async fn within<T>(future: impl Future<Output = T>) -> T {
    timeout(LONG, future).await.expect("it hangs")
}

/// Plays a game with our own player.
pub async fn play(
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

/// Sends bytes and reads what comes until the server closes.
pub async fn say(address: Option<SocketAddr>, bytes: &[u8]) -> String {
    let mut stream = TcpStream::connect(address.unwrap()).await.unwrap();
    stream.write_all(bytes).await.unwrap();
    let mut text = Vec::new();
    // A reset is as good an end as any.
    let _ = within(stream.read_to_end(&mut text)).await;
    String::from_utf8(text).unwrap()
}

/// Reads up to a line that ends like this.
pub async fn read_to(stream: &mut TcpStream, end: &str) -> String {
    let mut text = String::new();
    let mut byte = [0];
    while !text.ends_with(end) {
        let count = within(stream.read(&mut byte)).await.unwrap();
        assert_ne!(count, 0, "the server closed after {text:?}");
        text.push(char::from(byte[0]));
    }
    text
}

pub fn with_files(folder: &Path) -> ServerConfig {
    ServerConfig {
        store: Some(folder.join("results.redb")),
        log: Some(folder.to_owned()),
        ..ServerConfig::default()
    }
}

/// The games of an id in the store of a folder.
pub fn tally(folder: &Path, id: &str) -> Tally {
    let (_, contents) = Store::open(folder.join("results.redb")).unwrap();
    contents.tallies.get(id).copied().unwrap_or_default()
}
