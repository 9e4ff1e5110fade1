//! Proofs of exact scores of a game's positions.

use std::{
    collections::{HashMap, HashSet},
    fs::{self, File},
    io,
    path::{Path, PathBuf},
};

use anyhow::Context as _;
use othello_analysis::{Analysis, Discs, Report, Source};
use othello_check::{Claim, check_within, read_claim};
use othello_core::{Board, Position};

use crate::{
    check::error_in_words,
    output::{progress_bar, tell},
    records::files_of,
};

/// The extension of proofs in a folder.
const EXTENSION: &str = "proof";

/// Accepted proofs, by the [canonical](Position::canonical) position whose score they prove.
#[derive(Debug, Default)]
pub(super) struct Proofs(HashMap<Position, Proof>);

/// An accepted proof of an exact score.
#[derive(Debug)]
struct Proof {
    name: String,
    /// The score of the side to move.
    score: Discs,
}

impl Proofs {
    /// Reads the proofs of exact scores of the game's positions from files and from `.proof` files in folders. Of other
    /// proofs only the first line is read. A proof that takes more than `max_nodes` nodes to check is refused. A
    /// warning gives the reason for each unused one.
    pub(super) fn read(
        paths: &[PathBuf],
        max_nodes: u64,
        analysis: &Analysis,
    ) -> anyhow::Result<Self> {
        let positions = analysis.positions().iter();
        let wanted = positions.map(|position| canonical(position.board()));
        let wanted: HashSet<Position> = wanted.collect();
        let files = files(paths)?;
        let bar = progress_bar(files.len());
        let mut proofs = Self::default();
        for file in files {
            let name = file.display().to_string();
            bar.set_message(format!("checking {name}"));
            if let Err(error) = proofs.add(&file, max_nodes, &wanted) {
                let error = error_in_words(&error);
                bar.suspend(|| tell(format_args!("warning: {name}: {error}")))?;
            }
            bar.inc(1);
        }
        bar.finish_and_clear();
        Ok(proofs)
    }

    /// Checks a proof, if it is of a wanted position that has none yet.
    fn add(
        &mut self,
        path: &Path,
        max_nodes: u64,
        wanted: &HashSet<Position>,
    ) -> anyhow::Result<()> {
        let is_wanted =
            |position: &Position| wanted.contains(position) && !self.0.contains_key(position);
        let claimed = exact_position(&read_claim(File::open(path)?)?);
        if !claimed.is_some_and(|position| is_wanted(&position)) {
            return Ok(());
        }
        // The file may have been replaced, so the accepted claim counts.
        let claim = check_within(File::open(path)?, max_nodes)?.claim;
        if let Some(position) = exact_position(&claim).filter(is_wanted) {
            let proof = Proof {
                name: path.display().to_string(),
                score: Discs::whole(claim.lower),
            };
            self.0.insert(position, proof);
        }
        Ok(())
    }

    /// Names the proofs of exact scores in an analysis's report. A message names those whose position is only
    /// estimated.
    pub(super) fn mark(&self, analysis: &Analysis, report: &mut Report) -> io::Result<()> {
        for (position, reported) in analysis.positions().iter().zip(&mut report.positions) {
            let Some(proof) = self.0.get(&canonical(position.board())) else {
                continue;
            };
            match position.value() {
                Some(value) if value.source >= Source::Exact && value.score == proof.score => {
                    reported.proof = Some(proof.name.clone());
                }
                Some(value) if value.source >= Source::Exact => tell(format_args!(
                    "warning: {}: proves {}, but the analysis has {} after move {}",
                    proof.name, proof.score, value.score, reported.ply
                ))?,
                _ => tell(format_args!(
                    "{}: proves the position after move {}, which is not solved here; --exact-from {} solves it",
                    proof.name, reported.ply, reported.empties
                ))?,
            }
        }
        Ok(())
    }
}

/// Returns the files to check.
///
/// # Errors
///
/// Fails if a file or folder does not exist.
fn files(paths: &[PathBuf]) -> anyhow::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for path in paths {
        let name = || path.display().to_string();
        if path.is_dir() {
            let found = files_of(path).with_context(name)?.into_iter();
            files.extend(found.filter(|file| file.extension().is_some_and(|end| end == EXTENSION)));
        } else {
            fs::metadata(path).with_context(name)?;
            files.push(path.clone());
        }
    }
    Ok(files)
}

/// Returns the position of a claimed exact score, or `None` for a bound.
fn exact_position(claim: &Claim) -> Option<Position> {
    let board = format!("{} {}", claim.board, claim.to_move).parse().ok()?;
    (claim.lower == claim.upper).then(|| canonical(board))
}

fn canonical(board: Board) -> Position {
    board.position().canonical().0
}
