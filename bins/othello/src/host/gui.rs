//! `othello host gui`: the GUI's side without a window.

use std::{process::ExitCode, time::Duration};

use boardgame_cli::{any_duration, duration};
use clap::ValueEnum;
use humantime::format_duration;
use othello_core::Board;
use othello_host::formats::{self, GuiOptions};
use othello_proto::gui::{Form, HostSeatOptions, Version};

use super::Contest;
use crate::board::board;

/// The form of the protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum FormName {
    /// As the released program does it: a process for each move, no version line
    Released,
    /// As version 1.0.0 of the document has it: a process for each move, no side to move
    V1,
    /// As version 2.0.0-rc1 of the document has it: a process for each move
    V2,
    /// One process for the game, boards as in version 1.0.0
    StayV1,
    /// One process for the game, boards as in version 2.0.0-rc1
    StayV2,
}

impl From<FormName> for Form {
    fn from(name: FormName) -> Self {
        match name {
            FormName::Released => Self::Released,
            FormName::V1 => Self::Document(Version::V1),
            FormName::V2 => Self::Document(Version::V2),
            FormName::StayV1 => Self::Stay(Version::V1),
            FormName::StayV2 => Self::Stay(Version::V2),
        }
    }
}

/// Plays two programs as the Othello GUI does: sends each a board and takes its move.
///
/// A program that does not start even once is an error, and no game is scored.
#[derive(clap::Args)]
#[command(after_help = "Example: othello host gui ./bot 'python3 bot.py' --form v2 --limit 1s")]
pub(crate) struct Args {
    #[command(flatten)]
    contest: Contest,
    /// The form of the protocol
    #[arg(long, value_enum, default_value_t = FormName::Released)]
    form: FormName,
    /// The limit for a move; in the released form the start of the program counts
    #[arg(long, value_name = "TIME", value_parser = duration, default_value = "3s")]
    limit: Duration,
    /// The time allowed beyond the limit for processes and pipes
    #[arg(long, value_name = "TIME", value_parser = any_duration, default_value = "0s")]
    grace: Duration,
    /// The board to begin on: 64 squares of X, O and -, a1 to h8, then the side to move; or a printed board
    #[arg(long, value_parser = board, default_value_t = Board::START, hide_default_value = true, allow_hyphen_values = true)]
    board: Board,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let seat = HostSeatOptions {
        form: args.form.into(),
        limit: args.limit,
        grace: args.grace,
        ..HostSeatOptions::default()
    };
    let options = GuiOptions {
        start: args.board,
        seat,
        ..GuiOptions::default()
    };
    let limit = format_duration(args.limit).to_string();
    let mode = match seat.form {
        Form::Released => "released",
        Form::Document(_) => "document",
        Form::Stay(_) => "stay",
    };
    let settings = ["--mode", mode, "--move-time", &limit];
    args.contest.play("gui", &settings, &formats::gui(options))
}
