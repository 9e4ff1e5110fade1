//! The game over a loopback socket: our server, and a client at each competition port.

use std::{
    net::SocketAddr,
    pin::pin,
    time::{Duration, Instant},
};

use anyhow::{Context as _, bail};
use othello_arena::{
    CommandLine, Program, ProgramOptions,
    link::Incoming,
    record::{GameRecord, Winner},
    server::{Server, ServerConfig, ServerNews},
};
use othello_core::Game;
use tokio::sync::{mpsc, oneshot};

use super::{Args, Format, Row, with_address};
use crate::{own, watch::Watch};

/// How long the clients may take to play and leave.
const PATIENCE: Duration = Duration::from_mins(10);

/// Plays the game of the LTH format.
pub(super) fn play(args: &Args, watch: &mut Watch) -> anyhow::Result<Row> {
    let began = Instant::now();
    let (record, names) = crate::block_on(serve(args, watch))??;
    let game: Game = record
        .moves
        .parse()
        .context("the server's record of the game")?;
    watch.conclude(&game)?;
    Ok(Row {
        format: Format::Lth,
        names,
        discs: record.discs,
        moves: game.moves().len(),
        played: record.winner != Winner::None && game.board().is_over(),
        result: record.cause,
        elapsed: began.elapsed(),
    })
}

async fn serve(args: &Args, watch: &mut Watch) -> anyhow::Result<(GameRecord, [String; 2])> {
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
    let mut clients = lines
        .iter()
        .map(|line| Program::launch(line, &ProgramOptions::default()))
        .collect::<Result<Vec<_>, _>>()
        .map_err(|fault| anyhow::anyhow!("{fault}"))?;
    let (sender, mut records) = mpsc::unbounded_channel();
    let observer = |news| match news {
        ServerNews::Moved(game) => watch.board(&game),
        ServerNews::Over(record) | ServerNews::NotKept(record, _) => {
            // The receiver lives as long as the server.
            let _ = sender.send(record);
        }
    };
    let over = async {
        let record = records.recv().await;
        for client in &mut clients {
            leave(client).await;
        }
        record
    };
    let (done, ended) = oneshot::channel::<()>();
    let shutdown = async {
        let _ = ended.await;
    };
    let mut serving = pin!(server.run(observer, shutdown));
    let record = tokio::select! {
        () = &mut serving => None,
        record = tokio::time::timeout(PATIENCE, over) => record.ok().flatten(),
        () = othello_net::stop_requested() => bail!("interrupted"),
    };
    drop(done);
    serving.await;
    for client in clients {
        client.end().await;
    }
    Ok((record.context("the server's game did not end")?, names))
}

/// Waits until a client has left by itself.
async fn leave(client: &mut Program) {
    while !matches!(client.next().await, None | Some(Incoming::Exited { .. })) {}
}

/// The clients with their ports filled in, dark's first.
fn programs(args: &Args, [dark, white]: [SocketAddr; 2]) -> anyhow::Result<[CommandLine; 2]> {
    let [first, _] = args.programs(Format::Lth, &[&dark.to_string()])?;
    let [_, second] = args.programs(Format::Lth, &[&white.to_string()])?;
    Ok([first, with_address(&second, white)])
}
