//! The tree of a search.

mod node;

pub(crate) use node::Node;

use std::{hint::black_box, ops::Range};

/// The nodes of a search, root first. The children of a node are contiguous.
#[derive(Debug)]
pub(crate) struct Tree {
    nodes: Vec<Node>,
    max_nodes: usize,
}

/// The memory in bytes that a tree leaves for everything else.
const SPARE_MEMORY: usize = 4 << 20;

/// The index of a node in its tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NodeId(u32);

impl NodeId {
    /// The root.
    pub(crate) const ROOT: Self = Self(0);

    const fn index(self) -> usize {
        self.0 as usize
    }
}

impl Tree {
    /// Creates a tree with only a root, which may grow to a number of nodes.
    pub(crate) fn new(max_nodes: usize) -> Self {
        Self {
            nodes: vec![Node::new(None, 1.0)],
            max_nodes: max_nodes.min(u32::MAX as usize),
        }
    }

    /// Returns the number of nodes.
    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    pub(crate) fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.index()]
    }

    pub(crate) fn node_mut(&mut self, id: NodeId) -> &mut Node {
        &mut self.nodes[id.index()]
    }

    /// Returns the children of a node.
    pub(crate) fn children(&self, id: NodeId) -> &[Node] {
        &self.nodes[self.range(id)]
    }

    pub(crate) fn children_mut(&mut self, id: NodeId) -> &mut [Node] {
        let range = self.range(id);
        &mut self.nodes[range]
    }

    /// Returns the child of a node at an index among its children.
    pub(crate) fn child(&self, id: NodeId, place: usize) -> NodeId {
        NodeId(self.node(id).first_child + place as u32)
    }

    /// Returns whether there is room for `count` more nodes.
    pub(crate) fn has_room(&self, count: usize) -> bool {
        self.nodes.len() + count <= self.max_nodes
    }

    /// Replaces the children of a node. Returns false if there is no room for them. `has_more` is whether there are
    /// more moves than children.
    pub(crate) fn expand(&mut self, id: NodeId, children: &[Node], has_more: bool) -> bool {
        if !self.has_room(children.len()) || !self.reserve(children.len()) {
            return false;
        }
        let first = self.nodes.len();
        self.nodes.extend_from_slice(children);
        let node = self.node_mut(id);
        node.first_child = first as u32;
        node.child_count = children.len() as u16;
        node.has_more = has_more;
        true
    }

    /// Makes room for `count` more nodes. Returns false if there is not enough memory.
    fn reserve(&mut self, count: usize) -> bool {
        let (used, capacity) = (self.nodes.len(), self.nodes.capacity());
        if used + count <= capacity {
            return true;
        }
        // Growing may move the nodes to an allocation of twice the size. The moves of a root are needed in any case.
        let needed = 2 * (used + count) + SPARE_MEMORY / size_of::<Node>();
        let is_small = used + count <= 1024;
        (is_small || has_memory(needed)) && self.nodes.try_reserve(count).is_ok()
    }

    /// Makes a node the root and keeps the nodes below it. Without enough memory to move them, clears the tree.
    pub(crate) fn keep(&mut self, id: NodeId) {
        if !has_memory(2 * self.nodes.len()) {
            return self.clear();
        }
        let mut kept = vec![*self.node(id)];
        let mut next = 0;
        while let Some(node) = kept.get_mut(next) {
            let children = node.first_child as usize..;
            let count = usize::from(node.child_count);
            let first = kept.len() as u32;
            kept[next].first_child = first;
            kept.extend_from_slice(&self.nodes[children][..count]);
            next += 1;
        }
        self.nodes = kept;
    }

    /// Removes all nodes except an empty root.
    pub(crate) fn clear(&mut self) {
        self.nodes.clear();
        self.nodes.push(Node::new(None, 1.0));
    }

    fn range(&self, id: NodeId) -> Range<usize> {
        let node = self.node(id);
        let first = node.first_child as usize;
        first..first + usize::from(node.child_count)
    }
}

/// Returns whether the system has memory for `count` nodes.
fn has_memory(count: usize) -> bool {
    let mut probe = Vec::<Node>::new();
    let reserved = probe.try_reserve_exact(count);
    // Unused memory might not be allocated.
    black_box(&probe);
    reserved.is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nodes(names: &[&str]) -> Vec<Node> {
        let node = |name: &&str| Node::new(Some(name.parse().unwrap()), 0.5);
        names.iter().map(node).collect()
    }

    #[test]
    fn nodes_below_a_kept_node_stay() {
        let mut tree = Tree::new(100);
        assert!(tree.expand(NodeId::ROOT, &nodes(&["A1", "B1", "C1"]), false));
        let kept = tree.child(NodeId::ROOT, 1);
        assert!(tree.expand(tree.child(NodeId::ROOT, 0), &nodes(&["D1"]), false));
        assert!(tree.expand(kept, &nodes(&["E1", "F1"]), false));
        assert!(tree.expand(tree.child(kept, 1), &nodes(&["G1"]), false));
        tree.node_mut(kept).visits = 7;
        tree.keep(kept);
        assert_eq!((tree.len(), tree.node(NodeId::ROOT).visits), (4, 7));
        let names = |id| {
            let moves = tree.children(id).iter().map(|node| node.mv.unwrap());
            moves.map(|mv| mv.to_string()).collect::<Vec<_>>()
        };
        assert_eq!(names(NodeId::ROOT), ["E1", "F1"]);
        assert_eq!(names(tree.child(NodeId::ROOT, 0)), [""; 0]);
        assert_eq!(names(tree.child(NodeId::ROOT, 1)), ["G1"]);
    }

    #[test]
    fn a_full_tree_stays_unchanged() {
        let mut tree = Tree::new(3);
        assert!(!tree.expand(NodeId::ROOT, &nodes(&["A1", "B1", "C1"]), false));
        assert!(tree.expand(NodeId::ROOT, &nodes(&["A1", "B1"]), false));
        assert!(!tree.expand(tree.child(NodeId::ROOT, 0), &nodes(&["C1"]), false));
        assert_eq!(tree.len(), 3);
        tree.clear();
        assert_eq!((tree.len(), tree.children(NodeId::ROOT).len()), (1, 0));
    }
}
