//! The launch time of this process.

use std::time::{Duration, Instant};

/// Returns the launch time of this process, up to 10 ms early, or the current time if the system does
/// not report it.
///
/// The other side's clock may have started then, and a busy machine may start a program late.
pub(super) fn moment() -> Instant {
    let now = Instant::now();
    let launched = age().and_then(|age| now.checked_sub(age));
    launched.unwrap_or(now)
}

#[cfg(target_os = "linux")]
fn age() -> Option<Duration> {
    let since_boot = nix::time::ClockId::CLOCK_BOOTTIME.now().ok()?;
    let launched = crate::proc::this()?.stat().ok()?.starttime;
    // In clock ticks, which are hundredths of a second for programs.
    Duration::from(since_boot).checked_sub(Duration::from_millis(launched.checked_mul(10)?))
}

#[cfg(not(target_os = "linux"))]
fn age() -> Option<Duration> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_process_was_launched_before_now() {
        let now = Instant::now();
        std::thread::sleep(Duration::from_millis(5));
        let launched = moment();
        assert_eq!(launched < now, cfg!(target_os = "linux"));
    }
}
