//! Programs within bubblewrap (`bwrap`): in a space of processes of their own, whose first process takes all others
//! along when it is killed; without network, or with a file system that they cannot change.

use std::{
    env,
    ffi::OsString,
    io,
    path::{Path, PathBuf},
    process::{Command, ExitStatus, Stdio},
};

use crate::{CommandLine, ProgramLimits};

/// The program that makes the sandbox.
pub(crate) const BWRAP: &str = "bwrap";

/// The size of each folder that a program may write to, in bytes: they are in memory.
const ROOM: &str = "67108864";

/// The folder for temporary files.
const TMP: &str = "/tmp";

/// Checks that the sandbox of these limits works here; says why not.
pub(crate) fn check(limits: &ProgramLimits) -> Result<(), String> {
    if !limits.is_sandboxed() {
        return Ok(());
    }
    let mut command = Command::new(BWRAP);
    command.args(arguments(limits, &[])).args(["--", "true"]);
    let output = command.stdin(Stdio::null()).output();
    match output {
        Ok(output) if output.status.success() => Ok(()),
        Ok(output) => Err(format!(
            "bubblewrap does not work ({})",
            crate::printable(String::from_utf8_lossy(&output.stderr).trim())
        )),
        Err(error) => Err(format!(
            "expected {BWRAP} of the package bubblewrap ({error})"
        )),
    }
}

/// Returns the arguments of bubblewrap before a program and its arguments.
///
/// # Errors
///
/// When there is no such program: bubblewrap would start and only then fail.
pub(crate) fn around(line: &CommandLine, limits: &ProgramLimits) -> io::Result<Vec<OsString>> {
    let here = env::current_dir()?;
    let folder = here.join(line.directory().unwrap_or(Path::new("")));
    let program = find(line.program(), &folder)?;
    // A program and its files may be in the folder that it gets a new one for.
    let files = line.arguments().iter().map(|word| folder.join(word));
    let mut shown: Vec<PathBuf> = files.filter(|path| path.exists()).collect();
    shown.extend([program, folder]);
    shown.retain(|path| path.starts_with(TMP) && path != Path::new(TMP));
    let mut arguments = arguments(limits, &shown);
    arguments.push("--".into());
    Ok(arguments)
}

/// Returns the arguments of bubblewrap, given the paths in [`TMP`] that the program can read.
fn arguments(limits: &ProgramLimits, shown: &[PathBuf]) -> Vec<OsString> {
    let mut arguments: Vec<OsString> = Vec::new();
    let mut say = |words: &[&str]| arguments.extend(words.iter().map(OsString::from));
    say(&["--unshare-pid", "--unshare-ipc", "--cap-drop", "ALL"]);
    if limits.no_network {
        say(&["--unshare-net"]);
    }
    if limits.read_only {
        say(&["--ro-bind", "/", "/", "--dev", "/dev"]);
        say(&[
            "--size",
            ROOM,
            "--tmpfs",
            "/dev/shm",
            "--remount-ro",
            "/dev",
        ]);
        say(&["--size", ROOM, "--tmpfs", TMP]);
        for path in shown {
            let path = path.as_os_str();
            arguments.extend(["--ro-bind".into(), path.to_owned(), path.to_owned()]);
        }
    } else {
        say(&["--dev-bind", "/", "/"]);
    }
    if limits.no_network || limits.read_only {
        // Sockets of services that start programs, such as systemd and Docker.
        arguments.extend(["--tmpfs".into(), "/run".into()]);
    }
    arguments.extend(["--proc".into(), "/proc".into()]);
    arguments
}

/// Returns the status of a program from that of bubblewrap, which exits with 128 and the number of the signal that
/// ended the program. A program may exit so by itself, as shells do for their commands: that is taken for the signal
/// too.
pub(crate) fn status_within(status: ExitStatus) -> ExitStatus {
    #[cfg(unix)]
    {
        use std::os::unix::process::ExitStatusExt as _;
        let signal = status.code().map(|code| code - 128);
        if let Some(signal) = signal.filter(|it| (1..=64).contains(it)) {
            return ExitStatus::from_raw(signal);
        }
    }
    status
}

/// Looks up a program as the system does.
fn find(program: &str, folder: &Path) -> io::Result<PathBuf> {
    let path = Path::new(program);
    if path.components().count() > 1 || program.contains('/') {
        return is_program(folder.join(path));
    }
    let folders = env::var_os("PATH").unwrap_or_default();
    let mut missing = io::Error::from_raw_os_error(2);
    for place in env::split_paths(&folders) {
        match is_program(folder.join(place).join(path)) {
            Ok(program) => return Ok(program),
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied => missing = error,
            Err(_) => {}
        }
    }
    Err(missing)
}

/// Returns a path if it leads to a program.
fn is_program(path: PathBuf) -> io::Result<PathBuf> {
    let metadata = path.metadata()?;
    #[cfg(unix)]
    let is_executable =
        std::os::unix::fs::PermissionsExt::mode(&metadata.permissions()) & 0o111 != 0;
    #[cfg(not(unix))]
    let is_executable = true;
    (metadata.is_file() && is_executable)
        .then_some(path)
        .ok_or_else(|| io::Error::from_raw_os_error(13))
}
