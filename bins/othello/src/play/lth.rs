//! Against a client of the LTH format: both connect to our server.

use std::{
    io::{self, Write as _},
    net::SocketAddr,
    pin::pin,
    process::ExitCode,
    time::Duration,
};

use anyhow::Context as _;
use boardgame_cli::terminal::{Keyboard, PersonRequest, PersonRequests};
use boardgame_io::printable;
use othello_core::{Color, Game};
use othello_engine::{Engine, Settings};
use othello_host::{
    CommandLine, Program, ProgramOptions,
    lth_server::{Server, ServerConfig, ServerNews},
    record::GameRecord,
};
use othello_net::{Address, Backoff, DriveOptions, drive};
use othello_proto::lth::{Id, LimitScope, Player, PlayerOptions, TimeLimit};

use super::{Args, history::History, local::conclude, person::Person};
use crate::own;

/// The limit sent to both sides: longer than a person's patience.
const LIMIT: Duration = Duration::from_hours(24);

pub(super) fn play(
    args: &Args,
    program: &CommandLine,
    options: &ProgramOptions,
) -> anyhow::Result<ExitCode> {
    let keyboard = Keyboard::of_stdin()?;
    let record = othello_net::block_on(serve(args, program, options, &keyboard));
    keyboard.interrupt();
    let Some(record) = record?? else {
        return Ok(ExitCode::SUCCESS);
    };
    let game: Game = record
        .moves
        .parse()
        .context("the server's record of the game")?;
    let mut out = io::stdout().lock();
    conclude(&mut out, &game, record.winner.color())?;
    writeln!(out, "{}", printable(&record.cause))?;
    args.commands(&own::short_name(program))
        .answer_after_the_game(&keyboard, &game, &mut out)?;
    Ok(ExitCode::SUCCESS)
}

/// Serves the game; returns no record if the person leaves.
async fn serve(
    args: &Args,
    program: &CommandLine,
    options: &ProgramOptions,
    keyboard: &Keyboard,
) -> anyhow::Result<Option<GameRecord>> {
    let config = ServerConfig {
        testing: None,
        evaluation: None,
        limit: TimeLimit {
            length: LIMIT,
            scope: LimitScope::Game,
        },
        ..ServerConfig::default()
    };
    let server = Server::bind(config.on_free_ports()).await?;
    let addresses = server.addresses();
    let (own_address, other) = match args.color {
        Color::Black => (addresses.dark, addresses.white),
        Color::White => (addresses.white, addresses.dark),
    };
    let (own_address, other) = (
        own_address.context("a port for you")?,
        other.context("a port for the program")?,
    );
    writeln!(io::stdout(), "The program is expected at {other}.")?;
    let mut opponent = Program::launch(&program.with_address(other), options)
        .map_err(|fault| anyhow::anyhow!("{fault}"))?;

    let mut record = None;
    let color = args.color;
    let history = History::default();
    let so_far = history.clone();
    let observer = |news| match news {
        ServerNews::Moved(now) => {
            tell(&now.game, color);
            so_far.set(now.game);
        }
        ServerNews::Over(_, over) | ServerNews::SaveFailed(_, over) => record = Some(over),
        // Results are kept only in memory.
        _ => {}
    };
    let requests = PersonRequests::new(keyboard);
    let person = Person {
        engine: Engine::try_new(Settings::from(&args.engine))?,
        commands: args.commands(&own::short_name(program)),
        history,
        no_undo: Some("An LTH server cannot take a move back."),
        requests: requests.clone(),
    };
    let mine = Box::pin(sit(person, own_address));
    let shutdown = async {
        tokio::select! {
            played = mine => played,
            () = requests.clone().come() => Ok(()),
            // The person would keep waiting for a client that cannot go on.
            () = gone(&mut opponent) => Ok(()),
        }
    };
    let mut ended = Ok(());
    server.run(observer, async { ended = shutdown.await }).await;
    opponent.end().await;
    ended?;
    Ok(record.filter(|_| requests.take() != Some(PersonRequest::Quit)))
}

/// Seats the person at the server.
async fn sit(person: Person, address: SocketAddr) -> anyhow::Result<()> {
    let address = Address {
        host: address.ip().to_string(),
        port: address.port(),
    };
    let connection = othello_net::connect(&address, &Backoff::default()).await?;
    let session = Player::new(PlayerOptions::new("you".parse::<Id>()?));
    let options = DriveOptions {
        format: "lth",
        ..DriveOptions::default()
    };
    drive(
        session,
        connection,
        person,
        std::future::pending(),
        &options,
    )
    .await?;
    Ok(())
}

/// Waits until the program has ended, and briefly for the report of the game's end.
async fn gone(program: &mut Program) {
    let mut ended = pin!(async { while program.next().await.is_some() {} });
    ended.as_mut().await;
    tokio::time::sleep(Duration::from_secs(5)).await;
}

fn tell(game: &Game, person: Color) {
    // The last move is then the other side's, perhaps a pass.
    if game.board().side_to_move() == person
        && let Some(mv) = game.moves().last()
    {
        let _ = writeln!(io::stdout(), "{} plays {mv}", !person);
    }
}
