//! One client from its greeting to the end of its game.

use std::{future::Future, sync::Arc, time::Duration};

use boardgame_io::{Link, LinkOptions};
use othello_core::{Color, Game};
use othello_engine::{Engine, HashSize, Level, Settings, Strength};
use othello_proto::{
    lth::{Door, Guest, Id, ReceptionOptions, Record, Table},
    session::{HostEvent, Verdict},
};
use tokio::{
    net::TcpStream,
    time::{sleep, timeout},
};

use super::{
    ServerNews,
    game_pool::{Evaluation, GamePool, SHUTDOWN, Stage, farewell},
    matchmaking::{Met, Visitor},
    result_book::{COMPETITION, EVALUATION, HOUSE, TESTING},
};
use crate::{
    game::{self, GameOptions, News},
    reception::{ReceptionError, receive},
    record::GameRecord,
    seat::Seat,
};

/// The time that a client has to take the last lines.
const GRACE: Duration = Duration::from_secs(2);

/// The reason that is given to a client for whom nobody came.
const NO_OPPONENT: &str = "No opponent came in time. Bye!";

/// The bytes that may wait for a client: more than a whole game has.
const PENDING: usize = 16 * 1024;

/// The bytes that may come from a client between two moves.
const TURN_BYTES: u64 = 64 * 1024;

/// The bytes that may come from a client in a game.
const GAME_BYTES: u64 = 1024 * 1024;

/// The longest that a result may take to be kept before the clients are told it all the same. Once games
/// are called off it is [`GRACE`].
const MAX_KEEPING: Duration = Duration::from_secs(10);

/// The longest that the results of an id may take to be looked up before the client is refused.
const MAX_LOOKUP: Duration = Duration::from_secs(10);

/// The reason that is given to a client whose results cannot be looked up.
const NO_RESULTS: &str = "The results cannot be read. Bye!";

/// Serves a client to its end, and plays its game unless its opponent's connection does.
pub(super) async fn serve(pool: &Arc<GamePool>, door: Door, stream: TcpStream) {
    let mut link = connect(stream);
    let welcomed = tokio::select! {
        welcomed = welcome(pool, door, &mut link) => welcomed,
        () = pool.reached(Stage::Closing) => return part(link, SHUTDOWN).await,
    };
    let (guest, evaluation) = match welcomed {
        Ok((guest, evaluation)) => (guest, evaluation.flatten()),
        Err(error) => {
            tracing::info!(?door, %error, "a client is refused");
            return match error {
                ReceptionError::Unknown => part(link, NO_RESULTS).await,
                _ => link.close(GRACE).await,
            };
        }
    };
    let visitor = Visitor { guest, link };
    match door {
        Door::Testing => play_house(pool, TESTING, visitor, None).await,
        Door::Evaluation => play_house(pool, EVALUATION, visitor, evaluation).await,
        Door::Competition(_) => {
            let closing = pool.reached(Stage::Closing);
            match pool
                .matchmaking
                .meet(visitor, pool.config.max_wait, closing)
                .await
            {
                Met::Opponent(visitors) => compete(pool, visitors).await,
                Met::Closed(visitor) => part(visitor.link, SHUTDOWN).await,
                Met::Nobody(visitor) => {
                    tracing::info!(id = %visitor.guest.id(), "no opponent came in time");
                    part(visitor.link, NO_OPPONENT).await;
                }
                Met::Handed | Met::Left => {}
            }
        }
    }
}

fn connect(stream: TcpStream) -> Link {
    // A delay costs time, not correctness.
    let _ = stream.set_nodelay(true);
    let (reader, writer) = stream.into_split();
    Link::new(
        reader,
        writer,
        LinkOptions {
            max_pending: PENDING,
        },
    )
}

/// Tells a client for which there is no slot why, and closes its connection.
pub(super) async fn refuse(stream: TcpStream, reason: &str) {
    part(connect(stream), reason).await;
}

/// Tells a client without a game why there will be none.
async fn part(mut link: Link, reason: &str) {
    // A courtesy: who does not read does without.
    let _ = link.send(&farewell(reason));
    link.close(GRACE).await;
}

