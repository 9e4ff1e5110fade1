//! The supervisor of a child program, which runs until its whole process group is gone.

use std::{
    collections::VecDeque,
    fs::File,
    io::{self, Read as _, Seek as _, SeekFrom, Write as _},
    path::Path,
    process::ExitStatus,
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, SystemTime},
};

use tokio::{
    io::{AsyncRead, AsyncReadExt},
    sync::{oneshot, watch},
    time::{sleep, timeout},
};

use crate::{
    ExchangeKind,
    fault::Fault,
    folder::open_regular,
    group::{Group, Sweep},
    limit_watch::LimitWatch,
    link::{Incoming, LinkOptions, LinkReader},
    program_limits::ProgramLimits,
    sandbox::status_within,
    task::AbortOnDrop,
};

/// The time that pipes are still read after their program has ended, if a process outside its group holds
/// them open.
const DRAIN: Duration = Duration::from_secs(1);

/// The maximum time for the system to end killed processes.
const REAP: Duration = Duration::from_secs(5);

/// The bounds of a child program and its grace periods.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProgramOptions {
    /// The options of the link to it.
    pub link: LinkOptions,
    /// The time that it may run after its input is closed.
    pub grace: Duration,
    /// The time that it may run after it is asked to terminate.
    pub last_grace: Duration,
    /// The number of bytes kept from the end of its standard error.
    pub stderr_kept: usize,
    /// The maximum number of bytes on standard error; beyond it the program is ended.
    pub stderr_limit: u64,
    /// The limits of the program; beyond one it is ended.
    pub limits: ProgramLimits,
}

impl Default for ProgramOptions {
    /// 2 s after its input is closed, then 1 s more; 8 KiB kept of at most 64 MiB; no other limits.
    fn default() -> Self {
        Self {
            link: LinkOptions::default(),
            grace: Duration::from_secs(2),
            last_grace: Duration::from_secs(1),
            stderr_kept: 8 * 1024,
            stderr_limit: 64 * 1024 * 1024,
            limits: ProgramLimits::default(),
        }
    }
}

/// The report on a program that has ended.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProgramReport {
    /// Its exit status, or `None` if it is unknown.
    pub status: Option<ExitStatus>,
    /// The end of its standard error, with bytes outside UTF-8 replaced.
    pub stderr: String,
    /// Its faults.
    pub faults: Vec<Fault>,
    /// The number of bytes that came [right after](crate::Link::flushed) the end of its input.
    pub flushed: u64,
}

/// A request to the supervisor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Request {
    /// Let the program run.
    Run,
    /// Its input is closed: end it if it does not end by itself.
    Stop {
        /// True if it had already closed its output unasked.
        unasked: bool,
    },
    /// End it now.
    Kill,
}

/// The end of a program's standard error.
#[derive(Debug)]
pub(crate) struct StderrTail {
    kept: Arc<Mutex<VecDeque<u8>>>,
    /// Taken once it has fired or can no longer fire.
    flood: Option<oneshot::Receiver<u64>>,
    task: AbortOnDrop<()>,
}

impl StderrTail {
    /// Reads standard error to its end or its limit.
    pub(crate) fn watch(
        stderr: impl AsyncRead + Send + Unpin + 'static,
        options: &ProgramOptions,
        file: Option<&Path>,
    ) -> Self {
        let kept = Arc::default();
        let (alarm, flood) = oneshot::channel();
        // Without its file a program still plays.
        let now = SystemTime::now().max(SystemTime::UNIX_EPOCH);
        let line = format!("started {}", humantime::format_rfc3339_seconds(now));
        let file = file.and_then(|path| stderr_file(path, &line, false).ok());
        let tail = keep_tail(stderr, Arc::clone(&kept), alarm, options.clone(), file);
        let task = tokio::spawn(tail);
        Self {
            kept,
            flood: Some(flood),
            task: AbortOnDrop(task),
        }
    }

