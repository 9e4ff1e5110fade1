//! Processes that escape the ordinary end of a program: those that left its process group, and all of
//! them when this process is killed.
//!
//! A program is started with a [`Mark`] in its environment, which whatever it starts inherits, and on Unix a
//! [`Guard`] watches over it: a shell that waits for the end of a pipe from this process and then kills the
//! program. It is started before the program. The system's own signal at a parent's death would need unsafe
//! code, is tied to a thread, and reaches no grandchild.

use std::hash::{BuildHasher as _, RandomState};

/// The environment variable that holds the mark.
pub(crate) const VARIABLE: &str = "BOARDGAME_PROGRAM";

/// A word by which a program and whatever it starts are told from all other processes.
///
/// They are found where the system shows the environment of processes, which Linux does.
#[derive(Clone, Debug)]
pub(crate) struct Mark(String);

impl Mark {
    /// A mark that no other program has.
    pub(crate) fn new() -> Self {
        // Its keys are drawn at random.
        let number = RandomState::new().hash_one(std::process::id());
        Self(format!("{number:016x}"))
    }

    /// The value of the [variable](VARIABLE).
    pub(crate) fn value(&self) -> &str {
        &self.0
    }

    /// Kills all processes that have it; returns whether there were any.
    #[cfg(target_os = "linux")]
    pub(crate) fn kill_all(&self) -> bool {
        use nix::sys::signal::{Signal, kill};

        /// A process may start another one while they are looked for.
        const MAX_PASSES: usize = 10;

        let mut any = false;
        for _ in 0..MAX_PASSES {
            let processes = self.processes();
            if processes.is_empty() {
                break;
            }
            any = true;
            for process in processes {
                // It is no error that a process has ended already.
                let _ = kill(process, Signal::SIGKILL);
            }
        }
        any
    }

    #[cfg(not(target_os = "linux"))]
    pub(crate) fn kill_all(&self) -> bool {
        false
    }

    /// The processes that have it; the dead have no environment.
    #[cfg(target_os = "linux")]
    fn processes(&self) -> Vec<nix::unistd::Pid> {
        let variable = format!("{VARIABLE}={}", self.0);
        let Ok(folders) = std::fs::read_dir("/proc") else {
            return Vec::new();
        };
        let marked = folders.flatten().filter_map(|folder| {
            let id = folder.file_name().to_str()?.parse().ok()?;
            // Those of other users cannot be read, and are none of ours.
            let environment = std::fs::read(folder.path().join("environ")).ok()?;
            let mut variables = environment.split(|&byte| byte == 0);
            variables
                .any(|found| found == variable.as_bytes())
                .then(|| nix::unistd::Pid::from_raw(id))
        });
        marked.collect()
    }
}

#[cfg(unix)]
pub(crate) use unix::Guard;

#[cfg(unix)]
mod unix {
    use std::{fs::File, io, io::Write as _, process::Stdio};

    use tokio::process::Command;

    use super::{Mark, VARIABLE};

    /// The script of the shell; `$1` is the variable with the mark. It searches several times, since a
    /// program that is just starting has no mark yet.
    const SCRIPT: &str = r#"
        trap '' HUP INT TERM
        group=
        while read -r word; do
            case $word in
                ended) exit ;;
                *) group=$word ;;
            esac
        done
        [ "$group" ] && kill -s KILL -- "-$group"
        for pause in 0 1 2; do
            sleep "$pause"
            for environment in $(grep -l "$1" /proc/[0-9]*/environ); do
                process=${environment%/environ}
                kill -s KILL "${process#/proc/}"
            done
        done
    "#;

    /// A process that kills a program if this process dies, or drops the guard, before it is
    /// [dismissed](Guard::dismiss).
    #[derive(Debug)]
    pub(crate) struct Guard(File);

    impl Guard {
        /// Starts the guard of the program that will have a mark.
        ///
        /// # Errors
        ///
        /// When the system refuses to.
        pub(crate) fn start(mark: &Mark) -> io::Result<Self> {
            let mut shell = Command::new("/bin/sh")
                .args(["-c", SCRIPT, "program-guard"])
                .arg(format!("{VARIABLE}={}", mark.value()))
                // A host that runs as a program of another host has that one's mark. The guard must not
                // inherit it, or it would be killed with this host, which it is to outlive.
                .env_remove(VARIABLE)
                .current_dir("/")
                .process_group(0)
                .stdin(Stdio::piped())
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn()?;
            let pipe = shell.stdin.take();
            let pipe = pipe.ok_or_else(|| io::Error::other("a pipe is missing"))?;
            Ok(Self(pipe.into_owned_fd()?.into()))
        }

        /// Tells the guard the program's process group.
        pub(crate) fn watch(&mut self, group: u32) {
            self.say(&group.to_string());
        }

        /// Ends the guard: nothing is left of the program.
        pub(crate) fn dismiss(mut self) {
            self.say("ended");
        }

        fn say(&mut self, word: &str) {
            // A guard that was killed cannot be told.
            let _ = writeln!(self.0, "{word}");
        }
    }
}

#[cfg(not(unix))]
pub(crate) use elsewhere::Guard;

#[cfg(not(unix))]
mod elsewhere {
    use std::io;

    use super::Mark;

    /// Nothing: the program's job object ends with this process.
    #[derive(Debug)]
    pub(crate) struct Guard;

    impl Guard {
        pub(crate) fn start(_mark: &Mark) -> io::Result<Self> {
            Ok(Self)
        }

        pub(crate) fn watch(&mut self, _group: u32) {}

        pub(crate) fn dismiss(self) {}
    }
}
