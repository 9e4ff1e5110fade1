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
    let status = std::fs::read_to_string("/proc/self/stat").ok()?;
    Duration::from(since_boot).checked_sub(launched(&status)?)
}

#[cfg(not(target_os = "linux"))]
fn age() -> Option<Duration> {
    None
}

/// The time from the system's start to that of a process, by the text of its `/proc/PID/stat`: the
/// 22nd field, in hundredths of a second.
#[cfg(any(target_os = "linux", test))]
fn launched(status: &str) -> Option<Duration> {
    let hundredths: u64 = crate::stat::field(status, 22)?.parse().ok()?;
    Some(Duration::from_millis(hundredths.checked_mul(10)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_launch_is_read_behind_a_name_of_any_kind() {
        let rest = "S 1 2 3 0 -1 4194304 9 0 0 0 1 1 0 0 20 0 1 0 5764112 5865472 320 18446744073709551615";
        let status = |name: &str| launched(&format!("77 ({name}) {rest}"));
        let time = Some(Duration::from_millis(57_641_120));
        assert_eq!(status("othello"), time);
        assert_eq!(status("a) 1 (b"), time);
        assert_eq!(launched("77 (othello) S 1 2"), None);
        assert_eq!(launched(""), None);
    }

    #[test]
    fn this_process_was_launched_before_now() {
        let now = Instant::now();
        std::thread::sleep(Duration::from_millis(5));
        let launched = moment();
        assert_eq!(launched < now, cfg!(target_os = "linux"));
    }
}
