//! Signals that ask this process to stop.

#[cfg(target_os = "linux")]
use std::sync::{Arc, atomic::AtomicBool};
use std::{
    future::{pending, poll_fn},
    pin::pin,
};

#[cfg(target_os = "linux")]
use signal_hook::{consts, flag};

#[cfg(target_os = "linux")]
use crate::ExitCode;

/// Ends the process at once, with the status of an interruption, when a signal [asks it to stop](stop_requested).
#[cfg(target_os = "linux")]
pub(crate) fn exit_when_stopped() {
    let status = i32::from(ExitCode::Interrupted);
    let hang_up = (!ignores_hang_up()).then_some(consts::SIGHUP);
    for signal in [consts::SIGINT, consts::SIGTERM].into_iter().chain(hang_up) {
        let always = Arc::new(AtomicBool::new(true));
        if let Err(error) = flag::register_conditional_shutdown(signal, status, always) {
            tracing::warn!(%error, signal, "a signal is not caught");
        }
    }
}

/// Waits for Ctrl-C, or on Unix for a request to terminate, or on Linux for the end of the terminal
/// (SIGHUP).
///
/// From the first poll on, these signals no longer end the process. A SIGHUP ignored from the start, as with
/// `nohup`, stays ignored; except on Linux that cannot be known, and the signal keeps its default action. Waits
/// forever if the system has no such signal.
pub async fn stop_requested() {
    tokio::select! {
        () = ctrl_c() => {}
        () = terminate() => {}
        () = hang_up() => {}
    }
}

/// Waits like [`stop_requested`], and calls `on_ready` once the signals are watched, if the system permits that: none
/// that arrives later is missed.
pub async fn stop_requested_with_ready(on_ready: impl FnOnce()) {
    let mut stop = pin!(stop_requested());
    let mut on_ready = Some(on_ready);
    poll_fn(|context| {
        let polled = stop.as_mut().poll(context);
        if let Some(on_ready) = on_ready.take() {
            on_ready();
        }
        polled
    })
    .await;
}

async fn ctrl_c() {
    if let Err(error) = tokio::signal::ctrl_c().await {
        tracing::warn!(%error, "Ctrl-C is not listened to");
        pending::<()>().await;
    }
}

#[cfg(unix)]
async fn terminate() {
    received(tokio::signal::unix::SignalKind::terminate()).await;
}

#[cfg(not(unix))]
async fn terminate() {
    pending::<()>().await;
}

#[cfg(target_os = "linux")]
async fn hang_up() {
    use tokio::signal::unix::SignalKind;

    if ignores_hang_up() {
        pending::<()>().await;
    }
    received(SignalKind::hangup()).await;
}

#[cfg(not(target_os = "linux"))]
async fn hang_up() {
    pending::<()>().await;
}

/// Waits for a signal.
#[cfg(unix)]
async fn received(kind: tokio::signal::unix::SignalKind) {
    match tokio::signal::unix::signal(kind) {
        Ok(mut signal) => {
            signal.recv().await;
        }
        Err(error) => {
            tracing::warn!(%error, ?kind, "a signal is not listened to");
            pending::<()>().await;
        }
    }
}

/// Returns whether the process was started to ignore the signal, which it may also be if the system does not tell.
#[cfg(target_os = "linux")]
fn ignores_hang_up() -> bool {
    let status = crate::proc::this().and_then(|this| this.status().ok());
    status.is_none_or(|status| status.sigign >> (consts::SIGHUP - 1) & 1 == 1)
}
