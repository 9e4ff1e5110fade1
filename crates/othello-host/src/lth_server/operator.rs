//! Commands of the operator while the server runs.

use tokio::sync::{mpsc, oneshot};

/// A request of the operator, with the channel of its answer.
pub(crate) type Reset = (String, oneshot::Sender<Result<(), ResetError>>);

/// Carries out the commands of a server's operator.
#[derive(Clone, Debug)]
pub struct Operator(mpsc::UnboundedSender<Reset>);

/// The reason why results are not reset.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ResetError {
    /// No student has the name.
    #[error("expected the name of a student, found {0:?}")]
    Unknown(String),
    /// The log cannot be written.
    #[error("the log cannot be written, so nothing was reset")]
    NotKept,
    /// The disk hangs.
    #[error("the log is not written in time; the results may be reset later")]
    Late,
    /// The server has ended.
    #[error("the server has ended")]
    Ended,
}

impl Operator {
    /// Returns a handle that sends its requests here.
    pub(crate) const fn new(requests: mpsc::UnboundedSender<Reset>) -> Self {
        Self(requests)
    }

    /// Sets the counts of a student to zero by a line in the log; without students, those of an id. Waits until the
    /// line is on disk.
    ///
    /// # Errors
    ///
    /// When there is no such student, or the line cannot be written.
    ///
    /// # Panics
    ///
    /// On a thread of an asynchronous runtime.
    pub fn reset(&self, name: &str) -> Result<(), ResetError> {
        let (reply, answer) = oneshot::channel();
        let asked = self.0.send((name.to_owned(), reply));
        asked.map_err(|_| ResetError::Ended)?;
        answer.blocking_recv().unwrap_or(Err(ResetError::Ended))
    }
}
