//! The guards of programs, which end them when this process is killed.
//!
//! On Unix a [`Guard`] is a shell that waits for the end of a stream from this process and then kills the program and
//! all processes with its mark. It is started before the program. The system's parent-death signal would need unsafe
//! code, is tied to a thread, and reaches no grandchild.

#[cfg(unix)]
pub(crate) use unix::Guard;

#[cfg(unix)]
mod unix {
    use std::{
        env, io,
        io::Write as _,
        os::{fd::OwnedFd, unix::net::UnixStream},
        process::Stdio,
    };

    use tokio::process::Command;

    use crate::mark::Mark;

    /// The script of the shell, which receives the process group and the patterns of the mark. It searches until it
    /// has found nothing for 3 s: a program that is just starting has no mark yet, and a process that starts the next
    /// one and ends may be missed by a single look.
    const SCRIPT: &str = r#"
        trap '' HUP INT TERM
        group=
        while read -r word rest; do
            case $word in
                ended) exit ;;
                group) group=$rest ;;
                variable) variable=$rest ;;
                limit) limit=$rest ;;
            esac
        done
        [ "$variable" ] || exit
        [ "$group" ] && kill -s KILL -- "-$group"
        looks=0 clean=0
        while [ $clean -lt 30 ] && [ $looks -lt 1000 ]; do
            looks=$((looks + 1)) clean=$((clean + 1))
            found=$(grep -l "$variable" /proc/[0-9]*/environ; grep -l "$limit" /proc/[0-9]*/limits)
            for found in $found; do
                process=${found%/*}
                kill -s KILL "${process#/proc/}" && clean=0
            done
            [ $clean -eq 0 ] || sleep 0.1 || sleep 1
        done
    "#;

    /// A process that kills a program if this process dies, or drops the guard, before it is
    /// [dismissed](Guard::dismiss).
    #[derive(Debug)]
    pub(crate) struct Guard(UnixStream);

    impl Guard {
        /// Starts the guard of a program.
        ///
        /// # Errors
        ///
        /// When the system refuses to.
        pub(crate) fn start() -> io::Result<Self> {
            // Programs can write to a pipe of another process, but not to a socket.
            let (here, there) = UnixStream::pair()?;
            Command::new("/bin/sh")
                .args(["-c", SCRIPT, "program-guard"])
                // Programs can read the environment of the guard, which has no use for secrets.
                .env_clear()
                .envs(env::var_os("PATH").map(|path| ("PATH", path)))
                .current_dir("/")
                .process_group(0)
                .stdin(Stdio::from(OwnedFd::from(there)))
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn()?;
            Ok(Self(here))
        }

        /// Tells the guard the mark of the program that is about to start.
        pub(crate) fn expect(&mut self, mark: Mark) {
            let [variable, limit] = mark.words();
            self.say(&format!("limit {limit}\nvariable {variable}"));
        }

        /// Tells the guard the program's process group.
        pub(crate) fn watch(&mut self, group: u32) {
            self.say(&format!("group {group}"));
        }

        /// Ends the guard: nothing is left of the program.
        pub(crate) fn dismiss(mut self) {
            self.say("ended");
        }

        fn say(&mut self, word: &str) {
            // The guard may have been killed.
            let _ = writeln!(self.0, "{word}");
        }
    }
}

#[cfg(not(unix))]
pub(crate) use elsewhere::Guard;

#[cfg(not(unix))]
mod elsewhere {
    use std::io;

    use crate::mark::Mark;

    /// Nothing: the program's job object ends with this process.
    #[derive(Debug)]
    pub(crate) struct Guard;

    impl Guard {
        pub(crate) fn start() -> io::Result<Self> {
            Ok(Self)
        }

        pub(crate) fn expect(&mut self, _mark: Mark) {}

        pub(crate) fn watch(&mut self, _group: u32) {}

        pub(crate) fn dismiss(self) {}
    }
}
