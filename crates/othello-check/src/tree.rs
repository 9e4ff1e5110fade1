//! The two trees of a proof.

use std::{collections::HashSet, io::Read};

use crate::{
    board::{Board, Side},
    error::{CheckError, CheckErrorKind},
    header::Claim,
    input::{Decoder, Input},
    solve::reaches,
};

/// The result of a successful check, with its statistics.
#[derive(Clone, Debug)]
pub struct CheckReport {
    /// The proved claim.
    pub claim: Claim,
    /// The number of choices read: one per position of the prover above the threshold, or more if the position was
    /// forgotten.
    pub choices: u64,
    /// The number of positions left to the checker.
    pub leaves: u64,
    /// The number of positions searched to solve them.
    pub nodes: u64,
    /// The size of the file in bytes.
    pub bytes: u64,
}

/// The maximum number of positions remembered as proved, of each kind.
const MAX_REMEMBERED: usize = 1 << 22;

/// Checks a proof without a limit on nodes.
///
/// # Errors
///
/// Fails if the file cannot be read or does not prove its claim.
pub fn check(reader: impl Read) -> Result<CheckReport, CheckError> {
    check_within(reader, u64::MAX)
}

/// Checks a proof within `max_nodes` nodes: positions visited in the trees or searched below the threshold.
///
/// # Errors
///
/// Fails if the file cannot be read, does not prove its claim, or takes more nodes.
pub fn check_within(reader: impl Read, max_nodes: u64) -> Result<CheckReport, CheckError> {
    let mut input = Input::new(reader);
    let claim = Claim::read(&mut input)?;
    let mut proved = CheckReport {
        claim: claim.clone(),
        choices: 0,
        leaves: 0,
        nodes: 0,
        bytes: 0,
    };
    let mut decoder = Decoder::new(input)?;
    let mut nodes = Nodes {
        left: max_nodes,
        max: max_nodes,
    };
    let Claim {
        to_move,
        lower,
        upper,
        ..
    } = claim;
    // A bound that every score satisfies needs no tree.
    if lower > -64 {
        decoder = Tree::new(decoder, &mut proved, &mut nodes, to_move, lower).check()?;
    }
    if upper < 64 {
        decoder = Tree::new(decoder, &mut proved, &mut nodes, to_move.other(), -upper).check()?;
    }
    proved.bytes = decoder.into_input().finish()?;
    Ok(proved)
}

/// The nodes left to the checker.
struct Nodes {
    left: u64,
    max: u64,
}

/// The tree of one bound: the prover reaches the bound whatever the opponent plays.
struct Tree<'a, R> {
    decoder: Decoder<R>,
    proved: &'a mut CheckReport,
    nodes: &'a mut Nodes,
    prover: Side,
    bound: i32,
    /// The keys of visited positions with the prover to move.
    met: HashSet<u128>,
    /// The keys of solved positions.
    solved: HashSet<u128>,
}

impl<'a, R: Read> Tree<'a, R> {
    fn new(
        decoder: Decoder<R>,
        proved: &'a mut CheckReport,
        nodes: &'a mut Nodes,
        prover: Side,
        bound: i32,
    ) -> Self {
        Self {
            decoder,
            proved,
            nodes,
            prover,
            bound,
            met: HashSet::new(),
            solved: HashSet::new(),
        }
    }

    /// Checks the whole tree and returns the rest of the file.
    fn check(mut self) -> Result<Decoder<R>, CheckError> {
        let Claim { board, to_move, .. } = self.proved.claim.clone();
        self.visit(&board, to_move)?;
        Ok(self.decoder)
    }

    /// Checks that the prover reaches the bound from a position.
    fn visit(&mut self, board: &Board, to_move: Side) -> Result<(), CheckError> {
        let left = self.nodes.left.checked_sub(1);
        self.nodes.left = left.ok_or_else(|| self.out_of_nodes())?;
        let empties = board.empties();
        if empties.len() <= self.proved.claim.threshold {
            return self.leaf(board, to_move, &empties);
        }
        let moves = sorted_moves(board, to_move, &empties);
        if moves.is_empty() {
            if board.mobility(&empties, to_move.other()) > 0 {
                return self.visit(board, to_move.other());
            }
            let reached = board.final_score(self.prover) >= self.bound;
            return self.require(reached, board, to_move);
        }
        if to_move != self.prover {
            return moves
                .iter()
                .try_for_each(|after| self.visit(after, to_move.other()));
        }
        if !is_first(&mut self.met, board.key(to_move)) {
            return Ok(());
        }
        self.proved.choices += 1;
        let chosen = self.decoder.choice(empties.len(), moves.len())?;
        self.visit(&moves[chosen], to_move.other())
    }

    /// Solves a position.
    fn leaf(&mut self, board: &Board, to_move: Side, empties: &[usize]) -> Result<(), CheckError> {
        if !is_first(&mut self.solved, board.key(to_move)) {
            return Ok(());
        }
        self.proved.leaves += 1;
        let before = self.nodes.left;
        let own = to_move == self.prover;
        let bound = if own { self.bound } else { 1 - self.bound };
        let left = &mut self.nodes.left;
        let reached = reaches(board, to_move, bound, empties, empties.len(), left);
        let reached = reached.ok_or_else(|| self.out_of_nodes())? == own;
        self.proved.nodes += before - self.nodes.left;
        self.require(reached, board, to_move)
    }

    fn require(&self, reached: bool, board: &Board, to_move: Side) -> Result<(), CheckError> {
        if reached {
            return Ok(());
        }
        Err(self.decoder.input().error(CheckErrorKind::Unproved {
            board: board.to_string(),
            to_move,
            prover: self.prover,
            bound: self.bound,
        }))
    }

    fn out_of_nodes(&self) -> CheckError {
        let max = self.nodes.max;
        self.decoder
            .input()
            .error(CheckErrorKind::OutOfNodes { max })
    }
}

/// Returns the boards after the legal moves, those with the fewest replies first, then in the order of the squares.
fn sorted_moves(board: &Board, side: Side, empties: &[usize]) -> Vec<Board> {
    let play = |&square: &usize| board.play(square, side);
    let mut moves: Vec<Board> = empties.iter().filter_map(play).collect();
    moves.sort_by_cached_key(|after| after.mobility(empties, side.other()));
    moves
}

/// Remembers a position if there is room, and returns whether it is new.
///
/// A position may be remembered before it is proved, because it cannot occur in its own subtree.
fn is_first(set: &mut HashSet<u128>, key: u128) -> bool {
    if set.len() < MAX_REMEMBERED {
        set.insert(key)
    } else {
        !set.contains(&key)
    }
}
