//! Trees of nodes with properties.

use alloc::{string::String, vec::Vec};
use core::iter;

use super::value::{escape, unescape};

/// The contents of an SGF file: one tree of nodes for each game.
///
/// The nodes stand in one list, so that a tree of any depth is dropped and copied without recursion.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Collection {
    nodes: Vec<Node>,
    games: Vec<NodeId>,
}

/// The place of a node in its [`Collection`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(usize);

/// A node of a tree: its properties in order, and the nodes that follow, the main line first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Node {
    properties: Vec<Property>,
    children: Vec<NodeId>,
}

/// A property of a node: an identifier of upper-case letters and one value at least.
///
/// Properties are equal if their identifiers and values are, wherever they stand.
#[derive(Clone, Debug)]
pub struct Property {
    identifier: String,
    /// The values as they stand in a file, with escapes.
    values: Vec<String>,
    offset: usize,
}

impl Collection {
    /// Creates a collection without games.
    pub const fn new() -> Self {
        Self {
            nodes: Vec::new(),
            games: Vec::new(),
        }
    }

    /// Returns the first node of each game.
    pub fn games(&self) -> &[NodeId] {
        &self.games
    }

    /// Returns a node.
    ///
    /// # Panics
    ///
    /// May panic if the node is of another collection.
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0]
    }

    /// Adds a game and returns its first node, which has no properties yet.
    pub fn add_game(&mut self) -> NodeId {
        let id = self.add_node();
        self.games.push(id);
        id
    }

    /// Adds a node after all others that follow `parent`, without properties, and returns it.
    ///
    /// # Panics
    ///
    /// May panic if the parent is a node of another collection.
    pub fn add_child(&mut self, parent: NodeId) -> NodeId {
        let id = self.add_node();
        self.nodes[parent.0].children.push(id);
        id
    }

    /// Adds a property at the end of a node.
    ///
    /// # Panics
    ///
    /// May panic if the node is of another collection.
    ///
    /// # Examples
    ///
    /// ```
    /// use go_core::sgf::{Collection, Property};
    ///
    /// let mut collection = Collection::new();
    /// let root = collection.add_game();
    /// let comment = Property::new("C", ["a [good] move"]).ok_or("an identifier")?;
    /// collection.add_property(root, comment);
    /// assert_eq!(collection.to_string(), "(;C[a [good\\] move])\n");
    /// # Ok::<(), &str>(())
    /// ```
    pub fn add_property(&mut self, node: NodeId, property: Property) {
        self.nodes[node.0].properties.push(property);
    }

    /// Iterates over the main line from a node on: the node, its first child, and so on.
    pub fn main_line(&self, first: NodeId) -> impl Iterator<Item = NodeId> {
        iter::successors(Some(first), |&id| self.node(id).children.first().copied())
    }

    fn add_node(&mut self) -> NodeId {
        self.nodes.push(Node::default());
        NodeId(self.nodes.len() - 1)
    }
}

impl Node {
    /// Returns the properties in order.
    pub fn properties(&self) -> &[Property] {
        &self.properties
    }

    /// Returns the first property with an identifier.
    pub fn property(&self, identifier: &str) -> Option<&Property> {
        self.properties
            .iter()
            .find(|property| property.identifier == identifier)
    }

    /// Returns the nodes that follow, the main line first.
    pub fn children(&self) -> &[NodeId] {
        &self.children
    }
}

impl Property {
    /// Creates a property with values of plain text, in which `]` and `\` are escaped, or returns `None`
    /// if the identifier is not of upper-case letters or there is no value.
    pub fn new<'a>(identifier: &str, values: impl IntoIterator<Item = &'a str>) -> Option<Self> {
        let values: Vec<_> = values.into_iter().map(escape).collect();
        let is_identifier =
            !identifier.is_empty() && identifier.bytes().all(|byte| byte.is_ascii_uppercase());
        (is_identifier && !values.is_empty()).then(|| Self::from_raw(identifier.into(), values, 0))
    }

    /// Creates a property with values that are escaped already.
    pub(super) const fn from_raw(identifier: String, values: Vec<String>, offset: usize) -> Self {
        Self {
            identifier,
            values,
            offset,
        }
    }

    /// Returns the identifier, such as `AB`.
    pub fn identifier(&self) -> &str {
        &self.identifier
    }

    /// Returns the values as they stand in a file, with escapes. There is one at least.
    pub fn raw_values(&self) -> &[String] {
        &self.values
    }

    /// Returns the first value as text, without escapes.
    pub fn text(&self) -> String {
        self.values
            .first()
            .map(|value| unescape(value))
            .unwrap_or_default()
    }

    /// Returns the first value as a line of text, in which line breaks are blanks.
    pub fn line(&self) -> String {
        self.text().replace('\n', " ")
    }

    /// Returns the offset in bytes of the identifier in the text that was read, 0 if none was.
    pub const fn offset(&self) -> usize {
        self.offset
    }
}

impl PartialEq for Property {
    fn eq(&self, other: &Self) -> bool {
        (&self.identifier, &self.values) == (&other.identifier, &other.values)
    }
}

impl Eq for Property {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trees_are_built_node_by_node() {
        let mut collection = Collection::new();
        let root = collection.add_game();
        let (first, second) = (collection.add_child(root), collection.add_child(root));
        let last = collection.add_child(first);
        assert_eq!(collection.games(), [root]);
        assert_eq!(collection.node(root).children(), [first, second]);
        assert!(collection.main_line(root).eq([root, first, last]));
        let move_property = Property::new("B", ["aa"]).unwrap();
        collection.add_property(first, move_property.clone());
        assert_eq!(collection.node(first).properties(), [move_property]);
        assert!(collection.node(first).property("W").is_none());
        let found = collection.node(first).property("B").unwrap();
        assert_eq!((found.identifier(), found.offset()), ("B", 0));
    }

    #[test]
    fn a_property_needs_an_identifier_and_a_value() {
        assert_eq!(Property::new("", ["x"]), None);
        assert_eq!(Property::new("Ab", ["x"]), None);
        assert_eq!(Property::new("B2", ["x"]), None);
        assert_eq!(Property::new("AB", []), None);
        let property = Property::new("C", ["a]\\\nb"]).unwrap();
        assert_eq!(property.raw_values(), ["a\\]\\\\\nb"]);
        assert_eq!(
            (property.text(), property.line()),
            ("a]\\\nb".into(), "a]\\ b".into())
        );
    }

    #[test]
    fn a_long_line_is_dropped_without_recursion() {
        let mut collection = Collection::new();
        let mut node = collection.add_game();
        for _ in 0..1_000_000 {
            node = collection.add_child(node);
        }
        assert_eq!(
            collection.main_line(collection.games()[0]).count(),
            1_000_001
        );
    }
}
