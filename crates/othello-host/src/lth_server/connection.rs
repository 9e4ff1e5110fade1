//! One client from its greeting to the end of its game.

use std::{
    future::Future,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use boardgame_core::{ByColor, TimeControl};
use boardgame_io::{Link, LinkOptions};
use boardgame_match::{
    GameOptions, GameSpec, LastOutput, LocalSeat, News, ObservedClocks, Seat, SessionSeat,
    SessionSeatOptions, conduct,
};
use boardgame_session::{GameEvent, Verdict};
use othello_core::{Board, Color, Move};
use othello_proto::lth::{
    BUILT_IN_PLAYER_NAME, ClientRecord, Guest, Id, Port, ReceptionOptions, ServerSeat,
    ServerSeatOptions,
};
use tokio::{
    net::TcpStream,
    time::{sleep, timeout},
};

use super::{
    built_in_player::BuiltInPlayer,
    connection_slots::Slot,
    game_pool::{EvaluationGame, GamePool, SHUTDOWN, ShutdownPhase, closing_lines},
    matchmaking::{GuestConnection, Pairing},
    news::{GameInProgress, ServerNews},
    playing::Playing,
    results::{COMPETITION, EVALUATION, TESTING},
};
use crate::{
    likely_cause::AnswerForm,
    reception::{ReceptionError, receive},
    record::GameRecord,
    replay::ObservedGame,
};

/// The time that a client has to take the last lines.
const GRACE: Duration = Duration::from_secs(2);

/// The message to a client for whom no opponent came.
const NO_OPPONENT: &str = "No opponent came in time. Bye!";

/// The maximum number of bytes waiting to be sent to a client, more than a whole game.
const MAX_PENDING: usize = 16 * 1024;

/// The maximum number of bytes that come from a client between two moves.
const MAX_TURN_BYTES: u64 = 64 * 1024;

/// The maximum number of bytes that come from a client in a game.
const MAX_GAME_BYTES: u64 = 1024 * 1024;

/// The maximum time that clients wait for their result to be saved; then they get it anyway. Once games are called
/// off it is [`GRACE`].
const MAX_SAVING: Duration = Duration::from_secs(10);

/// The maximum time to look up the results of an id; then the client is refused.
const MAX_LOOKUP: Duration = Duration::from_secs(10);

/// The maximum time to check whether there is room for a client's results.
const MAX_ROOM_LOOKUP: Duration = Duration::from_millis(500);

/// The reason that is given to a client whose results cannot be looked up.
const NO_RESULTS: &str = "The results cannot be read. Bye!";

/// The message to a client if the built-in player cannot be started.
const NO_PLAYER: &str = "The server cannot play now. Bye!";

/// Serves a client to its end, and plays its game unless its opponent's connection does. The client keeps its slot
/// until its connection is closed.
pub(crate) async fn serve(pool: &Arc<GamePool>, port: Port, stream: TcpStream, slot: Slot) {
    let mut link = connect(stream);
    let received = tokio::select! {
        received = receive_guest(pool, port, &mut link) => received,
        () = pool.reached(ShutdownPhase::Draining) => return refuse(link, SHUTDOWN).await,
    };
    let (guest, evaluation) = match received {
        Ok((guest, evaluation)) => (guest, evaluation.flatten()),
        Err(error) => {
            tracing::info!(?port, %error, "a client is refused");
            return match error {
                ReceptionError::LookupFailed => refuse(link, NO_RESULTS).await,
                _ => {
                    link.close(GRACE).await;
                }
            };
        }
    };
    let playing = match pool.begin(guest.id()) {
        Ok(playing) => playing,
        Err(reason) => {
            tracing::warn!(?port, id = %guest.id(), %reason, "a client is refused");
            return refuse(link, &reason.to_string()).await;
        }
    };
    // Games continue even if results cannot be looked up.
    let no_room = timeout(MAX_ROOM_LOOKUP, pool.no_room(guest.id(), &playing)).await;
    if let Ok(Ok(Some(reason))) = no_room {
        tracing::warn!(?port, %reason, "a client is refused");
        return refuse(link, &reason.to_string()).await;
    }
    let client = GuestConnection {
        guest,
        link,
        slot,
        playing,
    };
    match port {
        Port::Testing => play_built_in(pool, TESTING, client, None).await,
        Port::Evaluation => play_built_in(pool, EVALUATION, client, evaluation).await,
        Port::Competition(_) => {
            let closing = pool.reached(ShutdownPhase::Draining);
            match pool
                .matchmaking
                .find_opponent(client, pool.config.max_wait, closing)
                .await
            {
                Pairing::Paired(clients) => compete(pool, *clients).await,
                Pairing::ShuttingDown(client) => refuse(client.link, SHUTDOWN).await,
                Pairing::TimedOut(client) => {
                    tracing::info!(id = %client.guest.id(), "no opponent came in time");
                    refuse(client.link, NO_OPPONENT).await;
                }
                Pairing::Left(client) => {
                    client.link.close(GRACE).await;
                }
                Pairing::HandedOver => {}
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
            max_pending: MAX_PENDING,
            ..LinkOptions::default()
        },
    )
}

/// Sends the reason to a client without a slot, and closes its connection.
pub(crate) async fn refuse_stream(stream: TcpStream, reason: &str) {
    refuse(connect(stream), reason).await;
}

/// Sends a client the reason why it gets no game.
async fn refuse(mut link: Link, reason: &str) {
    // A client that does not read misses it.
    let _ = link.send(&closing_lines(reason));
    link.close(GRACE).await;
}

/// Receives a client.
async fn receive_guest(
    pool: &Arc<GamePool>,
    port: Port,
    link: &mut Link,
) -> Result<(Guest, Option<Option<EvaluationGame>>), ReceptionError> {
    let options = ReceptionOptions {
        port,
        limit: pool.config.limit,
        patience: pool.config.reception_timeout,
        line_delay: pool.config.line_delay,
    };
    let look_up = |id| look_up(Arc::clone(pool), port, id);
    receive(link, options, pool.origin, look_up).await
}

/// Returns the record of an id and, on the evaluation port, the evaluation it starts now. `None` if the results
/// cannot be looked up in time.
async fn look_up(
    pool: Arc<GamePool>,
    port: Port,
    id: Id,
) -> Option<(ClientRecord, Option<EvaluationGame>)> {
    let found = timeout(MAX_LOOKUP, pool.look_up(port, &id)).await;
    found.ok().flatten()
}

/// Plays a game of a client against the built-in player.
async fn play_built_in(
    pool: &Arc<GamePool>,
    event: &'static str,
    client: GuestConnection,
    evaluation: Option<EvaluationGame>,
) {
    let color = client.guest.color();
    let player = BuiltInPlayer::new(pool.config.built_in_player_level);
    let built_in = match LocalSeat::new(BUILT_IN_PLAYER_NAME, player) {
        Ok(seat) => Participant {
            name: BUILT_IN_PLAYER_NAME.to_owned(),
            seat: Box::new(seat),
            _slot: None,
            playing: None,
        },
        Err(error) => {
            tracing::error!(%error, "no thread for the built-in player");
            return refuse(client.link, NO_PLAYER).await;
        }
    };
    let guest = Participant::from_guest(pool, client);
    let participants = ByColor {
        black: guest,
        white: built_in,
    };
    let participants = match color {
        Color::Black => participants,
        Color::White => participants.swapped(),
    };
    play(pool, event, participants, evaluation).await;
}

/// Plays a game of two clients.
async fn compete(pool: &Arc<GamePool>, clients: ByColor<GuestConnection>) {
    let participants = clients.map(|client| Participant::from_guest(pool, client));
    play(pool, COMPETITION, participants, None).await;
}

/// A side of a game.
struct Participant {
    name: String,
    seat: Box<dyn Seat<Board>>,
    /// The slot of a guest's connection; the seat owns the connection.
    _slot: Option<Slot>,
    playing: Option<Playing>,
}

impl Participant {
    fn from_guest(pool: &GamePool, client: GuestConnection) -> Self {
        let GuestConnection {
            guest,
            link,
            slot,
            playing,
        } = client;
        let name = guest.id().as_str().to_owned();
        let options = SessionSeatOptions {
            max_turn_bytes: MAX_TURN_BYTES,
            max_game_bytes: MAX_GAME_BYTES,
            farewell: closing_lines(SHUTDOWN),
            origin: Some(pool.origin),
            ..SessionSeatOptions::default()
        };
        let session = ServerSeat::new(guest, ServerSeatOptions::default());
        let seat = Box::new(SessionSeat::link(name.clone(), session, link, options));
        Self {
            name,
            seat,
            _slot: Some(slot),
            playing: Some(playing),
        }
    }
}

/// Plays a game and saves its result before the clients get it.
async fn play(
    pool: &Arc<GamePool>,
    event: &'static str,
    mut participants: ByColor<Participant>,
    evaluation: Option<EvaluationGame>,
) {
    let names = participants.as_ref().map(|side| side.name.clone());
    let shown = names.as_ref().map(|name| pool.shown(name));
    let mut in_progress = Some(InProgress {
        evaluation,
        _playing: participants.as_mut().map(|side| side.playing.take()),
    });
    let spec = GameSpec {
        time: ByColor::new_with(|_| TimeControl::from(pool.config.limit)),
        ..GameSpec::new(Board::START)
    };
    let number = pool.next_game();
    let mut clocks = ObservedClocks::new(spec.time);
    let observed = Mutex::new(ObservedGame::default());
    let last_output = Mutex::new(LastOutput::default());
    let observer = |_: &Board, news: News<'_, Move>| {
        let mut observed = lock(&observed);
        observed.update(&news);
        if let News::Lost(_, output) = news {
            lock(&last_output).clone_from(output);
        }
        let News::Event(game_event) = news else {
            return;
        };
        clocks.update(game_event);
        let now = |took| GameInProgress {
            number,
            event,
            names: shown.clone(),
            game: observed.game().clone(),
            clocks: *clocks.clocks(),
            took,
        };
        match game_event {
            GameEvent::Began => pool.notify(ServerNews::Began(now(Duration::ZERO))),
            GameEvent::Moved(_, _, thought) => {
                let took = thought.map(|thought| thought.took);
                pool.notify(ServerNews::Moved(now(took.unwrap_or_default())));
            }
            GameEvent::Restarted | GameEvent::Said(..) => {}
        }
    };
    let keep = |_: &Board, verdict: &Verdict| {
        let names = names.as_ref().map(String::as_str);
        let (observed, output) = (lock(&observed), lock(&last_output));
        let answers = (AnswerForm::Lth, &*output);
        let record = GameRecord::from_verdict(event, names, observed.game(), verdict, answers);
        save(pool, number, record, in_progress.take())
    };
    let options = GameOptions {
        grace: GRACE,
        ..GameOptions::default()
    };
    let called_off = pool.reached(ShutdownPhase::CallingOff);
    let seats = participants.as_mut().map(|side| side.seat.as_mut());
    match conduct(spec, seats, observer, keep, &options, called_off).await {
        Ok(report) if report.outcome.verdict().is_none() => {
            let record = GameRecord::from_report(event, &report, AnswerForm::Lth);
            save(pool, number, record, in_progress.take()).await;
        }
        Ok(_) => {}
        Err(error) => tracing::error!(%error, "no game"),
    }
}

fn lock<T>(value: &Mutex<T>) -> MutexGuard<'_, T> {
    value.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A game that counts as one in progress until its result is saved.
struct InProgress {
    evaluation: Option<EvaluationGame>,
    _playing: ByColor<Option<Playing>>,
}

/// Requests at once that a result be saved. The future waits until it is, for a bounded time, and notifies the
/// observer.
fn save(
    pool: &Arc<GamePool>,
    number: u64,
    record: GameRecord,
    in_progress: Option<InProgress>,
) -> impl Future<Output = ()> + use<> {
    let [black, white] = [&record.black, &record.white].map(|id| pool.shown(id));
    let shown = GameRecord {
        black,
        white,
        ..record.clone()
    };
    let pending = pool.save(record, in_progress.and_then(|game| game.evaluation));
    let pool = Arc::clone(pool);
    async move {
        let aborted = async {
            pool.reached(ShutdownPhase::CallingOff).await;
            sleep(GRACE).await;
        };
        let saved = tokio::select! {
            saved = pending => saved.unwrap_or(false),
            () = sleep(MAX_SAVING) => false,
            () = aborted => false,
        };
        pool.notify(if saved {
            ServerNews::Over(number, shown)
        } else {
            ServerNews::SaveFailed(number, shown)
        });
    }
}
