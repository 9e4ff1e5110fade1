//! The user's wish to stop.

use std::future::pending;

/// Waits for Ctrl-C, or on Unix for a request to terminate.
///
/// From the first poll on, these signals no longer end the process. Waits forever where the system
/// offers no such signal.
pub async fn stop_requested() {
    tokio::select! {
        () = ctrl_c() => {}
        () = terminate() => {}
    }
}

async fn ctrl_c() {
    if let Err(error) = tokio::signal::ctrl_c().await {
        tracing::warn!(%error, "Ctrl-C is not listened to");
        pending::<()>().await;
    }
}

#[cfg(unix)]
async fn terminate() {
    use tokio::signal::unix::{SignalKind, signal};

    match signal(SignalKind::terminate()) {
        Ok(mut terminate) => {
            terminate.recv().await;
        }
        Err(error) => {
            tracing::warn!(%error, "requests to terminate are not listened to");
            pending::<()>().await;
        }
    }
}

#[cfg(not(unix))]
async fn terminate() {
    pending::<()>().await;
}
