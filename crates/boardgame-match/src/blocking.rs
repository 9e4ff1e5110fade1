//! Work that would hold up the other games of a thread.

use std::panic;

use tokio::task::spawn_blocking;

/// Returns what `work` returns, done on another thread. Once it has begun, it is done to its end even if the future
/// is dropped.
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
