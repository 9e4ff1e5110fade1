//! The guard of this process's programs, which ends them when this process is killed.
//!
//! On Unix the guard is a shell that waits for the end of a stream from this process and then kills the programs and
//! all processes with their marks. It is started before the first program, and serves all: after its start each of many
//! guards would read what the system tells of every process. The system's parent-death signal would need unsafe code,
//! is tied to a thread, and reaches no grandchild.

#[cfg(unix)]
pub(crate) use unix::Guard;

#[cfg(unix)]
mod unix {
    use std::{
        collections::BTreeMap,
        env, io,
        io::Write as _,
        mem,
        os::{fd::OwnedFd, unix::net::UnixStream, unix::process::CommandExt as _},
        process::{Child, Command, Stdio},
        sync::{Mutex, MutexGuard, PoisonError},
    };

    use crate::mark::Mark;

    /// The script of the shell, which receives a line `guard MARK:LIMIT:GROUP:.` for each program, again once its group
    /// is known, and `ended MARK:.`, or `left MARK:.` if it is to be killed; it skips any other line. The search goes
    /// on until it has found nothing for 3 s: a program that is just starting has no mark yet, and a process that
    /// starts the next one and ends may be missed by a single look.
    const SCRIPT: &str = r#"
        trap '' HUP INT TERM
        end() {
            patterns=
            for program; do
                limit=${program#*:} limit=${limit%:*} group=${program##*:}
                [ "$group" ] && kill -s KILL -- "-$group"
                patterns="$patterns
BOARDGAME_PROGRAM=${program%%:*}${limit:+
^Max file locks  *$limit  *$limit }"
            done
            [ "$patterns" ] || exit
            looks=0 clean=0
            while [ $clean -lt 30 ] && [ $looks -lt 1000 ]; do
                looks=$((looks + 1)) clean=$((clean + 1))
                found=$(grep -l "${patterns#?}" /proc/[0-9]*/environ /proc/[0-9]*/limits)
                for found in $found; do
                    process=${found%/*}
                    kill -s KILL "${process#/proc/}" && clean=0
                done
                [ $clean -eq 0 ] || sleep 0.1 || sleep 1
            done
        }
        programs=
        while read -r word program; do
            case $program in *:.) program=${program%:.} ;; *) continue ;; esac
            others= own=
            for other in $programs; do
                case $other in
                    "${program%%:*}":*) own=$other ;;
                    *) others="$others $other" ;;
                esac
            done
            programs=$others
            case $word in
                guard) programs="$others $program" ;;
                left) end $own < /dev/null & ;;
            esac
        done
        end $programs
    "#;

    /// The shell and the stream to it.
    #[derive(Debug)]
    struct Shell {
        child: Child,
        stream: UnixStream,
    }

    impl Drop for Shell {
        /// Kills it before the stream ends, so that it kills no program.
        fn drop(&mut self) {
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
    }

    /// The guard and its programs.
    #[derive(Debug)]
    struct Guarded {
        shell: Option<Shell>,
        /// The limit and the group of each program by its mark, as the guard reads them.
        programs: BTreeMap<String, String>,
    }

    static GUARDED: Mutex<Guarded> = Mutex::new(Guarded {
        shell: None,
        programs: BTreeMap::new(),
    });

    /// The guarding of a program, which is killed when this process dies, or drops this, before this is
    /// [dismissed](Guard::dismiss).
    #[derive(Debug)]
    pub(crate) struct Guard(Mark);

    impl Guard {
        /// Starts the guard of all programs, unless it runs.
        ///
        /// # Errors
        ///
        /// When the system refuses to.
        pub(crate) fn start() -> io::Result<()> {
            guarded().start()
        }

        /// Tells the guard the mark of the program that is about to start.
        pub(crate) fn of(mark: Mark) -> Self {
            guarded().set(mark, "");
            Self(mark)
        }

        /// Tells the guard the program's process group.
        pub(crate) fn watch(&self, group: u32) {
            guarded().set(self.0, &group.to_string());
        }

        /// Tells the guard that nothing is left of the program.
        pub(crate) fn dismiss(self) {
            guarded().remove(self.0, "ended");
            mem::forget(self);
        }
    }

    impl Drop for Guard {
        fn drop(&mut self) {
            guarded().remove(self.0, "left");
        }
    }

    fn guarded() -> MutexGuard<'static, Guarded> {
        GUARDED.lock().unwrap_or_else(PoisonError::into_inner)
    }

    impl Guarded {
        fn start(&mut self) -> io::Result<()> {
            // A program may have killed it.
            if self.tell("") {
                return Ok(());
            }
            self.shell = Some(start()?);
            for (mark, rest) in self.programs.clone() {
                self.tell(&format!("guard {mark}:{rest}:."));
            }
            Ok(())
        }

        fn set(&mut self, mark: Mark, group: &str) {
            let limit = mark.limit().map(|limit| limit.to_string());
            let rest = format!("{}:{group}", limit.unwrap_or_default());
            self.say(&format!("guard {}:{rest}:.", mark.value()));
            self.programs.insert(mark.value(), rest);
        }

        fn remove(&mut self, mark: Mark, word: &str) {
            // A new guard learns of the program first.
            self.say(&format!("{word} {}:.", mark.value()));
            self.programs.remove(&mark.value());
        }

        /// Tells the guard a line, or another one in its place if it does not take it.
        fn say(&mut self, line: &str) {
            if self.shell.is_some() && !self.tell(line) && self.start().is_ok() {
                self.tell(line);
            }
        }

        /// Returns whether the guard takes the whole line. One that was killed or stopped does not.
        fn tell(&mut self, line: &str) -> bool {
            let line = format!("{line}\n");
            let told = self
                .shell
                .as_mut()
                .map(|shell| shell.stream.write(line.as_bytes()));
            let is_told = matches!(told, Some(Ok(count)) if count == line.len());
            if !is_told {
                // It may have a part of the line.
                self.shell = None;
            }
            is_told
        }
    }

    /// Starts the guard with a stream that never waits.
    fn start() -> io::Result<Shell> {
        // Programs can write to a pipe of another process, but not to a socket.
        let (here, there) = UnixStream::pair()?;
        here.set_nonblocking(true)?;
        let child = Command::new("/bin/sh")
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
        Ok(Shell {
            child,
            stream: here,
        })
    }

    #[cfg(test)]
    mod tests {
        use nix::{
            sys::signal::{Signal, kill},
            unistd::Pid,
        };

        use super::*;

        #[test]
        fn a_guard_that_stops_reading_is_replaced_and_kills_nothing() {
            let mut sleep = Command::new("sleep");
            let mut program = sleep.arg("600").process_group(0).spawn().unwrap();
            let rest = format!(":{}", program.id());
            let mut guarded = Guarded {
                shell: None,
                programs: BTreeMap::from([("0123456789abcdef".into(), rest)]),
            };
            guarded.start().unwrap();
            let id = |guarded: &Guarded| guarded.shell.as_ref().map(|shell| shell.child.id());
            let first = id(&guarded).unwrap();
            let first_id = Pid::from_raw(first.cast_signed());
            kill(first_id, Signal::SIGSTOP).unwrap();
            while id(&guarded) == Some(first) {
                guarded.say(&"x".repeat(1000));
            }
            assert!(guarded.shell.is_some());
            assert!(kill(first_id, None).is_err());
            assert!(program.try_wait().unwrap().is_none());
            // The new one knows the program.
            guarded.say("left 0123456789abcdef:.");
            program.wait().unwrap();
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
        pub(crate) fn start() -> io::Result<()> {
            Ok(())
        }

        pub(crate) fn of(_mark: Mark) -> Self {
            Self
        }

        pub(crate) fn watch(&self, _group: u32) {}

        pub(crate) fn dismiss(self) {}
    }
}
