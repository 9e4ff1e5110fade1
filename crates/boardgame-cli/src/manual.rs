//! The manual of a program: its version, pages for `man`, and completions for shells.

use std::{env, fs, io, path::Path, process};

use clap::Command;
use clap_complete::Shell;

use crate::{ExitCode, tell_error};

/// The first word of a command line that asks for manual pages and completions in the folder that follows; meant for
/// those who make packages.
const WRITE: &str = "--write-manual";

/// Returns the text of `--version`: the version, the commit of a released program, and `details`, which are asked for
/// only if the command line has that word.
pub fn long_version(version: &'static str, details: impl FnOnce() -> String) -> &'static str {
    if !env::args_os().any(|word| word == "--version") {
        return version;
    }
    let commit = option_env!("BUILD_COMMIT").unwrap_or("unknown");
    format!("{version}\ncommit: {commit}\n{}", details()).leak()
}

/// Writes the manual of a program and exits, if its command line asks for that.
pub(crate) fn write_if_asked(command: impl FnOnce() -> Command) {
    let words: Vec<_> = env::args_os().skip(1).take(3).collect();
    let [asked, folder] = &words[..] else { return };
    if asked != WRITE {
        return;
    }
    let command = command();
    let name = command.get_name().to_owned();
    let code = match write(command, Path::new(folder)) {
        Ok(()) => ExitCode::Success,
        Err(error) => {
            tell_error(&name, format_args!("{WRITE} {}: {error}", folder.display()));
            ExitCode::Usage
        }
    };
    process::exit(code.into())
}

/// Writes pages into `man/man1` of a folder, and completions into `completions`.
fn write(mut command: Command, folder: &Path) -> io::Result<()> {
    let pages = folder.join("man/man1");
    let completions = folder.join("completions");
    fs::create_dir_all(&pages)?;
    fs::create_dir_all(&completions)?;
    let name = command.get_name().to_owned();
    for shell in [Shell::Bash, Shell::Fish, Shell::Zsh, Shell::PowerShell] {
        clap_complete::generate_to(shell, &mut command, &name, &completions)?;
    }
    clap_mangen::generate_to(command, pages)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_has_a_page() {
        let folder = tempfile::tempdir().unwrap();
        let command = Command::new("tool").subcommand(Command::new("play"));
        write(command, folder.path()).unwrap();
        for file in ["man/man1/tool-play.1", "completions/tool.bash"] {
            assert!(folder.path().join(file).is_file(), "{file}");
        }
    }
}
