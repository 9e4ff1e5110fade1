//! `go-train strength`: ratings of numbers of playouts from a match between them.

use std::io;

use boardgame_cli::matches::{Numbers, Scale, StrengthOptions};
use go_match::Go;

const EXAMPLES: &str = "\
Example:
  go-game match -e 100='gtp:go-gtp --playouts 100 --seed {seed}' \\
    -e 200='gtp:go-gtp --playouts 200 --seed {seed}' \\
    -e 400='gtp:go-gtp --playouts 400 --seed {seed}' \\
    --size 9 --form double-round-robin --rounds 50 --log playouts.jsonl
  go-train strength playouts.jsonl --plot playouts.svg";

/// Rates the numbers of playouts that played a match.
///
/// The engines' names in the match, which `go-game match` played, must be their numbers of playouts. The mean of the
/// ratings is 0; all intervals are 95 %.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(flatten)]
    options: StrengthOptions,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let playouts = Numbers {
        name: "playouts",
        scale: Scale::Log2,
    };
    Ok(args.options.run::<Go>(playouts, &mut io::stdout().lock())?)
}
