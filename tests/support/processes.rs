//! Processes in tests of programs that have to end. Included by path by the tests of crates and binaries.
#![allow(dead_code)] // No test uses all of it.

use std::{process::Command, time::Duration};

/// Returns whether a process is running, not dead and unreaped.
pub(crate) fn is_running(id: u32) -> bool {
    let script = format!("cat /proc/{id}/stat 2>/dev/null || ps -o pid=,comm=,stat= -p {id}");
    let output = Command::new("/bin/sh").args(["-c", &script]).output();
    let text = String::from_utf8_lossy(&output.unwrap().stdout).into_owned();
    let state = text.rsplit(')').next().unwrap_or_default().trim_start();
    !state.is_empty() && !state.starts_with(['Z', 'X'])
}

/// Waits until a process is gone, or dead and not reaped yet.
///
/// # Panics
///
/// Panics if it still runs after half a minute.
pub(crate) async fn wait_until_gone(id: u32) {
    for _ in 0..600 {
        if !is_running(id) {
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("process {id} still runs");
}
