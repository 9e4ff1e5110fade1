//! The search: simulations from the root until a limit is reached.

mod choice;
mod expand;
mod exploration;
mod select;
mod simulate;
mod stop;
mod widening;

use boardgame_core::Color;
use go_core::{Board, Move, Point, Position, Random, Scoring};

use crate::{
    Limits, Report, Weights,
    owners::{self, Owners},
    playout::{Policy, Replies},
    prior::Priors,
    report::Candidate,
    tree::{Node, NodeId, Tree},
};
pub(crate) use expand::playable;
use exploration::PriorChanges;
pub use exploration::RootExploration;
use simulate::Simulation;
use stop::Progress;

/// The size of a tree node in bytes.
pub const NODE_BYTES: usize = size_of::<Node>();

/// The configuration of a [`Searcher`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// The maximum number of nodes of the tree, [`NODE_BYTES`] each; when it is reached, the tree stops growing. The
    /// minimum is 627.
    pub max_nodes: usize,
    /// The seed of the playouts.
    pub seed: u64,
    /// The number of simulations of a node before it is expanded.
    pub expand_after: u32,
    /// The weight of priors in the selection of moves.
    pub exploration: f32,
    /// The number of visits at which AMAF (all moves as first) results have about the same weight as the visits' own
    /// results.
    pub amaf_equivalence: f32,
    /// The number of simulations at the parent's mean result added to the AMAF results, so that moves without visits
    /// have a value. At the root the mean is replaced by one half.
    pub amaf_prior: f32,
    /// The share of a result that depends on the margin; the rest depends on the winner.
    pub margin_share: f32,
}

impl Default for Options {
    /// The default options: at most 2 million nodes, 80 MB.
    fn default() -> Self {
        Self {
            max_nodes: 2_000_000,
            seed: 1,
            expand_after: 4,
            exploration: 0.6,
            amaf_equivalence: 200.0,
            amaf_prior: 20.0,
            margin_share: 0.6,
        }
    }
}

/// A tree search that keeps its tree and the results of replies from move to move.
#[derive(Debug)]
pub struct Searcher {
    options: Options,
    policy: Policy,
    priors: Priors,
    replies: Replies,
    random: Random,
    prior_changes: PriorChanges,
    tree: Tree,
    /// The position of the root, or `None` before the first search.
    root: Option<Position>,
}

impl Searcher {
    /// Creates a searcher with the built-in weights.
    pub fn new(options: Options) -> Self {
        Self::with_weights(options, Weights::default())
    }

    /// Creates a searcher with other weights.
    pub fn with_weights(options: Options, weights: Weights) -> Self {
        let Weights { priors, policy } = weights;
        Self {
            options,
            policy,
            priors,
            replies: Replies::default(),
            random: Random::new(options.seed),
            prior_changes: PriorChanges::default(),
            tree: Tree::new(options.max_nodes.max(expand::MIN_NODES)),
            root: None,
        }
    }

    /// Sets the exploration at the root for later searches; initially [`RootExploration::NONE`].
    pub const fn set_root_exploration(&mut self, exploration: RootExploration) {
        self.prior_changes.exploration = exploration;
    }

    /// Clears the tree and the replies, and restarts the random numbers.
    pub fn clear(&mut self) {
        self.reseed(self.options.seed);
    }

    /// Clears the tree and the replies, and starts random numbers with another seed.
    pub fn reseed(&mut self, seed: u64) {
        self.tree.clear();
        self.replies = Replies::default();
        self.random = Random::new(seed);
        self.root = None;
    }

    /// Searches a position for the best move of the side to move.
    ///
    /// Without any limit the search runs 10,000 simulations. After creation or [`clear`](Self::clear), the report
    /// (apart from the time) is determined by the number of simulations and the moves that led to the position.
    pub fn search(&mut self, position: &Position, limits: &Limits) -> Report {
        let mut progress = Progress::start(limits);
        self.set_root(position);
        let mut simulation = Simulation::new(position);
        while !self.is_over(limits, &progress) {
            self.simulate(&mut simulation);
            progress.playouts += 1;
            if progress.playouts == owners::MIN_SIMULATIONS {
                self.update_root_priors(position, &simulation.owners);
            }
        }
        self.report(position, &simulation.owners, &progress)
    }

