//! Where those who compete wait for an opponent.

use std::{
    collections::VecDeque,
    future::Future,
    pin::pin,
    sync::{Mutex, PoisonError},
    time::Duration,
};

use boardgame_io::{Incoming, Link};
use othello_core::Color;
use othello_proto::lth::{Guest, Id};
use tokio::{sync::oneshot, time::sleep};

/// A client that has a name and a colour, at the other end of its connection.
#[derive(Debug)]
pub(super) struct Visitor {
    pub(super) guest: Guest,
    pub(super) link: Link,
}

/// The end of a visitor's wait for an opponent.
#[derive(Debug)]
pub(super) enum Met {
    /// There is an opponent: the one that waited plays the game of both.
    Opponent(Box<[Visitor; 2]>),
    /// The visitor was handed to an opponent that waited.
    Handed,
    /// The visitor left.
    Left,
    /// Nobody came in time.
    Nobody(Box<Visitor>),
    /// The server shuts down.
    Closed(Box<Visitor>),
}

/// The queues of Dark's and White's; first come, first served, but nobody plays against its own id.
#[derive(Debug, Default)]
pub(super) struct MatchmakingQueue {
    queues: Mutex<[VecDeque<Waiting>; 2]>,
}

/// A visitor in a queue.
#[derive(Debug)]
struct Waiting {
    id: Id,
    opponent: oneshot::Sender<Visitor>,
}

impl MatchmakingQueue {
    /// Waits for an opponent for as long as this, and until `closing` resolves.
    pub(super) async fn meet(
        &self,
        visitor: Visitor,
        max_wait: Duration,
        closing: impl Future<Output = ()>,
    ) -> Met {
        match self.enter(visitor) {
            Ok((visitor, place)) => wait(visitor, place, max_wait, closing).await,
            Err(Handed) => Met::Handed,
        }
    }

    /// Hands the visitor to an opponent that waits, or gives it a place to wait.
    fn enter(&self, mut visitor: Visitor) -> Result<(Visitor, oneshot::Receiver<Visitor>), Handed> {
        let color = visitor.guest.color();
        let mut queues = self.queues.lock().unwrap_or_else(PoisonError::into_inner);
        let id = visitor.guest.id().clone();
        let others = &mut queues[place(!color)];
        while let Some(first) = others.iter().position(|waiting| waiting.id != id)
            && let Some(waiting) = others.remove(first)
        {
            match waiting.opponent.send(visitor) {
                Ok(()) => return Err(Handed),
                // That opponent has left.
                Err(back) => visitor = back,
            }
        }
        let (opponent, receiver) = oneshot::channel();
        let queue = &mut queues[place(color)];
        queue.retain(|waiting| !waiting.opponent.is_closed());
        queue.push_back(Waiting { id, opponent });
        Ok((visitor, receiver))
    }
}

/// The visitor is its opponent's now.
struct Handed;

const fn place(color: Color) -> usize {
    match color {
        Color::Black => 0,
        Color::White => 1,
    }
}

/// Waits, and listens meanwhile whether the visitor leaves.
async fn wait(
    mut visitor: Visitor,
    mut place: oneshot::Receiver<Visitor>,
    max_wait: Duration,
    closing: impl Future<Output = ()>,
) -> Met {
    let mut closing = pin!(closing);
    let mut patience = pin!(sleep(max_wait));
    let end: fn(Box<Visitor>) -> Met = loop {
        let incoming = tokio::select! {
            biased;
            opponent = &mut place => match opponent {
                Ok(opponent) => return Met::Opponent(Box::new([visitor, opponent])),
                Err(_) => return Met::Left,
            },
            incoming = visitor.link.next() => incoming,
            () = &mut closing => break Met::Closed,
            () = &mut patience => break Met::Nobody,
        };
        let stays = match incoming {
            Some(Incoming::Bytes { bytes, .. }) => visitor.guest.receive(&bytes).is_ok(),
            _ => false,
        };
        if !stays {
            visitor.guest.end_of_input();
            break |_| Met::Left;
        }
    };
    // An opponent that came at this very moment gets its game.
    place.close();
    match place.try_recv() {
        Ok(opponent) => Met::Opponent(Box::new([visitor, opponent])),
        Err(_) => end(Box::new(visitor)),
    }
}
