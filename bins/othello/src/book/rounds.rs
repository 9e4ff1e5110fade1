//! The rounds of the work on a book, by one process or divided into shards.

use std::{
    io::{self, Write as _},
    path::Path,
    process::ExitCode,
};

use anyhow::ensure;
use boardgame_cli::{Division, ShardOptions};
use boardgame_files::shards::ShardError;
use othello_analysis::book::{Book, Leaf, Question, Round, search_leaf};
use othello_engine::StopHandle;
use serde_json::json;

use super::search::{SearchOptions, in_words};
use crate::shards::{DividedWork, fill};

/// The exit status of a merge after which another round is left.
const UNFINISHED: u8 = 3;

/// Options of work in rounds.
#[derive(clap::Args)]
pub(super) struct RoundOptions {
    #[command(flatten)]
    pub(super) search: SearchOptions,
    #[command(flatten)]
    shards: ShardOptions,
}

impl RoundOptions {
    /// Returns `true` if the work is divided into shards.
    pub(super) fn is_divided(&self) -> bool {
        self.shards.division().is_some()
    }

    /// Works on a book in rounds of a command until one is empty, or does a shard of the searches of one round, or
    /// grows the book by the round that shards have searched.
    pub(super) fn work(
        &self,
        command: &'static str,
        book: Book,
        file: &Path,
        round: impl Fn(&Book) -> Round,
    ) -> anyhow::Result<ExitCode> {
        match self.shards.division() {
            Some(division) => self.divided(command, division, book, file, round),
            None => self.search.work(book, file, round),
        }
    }

    fn divided(
        &self,
        command: &'static str,
        division: Division<'_>,
        mut book: Book,
        file: &Path,
        round: impl Fn(&Book) -> Round,
    ) -> anyhow::Result<ExitCode> {
        let before = book.len();
        let mut next = searched_round(&mut book, &round);
        let is_merge = matches!(division, Division::Merge(_));
        if !next.is_empty() {
            let leaves = self.searched(command, division, &book, &next.questions)?;
            if !is_merge {
                return Ok(ExitCode::SUCCESS);
            }
            let positions = next.questions.iter().map(|question| question.position);
            book.grow(next.known.into_iter().chain(positions.zip(leaves)));
            next = searched_round(&mut book, &round);
        }
        if is_merge {
            boardgame_files::replace(file, &book.to_bytes())?;
        }
        let (name, told) = (file.display(), in_words(&book, before));
        let end = if next.is_empty() {
            "complete"
        } else {
            "another round is left"
        };
        writeln!(io::stdout(), "{name}: {told}; {end}")?;
        Ok(if next.is_empty() {
            ExitCode::SUCCESS
        } else {
            ExitCode::from(UNFINISHED)
        })
    }

    /// Searches a shard of the answers to questions about a book, or returns those of all shards.
    fn searched(
        &self,
        command: &'static str,
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
        let (settings, engine) = (self.search.settings(), &self.search.engine);
        let work = DividedWork {
            options: &self.shards,
            division,
            command,
            items: "searches",
            count,
            settings: json!({
                "book": round,
                "questions": format!("{:08x}", checksum(questions)),
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
}

/// Returns the CRC-32 of questions, which are decided by the options and files of a command.
fn checksum(questions: &[Question]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    for Question { position, moves } in questions {
        for bits in [position.own(), position.opponent(), *moves] {
            hasher.update(&bits.0.to_le_bytes());
        }
    }
    hasher.finalize()
}

/// Grows a book by the rounds that need no search, and returns the next one that does, or an empty one.
fn searched_round(book: &mut Book, round: impl Fn(&Book) -> Round) -> Round {
    loop {
        let next = round(book);
        if next.is_empty() || !next.questions.is_empty() {
            return next;
        }
        book.grow(next.known);
    }
}