    /// Makes a position the root. Keeps the tree if the position is the last root, two moves below it or, with area
    /// scoring, one move below it; with territory scoring results are rounded against the searching side.
    fn set_root(&mut self, position: &Position) {
        match self.find(position) {
            Some(id) => self.tree.keep(id),
            None => self.tree.clear(),
        }
        let goes_on = |root: &Position| may_lead_to(root, position);
        if !self.root.as_ref().is_some_and(goes_on) {
            self.replies = Replies::default();
        }
        self.root = Some(position.clone());
        self.expand_root(position);
    }

    /// Returns the node of a position in the kept tree.
    fn find(&self, position: &Position) -> Option<NodeId> {
        let root = self.root.as_ref()?;
        if root == position {
            return Some(NodeId::ROOT);
        }
        let is_side_neutral = position.rules().scoring == Scoring::Area;
        let [before, last] = position.last_moves();
        let child = is_side_neutral.then(|| self.find_after(root, &[last?], position));
        child
            .flatten()
            .or_else(|| self.find_after(root, &[before?, last?], position))
    }

    /// Returns the node after a sequence of moves from the root, if they lead to `position`.
    fn find_after(&self, root: &Position, moves: &[Move], position: &Position) -> Option<NodeId> {
        let (mut id, mut after) = (NodeId::ROOT, root.clone());
        for &mv in moves {
            let mut children = self.tree.children(id).iter();
            let place = children.position(|child| to_move(child.mv) == mv)?;
            id = self.tree.child(id, place);
            after.play(mv).ok()?;
        }
        (after == *position).then_some(id)
    }

    fn report(&self, position: &Position, owners: &Owners, progress: &Progress) -> Report {
        let mut children: Vec<&Node> = self.tree.children(NodeId::ROOT).iter().collect();
        children.sort_by(|one, other| {
            (other.visits.cmp(&one.visits)).then(other.prior.total_cmp(&one.prior))
        });
        let best = choice::choose(position, &children, owners);
        Report {
            best: best.map_or(Move::Pass, |node| to_move(node.mv)),
            win_rate: best.map_or(0.5, Node::win_rate),
            margin: best.map_or(0.0, Node::margin),
            playouts: progress.playouts,
            nodes: self.tree.len(),
            elapsed: progress.elapsed(),
            candidates: children.iter().map(|&node| candidate(node)).collect(),
            line: self.line(best),
            ownership: owners.ownership().clone(),
        }
    }

    /// Returns the most visited line that begins with a move in the position searched last.
    pub fn line_after(&self, mv: Move) -> Vec<Move> {
        let mut children = self.tree.children(NodeId::ROOT).iter();
        self.line(children.find(|child| to_move(child.mv) == mv))
    }

    /// Returns the most visited line that begins with a child of the root.
    fn line(&self, first: Option<&Node>) -> Vec<Move> {
        let mut line = Vec::new();
        let mut next = first;
        let mut id = NodeId::ROOT;
        while let Some(node) = next {
            line.push(to_move(node.mv));
            let Some(place) = self
                .tree
                .children(id)
                .iter()
                .position(|it| it.mv == node.mv)
            else {
                break;
            };
            id = self.tree.child(id, place);
            let visited = self
                .tree
                .children(id)
                .iter()
                .filter(|child| child.visits > 0);
            next = visited.max_by_key(|child| child.visits);
        }
        line
    }
}

/// Returns whether a position may be the same or a later one in the same game.
fn may_lead_to(root: &Position, position: &Position) -> bool {
    let (before, after) = (root.stones_played(), position.stones_played());
    root.board().size() == position.board().size()
        && (root.rules(), root.komi()) == (position.rules(), position.komi())
        && Color::ALL
            .iter()
            .all(|&color| before[color] <= after[color])
}

fn candidate(node: &Node) -> Candidate {
    Candidate {
        mv: to_move(node.mv),
        visits: node.visits,
        win_rate: node.win_rate(),
        margin: node.margin(),
        prior: node.prior,
    }
}

fn to_move(point: Option<Point>) -> Move {
    point.map_or(Move::Pass, Move::Place)
}

#[cfg(test)]
mod tests;
