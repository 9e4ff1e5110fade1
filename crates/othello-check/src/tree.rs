//! The two trees of a proof.

use std::{collections::HashSet, io::Read};

use crate::{
    board::{Board, Side},
    error::{CheckError, Problem},
    header::Claim,
    input::{Decoder, Input},
    solve::reaches,
};

/// What was proved, and what that took.
#[derive(Clone, Debug)]
pub struct Proved {
    /// The position and the bounds on its score.
    pub claim: Claim,
    /// The choices that were read: the prover's positions above the threshold, each once while it is remembered.
    pub choices: u64,
    /// The positions that were left to the checker.
    pub leaves: u64,
    /// The positions that it searched for them.
    pub nodes: u64,
    /// The bytes of the file.
    pub bytes: u64,
}

/// The number of positions that are remembered as proved, of each kind.
const MAX_REMEMBERED: usize = 1 << 22;

/// Checks a proof, however long that takes.
///
/// # Errors
///
/// Fails if the file cannot be read or does not prove what it claims; the error has the place.
pub fn check(reader: impl Read) -> Result<Proved, CheckError> {
    check_within(reader, u64::MAX)
}

/// Checks a proof in at most `max_nodes` nodes: positions visited in the trees, and searched below the threshold.
///
/// # Errors
///
/// Fails if the file cannot be read, does not prove what it claims, or takes more nodes; the error has the place.
pub fn check_within(reader: impl Read, max_nodes: u64) -> Result<Proved, CheckError> {
    let mut input = Input::new(reader);
    let claim = Claim::read(&mut input)?;
    let mut proved = Proved {
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
    // A bound that every score has needs no tree.
    if lower > -64 {
        decoder = Tree::new(decoder, &mut proved, &mut nodes, to_move, lower).check()?;
    }
    if upper < 64 {
        decoder = Tree::new(decoder, &mut proved, &mut nodes, to_move.other(), -upper).check()?;
    }
    proved.bytes = decoder.into_input().finish()?;
    Ok(proved)
}

/// The nodes that the checker may still take.
struct Nodes {
    left: u64,
    max: u64,
}

/// The tree of one bound: whatever the opponent does, the prover reaches it.
struct Tree<'a, R> {
    decoder: Decoder<R>,
    proved: &'a mut Proved,
    nodes: &'a mut Nodes,
    prover: Side,
    bound: i32,
    /// The positions with the prover to move that were met before, by their keys.
    met: HashSet<u128>,
    /// The positions that the checker solved.
    solved: HashSet<u128>,
}

impl<'a, R: Read> Tree<'a, R> {
    fn new(
        decoder: Decoder<R>,
        proved: &'a mut Proved,
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

    /// Checks the whole tree, and returns what is left of the file.
    fn check(mut self) -> Result<Decoder<R>, CheckError> {
        let Claim { board, to_move, .. } = self.proved.claim.clone();
        self.visit(&board, to_move)?;
        Ok(self.decoder)
    }

    /// Checks that the prover reaches the bound in a position.
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
        Err(self.decoder.input().error(Problem::Unproved {
            board: board.to_string(),
            to_move,
            prover: self.prover,
            bound: self.bound,
        }))
    }

    fn out_of_nodes(&self) -> CheckError {
        let max = self.nodes.max;
        self.decoder.input().error(Problem::OutOfNodes { max })
    }
}

/// Returns the boards after the legal moves, fewest replies first, then in the order of the squares.
fn sorted_moves(board: &Board, side: Side, empties: &[usize]) -> Vec<Board> {
    let play = |&square: &usize| board.play(square, side);
    let mut moves: Vec<Board> = empties.iter().filter_map(play).collect();
    moves.sort_by_cached_key(|after| after.mobility(empties, side.other()));
    moves
}

/// Remembers a position while there is room, and returns whether it was not met before.
///
/// What is remembered before it is proved is used only after it: a position does not occur below itself.
fn is_first(set: &mut HashSet<u128>, key: u128) -> bool {
    if set.len() < MAX_REMEMBERED {
        set.insert(key)
    } else {
        !set.contains(&key)
    }
}
