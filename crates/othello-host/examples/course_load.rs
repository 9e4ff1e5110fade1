//! The load of a course on the LTH server: many clients connect within a second and play at the same time.
//!
//! ```text
//! cargo run --release -p othello-host --example course_load -- [CLIENTS] [MILLISECONDS]
//! ```
//!
//! Of 300 clients a third each plays Dark and White of competitions and the server's own player, and each waits for so
//! many milliseconds (50) before a move. Every result that a client is told must be in the log, where a server that
//! opens it counts it.

use std::{
    fs,
    future::pending,
    io::{self, Write as _},
    net::SocketAddr,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use othello_host::{
    lth_server::{Server, ServerConfig, ServerNews, Students, scores},
    record::GameRecord,
};
use othello_net::{Connection, DriveOptions, Thinker, drive};
use othello_proto::{
    lth::{Player, PlayerOptions},
    session::{Choice, Ending, Question, Task},
};
use tokio::{net::TcpStream, sync::oneshot, task::JoinSet, time::sleep};

/// Waits, then plays the first of its moves.
struct Slow(Duration);

impl Thinker<Question> for Slow {
    fn think(&mut self, task: &Task, _: Instant) -> Choice {
        std::thread::sleep(self.0);
        task.question.first_square().into()
    }
}

#[tokio::main(worker_threads = 2)]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let mut number = |default: u64| arguments.next().map_or(Ok(default), |text| text.parse());
    let (clients, wait) = (number(300)?, Duration::from_millis(number(50)?));
    let folder = tempfile::tempdir()?;
    let log = folder.path().join("games.jsonl");
    let students: Students = (0..clients)
        .fold("[course]\n".to_owned(), |text, id| {
            format!("{text}secret{id} = \"Student {id}\"\n")
        })
        .parse()?;
    let config = ServerConfig {
        store: Some(log.clone()),
        students: Some(Arc::new(students.clone())),
        // One address has all clients here.
        max_per_minute: 100_000,
        max_connections: 2048,
        max_per_port: 2048,
        max_per_address: 2048,
        ..ServerConfig::default()
    };
    let server = Server::bind(config.on_free_ports()).await?;
    let addresses = server.addresses();
    let ports = [addresses.dark, addresses.white, addresses.testing];
    let ports = ports.map(|port| port.expect("the default settings have all ports"));
    let (shutdown, wanted) = oneshot::channel::<()>();
    let (mut playing, mut most) = (0_u64, 0);
    let at_once = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&at_once);
    let observer = move |news| {
        match news {
            ServerNews::Began(_) => playing += 1,
            ServerNews::Over(..) => playing -= 1,
            ServerNews::Moved(_) => {}
            other => drop(writeln!(io::stdout(), "{other:?}")),
        }
        most = most.max(playing);
        counter.store(most as usize, Ordering::Relaxed);
    };
    let server = tokio::spawn(server.run(observer, async { drop(wanted.await) }));

    let begun = Instant::now();
    let (mut told, mut slowest) = (0, Duration::ZERO);
    let mut games = games(clients, wait, ports);
    while let Some(game) = games.join_next().await {
        let (is_told, connected) = game?;
        told += u64::from(is_told);
        slowest = slowest.max(connected);
    }
    let took = begun.elapsed();
    // The server ends: the sender is dropped.
    drop(shutdown);
    server.await?;

    let text = fs::read_to_string(&log)?;
    let records = text.lines().map(serde_json::from_str::<GameRecord>);
    let records: Vec<GameRecord> = records.collect::<Result<_, _>>()?;
    let names = records.iter().flat_map(|game| [&game.black, &game.white]);
    let kept = names.filter(|name| *name != "house").count() as u64;
    let counted = scores(&log, &students)?;
    let points: f64 = counted.iter().map(|one| one.competition.points()).sum();
    writeln!(
        io::stdout(),
        "{clients} clients, {} games at once: {told} told a result, {kept} results in the log, {points} points, \
         slowest connect {:.3} s, {:.1} s in all",
        at_once.load(Ordering::Relaxed),
        slowest.as_secs_f64(),
        took.as_secs_f64(),
    )?;
    if told != clients || kept != told {
        return Err("a result is lost".into());
    }
    Ok(())
}

/// Starts clients within a second.
fn games(clients: u64, wait: Duration, ports: [SocketAddr; 3]) -> JoinSet<(bool, Duration)> {
    let mut games = JoinSet::new();
    for number in 0..clients {
        let port = ports[(number % 3) as usize];
        let delay = Duration::from_secs(1) * number as u32 / clients as u32;
        games.spawn(async move {
            sleep(delay).await;
            play(port, number, wait).await
        });
    }
    games
}

/// Plays a game; returns whether its result was told, and the time to connect.
async fn play(port: SocketAddr, number: u64, wait: Duration) -> (bool, Duration) {
    let begun = Instant::now();
    let Ok(stream) = TcpStream::connect(port).await else {
        return (false, begun.elapsed());
    };
    let connected = begun.elapsed();
    let Ok(id) = format!("secret{number}").parse() else {
        return (false, connected);
    };
    let player = Player::new(PlayerOptions::new(id));
    let connection = Connection::from_stream(stream);
    let options = DriveOptions::default();
    let driven = drive(player, connection, Slow(wait), pending(), &options).await;
    let is_over = driven.is_ok_and(|driven| {
        driven.ending == Ending::Orderly && driven.session.report().is_complete()
    });
    (is_over, connected)
}
