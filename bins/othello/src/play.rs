//! `othello play`: a person plays in the terminal.

mod analysis;
mod commands;
mod history;
mod local;
mod lth;
pub(crate) mod person;
mod remote;
mod save;

use std::process::ExitCode;

use anyhow::ensure;
use boardgame_cli::LimitOptions;
use clap::ValueEnum;
use othello_cli::{Options, start_log};
use othello_core::{Board, ByColor, Color};
use othello_engine::Settings;
use othello_host::{CommandLine, ProgramOptions};

use self::commands::Commands;
use crate::{board::board, host::gui::FormName, store::StoreOptions};

/// The format that a program speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// The Sloan (IAGO) referee
    Sloan,
    /// The LTH course server
    Lth,
    /// Code Warriors
    Codewarriors,
    /// The Othello GUI
    Gui,
    /// The Go Text Protocol, on an 8x8 board
    Gtp,
    /// The NBoard protocol
    Nboard,
}

/// Plays in the terminal against our engine or a program.
///
/// On your turn type a square such as f5, or move the cursor to it with the arrow keys and press Enter. You can also
/// type help, undo, hint, quit, analyze (shows the values of the moves so far) and save FILE (writes the game; the
/// extension names the format: .sgf, .ggf, .pgn, .txt, .obf, .gam or .json). After the game you can still analyze and
/// save.
///
/// Your moves have no time limit; the program has its own. After quit, or at the end of input, it has 5 s left for its
/// move.
#[derive(clap::Args)]
#[command(mut_arg("threads", |threads| threads.default_value("auto")), after_help = "Examples:
  othello play --color white --level 5
  othello play 'python3 bot.py' --format codewarriors
  othello play './client {host} {port}' --format lth
  othello play 'edax -gtp -l 5' --format gtp --memory 512M")]
pub(crate) struct Args {
    /// The program to play against, with its arguments [default: our engine]
    #[arg(value_name = "PROGRAM", requires = "format")]
    program: Option<CommandLine>,
    /// The wire format that the program speaks
    #[arg(long, value_enum, requires = "program")]
    format: Option<Format>,
    /// The form of the GUI's protocol
    #[arg(long, value_enum, default_value_t = FormName::Released)]
    form: FormName,
    /// Your colour
    #[arg(long, default_value_t = Color::Black)]
    color: Color,
    /// The board to begin on, but not in the formats of Sloan, LTH and Code Warriors
    #[arg(long, value_parser = board, default_value_t = Board::START, hide_default_value = true, allow_hyphen_values = true)]
    board: Board,
    #[command(flatten)]
    engine: Options,
    #[command(flatten)]
    store: StoreOptions,
    #[command(flatten)]
    limits: LimitOptions,
}

impl Args {
    /// Returns the options of the program.
    fn program_options(&self) -> anyhow::Result<ProgramOptions> {
        ensure!(
            !self.limits.no_network || self.format != Some(Format::Lth),
            "expected a format that needs no network for --no-network, found lth"
        );
        Ok(ProgramOptions {
            limits: self.limits.limits()?,
            ..ProgramOptions::default()
        })
    }

    /// Returns the commands for a person, with the name of the opponent.
    fn commands(&self, opponent: &str) -> Commands {
        let name = |color| {
            if color == self.color {
                "Person".into()
            } else {
                opponent.into()
            }
        };
        Commands {
            names: ByColor {
                black: name(Color::Black),
                white: name(Color::White),
            },
            settings: Settings::from(&self.engine),
            store: self.store.clone(),
        }
    }
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    start_log(args.engine.log.as_deref(), "othello-play")?;
    if let (Some(program), Some(format)) = (&args.program, args.format) {
        return remote::play(args, program, format);
    }
    ensure!(
        args.limits == LimitOptions::default(),
        "expected a program for the limits of programs, found none"
    );
    local::play(args)
}
