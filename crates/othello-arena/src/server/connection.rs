//! One client from its greeting to the end of its game.

use std::{future::Future, sync::Arc, time::Duration};

use othello_core::{Color, Game};
use othello_players::{Engine, Options};
use othello_proto::{
    lth::{Door, Guest, Id, ReceptionOptions, Record, Table},
    session::HostEvent,
};
use othello_search::Level;
use tokio::net::TcpStream;

use super::{
    ServerNews,
    hall::{Evaluation, Hall, Stage, farewell},
    lounge::{Met, Visitor},
    registrar::Filing,
};
use crate::{
    game::{self, GameOptions, News},
    link::{Link, LinkOptions},
    reception::receive,
    record::GameRecord,
    seat::Seat,
};

/// How long a client has to take the last lines.
const GRACE: Duration = Duration::from_secs(2);

/// The bytes that may wait for a client: more than a whole game has.
const PENDING: usize = 16 * 1024;

/// The bytes that may come from a client between two moves.
const TURN_BYTES: u64 = 64 * 1024;

/// The bytes that may come from a client in a game.
const GAME_BYTES: u64 = 1024 * 1024;

/// The name of the house in records.
const HOUSE: &str = "house";

/// Serves a client to its end, and plays its game unless its opponent's connection does.
pub(super) async fn serve(hall: &Arc<Hall>, door: Door, stream: TcpStream) {
    // A delay costs time, not correctness.
    let _ = stream.set_nodelay(true);
    let (reader, writer) = stream.into_split();
    let mut link = Link::new(reader, writer, LinkOptions { pending: PENDING });
    let welcomed = tokio::select! {
        welcomed = welcome(hall, door, &mut link) => welcomed,
        () = hall.reached(Stage::Closing) => return part(link).await,
    };
    let Some((guest, evaluation)) = welcomed else {
        return link.close(GRACE).await;
    };
    let visitor = Visitor { guest, link };
    match door {
        Door::Testing => play_house(hall, "testing", visitor, None).await,
        Door::Evaluation => play_house(hall, "evaluation", visitor, evaluation).await,
        Door::Competition(_) => {
            let closing = hall.reached(Stage::Closing);
            match hall.lounge.meet(visitor, closing).await {
                Met::Opponent(visitors) => compete(hall, visitors).await,
                Met::Closed(visitor) => part(visitor.link).await,
                Met::Handed | Met::Left => {}
            }
        }
    }
}

/// Tells a client without a game that the server shuts down.
async fn part(mut link: Link) {
    // A courtesy: who does not read does without.
    let _ = link.send(&farewell());
    link.close(GRACE).await;
}

/// Receives a client; `None` when it gets no game.
async fn welcome(
    hall: &Arc<Hall>,
    door: Door,
    link: &mut Link,
) -> Option<(Guest, Option<Evaluation>)> {
    let options = ReceptionOptions {
        door,
        limit: hall.config.limit,
        patience: hall.config.patience,
        line_delay: hall.config.line_delay,
    };
    let look_up = |id| recall(Arc::clone(hall), door, id);
    match receive(link, options, hall.origin, look_up).await {
        Ok((guest, evaluation)) => Some((guest, evaluation.flatten())),
        Err(error) => {
            tracing::info!(?door, %error, "a client is refused");
            None
        }
    }
}

/// What is kept about an id; on the evaluation port, its place among the evaluations too.
async fn recall(hall: Arc<Hall>, door: Door, id: Id) -> Option<(Record, Option<Evaluation>)> {
    let recalled = hall.recall(door, &id).await;
    if let Err(error) = &recalled {
        tracing::error!(%error, %id, "no results can be looked up");
    }
    recalled.ok()
}

/// The house's player. There may be hundreds of them at a time.
fn house(level: Level) -> Engine {
    Engine::new(&Options {
        level: Some(level),
        hash: 1,
        ..Options::default()
    })
}

async fn play_house(
    hall: &Arc<Hall>,
    event: &'static str,
    visitor: Visitor,
    evaluation: Option<Evaluation>,
) {
    let Visitor { guest, link } = visitor;
    let color = guest.color();
    let client = Seat::link(guest.id().as_str(), link);
    let house = Seat::house(HOUSE, house(hall.config.house));
    let seats = match color {
        Color::Black => [client, house],
        Color::White => [house, client],
    };
    let table = Table::against_house(guest, hall.config.limit);
    let clients = Color::ALL.map(|seat| seat == color);
    play(hall, event, table, seats, clients, evaluation).await;
}

async fn compete(hall: &Arc<Hall>, mut visitors: Box<[Visitor; 2]>) {
    if visitors[0].guest.color() == Color::White {
        visitors.reverse();
    }
    let [dark, white] = *visitors;
    let seats = [
        Seat::link(dark.guest.id().as_str(), dark.link),
        Seat::link(white.guest.id().as_str(), white.link),
    ];
    match Table::between(dark.guest, white.guest, hall.config.limit) {
        Ok(table) => play(hall, "competition", table, seats, [true; 2], None).await,
        Err(error) => tracing::error!(%error, "no game"),
    }
}

/// Plays a game and keeps its result, from the moment it is decided: a client that comes back
/// while the other one is still connected finds it counted.
async fn play(
    hall: &Arc<Hall>,
    event: &'static str,
    table: Table,
    seats: [Seat; 2],
    clients: [bool; 2],
    mut evaluation: Option<Evaluation>,
) {
    let names = seats.each_ref().map(|seat| seat.name().to_owned());
    let [black, white] = &names;
    let mut filed = None;
    let observer = |game: &Game, news: News<'_>| match news {
        News::Decided(verdict) => {
            let record = GameRecord::decided(event, [black, white], game, verdict);
            filed = Some(file(hall, record, clients, evaluation.take()));
        }
        News::Event(HostEvent::Moved { .. }) => hall.tell(ServerNews::Moved(game.clone())),
        News::Launched { .. } | News::Event(_) | News::Note(_) => {}
    };
    let options = GameOptions {
        turn_bytes: TURN_BYTES,
        game_bytes: GAME_BYTES,
        grace: GRACE,
        farewell: farewell(),
        origin: Some(hall.origin),
        ..GameOptions::default()
    };
    let called_off = hall.reached(Stage::Over);
    let report = game::run(table, seats, observer, &options, called_off).await;
    if let Some(filed) = filed {
        filed.await;
    } else {
        let record = GameRecord::reported(event, &report);
        file(hall, record, clients, evaluation).await;
    }
}

/// Requests at once that a result be kept; the future waits until it is, and tells.
fn file(
    hall: &Arc<Hall>,
    record: GameRecord,
    clients: [bool; 2],
    evaluation: Option<Evaluation>,
) -> impl Future<Output = ()> + use<> {
    let filing = Filing {
        record: record.clone(),
        clients,
        evaluation: evaluation.is_some(),
    };
    let pending = hall.file(filing, evaluation);
    let hall = Arc::clone(hall);
    async move {
        hall.tell(match pending.done().await {
            Ok(()) => ServerNews::Over(record),
            Err(error) => {
                tracing::error!(%error, "a result is not kept");
                ServerNews::NotKept(record, error)
            }
        });
    }
}
