//! Trees of nodes with properties.

use alloc::{string::String, vec::Vec};
use core::iter;

use super::value::{escape, unescape, value_length};

/// The content of an SGF file: one tree of nodes for each game.
///
/// Nodes, properties and text are each stored in a list, so that a tree of any depth is dropped and copied without
/// recursion and takes little more memory than its text: 16 bytes per node and 8 per property.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Collection {
    /// The text of all properties, concatenated.
    text: String,
    /// The properties in order; each ends where the next one begins.
    properties: Vec<Place>,
    /// The nodes in order; each node's properties end where the next node's begin.
    nodes: Vec<Links>,
    games: Vec<NodeId>,
}

/// The index of a node in its [`Collection`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(u32);

/// The position of a property.
#[derive(Clone, Copy, Debug)]
struct Place {
    /// The start of the property in the text of the collection.
    begin: u32,
    /// The offset of its identifier in the parsed text. Equality ignores it.
    offset: u32,
}

impl PartialEq for Place {
    fn eq(&self, other: &Self) -> bool {
        self.begin == other.begin
    }
}

impl Eq for Place {}

/// The index of a node's first property, and links to related nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Links {
    properties: u32,
    first_child: u32,
    last_child: u32,
    next_sibling: u32,
}

/// Stands for a missing node.
const NONE: u32 = u32::MAX;

/// A node of a tree: its properties in order, and its children, the main line first.
#[derive(Clone, Copy, Debug)]
pub struct Node<'a> {
    collection: &'a Collection,
    id: NodeId,
}

/// A property of a node: an identifier of upper-case letters and at least one value.
///
/// Equality compares identifiers and values, not positions.
#[derive(Clone, Copy, Debug)]
pub struct Property<'a> {
    /// The identifier and the escaped values in brackets.
    text: &'a str,
    offset: usize,
}

impl Collection {
    /// Creates a collection without games.
    pub const fn new() -> Self {
        Self {
            text: String::new(),
            properties: Vec::new(),
            nodes: Vec::new(),
            games: Vec::new(),
        }
    }

    /// Returns the first node of each game.
    pub fn games(&self) -> &[NodeId] {
        &self.games
    }

    /// Returns a node.
    pub const fn node(&self, id: NodeId) -> Node<'_> {
        Node {
            collection: self,
            id,
        }
    }

    /// Adds a game and returns its first node, without properties.
    ///
    /// # Panics
    ///
    /// Panics if the collection already has 2³² - 1 nodes.
    pub fn add_game(&mut self) -> NodeId {
        let id = self.add_node();
        self.games.push(id);
        id
    }

    /// Adds a node without properties as the last child of `parent`, and returns it.
    ///
    /// # Panics
    ///
    /// Panics if the collection already has 2³² - 1 nodes; may panic if the parent belongs to another collection.
    pub fn add_child(&mut self, parent: NodeId) -> NodeId {
        let id = self.add_node();
        let links = &mut self.nodes[parent.0 as usize];
        let last = core::mem::replace(&mut links.last_child, id.0);
        if last == NONE {
            links.first_child = id.0;
        } else {
            self.nodes[last as usize].next_sibling = id.0;
        }
        id
    }

    /// Adds a property to the last added node, with plain-text values whose `]` and `\` are escaped. Returns `false`
    /// and adds nothing if there is no node, if the identifier does not consist of upper-case letters, or if there is
    /// no value.
    ///
    /// # Panics
    ///
    /// Panics if the text of the collection reaches 4 GiB.
    ///
    /// # Examples
    ///
    /// ```
    /// use go_core::sgf::Collection;
    ///
    /// let mut collection = Collection::new();
    /// collection.add_game();
    /// assert!(collection.add_property("C", ["a [good] move"]));
    /// assert_eq!(collection.to_string(), "(;C[a [good\\] move])\n");
    /// ```
    pub fn add_property<'a>(
        &mut self,
        identifier: &str,
        values: impl IntoIterator<Item = &'a str>,
    ) -> bool {
        let is_identifier =
            !identifier.is_empty() && identifier.bytes().all(|byte| byte.is_ascii_uppercase());
        let mut values = values.into_iter().peekable();
        if self.nodes.is_empty() || !is_identifier || values.peek().is_none() {
            return false;
        }
        self.begin_property(identifier.chars(), 0);
        values.for_each(|value| self.add_raw_value(&escape(value)));
        true
    }

    /// Starts a property of the last added node, at an offset of the parsed text.
    pub(super) fn begin_property(&mut self, identifier: impl Iterator<Item = char>, offset: usize) {
        self.properties.push(Place {
            begin: number(self.text.len()),
            offset: number(offset),
        });
        self.text.extend(identifier);
    }

    /// Adds a value that is already escaped to the last started property.
    pub(super) fn add_raw_value(&mut self, value: &str) {
        self.text.extend(["[", value, "]"]);
    }

    /// Iterates over the main line from a node: the node, its first child, and so on.
    pub fn main_line(&self, first: NodeId) -> impl Iterator<Item = NodeId> {
        iter::successors(Some(first), |&id| self.node(id).children().next())
    }

    fn add_node(&mut self) -> NodeId {
        let id = number(self.nodes.len());
        assert!(id < NONE, "a collection has less than 2³² - 1 nodes");
        self.nodes.push(Links {
            properties: number(self.properties.len()),
            first_child: NONE,
            last_child: NONE,
            next_sibling: NONE,
        });
        NodeId(id)
    }
}

