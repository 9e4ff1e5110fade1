//! `othello book build`: grows a book by searches.

use std::{
    io::{self, Write as _},
    path::PathBuf,
    process::ExitCode,
};

use anyhow::ensure;
use boardgame_cli::{Division, ShardOptions};
use boardgame_files::shards::ShardError;
use othello_analysis::{
    Discs,
    book::{Book, Growth, Leaf, Question, Round, search_leaf},
};
use othello_engine::{StopHandle, text::discs};
use serde_json::json;

use super::search::{SearchOptions, in_words};
use crate::{
    shards::{DividedWork, fill},
    solve::one_thread_in_shards,
};

/// The exit status of a merge after which another round is left.
const UNFINISHED: u8 = 3;

/// Builds a book by searches, or goes on with one.
///
/// The position added next is the one after the move that loses least and lies nearest to the start. Ctrl-C ends the
/// work; what was found is in the file, and the same command goes on. The same options make the same book, on any
/// number of threads and however often the work was interrupted.
///
/// With --shard a process does its share of the searches of one round, a 64th of the book, and leaves the book as it
/// is. With --merge the book grows by the round; the exit status is 3 if another one is left.
#[derive(clap::Args)]
#[command(
    mut_arg("threads", one_thread_in_shards),
    after_help = "\
Examples:
  othello book build othello.book --positions 1000 --depth 12
  By two processes, each round after the other:
    status=3
    while [ $status = 3 ]; do
      othello book build othello.book --parts parts --shard 0/2 &
      othello book build othello.book --parts parts --shard 1/2; status=$?
      wait $! || status=$?
      [ $status = 0 ] || break
      othello book build othello.book --parts parts --merge; status=$?
    done
    exit $status"
)]
pub(crate) struct Args {
    /// The file of the book
    book: PathBuf,
    /// Stop at this number of positions
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..=100_000_000))]
    positions: u32,
    #[command(flatten)]
    limits: Limits,
    #[command(flatten)]
    search: SearchOptions,
    #[command(flatten)]
    shards: ShardOptions,
}

/// The limits of the lines of a book.
#[derive(clap::Args)]
pub(super) struct Limits {
    /// The most that a move of a line may lose
    #[arg(long, value_name = "DISCS", default_value = "4", value_parser = discs)]
    max_loss: u16,
    /// The most that all moves of a line may lose together
    #[arg(long, value_name = "DISCS", default_value = "8", value_parser = discs)]
    max_path_loss: u16,
    /// The loss that weighs as much as a ply: with less, lines of good moves are longer and other lines shorter
    #[arg(long, value_name = "DISCS", default_value = "0.5", value_parser = discs)]
    loss_per_ply: u16,
}

impl Limits {
    /// Returns the growth to a number of positions within these limits.
    pub(super) fn growth(&self, positions: usize) -> Growth {
        let discs = |hundredths: u16| Discs::from_hundredths(hundredths.into());
        Growth {
            positions,
            loss: discs(self.max_loss),
            path: discs(self.max_path_loss),
            ply: discs(self.loss_per_ply),
        }
    }
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let growth = args.limits.growth(args.positions as usize);
    let book = args.search.open_or_create(&args.book)?;
    if let Some(division) = args.shards.division() {
        return divided(args, division, book, &growth);
    }
    args.search
        .work(book, &args.book, |book| book.round(&growth))
}

/// Searches a shard of the next round, or grows the book by the round.
fn divided(
    args: &Args,
    division: Division<'_>,
    mut book: Book,
    growth: &Growth,
) -> anyhow::Result<ExitCode> {
    let before = book.len();
    let mut round = searched_round(&mut book, growth);
    let is_merge = matches!(division, Division::Merge(_));
    if !round.is_empty() {
        let leaves = searched(args, division, &book, &round.questions)?;
        if !is_merge {
            return Ok(ExitCode::SUCCESS);
        }
        let positions = round.questions.iter().map(|question| question.position);
        book.grow(round.known.into_iter().chain(positions.zip(leaves)));
        round = searched_round(&mut book, growth);
    }
    if is_merge {
        boardgame_files::replace(&args.book, &book.to_bytes())?;
    }
    let (name, told) = (args.book.display(), in_words(&book, before));
    let end = if round.is_empty() {
        "complete"
    } else {
        "another round is left"
    };
    writeln!(io::stdout(), "{name}: {told}; {end}")?;
    Ok(if round.is_empty() {
        ExitCode::SUCCESS
    } else {
        ExitCode::from(UNFINISHED)
    })
}

/// Searches a shard of the answers to questions about a book, or returns those of all shards.
fn searched(
    args: &Args,
    division: Division<'_>,
    book: &Book,
    questions: &[Question],
) -> anyhow::Result<Vec<Option<Leaf>>> {
    // The parts of each round have a folder of their own.
    let round = format!("{:08x}", crc32fast::hash(&book.to_bytes()));
    let (Division::Shard(_, parts) | Division::Merge(parts)) = division;
    let folder = parts.join(&round);
    let division = match division {
        Division::Shard(shard, _) => Division::Shard(shard, &folder),
        Division::Merge(_) => {
            ensure!(folder.exists(), ShardError::EmptyFolder { folder });
            Division::Merge(&folder)
        }
    };
    let count = questions.len() as u64;
    let (settings, engine) = (args.search.settings(), &args.search.engine);
    let work = DividedWork {
        options: &args.shards,
        division,
        command: "build",
        items: "searches",
        count,
        settings: json!({
            "book": round,
            "positions": args.positions,
            "max_loss": args.limits.max_loss,
            "max_path_loss": args.limits.max_path_loss,
            "loss_per_ply": args.limits.loss_per_ply,
            "depth": settings.depth,
            "hash": engine.hash.to_string(),
        }),
        weights: engine.evaluation.weights.as_ref(),
    };
    let stop = StopHandle::new();
    let mut leaves = Vec::new();
    work.run(
        |_, shard, part| {
            fill(&engine.settings(), count, shard, part, |searcher, item| {
                search_leaf(searcher, &stop, settings, &questions[item as usize])
            })
        },
        |leaf| {
            leaves.push(leaf);
            Ok(())
        },
    )?;
    Ok(leaves)
}

/// Grows a book by the rounds that need no search, and returns the next one that does, or an empty one.
fn searched_round(book: &mut Book, growth: &Growth) -> Round {
    loop {
        let round = book.round(growth);
        if round.is_empty() || !round.questions.is_empty() {
            return round;
        }
        book.grow(round.known);
    }
}
