//! The children of a node, with their priors.

use super::{Board, Color, Move, Node, NodeId, Point, Position, Searcher, widening};
use crate::{last_stones::LastStones, owners::Owners, prior::Context};

/// The maximum number of children of a node other than the root, except children with visits.
pub(super) const MAX_CHILDREN: usize = 120;

/// The minimum number of nodes of a tree: a root, its stones on the largest board, and a pass.
pub(super) const MIN_NODES: usize = 1 + 625 + 1;

/// The weight of a pass as a multiple of the stones' mean weight. The root may raise it.
const PASS_WEIGHT: f32 = 0.2;

/// The maximum number of stone moves of a node that also has a pass as a child.
const FEW_STONES: usize = 15;

impl Searcher {
    /// Adds the legal moves of the root's position as children, with their known results, and a pass. Excludes suicide
    /// and moves that fill an eye.
    pub(super) fn expand_root(&mut self, position: &Position) {
        if position.is_over() {
            self.tree.clear();
            return;
        }
        self.prior_changes.draw(&mut self.random);
        let context = root_context(position, None);
        let legal = |&point: &Point| position.check(point).is_ok();
        let mut children = self.weigh(&context, legal);
        for (node, point) in stones(&mut children) {
            node.prior = self.prior_changes.apply(point, node.prior);
        }
        children.push(pass(&children));
        carry_over(&mut children, self.tree.children(NodeId::ROOT));
        sort(&mut children);
        divide_by_sum(&mut children);
        if !self.tree.expand(NodeId::ROOT, &children, false) {
            // There is not enough room in addition to the kept tree.
            let root = self.tree.node(NodeId::ROOT).childless();
            self.tree.clear();
            *self.tree.node_mut(NodeId::ROOT) = root;
            for child in &mut children {
                *child = child.childless();
            }
            let expanded = self.tree.expand(NodeId::ROOT, &children, false);
            debug_assert!(expanded, "a tree has room for the moves of any root");
        }
    }

    /// Updates the priors of the root's children once the owners of points are known. After a pass, or if all points
    /// are settled, a pass gets the prior of the most likely stone.
    pub(super) fn update_root_priors(&mut self, position: &Position, owners: &Owners) {
        let context = root_context(position, Some(owners));
        let children = self.tree.children_mut(NodeId::ROOT);
        for (node, point) in stones(children) {
            node.prior = self
                .prior_changes
                .apply(point, self.priors.weight(&context, point));
        }
        let is_pass_likely =
            position.last_move() == Some(Move::Pass) || owners.are_settled(position.board().size());
        let pass_prior = if is_pass_likely {
            let stones = children.iter().filter(|node| node.mv.is_some());
            stones.map(|node| node.prior).fold(0.0, f32::max)
        } else {
            pass(children).prior
        };
        for node in children.iter_mut().filter(|node| node.mv.is_none()) {
            node.prior = pass_prior;
        }
        sort(children);
        divide_by_sum(children);
    }

    /// Expands a node below the root with the moves of highest prior, or doubles the number of its children.
    pub(super) fn expand(&mut self, id: NodeId, context: &Context<'_>) {
        let mut children = self.weigh(context, |_| true);
        if children.len() <= FEW_STONES || self.tree.node(id).mv.is_none() {
            children.push(pass(&children));
        }
        let known = self.tree.children(id);
        carry_over(&mut children, known);
        sort(&mut children);
        keep_first(&mut children, MAX_CHILDREN);
        divide_by_sum(&mut children);
        let count = (2 * known.len()).max(widening::FIRST_CHILDREN);
        let has_more = children.len() >= widening::MIN_MOVES.max(count + 1);
        if has_more {
            keep_first(&mut children, count);
        }
        self.tree.expand(id, &children, has_more);
    }

    /// Returns nodes for the legal stones that fill no eye, with the weights of their features as priors.
    fn weigh(&self, context: &Context<'_>, is_legal: impl Fn(&Point) -> bool) -> Vec<Node> {
        let &Context { board, color, .. } = context;
        let points = playable(board, color).filter(is_legal);
        points
            .map(|point| Node::new(Some(point), self.priors.weight(context, point)))
            .collect()
    }
}

/// Returns the root's context for feature extraction.
fn root_context<'a>(position: &'a Position, owners: Option<&'a Owners>) -> Context<'a> {
    let stones = LastStones::of(position);
    Context::new(position.board(), position.side_to_move(), stones, owners)
}

/// Iterates over the points where a side may place a stone without filling an eye, in order.
pub(crate) fn playable(board: &Board, color: Color) -> impl Iterator<Item = Point> {
    (board.size().points())
        .filter(move |&point| board.is_empty(point) && board.is_playout_move(color, point))
}

/// Iterates over the children that place a stone.
fn stones(children: &mut [Node]) -> impl Iterator<Item = (&mut Node, Point)> {
    children
        .iter_mut()
        .filter_map(|node| node.mv.map(|point| (node, point)))
}

/// Returns a pass, whose prior depends on the mean prior of the stones.
fn pass(children: &[Node]) -> Node {
    let stones = children.iter().filter(|node| node.mv.is_some());
    let (count, total) = stones.fold((0_u16, 0.0), |(count, total), node| {
        (count + 1, total + node.prior)
    });
    let mean = if count == 0 {
        1.0
    } else {
        total / f32::from(count)
    };
    Node::new(None, PASS_WEIGHT * mean)
}

/// Copies the known results of moves to children, except the priors.
fn carry_over(children: &mut [Node], known: &[Node]) {
    for child in children {
        if let Some(known) = known.iter().find(|node| node.mv == child.mv) {
            *child = known.with_prior(child.prior);
        }
    }
}

/// Removes all children except the first ones and those with visits.
fn keep_first(children: &mut Vec<Node>, count: usize) {
    let mut place = 0;
    children.retain(|child| {
        place += 1;
        place <= count || child.visits > 0
    });
}

/// Sorts children for widening: a pass, which is always considered, and then by descending prior.
fn sort(children: &mut [Node]) {
    children.sort_by(|one, other| {
        (one.mv.is_some().cmp(&other.mv.is_some())).then(other.prior.total_cmp(&one.prior))
    });
}

/// Normalizes the priors to a sum of 1.
fn divide_by_sum(children: &mut [Node]) {
    let total: f32 = children.iter().map(|node| node.prior).sum();
    for child in children {
        child.prior /= total;
    }
}