/// Converts a length or offset within a collection.
fn number(length: usize) -> u32 {
    u32::try_from(length).expect("a collection has less than 4 GiB")
}

impl<'a> Node<'a> {
    /// Returns the properties in order.
    ///
    /// # Panics
    ///
    /// May panic if the node belongs to another collection, as may the functions below.
    pub fn properties(self) -> impl Iterator<Item = Property<'a>> {
        let Collection {
            text,
            properties,
            nodes,
            ..
        } = self.collection;
        let begin = |id: usize| nodes.get(id).map(|node| node.properties as usize);
        let node = self.id.0 as usize;
        let first = begin(node).unwrap_or(properties.len());
        let end = begin(node + 1).unwrap_or(properties.len());
        (first..end).map(move |index| {
            let place = properties[index];
            let next = properties.get(index + 1);
            let end = next.map_or(text.len(), |next| next.begin as usize);
            Property {
                text: &text[place.begin as usize..end],
                offset: place.offset as usize,
            }
        })
    }

    /// Returns the first property with an identifier.
    pub fn property(self, identifier: &str) -> Option<Property<'a>> {
        self.properties()
            .find(|property| property.identifier() == identifier)
    }

    /// Returns the children, the main line first.
    pub fn children(self) -> impl Iterator<Item = NodeId> {
        let nodes = &self.collection.nodes;
        let some = |id: u32| (id != NONE).then_some(NodeId(id));
        let first = some(nodes[self.id.0 as usize].first_child);
        iter::successors(first, move |id| some(nodes[id.0 as usize].next_sibling))
    }
}

impl<'a> Property<'a> {
    /// Returns the identifier, such as `AB`.
    pub fn identifier(self) -> &'a str {
        let length = self.text.find('[').unwrap_or(self.text.len());
        &self.text[..length]
    }

    /// Returns the escaped values, at least one, as in a file.
    pub fn raw_values(self) -> impl Iterator<Item = &'a str> {
        let mut rest = &self.text[self.identifier().len()..];
        iter::from_fn(move || {
            let inner = rest.strip_prefix('[')?;
            let (value, after) = inner.split_at(value_length(inner)?);
            rest = &after[1..];
            Some(value)
        })
    }

    /// Returns the first value as text, without escapes.
    pub fn text(self) -> String {
        self.raw_values().next().map(unescape).unwrap_or_default()
    }

    /// Returns the first value as a line of text, with line breaks replaced by spaces.
    pub fn line(self) -> String {
        self.text().replace('\n', " ")
    }

    /// Returns the property as in a file.
    pub(super) const fn as_str(self) -> &'a str {
        self.text
    }

    /// Returns the byte offset of the identifier in the parsed text, or 0 if the property was not parsed.
    pub const fn offset(self) -> usize {
        self.offset
    }
}

impl PartialEq for Property<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl Eq for Property<'_> {}

#[cfg(test)]
mod tests {
    use super::*;
    use std::string::ToString;

    #[test]
    fn trees_are_built_node_by_node() {
        let mut collection = Collection::new();
        let root = collection.add_game();
        let (first, second) = (collection.add_child(root), collection.add_child(root));
        let last = collection.add_child(first);
        assert_eq!(collection.games(), [root]);
        assert!(collection.node(root).children().eq([first, second]));
        assert!(collection.main_line(root).eq([root, first, last]));
        assert!(collection.add_property("B", ["aa"]));
        assert!(collection.add_property("C", ["a]\\\nb", ""]));
        let properties: Vec<_> = collection.node(last).properties().collect();
        let [move_property, comment] = properties[..] else {
            panic!("two properties")
        };
        assert_eq!(
            (move_property.identifier(), move_property.offset()),
            ("B", 0)
        );
        assert!(comment.raw_values().eq(["a\\]\\\\\nb", ""]));
        assert_eq!(
            (comment.text(), comment.line()),
            ("a]\\\nb".into(), "a]\\ b".into())
        );
        assert_eq!(collection.node(last).property("C"), Some(comment));
        assert_eq!(collection.node(last).property("W"), None);
        assert_eq!(collection.node(second).properties().count(), 0);
    }

    #[test]
    fn a_property_needs_a_node_an_identifier_and_a_value() {
        let mut collection = Collection::new();
        assert!(!collection.add_property("C", ["x"]));
        collection.add_game();
        for identifier in ["", "Ab", "B2"] {
            assert!(!collection.add_property(identifier, ["x"]));
        }
        assert!(!collection.add_property("AB", []));
        assert_eq!(collection.to_string(), "(;)\n");
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
