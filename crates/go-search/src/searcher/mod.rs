//! The search: simulations from the root until a limit.

mod choice;
mod expand;
mod noise;
mod select;
mod simulate;

use std::time::Duration;

use boardgame_core::Color;
use go_core::{Board, Move, Point, Position, Random, Scoring};

use crate::{
    Limits, Report, TimeBudget, Weights,
    limits::Stopwatch,
    owners::{self, Owners},
    playout::{Policy, Replies},
    prior::Priors,
    report::Candidate,
    tree::{Node, NodeId, Tree},
};
pub(crate) use expand::playable;
use noise::RootNoise;
use simulate::Simulation;

/// The number of simulations between two looks at the clock.
const PLAYOUTS_PER_LOOK: u32 = 16;

/// The share of simulations that one side wins in a game that is clear: 39 of 40.
const CLEAR_WIN_RATE: f32 = 0.975;

/// The number of visits of the root from which on a game may be clear.
const MIN_CLEAR_VISITS: u32 = 1_000;

/// The part of its time or simulations that a move gets in a clear game: one of this many.
const CLEAR_GAME_SHARE: u32 = 5;

/// The size of a node of the tree in bytes.
pub const NODE_BYTES: usize = size_of::<Node>();

/// The configuration of a [`Searcher`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// The greatest number of nodes of the tree, of [`NODE_BYTES`] each; when they are used up, the tree grows no
    /// more.
    pub max_nodes: usize,
    /// The seed of the playouts.
    pub seed: u64,
    /// The number of simulations that a node has before it gets children.
    pub expand_after: u32,
    /// The weight of priors in the choice of simulations.
    pub exploration: f32,
    /// The number of visits at which all moves as first count about as much as the visits.
    pub amaf_equivalence: f32,
    /// The number of simulations of all moves as first that the results of the parent stand for in those of a child.
    pub amaf_prior: f32,
    /// The share of a result that its margin makes up, the rest being who wins.
    pub margin_share: f32,
}

