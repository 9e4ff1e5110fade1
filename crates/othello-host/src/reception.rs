//! Receiving a client of the LTH server, from the greeting to its name and colour.

use std::{
    future::{self, Future},
    time::Instant,
};

use boardgame_io::{Incoming, Link, SendBufferFull};
use othello_proto::{
    lth::{ClientRecord, Guest, Id, Reception, ReceptionAction, ReceptionOptions, Refusal},
    session::Timestamp,
};
use tokio::time::sleep_until;

/// The maximum number of bytes from a client before its game, where two lines are expected.
const MAX_RECEPTION_BYTES: usize = 16 * 1024;

/// The reason why a client gets no game.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReceptionError {
    /// The client is refused.
    #[error(transparent)]
    Refused(Refusal),
    /// The client does not read.
    #[error(transparent)]
    NotReading(#[from] SendBufferFull),
    /// The client sent too many bytes before its game.
    #[error("expected a name and a colour, but {bytes} bytes came")]
    Flooded {
        /// The number of bytes.
        bytes: usize,
    },
    /// The results of its name could not be looked up.
    #[error("no results can be looked up")]
    LookupFailed,
    /// The client left.
    #[error("expected a name and a colour, but the connection was closed")]
    Left,
}

/// Receives a client and returns it with the caller's value.
///
/// `look_up` finds the record of an id and the returned value; in competitions it is not called and the value
/// is `None`. `origin` is the origin of the session's timestamps.
///
/// # Errors
///
/// When the client gets no game; the caller then closes the connection.
pub async fn receive<T, F>(
    link: &mut Link,
    options: ReceptionOptions,
    origin: Instant,
    mut look_up: impl FnMut(Id) -> F,
) -> Result<(Guest, Option<T>), ReceptionError>
where
    F: Future<Output = Option<(ClientRecord, T)>>,
{
    let now = || Timestamp::from_origin(origin.elapsed());
    let mut reception = Reception::new(options);
    let mut found = None;
    let mut ended = false;
    let mut came = 0;
    reception.start(now());
    loop {
        while let Some(action) = reception.poll() {
            match action {
                ReceptionAction::Send(bytes) => link.send(&bytes)?,
                ReceptionAction::LookUp(id) => {
                    let (record, more) = look_up(id).await.ok_or(ReceptionError::LookupFailed)?;
                    found = Some(more);
                    reception.recall(record, now());
                }
                ReceptionAction::Note(note) => tracing::debug!(?note),
                ReceptionAction::Seat(guest) => return Ok((guest, found)),
                ReceptionAction::Refuse(refusal) => return Err(ReceptionError::Refused(refusal)),
            }
        }
        let deadline = reception.deadline();
        if ended && deadline.is_none() {
            return Err(ReceptionError::Left);
        }
        let deadline = deadline.and_then(|at| origin.checked_add(at.since_origin()));
        tokio::select! {
            biased;
            incoming = link.next(), if !ended => {
                if let Some(Incoming::Bytes { bytes, .. }) = incoming {
                    came += bytes.len();
                    if came > MAX_RECEPTION_BYTES {
                        return Err(ReceptionError::Flooded { bytes: came });
                    }
                    reception.receive(&bytes, now());
                } else {
                    ended = true;
                    reception.end_of_input(now());
                }
            }
            () = sleep_until_some(deadline) => reception.tick(now()),
        }
    }
}

/// Waits for a deadline, or for ever without one.
async fn sleep_until_some(deadline: Option<Instant>) {
    match deadline {
        Some(deadline) => sleep_until(deadline.into()).await,
        None => future::pending().await,
    }
}
