//! The queues of clients that wait for an opponent on the competition ports.

use std::{
    collections::VecDeque,
    future::Future,
    pin::pin,
    sync::{Mutex, PoisonError},
    time::Duration,
};

use boardgame_core::ByColor;
use boardgame_io::{Incoming, Link};
use othello_core::Color;
use othello_proto::lth::{Guest, Id};
use tokio::{sync::oneshot, time::sleep};

use super::{connection_slots::Slot, playing::Playing};

/// A client with a name and a colour, and its connection.
#[derive(Debug)]
pub(crate) struct GuestConnection {
    pub(crate) guest: Guest,
    pub(crate) link: Link,
    pub(crate) slot: Slot,
    pub(crate) playing: Playing,
}

/// The end of a client's wait for an opponent.
#[derive(Debug)]
pub(crate) enum Pairing {
    /// There is an opponent; the connection that waited plays the game.
    Paired(Box<ByColor<GuestConnection>>),
    /// The client was handed over to an opponent that waited.
    HandedOver,
    /// The client left, or sent too much.
    Left(Box<GuestConnection>),
    /// No opponent came in time.
    TimedOut(Box<GuestConnection>),
    /// The server shuts down.
    ShuttingDown(Box<GuestConnection>),
}

/// The queues of Dark and of White: first come, first served, but no id plays against itself.
#[derive(Debug, Default)]
pub(crate) struct MatchmakingQueue {
    queues: Mutex<ByColor<VecDeque<Waiting>>>,
}

/// A client in a queue.
#[derive(Debug)]
struct Waiting {
    id: Id,
    opponent: oneshot::Sender<GuestConnection>,
}

impl MatchmakingQueue {
    /// Waits for an opponent, at most for `max_wait` or until `closing` resolves.
    pub(crate) async fn find_opponent(
        &self,
        client: GuestConnection,
        max_wait: Duration,
        closing: impl Future<Output = ()>,
    ) -> Pairing {
        match self.join(client) {
            Ok((client, opponent)) => wait(client, opponent, max_wait, closing).await,
            Err(HandedOver) => Pairing::HandedOver,
        }
    }

    /// Hands the client over to a waiting opponent, or adds it to its queue.
    fn join(
        &self,
        mut client: GuestConnection,
    ) -> Result<(GuestConnection, oneshot::Receiver<GuestConnection>), HandedOver> {
        let color = client.guest.color();
        let mut queues = self.queues.lock().unwrap_or_else(PoisonError::into_inner);
        let id = client.guest.id().clone();
        let others = &mut queues[!color];
        while let Some(first) = others.iter().position(|waiting| waiting.id != id)
            && let Some(waiting) = others.remove(first)
        {
            match waiting.opponent.send(client) {
                Ok(()) => return Err(HandedOver),
                // That opponent has left.
                Err(back) => client = back,
            }
        }
        let (opponent, receiver) = oneshot::channel();
        let queue = &mut queues[color];
        queue.retain(|waiting| !waiting.opponent.is_closed());
        queue.push_back(Waiting { id, opponent });
        Ok((client, receiver))
    }
}

/// The client was handed over to its opponent's connection.
struct HandedOver;

/// Returns the pairing of a client with one of the other colour.
fn pair(client: GuestConnection, opponent: GuestConnection) -> Pairing {
    let pair = match client.guest.color() {
        Color::Black => [client, opponent],
        Color::White => [opponent, client],
    };
    Pairing::Paired(Box::new(pair.into()))
}

/// Waits for an opponent, or for the client to leave. A client whose output has ended stays if it has sent lines
/// before: these are its answers in the game.
async fn wait(
    mut client: GuestConnection,
    mut opponent: oneshot::Receiver<GuestConnection>,
    max_wait: Duration,
    closing: impl Future<Output = ()>,
) -> Pairing {
    let mut closing = pin!(closing);
    let mut timeout = pin!(sleep(max_wait));
    let mut ended = false;
    let end: fn(Box<GuestConnection>) -> Pairing = loop {
        let incoming = tokio::select! {
            biased;
            arrived = &mut opponent => match arrived {
                Ok(opponent) => return pair(client, opponent),
                Err(_) => break Pairing::Left,
            },
            incoming = client.link.next(), if !ended => incoming,
            () = &mut closing => break Pairing::ShuttingDown,
            () = &mut timeout => break Pairing::TimedOut,
        };
        let stays = if let Some(Incoming::Bytes { bytes, .. }) = incoming {
            client.guest.receive(&bytes).is_ok()
        } else {
            ended = true;
            client.guest.end_of_input();
            !client.guest.has_left()
        };
        if !stays {
            break Pairing::Left;
        }
    };
    // An opponent that came at this very moment gets its game.
    opponent.close();
    match opponent.try_recv() {
        Ok(opponent) => pair(client, opponent),
        Err(_) => end(Box::new(client)),
    }
}
