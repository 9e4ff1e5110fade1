//! `othello host sloan`: the Sloan (IAGO) referee.

use std::{process::ExitCode, time::Duration};

use boardgame_cli::duration;
use humantime::format_duration;
use othello_host::formats::{self, SloanOptions};
use othello_proto::sloan::{self, Dialect, RefereeOptions};

use super::Contest;

/// Referees a game between two programs that speak S-expressions, 30 minutes each.
///
/// Comments of one program are kept from the other unless they are to be passed on; every claim of
/// the game's end is verified against the referee's own board. A program that does not start is an
/// error, and no game is scored.
#[derive(clap::Args)]
#[command(
    after_help = "Example: othello host sloan ./iago 'sbcl --script bill.lisp' --time 5m --games 2"
)]
pub(crate) struct Args {
    #[command(flatten)]
    contest: Contest,
    /// Each side's time for a game
    #[arg(long, value_name = "TIME", value_parser = duration, default_value = "30m")]
    time: Duration,
    /// The time for both programs to get ready
    #[arg(long, value_name = "TIME", value_parser = duration, default_value = "1m")]
    ready: Duration,
    /// Pass the programs' comments on to each other
    #[arg(long)]
    pass_comments: bool,
    /// When Black is sent (W), which asks it for the first move
    #[arg(long, value_name = "WHEN", value_enum, default_value_t = OpeningPass::Auto)]
    opening_pass: OpeningPass,
    /// Send (play) before the colours, as Lisp programs may need
    #[arg(long)]
    send_play: bool,
    /// Speak the dialect without parentheses first. Otherwise a program that writes it is started again in it, and
    /// one that says nothing is sent its colour in both after half of --ready
    #[arg(long)]
    no_parentheses: bool,
}

/// When Black is sent the opening pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum OpeningPass {
    /// Once both are ready, unless Black moves within a quarter of a second; if Black takes it for a
    /// pass by White, the game begins again without it
    Auto,
    /// Once both are ready
    Always,
    /// Never
    Never,
}

impl From<OpeningPass> for sloan::OpeningPass {
    fn from(pass: OpeningPass) -> Self {
        match pass {
            OpeningPass::Auto => Self::Auto,
            OpeningPass::Always => Self::Always,
            OpeningPass::Never => Self::Never,
        }
    }
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let seat = RefereeOptions {
        opening_pass: args.opening_pass.into(),
        send_play: args.send_play,
        dialect: if args.no_parentheses {
            Dialect::Lines
        } else {
            Dialect::Expressions
        },
        ready_time: args.ready,
        ..RefereeOptions::default()
    };
    let options = SloanOptions {
        game_time: Some(args.time),
        relays_comments: args.pass_comments,
        seat,
        ..SloanOptions::default()
    };
    let time = format_duration(args.time).to_string();
    let game = formats::sloan(options);
    args.contest.play("sloan", &["--game-time", &time], &game)
}