/// Receives a client.
async fn welcome(
    pool: &Arc<GamePool>,
    door: Door,
    link: &mut Link,
) -> Result<(Guest, Option<Option<Evaluation>>), ReceptionError> {
    let options = ReceptionOptions {
        door,
        limit: pool.config.limit,
        patience: pool.config.patience,
        line_delay: pool.config.line_delay,
    };
    let look_up = |id| recall(Arc::clone(pool), door, id);
    receive(link, options, pool.origin, look_up).await
}

/// Returns the record of an id; on the evaluation port, its place among the evaluations too. `None` when
/// the results cannot be looked up in time.
async fn recall(pool: Arc<GamePool>, door: Door, id: Id) -> Option<(Record, Option<Evaluation>)> {
    let found = timeout(MAX_LOOKUP, pool.recall(door, &id)).await;
    found.ok().flatten()
}

/// The built-in player. There may be hundreds of them at a time.
fn house(level: Level) -> Engine {
    Engine::new(Settings {
        strength: Strength::level(level),
        hash: HashSize::MIN,
        ..Settings::default()
    })
}

async fn play_house(
    pool: &Arc<GamePool>,
    event: &'static str,
    visitor: Visitor,
    evaluation: Option<Evaluation>,
) {
    let Visitor { guest, link } = visitor;
    let color = guest.color();
    let client = Seat::link(guest.id().as_str(), link);
    let house = Seat::house(HOUSE, house(pool.config.house));
    let seats = match color {
        Color::Black => [client, house],
        Color::White => [house, client],
    };
    let table = Table::against_house(guest, pool.config.limit);
    play(pool, event, table, seats, evaluation).await;
}

async fn compete(pool: &Arc<GamePool>, mut visitors: Box<[Visitor; 2]>) {
    if visitors[0].guest.color() == Color::White {
        visitors.reverse();
    }
    let [dark, white] = *visitors;
    let seats = [
        Seat::link(dark.guest.id().as_str(), dark.link),
        Seat::link(white.guest.id().as_str(), white.link),
    ];
    match Table::between(dark.guest, white.guest, pool.config.limit) {
        Ok(table) => play(pool, COMPETITION, table, seats, None).await,
        Err(error) => tracing::error!(%error, "no game"),
    }
}

/// Plays a game and keeps its result before the clients are told it.
async fn play(
    pool: &Arc<GamePool>,
    event: &'static str,
    table: Table,
    seats: [Seat; 2],
    mut evaluation: Option<Evaluation>,
) {
    let names = seats.each_ref().map(|seat| seat.name().to_owned());
    let [black, white] = &names;
    let observer = |game: &Game, news: News<'_>| {
        if let News::Event(HostEvent::Moved { .. }) = news {
            pool.tell(ServerNews::Moved(game.clone()));
        }
    };
    let keep = |game: &Game, verdict: &Verdict| {
        let record = GameRecord::decided(event, [black, white], game, verdict);
        save(pool, record, evaluation.take())
    };
    let options = GameOptions {
        turn_bytes: TURN_BYTES,
        game_bytes: GAME_BYTES,
        grace: GRACE,
        farewell: farewell(SHUTDOWN),
        origin: Some(pool.origin),
        ..GameOptions::default()
    };
    let called_off = pool.reached(Stage::Over);
    let report = game::run_keeping(table, seats, observer, keep, &options, called_off).await;
    if report.outcome.verdict().is_none() {
        let record = GameRecord::reported(event, &report);
        save(pool, record, evaluation).await;
    }
}

/// Requests at once that a result be kept; the future waits until it is, but not for ever, and tells.
fn save(
    pool: &Arc<GamePool>,
    record: GameRecord,
    evaluation: Option<Evaluation>,
) -> impl Future<Output = ()> + use<> {
    let pending = pool.save(record.clone(), evaluation);
    let pool = Arc::clone(pool);
    async move {
        let hurried = async {
            pool.reached(Stage::Over).await;
            sleep(GRACE).await;
        };
        let kept = tokio::select! {
            kept = pending => kept.unwrap_or(false),
            () = sleep(MAX_KEEPING) => false,
            () = hurried => false,
        };
        pool.tell(if kept {
            ServerNews::Over(record)
        } else {
            ServerNews::NotKept(record)
        });
    }
}
