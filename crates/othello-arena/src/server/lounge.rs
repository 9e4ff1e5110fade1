//! Where those who compete wait for an opponent.

use std::{
    collections::VecDeque,
    future::Future,
    pin::pin,
    sync::{Mutex, PoisonError},
};

use othello_core::Color;
use othello_proto::lth::Guest;
use tokio::sync::oneshot;

use crate::link::{Incoming, Link};

/// A client that has a name and a colour, at the other end of its connection.
#[derive(Debug)]
pub(super) struct Visitor {
    pub(super) guest: Guest,
    pub(super) link: Link,
}

/// How a visitor's wait for an opponent ends.
#[derive(Debug)]
pub(super) enum Met {
    /// There is an opponent: the one that waited plays the game of both.
    Opponent(Box<[Visitor; 2]>),
    /// The visitor was handed to an opponent that waited.
    Handed,
    /// The visitor left.
    Left,
    /// The lounge closes.
    Closed(Box<Visitor>),
}

/// The queues of Dark's and White's; first come, first served.
#[derive(Debug, Default)]
pub(super) struct Lounge {
    queues: Mutex<[VecDeque<oneshot::Sender<Visitor>>; 2]>,
}

impl Lounge {
    /// Waits for an opponent until `closing` resolves.
    pub(super) async fn meet(&self, visitor: Visitor, closing: impl Future<Output = ()>) -> Met {
        match self.enter(visitor) {
            Ok((visitor, place)) => wait(visitor, place, closing).await,
            Err(Handed) => Met::Handed,
        }
    }

    /// Hands the visitor to an opponent that waits, or gives it a place to wait.
    fn enter(&self, mut visitor: Visitor) -> Result<(Visitor, oneshot::Receiver<Visitor>), Handed> {
        let color = visitor.guest.color();
        let mut queues = self.queues.lock().unwrap_or_else(PoisonError::into_inner);
        while let Some(opponent) = queues[place(!color)].pop_front() {
            match opponent.send(visitor) {
                Ok(()) => return Err(Handed),
                // That opponent has left.
                Err(back) => visitor = back,
            }
        }
        let (sender, receiver) = oneshot::channel();
        let queue = &mut queues[place(color)];
        queue.retain(|waiting| !waiting.is_closed());
        queue.push_back(sender);
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
    closing: impl Future<Output = ()>,
) -> Met {
    let mut closing = pin!(closing);
    let closes = loop {
        let incoming = tokio::select! {
            biased;
            opponent = &mut place => match opponent {
                Ok(opponent) => return Met::Opponent(Box::new([visitor, opponent])),
                Err(_) => return Met::Left,
            },
            incoming = visitor.link.next() => incoming,
            () = &mut closing => break true,
        };
        let stays = match incoming {
            Some(Incoming::Bytes { bytes, .. }) => visitor.guest.receive(&bytes).is_ok(),
            _ => false,
        };
        if !stays {
            visitor.guest.end_of_input();
            break false;
        }
    };
    // An opponent that came at this very moment gets its game.
    place.close();
    match place.try_recv() {
        Ok(opponent) => Met::Opponent(Box::new([visitor, opponent])),
        Err(_) if closes => Met::Closed(Box::new(visitor)),
        Err(_) => Met::Left,
    }
}
