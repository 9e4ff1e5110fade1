//! One client from its greeting to the end of its game.

use std::{
    future::Future,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use boardgame_core::{ByColor, TimeControl};
use boardgame_io::{Link, LinkOptions};
use boardgame_match::{
    GameOptions, GameSpec, LocalSeat, News, Seat, SessionSeat, SessionSeatOptions, conduct,
};
use boardgame_session::{GameEvent, Verdict};
use othello_core::{Board, Color, Game, Move};
use othello_proto::lth::{
    Door, Guest, Id, ReceptionOptions, Record, ServerSeat, ServerSeatOptions,
};
use tokio::{
    net::TcpStream,
    time::{sleep, timeout},
};

use super::{
    ServerNews,
    built_in_player::BuiltInPlayer,
    game_pool::{Evaluation, GamePool, SHUTDOWN, Stage, farewell},
    matchmaking::{Met, Visitor},
    result_book::{COMPETITION, EVALUATION, HOUSE, TESTING},
};
use crate::{
    reception::{ReceptionError, receive},
    record::GameRecord,
    replay::follow,
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

/// The reason that is given to a client whose opponent, the built-in player, cannot be started.
const NO_PLAYER: &str = "The server cannot play now. Bye!";

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

async fn play_house(
    pool: &Arc<GamePool>,
    event: &'static str,
    visitor: Visitor,
    evaluation: Option<Evaluation>,
) {
    let color = visitor.guest.color();
    let player = BuiltInPlayer::new(pool.config.house);
    let house = match LocalSeat::new(HOUSE, player, Duration::ZERO) {
        Ok(seat) => Party {
            name: HOUSE.to_owned(),
            seat: Box::new(seat),
        },
        Err(error) => {
            tracing::error!(%error, "no thread for the built-in player");
            return part(visitor.link, NO_PLAYER).await;
        }
    };
    let guest = Party::guest(pool, visitor);
    let parties = ByColor {
        black: guest,
        white: house,
    };
    let parties = match color {
        Color::Black => parties,
        Color::White => parties.swapped(),
    };
    play(pool, event, parties, evaluation).await;
}

async fn compete(pool: &Arc<GamePool>, visitors: Box<[Visitor; 2]>) {
    let colors = visitors.each_ref().map(|visitor| visitor.guest.color());
    let parties = ByColor::from(visitors.map(|visitor| Party::guest(pool, visitor)));
    let parties = match colors {
        [Color::Black, Color::White] => parties,
        [Color::White, Color::Black] => parties.swapped(),
        [color, _] => return tracing::error!(%color, "no game: both clients have one colour"),
    };
    play(pool, COMPETITION, parties, None).await;
}

/// A side of a game.
struct Party {
    name: String,
    seat: Box<dyn Seat<Board>>,
}

impl Party {
    fn guest(pool: &GamePool, Visitor { guest, link }: Visitor) -> Self {
        let name = guest.id().as_str().to_owned();
        let options = SessionSeatOptions {
            max_turn_bytes: TURN_BYTES,
            max_game_bytes: GAME_BYTES,
            farewell: farewell(SHUTDOWN),
            origin: Some(pool.origin),
            ..SessionSeatOptions::default()
        };
        let session = ServerSeat::new(guest, ServerSeatOptions::default());
        let seat = Box::new(SessionSeat::link(name.clone(), session, link, options));
        Self { name, seat }
    }
}

/// Plays a game and keeps its result before the clients are told it.
async fn play(
    pool: &Arc<GamePool>,
    event: &'static str,
    parties: ByColor<Party>,
    mut evaluation: Option<Evaluation>,
) {
    let names = parties.as_ref().map(|party| party.name.clone());
    let seats = parties.map(|party| party.seat);
    let spec = GameSpec {
        time: ByColor::new_with(|_| TimeControl::from(pool.config.limit)),
        ..GameSpec::new(Board::START)
    };
    let game = Mutex::new(Game::default());
    let observer = |_: &Board, news: News<'_, Move>| {
        let mut game = lock(&game);
        follow(&mut game, &news);
        if let News::Event(GameEvent::Moved(..)) = news {
            pool.tell(ServerNews::Moved(game.clone()));
        }
    };
    let keep = |_: &Board, verdict: &Verdict| {
        let names = [names.black.as_str(), &names.white];
        let record = GameRecord::decided(event, names, &lock(&game), verdict);
        save(pool, record, evaluation.take())
    };
    let options = GameOptions {
        grace: GRACE,
        ..GameOptions::default()
    };
    let called_off = pool.reached(Stage::Over);
    match conduct(spec, seats, observer, keep, &options, called_off).await {
        Ok(report) if report.outcome.verdict().is_none() => {
            let record = GameRecord::reported(event, &report);
            save(pool, record, evaluation).await;
        }
        Ok(_) => {}
        Err(error) => tracing::error!(%error, "no game"),
    }
}

fn lock(game: &Mutex<Game>) -> MutexGuard<'_, Game> {
    game.lock().unwrap_or_else(PoisonError::into_inner)
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
