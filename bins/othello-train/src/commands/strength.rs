//! `othello-train strength`: ratings of generations from a match between them.

use std::io;

use boardgame_cli::matches::{Numbers, Scale, StrengthOptions};
use othello_match::record::Othello;

const EXAMPLES: &str = "\
Example:
  Three generations, each with its own weights, with equal numbers of nodes:
    othello match -e 0=own:weights=0.weights -e 1=own:weights=1.weights \\
      -e 2=own:weights=2.weights -l nodes:10000 --form double-round-robin --rounds 100 \\
      --log generations.jsonl
    othello-train strength generations.jsonl --from 1 --plot generations.svg";

/// Rates the generations that played a match.
///
/// The engines' names in the match, which `othello match` played, must be the numbers of the generations. The mean of
/// the ratings is 0; all intervals are 95 %.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(flatten)]
    options: StrengthOptions,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let generations = Numbers {
        name: "generation",
        scale: Scale::Linear,
    };
    Ok(args
        .options
        .run::<Othello>(generations, &mut io::stdout().lock())?)
}