    /// Waits until standard error exceeds its limit, or forever if it does not.
    async fn flooded(&mut self) -> u64 {
        if let Some(flood) = &mut self.flood {
            let bytes = flood.await;
            self.flood = None;
            if let Ok(bytes) = bytes {
                return bytes;
            }
        }
        std::future::pending().await
    }

    /// Returns the kept text, once the program has ended.
    async fn take(mut self) -> String {
        let _ = timeout(DRAIN, &mut self.task.0).await;
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        String::from_utf8_lossy(kept.make_contiguous()).into_owned()
    }
}

/// The maximum size of a file of standard error that is kept, and of what a run adds to it.
const MAX_STDERR_FILE: u64 = 1024 * 1024;

/// Opens a file to which standard error is appended, with a line of ours. A heading begins a long file anew.
pub(crate) fn stderr_file(path: &Path, line: &str, is_heading: bool) -> io::Result<File> {
    let mut file = open_regular(path, File::options().create(true).read(true).append(true))?;
    let mut size = file.metadata()?.len();
    if is_heading && size > MAX_STDERR_FILE {
        file.set_len(0)?;
        size = 0;
    } else if size > 3 * MAX_STDERR_FILE {
        return Err(io::ErrorKind::FileTooLarge.into());
    }
    let mut last = [b'\n'];
    if size > 0 {
        file.seek(SeekFrom::End(-1))?;
        file.read_exact(&mut last)?;
    }
    let before = if last == *b"\n" { "" } else { "\n" };
    file.write_all(format!("{before}--- {line}\n").as_bytes())?;
    Ok(file)
}

async fn keep_tail(
    mut stderr: impl AsyncRead + Unpin,
    kept: Arc<Mutex<VecDeque<u8>>>,
    alarm: oneshot::Sender<u64>,
    options: ProgramOptions,
    mut file: Option<File>,
) {
    let mut chunk = vec![0; 4096];
    let mut total = 0;
    while total <= options.stderr_limit {
        let count = match stderr.read(&mut chunk).await {
            Ok(0) | Err(_) => return,
            Ok(count) => count,
        };
        total += count as u64;
        if let Some(trace) = &options.link.trace {
            trace.record(ExchangeKind::Stderr, &chunk[..count]);
        }
        if let Some(file) = file.as_mut().filter(|_| total <= MAX_STDERR_FILE) {
            // A full disk must not stop the game.
            let _ = file.write_all(&chunk[..count]);
        }
        let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.extend(&chunk[..count]);
        let excess = kept.len().saturating_sub(options.stderr_kept);
        kept.drain(..excess);
    }
    // The receiver is gone once the program has ended.
    let _ = alarm.send(total);
}

/// Watches over a program to its end, informs the driver, and returns the report.
pub(crate) async fn supervise(
    group: Group,
    limits: LimitWatch,
    stderr: StderrTail,
    feed: LinkReader,
    requests: watch::Receiver<Request>,
    options: ProgramOptions,
) -> ProgramReport {
    let mut watcher = Watcher {
        group,
        limits,
        stderr,
        requests,
        is_sandboxed: options.limits.is_sandboxed(),
        sweep: None,
        faults: Vec::new(),
    };
    let status = watcher.run_to_end(&options).await;
    let LinkReader { mut reader, driver } = feed;
    // The driver may be gone, or wait for the report only.
    if timeout(DRAIN, &mut reader.0).await.is_err() {
        drop(reader);
        let _ = driver.send(Incoming::End).await;
    }
    let success = status.is_some_and(|status| status.success());
    let _ = driver.send(Incoming::Exited { success }).await;
    watcher.finish().await;
    ProgramReport {
        status,
        stderr: watcher.stderr.take().await,
        faults: watcher.faults,
        flushed: 0,
    }
}

struct Watcher {
    group: Group,
    limits: LimitWatch,
    stderr: StderrTail,
    requests: watch::Receiver<Request>,
    is_sandboxed: bool,
    /// The killing of leftover processes, and whether leaving any is a fault.
    sweep: Option<(Sweep, bool)>,
    faults: Vec<Fault>,
}

/// The first event of a program.
enum ProgramEvent {
    Ended(Option<ExitStatus>),
    Requested(Request),
    Excess,
    TimeUp,
}

