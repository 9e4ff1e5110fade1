//! The moment at which this process was launched.

use std::time::{Duration, Instant};

/// Returns the moment at which this process was launched, at most a hundredth of a second early, or the
/// current moment if the system does not tell.
///
/// The other side's clock may run since then, and a busy machine may start a program late.
pub(super) fn moment() -> Instant {
    let now = Instant::now();
    let launched = age().and_then(|age| now.checked_sub(age));
    launched.unwrap_or(now)
}

#[cfg(target_os = "linux")]
fn age() -> Option<Duration> {
    let since_boot = nix::time::ClockId::CLOCK_BOOTTIME.now().ok()?;
    let launched = crate::proc::stat(std::process::id())?.starttime;
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
