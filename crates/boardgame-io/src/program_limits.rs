//! Limits of child programs.

use std::{fmt, mem::take};

/// The limits of a program and all that it starts; none by default. They are enforced on Linux.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ProgramLimits {
    /// The maximum memory in bytes, looked at 50 times a second. Pages that the system can drop, such as those of
    /// files, do not count, nor do files in memory (`/dev/shm`, `memfd`) that no process has mapped.
    pub memory: Option<u64>,
    /// The maximum number of processes at a time. Threads do not count. `processes`, [`no_network`](Self::no_network)
    /// and [`read_only`](Self::read_only) need bubblewrap (`bwrap`), in which the program sees no other processes and
    /// which its processes cannot leave.
    pub processes: Option<u32>,
    /// The maximum number of processors.
    pub cpus: Option<u32>,
    /// True to forbid the network. Unix sockets in folders other than `/run` and, with `read_only`, `/tmp` are still
    /// reached.
    pub no_network: bool,
    /// True if the program can write only to a `/tmp` and `/dev/shm` of its own, 64 MiB each, which end with it.
    pub read_only: bool,
}

/// A limit that this system cannot enforce.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{limit} cannot be enforced here: {reason}")]
pub struct Unenforceable {
    limit: &'static str,
    reason: String,
}

impl ProgramLimits {
    /// Returns the limits that this system enforces, and the others. Starts bubblewrap to see whether it works.
    pub fn enforceable(&self) -> (Self, Vec<Unenforceable>) {
        let mut limits = *self;
        let mut others = Vec::new();
        let mut refuse = |limit, is_set: bool, reason: &str| {
            let reason = reason.to_owned();
            others.extend(is_set.then_some(Unenforceable { limit, reason }));
        };
        if let Err(reason) = watches() {
            refuse(
                "the limit of memory",
                limits.memory.take().is_some(),
                reason,
            );
            refuse(
                "the limit of processors",
                limits.cpus.take().is_some(),
                reason,
            );
        }
        if let Err(reason) = crate::sandbox::check(self) {
            refuse(
                "the limit of processes",
                limits.processes.take().is_some(),
                &reason,
            );
            refuse(
                "a ban on the network",
                take(&mut limits.no_network),
                &reason,
            );
            refuse(
                "a ban on writing files",
                take(&mut limits.read_only),
                &reason,
            );
        }
        (limits, others)
    }

    /// Returns true if the program runs in bubblewrap.
    pub(crate) const fn is_sandboxed(&self) -> bool {
        self.processes.is_some() || self.no_network || self.read_only
    }

    /// Returns true if the program is watched.
    pub(crate) const fn is_watched(&self) -> bool {
        self.memory.is_some() || self.processes.is_some() || self.cpus.is_some()
    }
}

/// Checks that the system tells about the processes of programs.
#[cfg(target_os = "linux")]
fn watches() -> Result<(), &'static str> {
    let children = crate::proc::children(std::process::id());
    children.map_or(Err("expected the processes of a program in /proc"), |_| {
        Ok(())
    })
}

#[cfg(not(target_os = "linux"))]
const fn watches() -> Result<(), &'static str> {
    Err("expected Linux")
}

/// A number of bytes as people write it, such as `512 MiB`.
pub(crate) struct Bytes(pub(crate) u64);

impl fmt::Display for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let units = [(30, "GiB"), (20, "MiB"), (10, "KiB"), (0, "bytes")];
        let fits = |&(shift, _): &(u32, _)| self.0.trailing_zeros() >= shift;
        let (shift, unit) = units.into_iter().find(fits).unwrap_or((0, "bytes"));
        write!(f, "{} {unit}", self.0 >> shift)
    }
}