impl Watcher {
    async fn run_to_end(&mut self, options: &ProgramOptions) -> Option<ExitStatus> {
        let event = self.watch(None).await;
        if self.group.is_stopped() {
            self.faults.push(Fault::Stopped);
        }
        let unasked = match event {
            ProgramEvent::Ended(status) => return self.ended(status, true).await,
            ProgramEvent::Requested(Request::Stop { unasked }) => unasked,
            _ => return self.kill().await,
        };
        match self.watch(Some(options.grace)).await {
            ProgramEvent::Ended(status) => return self.ended(status, unasked).await,
            ProgramEvent::TimeUp => self.group.terminate(),
            _ => return self.kill().await,
        }
        let last = self.watch(Some(options.last_grace)).await;
        let ended = matches!(last, ProgramEvent::Ended(_));
        self.faults.push(Fault::Hung { killed: !ended });
        let status = self.kill().await;
        if let ProgramEvent::Ended(status) = last {
            status
        } else {
            status
        }
    }

    /// Waits for the first event, within a time limit if there is one.
    async fn watch(&mut self, limit: Option<Duration>) -> ProgramEvent {
        tokio::select! {
            // In this order, an unasked exit is recognized as such.
            biased;
            fault = self.limits.exceeded() => {
                self.faults.push(fault);
                ProgramEvent::Excess
            }
            status = self.group.wait() => {
                let within = |status| if self.is_sandboxed { status_within(status) } else { status };
                ProgramEvent::Ended(status.ok().map(within))
            }
            bytes = self.stderr.flooded() => {
                self.faults.push(Fault::FloodedStderr { bytes });
                ProgramEvent::Excess
            }
            request = next_request(&mut self.requests) => ProgramEvent::Requested(request),
            () = sleep(limit.unwrap_or_default()), if limit.is_some() => ProgramEvent::TimeUp,
        }
    }

    /// Handles a program that ended by itself, perhaps unasked.
    async fn ended(&mut self, status: Option<ExitStatus>, unasked: bool) -> Option<ExitStatus> {
        let crash = status.filter(|status| unasked && !status.success());
        self.faults.extend(crash.map(|status| {
            if was_killed(status) {
                Fault::Killed(status)
            } else {
                Fault::Crashed(status)
            }
        }));
        self.group.disperse().await;
        self.sweep = Some((self.group.sweep(), true));
        status
    }

    async fn kill(&mut self) -> Option<ExitStatus> {
        self.sweep = Some((self.group.sweep(), false));
        timeout(REAP, self.group.wait()).await.ok()?.ok()
    }

    /// Waits until nothing of the program is left.
    async fn finish(&mut self) {
        if let Some((sweep, blamed)) = self.sweep.take()
            && sweep.finish().await
            && blamed
        {
            self.faults.push(Fault::LeftProcesses);
        }
    }
}

/// Returns true if a program was ended by a signal that another process sends, not by a crash.
#[cfg(unix)]
fn was_killed(status: ExitStatus) -> bool {
    use std::os::unix::process::ExitStatusExt as _;

    use tokio::signal::unix::SignalKind;

    const SIGKILL: i32 = 9;

    let sent = [
        SignalKind::hangup(),
        SignalKind::interrupt(),
        SignalKind::quit(),
        SignalKind::terminate(),
        SignalKind::user_defined1(),
        SignalKind::user_defined2(),
    ];
    let mut sent = sent.iter().map(SignalKind::as_raw_value);
    let is_sent = |signal| signal == SIGKILL || sent.any(|sent| sent == signal);
    status.signal().is_some_and(is_sent)
}

#[cfg(not(unix))]
fn was_killed(_status: ExitStatus) -> bool {
    false
}

/// Returns the next request; never resolves if the handle is gone, since dropping it aborts the supervisor.
async fn next_request(requests: &mut watch::Receiver<Request>) -> Request {
    match requests.changed().await {
        Ok(()) => *requests.borrow_and_update(),
        Err(_) => std::future::pending().await,
    }
}
