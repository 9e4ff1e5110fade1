//! The prover: walks the two trees as the checker will, and asks the engine for moves.

use std::{
    collections::HashSet,
    io::{self, Write},
};

use othello_core::{Empties, Position, Score};
use othello_search::{Searcher, StopHandle};

use super::{
    claim::{Claim, MAX_THRESHOLD},
    encoder::Encoder,
};

/// The reason why there is no proof.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ProveError {
    /// The claim is false.
    #[error("the score is not {}", range(*lower, *upper))]
    False {
        /// The lower bound claimed.
        lower: Score,
        /// The upper bound claimed.
        upper: Score,
    },
    /// The checker does not accept the threshold.
    #[error("expected a threshold of at most {MAX_THRESHOLD}, found {found}")]
    Threshold {
        /// The threshold of the claim.
        found: u32,
    },
    /// The claim is not a bound: it admits every score.
    #[error("expected a bound that not every score is within")]
    NoBound,
    /// It was stopped.
    #[error("stopped before the proof was complete")]
    Stopped,
    /// The file cannot be written.
    #[error(transparent)]
    Write(#[from] io::Error),
}

/// The scores that a claim allows, in words.
fn range(lower: Score, upper: Score) -> String {
    match (lower, upper) {
        (lower, upper) if lower == upper => lower.to_string(),
        (lower, Score::MAX) => format!("at least {lower}"),
        (Score::MIN, upper) => format!("at most {upper}"),
        (lower, upper) => format!("from {lower} to {upper}"),
    }
}

/// The progress of a proof.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// The number of the prover's choices written so far.
    pub choices: u64,
    /// The number of bytes written so far.
    pub bytes: u64,
}

/// The figures of a written proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Proof {
    /// The number of the prover's choices.
    pub choices: u64,
    /// The number of bytes of the file.
    pub bytes: u64,
    /// The CRC-32 at the end of the file, of all bytes before it.
    pub checksum: u32,
}

/// The number of positions that the checker remembers.
const MAX_REMEMBERED: usize = 1 << 22;

/// Writes the proof of a claim.
///
/// `out` gets single bytes, so it should be buffered.
///
/// Earlier searches of the position with the searcher affect the time, and which of several proofs is found.
///
/// # Errors
///
/// Fails if the claim is false, if the checker would refuse it even if it were true, if `stop` is used, or if the file
/// cannot be written; the incomplete output is not a proof.
pub fn prove(
    searcher: &mut Searcher,
    claim: &Claim,
    stop: &StopHandle,
    out: impl Write,
    observer: &mut dyn FnMut(Progress),
) -> Result<Proof, ProveError> {
    check(claim)?;
    let mut prover = Prover {
        searcher,
        claim,
        stop,
        encoder: Encoder::new(out, &claim.to_string())?,
        observer,
        bound: claim.lower,
        met: HashSet::new(),
        choices: 0,
    };
    let position = claim.board.position();
    if claim.lower > Score::MIN {
        prover.tree(position, Turn::Prover, claim.lower)?;
    }
    if claim.upper < Score::MAX {
        prover.tree(position, Turn::Opponent, -claim.upper)?;
    }
    let choices = prover.choices;
    let (bytes, checksum) = prover.encoder.finish()?;
    Ok(Proof {
        choices,
        bytes,
        checksum,
    })
}

/// Checks that the checker accepts a claim if it is true.
fn check(claim: &Claim) -> Result<(), ProveError> {
    let found = claim.threshold;
    if found > MAX_THRESHOLD {
        return Err(ProveError::Threshold { found });
    }
    if (claim.lower, claim.upper) == (Score::MIN, Score::MAX) {
        return Err(ProveError::NoBound);
    }
    Ok(())
}

/// The role of the side to move.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Turn {
    Prover,
    Opponent,
}

impl Turn {
    fn next(self) -> Self {
        match self {
            Self::Prover => Self::Opponent,
            Self::Opponent => Self::Prover,
        }
    }
}

