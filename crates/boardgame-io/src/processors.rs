//! The processors of a program.

#[cfg(target_os = "linux")]
pub(crate) use linux::Processors;

#[cfg(target_os = "linux")]
mod linux {
    use std::io;

    use rustix::{
        process::Pid,
        thread::{CpuSet, sched_getaffinity, sched_setaffinity},
    };

    /// A set of processors.
    #[derive(Debug)]
    pub(crate) struct Processors(CpuSet);

    impl Processors {
        /// Chooses those that the fewest children of this process are confined to, of all that it may use.
        ///
        /// # Errors
        ///
        /// When the system does not tell the processors.
        pub(crate) fn choose(count: u32) -> io::Result<Self> {
            let available = sched_getaffinity(None)?;
            let mut all = cpus(&available);
            let children = crate::proc::children(std::process::id()).unwrap_or_default();
            let sets = children.into_iter().filter_map(|child| {
                let set = sched_getaffinity(Pid::from_raw(child.cast_signed())).ok()?;
                (set != available).then_some(set)
            });
            let sets: Vec<CpuSet> = sets.collect();
            all.sort_by_key(|&cpu| sets.iter().filter(|set| set.is_set(cpu)).count());
            let mut set = CpuSet::new();
            let some = all.into_iter().take(count as usize);
            some.for_each(|cpu| set.set(cpu));
            Ok(Self(set))
        }

        /// Runs `start` on these processors: processes that it starts inherit them.
        ///
        /// # Errors
        ///
        /// When the system refuses that.
        pub(crate) fn confine<T>(&self, start: impl FnOnce() -> io::Result<T>) -> io::Result<T> {
            let before = sched_getaffinity(None)?;
            sched_setaffinity(None, &self.0)?;
            let result = start();
            sched_setaffinity(None, &before)?;
            result
        }

        /// Returns whether all threads of a process run on these processors alone.
        pub(crate) fn hold(&self, process: u32) -> bool {
            crate::proc::threads(process).all(|thread| {
                let found = Pid::from_raw(thread).map(|id| sched_getaffinity(Some(id)));
                // A thread may just have ended.
                let Some(Ok(found)) = found else {
                    return true;
                };
                cpus(&found).into_iter().all(|cpu| self.0.is_set(cpu))
            })
        }
    }

    /// Returns the numbers of the processors of a set.
    fn cpus(set: &CpuSet) -> Vec<usize> {
        let all = 0..CpuSet::MAX_CPU;
        all.filter(|&cpu| set.is_set(cpu)).collect()
    }
}

#[cfg(not(target_os = "linux"))]
pub(crate) use elsewhere::Processors;

#[cfg(not(target_os = "linux"))]
mod elsewhere {
    use std::io;

    /// There are none: this system does not confine programs.
    #[derive(Debug)]
    pub(crate) enum Processors {}

    impl Processors {
        pub(crate) fn choose(_: u32) -> io::Result<Self> {
            Err(io::ErrorKind::Unsupported.into())
        }

        pub(crate) fn confine<T>(&self, _: impl FnOnce() -> io::Result<T>) -> io::Result<T> {
            match *self {}
        }
    }
}
