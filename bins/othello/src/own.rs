//! Our own players, started from this program.
//!
//! `cargo run --bin othello` builds no other binary, so the tool holds the players too, under a
//! hidden subcommand.

use std::{path::Path, process::ExitCode};

use anyhow::Context as _;
use clap::Subcommand;
use go_cli::usenix;
use othello_cli::{codewarriors, gtp, guibot as gui, lth, nboard, sloan};
use othello_host::CommandLine;

/// A player, started as by its own binary.
#[derive(Subcommand)]
pub(crate) enum Player {
    Codewarriors(codewarriors::Args),
    Gtp(gtp::Args),
    Gui(gui::Args),
    Lth(lth::Args),
    Nboard(nboard::Args),
    Sloan(sloan::Args),
    Usenix(usenix::Args),
}

/// Plays and exits like the player's own binary.
pub(crate) fn run(player: Player) -> anyhow::Result<ExitCode> {
    boardgame_io::survive_limits();
    let code = boardgame_io::with_stack(|| match player {
        Player::Codewarriors(args) => codewarriors::run(args),
        Player::Gtp(args) => gtp::run(args),
        Player::Gui(args) => gui::run(args),
        Player::Lth(args) => lth::run(args),
        Player::Nboard(args) => nboard::run(args),
        Player::Sloan(args) => sloan::run(args),
        Player::Usenix(args) => usenix::run(args),
    });
    // Immediate, since a thread may be reading standard input, which need not end.
    std::process::exit(code.into())
}

/// Returns the command line that starts our own player of a format.
pub(crate) fn player(format: &str, arguments: &[&str]) -> anyhow::Result<CommandLine> {
    let this = std::env::current_exe().context("this program's own path is not known")?;
    let this = this
        .to_str()
        .context("this program's own path is not UTF-8")?;
    let words = ["player", format]
        .into_iter()
        .chain(arguments.iter().copied());
    Ok(CommandLine::new(this, words))
}

/// Returns a short name of a program: its file, or our player's name.
pub(crate) fn short_name(line: &CommandLine) -> String {
    let name = name(line);
    let program = name.split(' ').next().unwrap_or_default();
    let file = Path::new(program)
        .file_name()
        .and_then(|file| file.to_str());
    file.unwrap_or(program).to_owned()
}

/// Returns the name of a program: that of our own player, or the command line.
pub(crate) fn name(line: &CommandLine) -> String {
    let words = line.arguments().iter().map(String::as_str);
    let words: Vec<&str> = match line.arguments() {
        [hidden, format, ..] if hidden == "player" && is_this(line.program()) => {
            return words
                .skip(2)
                .fold(binary(format), |name, word| name + " " + word);
        }
        _ => words.collect(),
    };
    words
        .iter()
        .fold(line.program().to_owned(), |name, word| name + " " + word)
}

fn is_this(program: &str) -> bool {
    std::env::current_exe().is_ok_and(|this| this.as_os_str() == program)
}

/// Returns the name of the binary of a format's player.
fn binary(format: &str) -> String {
    match format {
        "gui" => "othello-guibot".into(),
        "usenix" => "go-usenix".into(),
        _ => format!("othello-{format}"),
    }
}
