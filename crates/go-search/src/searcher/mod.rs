//! The search: simulations from the root until a limit.

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

/// The size of a node of the tree in bytes.
pub const NODE_BYTES: usize = size_of::<Node>();

/// The configuration of a [`Searcher`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// The maximum number of nodes of the tree, of [`NODE_BYTES`] each; when they are used up, the tree grows no more.
    /// A tree has room for at least 627.
    pub max_nodes: usize,
    /// The seed of the playouts.
    pub seed: u64,
    /// The number of simulations that a node has before it gets children.
    pub expand_after: u32,
    /// The weight of priors in the choice of simulations.
    pub exploration: f32,
    /// The number of visits at which the results of all moves as first (AMAF) weigh about as much as those of the
    /// visits.
    pub amaf_equivalence: f32,
    /// The number of simulations with the mean result of the parent that are added to those of all moves as first, so
    /// that moves without visits have a value too. At the root one half stands for that mean.
    pub amaf_prior: f32,
    /// The share of a result that its margin makes up, the rest being who wins.
    pub margin_share: f32,
}

impl Default for Options {
    /// At most 2 million nodes, 80 MB.
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

/// A search that keeps its tree and the results of replies from one move of a game to the next.
#[derive(Debug)]
pub struct Searcher {
    options: Options,
    policy: Policy,
    priors: Priors,
    replies: Replies,
    random: Random,
    prior_changes: PriorChanges,
    tree: Tree,
    /// The position of the root; `None` before the first search.
    root: Option<Position>,
}

impl Searcher {
    /// Returns a searcher with the built-in weights and an empty tree.
    pub fn new(options: Options) -> Self {
        Self::with_weights(options, Weights::default())
    }

    /// Returns a searcher with other weights.
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

    /// Sets the exploration at the root, from the next search on; [`RootExploration::NONE`] at first.
    pub const fn set_root_exploration(&mut self, exploration: RootExploration) {
        self.prior_changes.exploration = exploration;
    }

    /// Forgets the tree and the replies, and begins the random numbers anew.
    pub fn clear(&mut self) {
        self.reseed(self.options.seed);
    }

    /// Forgets the tree and the replies, and begins other random numbers.
    pub fn reseed(&mut self, seed: u64) {
        self.tree.clear();
        self.replies = Replies::default();
        self.random = Random::new(seed);
        self.root = None;
    }

    /// Searches a position for the best move of the side to move.
    ///
    /// Without any limit the search makes 10,000 simulations. A new searcher, or one that was cleared, gives the same
    /// report, but for the time, for the same number of simulations and the same position reached by the same moves.
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

    /// Makes a position the root. The tree is kept if the position is the last root, two moves below it or, with area
    /// scoring, one move below it: with territory scoring results are rounded against the side that searches.
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

    /// Returns the node of a position whose tree is kept.
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

    /// Returns the node to which moves lead from the root, if they lead to the position that is looked for.
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
        }
    }

    /// Returns the line of most visits that begins with a child of the root.
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

/// Returns whether a position may be a later one of the same game, or the same.
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
        prior: node.prior,
    }
}

fn to_move(point: Option<Point>) -> Move {
    point.map_or(Move::Pass, Move::Place)
}

#[cfg(test)]
mod tests;