impl Default for Options {
    /// At most 2 million nodes, 72 MB.
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
    noise: RootNoise,
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
            noise: RootNoise::default(),
            tree: Tree::new(options.max_nodes),
            root: None,
        }
    }

    /// Sets the scale of the Gumbel noise that is added to the logarithms of the priors at the root, 0 at first. Games of
    /// the engine against itself need it to try moves that are thought unlikely.
    pub const fn set_root_noise(&mut self, scale: f32) {
        self.noise.scale = scale;
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
    /// report for the same position and number of simulations, but for the time.
    pub fn search(&mut self, position: &Position, limits: &Limits) -> Report {
        let watch = Stopwatch::start(limits);
        self.set_root(position);
        let mut simulation = Simulation::new(position);
        let mut playouts = 0;
        while !self.is_over(limits, playouts, &watch) {
            self.simulate(&mut simulation);
            playouts += 1;
            if playouts == owners::MIN_SIMULATIONS {
                self.update_root_priors(position, &simulation.owners);
            }
        }
        self.report(position, &simulation.owners, playouts, watch.elapsed())
    }

    /// Makes a position the root, with what is known of it if it is at most two moves below the last root.
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

    /// Returns the node of a position, which is the root, two moves below it, or, if the results are the same for both
    /// sides, one move below it.
    fn find(&self, position: &Position) -> Option<NodeId> {
        let root = self.root.as_ref()?;
        if root == position {
            return Some(NodeId::ROOT);
        }
        let is_for_both = position.rules().scoring == Scoring::Area;
        let child = is_for_both.then(|| self.find_below(NodeId::ROOT, root, position));
        child
            .flatten()
            .or_else(|| self.find_grandchild(root, position))
    }

    fn find_grandchild(&self, root: &Position, position: &Position) -> Option<NodeId> {
        let children = self.tree.children(NodeId::ROOT).iter().enumerate();
        let mut visited = children.filter(|(_, child)| child.is_expanded());
        visited.find_map(|(place, child)| {
            let mut after = root.clone();
            after.play(to_move(child.mv)).ok()?;
            self.find_below(self.tree.child(NodeId::ROOT, place), &after, position)
        })
    }

    /// Returns the child of a node whose position is the one that is looked for.
    fn find_below(&self, id: NodeId, above: &Position, position: &Position) -> Option<NodeId> {
        let last = position.last_move()?;
        let mut after = above.clone();
        after.play(last).ok()?;
        if after != *position {
            return None;
        }
        let mut children = self.tree.children(id).iter();
        let place = children.position(|child| to_move(child.mv) == last)?;
        Some(self.tree.child(id, place))
    }

    fn is_over(&self, limits: &Limits, playouts: u32, watch: &Stopwatch) -> bool {
        let max_playouts = match (limits.playouts, limits.time) {
            (None, None) => Some(10_000),
            (playouts, _) => playouts,
        };
        if max_playouts.is_some_and(|max| playouts >= max) || self.is_decided() {
            return true;
        }
        if !playouts.is_multiple_of(PLAYOUTS_PER_LOOK) {
            return false;
        }
        limits.is_stopped()
            || max_playouts.is_some_and(|max| self.cannot_change(max - playouts))
            || (limits.time).is_some_and(|budget| self.time_is_up(budget, playouts, watch))
            || limits.stop_when_clear && self.clear_game_is_over(limits, playouts, watch)
    }

    /// Returns whether the side to move has no choice.
    fn is_decided(&self) -> bool {
        self.tree.children(NodeId::ROOT).len() <= 1
    }

    fn time_is_up(&self, budget: TimeBudget, playouts: u32, watch: &Stopwatch) -> bool {
        let elapsed = watch.elapsed();
        if elapsed >= budget.hard {
            return true;
        }
        if elapsed >= budget.soft {
            return self.best_is_stable();
        }
        // The speed so far tells how many simulations are left.
        let speed = playouts as f32 / elapsed.as_secs_f32().max(1e-6);
        let left = (budget.soft.saturating_sub(elapsed)).as_secs_f32() * speed;
        playouts > 0 && self.cannot_change(left as u32)
    }

    /// Returns whether a number of simulations more cannot give another move the most visits.
    fn cannot_change(&self, left: u32) -> bool {
        let (mut first, mut second) = (0, 0);
        for child in self.tree.children(NodeId::ROOT) {
            if child.visits > first {
                (first, second) = (child.visits, first);
            } else {
                second = child.visits.max(second);
            }
        }
        first - second > left
    }

    /// Returns whether the search has had what it gets in a clear game, and this is one.
    fn clear_game_is_over(&self, limits: &Limits, playouts: u32, watch: &Stopwatch) -> bool {
        let enough_made = |max: u32| playouts >= max / CLEAR_GAME_SHARE;
        let enough_taken = |time: TimeBudget| watch.elapsed() >= time.soft / CLEAR_GAME_SHARE;
        playouts >= owners::MIN_SIMULATIONS
            && (limits.playouts.is_some_and(enough_made) || limits.time.is_some_and(enough_taken))
            && self.game_is_clear()
    }

    /// Returns whether the side to move wins, or loses, nearly all simulations of its first choice.
    fn game_is_clear(&self) -> bool {
        let children = self.tree.children(NodeId::ROOT).iter();
        let most = children.max_by_key(|child| child.visits);
        most.is_some_and(|most| {
            let decided = most.win_rate().max(1.0 - most.win_rate());
            self.tree.node(NodeId::ROOT).visits >= MIN_CLEAR_VISITS && decided >= CLEAR_WIN_RATE
        })
    }

    /// Returns whether the move of most visits has the best results too.
    fn best_is_stable(&self) -> bool {
        let children = self.tree.children(NodeId::ROOT).iter();
        let tried = children.filter(|child| child.visits > 0);
        let by_result =
            |one: &&Node, other: &&Node| one.mean_result().total_cmp(&other.mean_result());
        let most = tried.clone().max_by_key(|child| child.visits);
        let Some(most) = most else {
            return true;
        };
        let enough = |child: &&Node| child.visits * 4 >= most.visits;
        let best = tried.filter(enough).max_by(by_result);
        best.map(|best| best.mv) == Some(most.mv)
    }

    fn report(
        &self,
        position: &Position,
        owners: &Owners,
        playouts: u32,
        elapsed: Duration,
    ) -> Report {
        let mut children: Vec<&Node> = self.tree.children(NodeId::ROOT).iter().collect();
        children.sort_by(|one, other| {
            (other.visits.cmp(&one.visits)).then(other.prior.total_cmp(&one.prior))
        });
        let best = choice::choose(position, &children, owners);
        Report {
            best: best.map_or(Move::Pass, |node| to_move(node.mv)),
            win_rate: best.map_or(0.5, Node::win_rate),
            margin: best.map_or(0.0, Node::margin),
            playouts,
            nodes: self.tree.len(),
            elapsed,
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
