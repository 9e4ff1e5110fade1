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
        /// Chooses some of the processors that this process may use: others for each turn, as far as there are enough.
        ///
        /// # Errors
        ///
        /// When the system does not tell the processors.
        pub(crate) fn choose(count: u32, turn: usize) -> io::Result<Self> {
            let available = sched_getaffinity(None)?;
            let all = (0..CpuSet::MAX_CPU).filter(|&cpu| available.is_set(cpu));
            let all: Vec<usize> = all.collect();
            let count = all.len().min(count as usize);
            let mut set = CpuSet::new();
            let from = (turn % all.len().max(1)) * count;
            let some = all.iter().cycle().skip(from).take(count);
            some.for_each(|&cpu| set.set(cpu));
            Ok(Self(set))
        }

        #[cfg(test)]
        pub(crate) const fn set(&self) -> CpuSet {
            self.0
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
                (0..CpuSet::MAX_CPU).all(|cpu| !found.is_set(cpu) || self.0.is_set(cpu))
            })
        }
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
        pub(crate) fn choose(_: u32, _: usize) -> io::Result<Self> {
            Err(io::ErrorKind::Unsupported.into())
        }

        pub(crate) fn confine<T>(&self, _: impl FnOnce() -> io::Result<T>) -> io::Result<T> {
            match *self {}
        }
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use rustix::thread::sched_getaffinity;

    use super::Processors;

    #[test]
    fn turns_go_round_the_processors() {
        let available = sched_getaffinity(None).unwrap().count();
        let sets =
            [0, 1, available as usize].map(|turn| Processors::choose(1, turn).unwrap().set());
        assert_eq!(sets[0].count(), 1);
        assert!(sets[0] == sets[2] && (available == 1) == (sets[0] == sets[1]));
        assert_eq!(
            Processors::choose(u32::MAX, 1).unwrap().set().count(),
            available
        );
    }
}
