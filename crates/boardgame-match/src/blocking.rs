//! Blocking work, moved off the threads that run games.

use std::panic;

use tokio::task::spawn_blocking;

/// Runs `work` on another thread and returns its result. Once started, it runs to its end even if the future is
/// dropped.
///
/// # Panics
///
/// Panics if `work` does, and outside a tokio runtime.
pub(crate) async fn on_another_thread<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> T {
    match spawn_blocking(work).await {
        Ok(done) => done,
        Err(error) => match error.try_into_panic() {
            Ok(payload) => panic::resume_unwind(payload),
            Err(error) => panic!("the work was not done: {error}"),
        },
    }
}
