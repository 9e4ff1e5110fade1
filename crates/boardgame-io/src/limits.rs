//! Limits that the system sets on this process.

use std::time::Duration;

/// Lets the process go on when a file reaches the largest size that the system allows (SIGXFSZ), so that the write
/// fails as on a full disk, and when its CPU time is nearly used up (SIGXCPU). Programs that it starts have the
/// default handling of these signals.
pub fn survive_limits() {
    #[cfg(unix)]
    for signal in [signal_hook::consts::SIGXFSZ, signal_hook::consts::SIGXCPU] {
        if let Err(error) = signal_hook::flag::register(signal, std::sync::Arc::default()) {
            tracing::warn!(%error, signal, "a signal is not caught");
        }
    }
}

/// Returns the CPU time that the system still allows this process; `None` if there is no limit or it is unknown.
pub fn cpu_time_left() -> Option<Duration> {
    #[cfg(target_os = "linux")]
    {
        let limit = Duration::from_secs(soft_limit(Resource::RLIMIT_CPU)?);
        let used = crate::cpu::clock_of_this_process()?;
        Some(limit.saturating_sub(used()))
    }
    #[cfg(not(target_os = "linux"))]
    None
}

/// Runs `work` with a stack of 2 MiB, on a new thread if the system allows the first thread less.
pub fn with_stack<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    let mut work = Some(work);
    #[cfg(target_os = "linux")]
    if soft_limit(Resource::RLIMIT_STACK).is_some_and(|bytes| bytes < 2 << 20) {
        let done = std::thread::scope(|scope| {
            let thread = std::thread::Builder::new().name("main".into());
            let thread = thread.spawn_scoped(scope, || work.take().map(|work| work()));
            thread.ok().map(std::thread::ScopedJoinHandle::join)
        });
        match done {
            Some(Ok(Some(result))) => return result,
            Some(Err(panic)) => std::panic::resume_unwind(panic),
            // No thread was started.
            Some(Ok(None)) | None => {}
        }
    }
    let Some(work) = work.take() else {
        unreachable!("the work is done once")
    };
    work()
}

#[cfg(target_os = "linux")]
use nix::sys::resource::Resource;

/// Returns the soft limit of a resource, if there is one.
#[cfg(target_os = "linux")]
fn soft_limit(resource: Resource) -> Option<u64> {
    let (soft, _) = nix::sys::resource::getrlimit(resource).ok()?;
    (soft != nix::sys::resource::RLIM_INFINITY).then_some(soft)
}