struct Prover<'a, W> {
    searcher: &'a mut Searcher,
    claim: &'a Claim,
    stop: &'a StopHandle,
    encoder: Encoder<W>,
    observer: &'a mut dyn FnMut(Progress),
    /// The score that the prover must reach in the current tree.
    bound: Score,
    /// The positions with the prover to move visited so far.
    met: HashSet<Position>,
    choices: u64,
}

impl<W: Write> Prover<'_, W> {
    /// Writes the tree of one bound.
    fn tree(&mut self, position: Position, turn: Turn, bound: Score) -> Result<(), ProveError> {
        self.bound = bound;
        self.met.clear();
        if !self.holds(position, turn)? {
            return Err(self.false_claim());
        }
        self.visit(position, turn)
    }

    /// Writes the choices below a position where the prover reaches the bound.
    fn visit(&mut self, position: Position, turn: Turn) -> Result<(), ProveError> {
        if position.empties().count() <= self.claim.threshold || position.is_over() {
            return Ok(());
        }
        let moves = sorted_moves(position);
        if moves.is_empty() {
            return self.visit(position.passed(), turn.next());
        }
        if turn == Turn::Opponent {
            return moves
                .iter()
                .try_for_each(|&after| self.visit(after, Turn::Prover));
        }
        if !is_first(&mut self.met, position) {
            return Ok(());
        }
        let chosen = self.choose(position, &moves)?;
        self.encoder
            .choice(position.empties().count(), chosen, moves.len())?;
        self.choices += 1;
        (self.observer)(Progress {
            choices: self.choices,
            bytes: self.encoder.written(),
        });
        self.visit(moves[chosen], Turn::Opponent)
    }

    /// Returns the first of the prover's moves that reaches the bound: few replies make a small tree, and the first
    /// places cost the fewest bits. A move from the table is tried first, since its searches may be in the table,
    /// while those of others may take long.
    fn choose(&mut self, position: Position, moves: &[Position]) -> Result<usize, ProveError> {
        let remembered = self.searcher.table_move(position);
        let remembered = remembered.map(|square| position.play_unchecked(square));
        let first = moves.iter().position(|&after| Some(after) == remembered);
        for place in first.into_iter().chain(0..moves.len()) {
            if self.holds(moves[place], Turn::Opponent)? {
                return Ok(place);
            }
        }
        Err(self.false_claim())
    }

    /// Returns whether the prover reaches the bound.
    fn holds(&mut self, position: Position, turn: Turn) -> Result<bool, ProveError> {
        if position.is_over() {
            let score = position.score(Empties::ToWinner);
            return Ok(match turn {
                Turn::Prover => score >= self.bound,
                Turn::Opponent => -score >= self.bound,
            });
        }
        let reached = match turn {
            Turn::Prover => self.searcher.reaches(position, self.bound, self.stop),
            Turn::Opponent => {
                // The prover reaches the bound if the opponent cannot exceed its negative.
                let more = Score::new(1 - self.bound.discs());
                let more = more.expect("a bound that not every score reaches");
                let exceeded = self.searcher.reaches(position, more, self.stop);
                exceeded.map(|exceeded| !exceeded)
            }
        };
        reached.ok_or(ProveError::Stopped)
    }

    fn false_claim(&self) -> ProveError {
        ProveError::False {
            lower: self.claim.lower,
            upper: self.claim.upper,
        }
    }
}

/// Returns the positions after the legal moves, fewest replies first, then in the order of the squares.
fn sorted_moves(position: Position) -> Vec<Position> {
    let moves = position.legal_moves();
    let mut moves: Vec<Position> = moves
        .iter()
        .map(|square| position.play_unchecked(square))
        .collect();
    moves.sort_by_cached_key(|after| after.legal_moves().count());
    moves
}

/// Remembers a position while there is room, as the checker does, and returns true if it is new.
fn is_first(met: &mut HashSet<Position>, position: Position) -> bool {
    if met.len() < MAX_REMEMBERED {
        met.insert(position)
    } else {
        !met.contains(&position)
    }
}
