//! Watched games: their current state, and the events that change them.

use std::{collections::VecDeque, convert::Infallible, sync::Arc};

use crate::live::{Event, LookupError, Runs, Subscription, coalesce};
use axum::{
    Router,
    extract::{Extension, Path, State},
    http::{HeaderMap, StatusCode},
    response::{
        IntoResponse as _, Response,
        sse::{self, KeepAlive, Sse},
    },
    routing::get,
};
use boardgame_io::{Client, Place, Places};
use futures_util::stream;
use tokio::{
    sync::watch,
    time::{Instant, sleep_until},
};

use super::{
    answer::{Form, KEEP_ALIVE, MIN_INTERVAL, hold, json},
    error::ApiError,
};

/// The maximum number of readers of events at a time, less than that of connections.
const MAX_READERS: usize = 64;

/// The maximum number of answers at a time that list the games of one or all runs: they may be large, and slow readers
/// hold them in memory.
const MAX_LISTS: usize = 16;

/// The watched games.
#[derive(Clone)]
pub(crate) struct Games {
    runs: Runs,
    readers: Places,
    lists: Places,
    is_ending: watch::Receiver<bool>,
}

impl Games {
    /// Returns the games of runs. Streams of events end once `is_ending` is true.
    pub(crate) fn new(runs: Runs, is_ending: watch::Receiver<bool>) -> Self {
        Self {
            runs,
            readers: Places::new(MAX_READERS),
            lists: Places::new(MAX_LISTS),
            is_ending,
        }
    }

    fn place_of_list(&self, client: Client) -> Result<Place, ApiError> {
        let place = self.lists.take(client);
        place.map_err(|_| ApiError::too_many("lists of games"))
    }
}

/// Returns the routes of the games.
pub(crate) fn routes(games: Games) -> Router {
    Router::new()
        .route("/api/games", get(all))
        .route("/api/games/events", get(events))
        .route("/api/games/{run}", get(run))
        .route("/api/games/{run}/{game}", get(game))
        .with_state(games)
}

async fn all(
    State(games): State<Games>,
    Extension(client): Extension<Client>,
) -> Result<Response, ApiError> {
    let place = games.place_of_list(client)?;
    Ok(hold(place, answer(&games.runs.state())))
}

async fn run(
    State(games): State<Games>,
    Extension(client): Extension<Client>,
    Path(run): Path<String>,
) -> Result<Response, ApiError> {
    let place = games.place_of_list(client)?;
    let run = games.runs.run(id("run", &run)?)?;
    Ok(hold(place, answer(&run)))
}

async fn game(
    State(games): State<Games>,
    Path((run, game)): Path<(String, String)>,
) -> Result<Response, ApiError> {
    let (run, game) = (id("run", &run)?, id("game", &game)?);
    Ok(answer(&games.runs.game(run, game)?))
}

async fn events(
    State(games): State<Games>,
    Extension(client): Extension<Client>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    if Form::of(&headers) == Form::Json {
        let place = games.place_of_list(client)?;
        return Ok(hold(place, answer(&*games.runs.subscribe().next().await)));
    }
    let place = games.readers.take(client);
    let place = place.map_err(|_| ApiError::too_many("readers of events"))?;
    let reader = Reader {
        events: games.runs.subscribe(),
        is_ending: games.is_ending,
        unsent: VecDeque::new(),
        next: Instant::now(),
        _place: place,
    };
    let events = stream::unfold(reader, |mut reader| async move {
        let event = reader.next().await?;
        let sent = sse::Event::default()
            .event(event.name())
            .data(event.to_json());
        Some((Ok::<_, Infallible>(sent), reader))
    });
    let alive = KeepAlive::new().interval(KEEP_ALIVE);
    Ok(Sse::new(events).keep_alive(alive).into_response())
}

/// A reader of events.
struct Reader {
    events: Subscription,
    is_ending: watch::Receiver<bool>,
    /// Events received together.
    unsent: VecDeque<Arc<Event>>,
    /// The earliest time to receive more.
    next: Instant,
    _place: Place,
}

impl Reader {
    /// Waits for the next event; `None` once the server ends and there are no more. Events of one interval are sent
    /// together, and only the last move of each game.
    async fn next(&mut self) -> Option<Arc<Event>> {
        if self.unsent.is_empty() {
            let mut is_ending = self.is_ending.clone();
            tokio::select! {
                () = sleep_until(self.next) => {}
                _ = is_ending.wait_for(|ending| *ending) => {}
            }
            let first = tokio::select! {
                biased;
                event = self.events.next() => event,
                _ = is_ending.wait_for(|ending| *ending) => return None,
            };
            let mut received = vec![first];
            received.extend(std::iter::from_fn(|| self.events.try_next()));
            self.unsent = coalesce(received).into();
            self.next = Instant::now() + MIN_INTERVAL;
        }
        self.unsent.pop_front()
    }
}

fn answer(value: &impl serde::Serialize) -> Response {
    // Every field can be written as JSON.
    json(serde_json::to_string(value).unwrap_or_default())
}

/// Parses an id in an address.
fn id<T: std::str::FromStr>(what: &str, text: &str) -> Result<T, ApiError> {
    let id = text.parse();
    id.map_err(|_| ApiError::bad(format!("expected the number of a {what}, found {text:?}")))
}

impl From<LookupError> for ApiError {
    fn from(error: LookupError) -> Self {
        Self::new(StatusCode::NOT_FOUND, error.to_string())
    }
}

#[cfg(test)]
mod tests {
    use std::net::{IpAddr, Ipv4Addr};

    use super::*;

    #[tokio::test]
    async fn lists_are_limited_until_they_are_sent() {
        let (_ending, is_ending) = watch::channel(false);
        let games = Games::new(Runs::default(), is_ending);
        let own = Client::from(IpAddr::from(Ipv4Addr::LOCALHOST));
        let list = async || all(State(games.clone()), Extension(own)).await;
        let mut unsent = Vec::new();
        for _ in 0..MAX_LISTS {
            unsent.push(list().await.expect("one of those allowed"));
        }
        let refused = ApiError::too_many("lists of games");
        assert_eq!(list().await.err(), Some(refused.clone()));
        let json = events(State(games.clone()), Extension(own), HeaderMap::new()).await;
        assert_eq!(json.err(), Some(refused));
        unsent.pop();
        assert!(list().await.is_ok());
    }

    #[tokio::test]
    async fn no_client_holds_all_readers() {
        let (_ending, is_ending) = watch::channel(false);
        let games = Games::new(Runs::default(), is_ending);
        let mut headers = HeaderMap::new();
        headers.insert("accept", "text/event-stream".parse().unwrap());
        let read = async |address: [u16; 8]| {
            let client = Client::from(IpAddr::from(address));
            events(State(games.clone()), Extension(client), headers.clone()).await
        };
        let mut readers = Vec::new();
        for number in 0..MAX_READERS as u16 {
            readers.extend(read([0x2001, 0xdb8, 0, 0, 0, 0, 0, number]).await);
        }
        assert!(readers.len() <= MAX_READERS / 2, "{}", readers.len());
        assert!(read([0x2001, 0xdb8, 0, 1, 0, 0, 0, 0]).await.is_ok());
    }
}
