//! The game over a loopback socket: our server, and a client at each competition port.

use std::{
    cell::Cell,
    future::pending,
    net::SocketAddr,
    pin::pin,
    time::{Duration, Instant},
};

use anyhow::{Context as _, bail};
use boardgame_cli::terminal::Watch;
use othello_core::Game;
use othello_host::{
    CommandLine, Incoming, Program, ProgramOptions,
    lth_server::{Server, ServerConfig, ServerNews},
    record::{GameRecord, Winner},
};
use tokio::{
    sync::{mpsc, oneshot},
    time::{sleep, timeout},
};

use super::{Args, DemoGame, Format, Row, discs};
use crate::{diagram::Diagram, own};

/// The time for both clients to connect and for Dark to move.
const READY: Duration = Duration::from_secs(30);

/// The time that the record and the clients may wait for each other at the end.
const LINGER: Duration = Duration::from_secs(5);

/// Plays the game of the LTH format.
pub(super) fn play(args: &Args, watch: &mut Watch) -> anyhow::Result<Row> {
    let began = Instant::now();
    let (names, played) = othello_net::block_on(serve(args, watch))??;
    let record = match played {
        Ok(record) => record,
        Err(reason) => {
            watch.conclude(&Diagram::of(&Game::default()))?;
            return Ok(Row {
                game: DemoGame::Othello(Format::Lth),
                names,
                score: discs([2, 2]),
                moves: 0,
                played: false,
                result: reason,
                elapsed: began.elapsed(),
            });
        }
    };
    let game: Game = record
        .moves
        .parse()
        .context("the server's record of the game")?;
    watch.conclude(&Diagram::of(&game))?;
    Ok(Row {
        game: DemoGame::Othello(Format::Lth),
        names,
        score: discs(record.discs),
        moves: game.moves().len(),
        played: record.winner != Winner::None && game.board().is_over(),
        result: record.cause,
        elapsed: began.elapsed(),
    })
}

/// The record of a game, or the reason why there is none.
type Played = Result<GameRecord, String>;

async fn serve(args: &Args, watch: &mut Watch) -> anyhow::Result<([String; 2], Played)> {
    let config = ServerConfig {
        testing: None,
        evaluation: None,
        ..ServerConfig::default()
    };
    let server = Server::bind(config.on_free_ports()).await?;
    let addresses = server.addresses();
    let ports = [addresses.dark, addresses.white].map(|port| port.context("a competition port"));
    let [dark, white] = ports;
    let lines = programs(args, [dark?, white?])?;
    let names = [&lines[0], &lines[1]].map(own::short_name);
    let [dark, white] = lines.map(|line| Program::launch(&line, &ProgramOptions::default()));
    let mut clients = match (dark, white) {
        (Ok(dark), Ok(white)) => [dark, white],
        (Err(error), _) | (_, Err(error)) => return Ok((names, Err(error.to_string()))),
    };
    let played = attend(server, &mut clients, watch).await?;
    for client in clients {
        client.end().await;
    }
    Ok((names, played))
}

/// Serves the clients until their game is over, or can no longer be.
async fn attend(
    server: Server,
    clients: &mut [Program; 2],
    watch: &mut Watch,
) -> anyhow::Result<Played> {
    let begun = Cell::new(false);
    let (sender, mut records) = mpsc::unbounded_channel();
    let observer = |news| match news {
        ServerNews::Moved(now) => {
            begun.set(true);
            watch.board(&Diagram::of(&now.game));
        }
        ServerNews::Over(_, record) | ServerNews::SaveFailed(_, record) => {
            // The receiver lives as long as the server.
            let _ = sender.send(record);
        }
        // Results are kept only in memory.
        _ => {}
    };
    let (done, ended) = oneshot::channel::<()>();
    let shutdown = async {
        let _ = ended.await;
    };
    let mut serving = pin!(server.run(observer, shutdown));
    let played = tokio::select! {
        () = &mut serving => bail!("the server ended before the game"),
        played = await_end(clients, &mut records, &begun) => played,
        () = othello_net::stop_requested() => bail!("interrupted"),
    };
    drop(done);
    serving.await;
    Ok(played)
}

/// Waits for the record of the game, and for its clients to leave.
async fn await_end(
    [dark, white]: &mut [Program; 2],
    records: &mut mpsc::UnboundedReceiver<GameRecord>,
    begun: &Cell<bool>,
) -> Played {
    let (mut dark, mut white) = (pin!(leave(dark)), pin!(leave(white)));
    let mut record = pin!(records.recv());
    let early = tokio::select! {
        biased;
        Some(record) = &mut record => {
            let left = async { tokio::join!(dark, white) };
            // A client that stays is ended.
            let _ = timeout(LINGER, left).await;
            return Ok(record);
        }
        () = &mut dark => "Black left",
        () = &mut white => "White left",
        () = unready(begun) => return Err("the clients were not ready in time".into()),
    };
    match timeout(LINGER, record).await {
        Ok(Some(record)) => Ok(record),
        _ => Err(early.into()),
    }
}

/// Waits until the clients should have started, and returns if they did not.
async fn unready(begun: &Cell<bool>) {
    sleep(READY).await;
    if begun.get() {
        pending::<()>().await;
    }
}

/// Waits until a client has left by itself.
async fn leave(client: &mut Program) {
    while !matches!(client.next().await, None | Some(Incoming::Exited { .. })) {}
}

/// Returns the clients with their ports filled in, dark's first.
fn programs(args: &Args, [dark, white]: [SocketAddr; 2]) -> anyhow::Result<[CommandLine; 2]> {
    let [first, _] = args.programs(Format::Lth, &[&dark.to_string()])?;
    let [_, second] = args.programs(Format::Lth, &[&white.to_string()])?;
    Ok([first, second.with_address(white)])
}
