//! Writing of trees.

use core::fmt;

use super::{Collection, Node, NodeId, Property};

/// The maximum number of nodes per line.
const NODES_PER_LINE: usize = 10;

/// A part of a game still to be written.
enum Task {
    /// A variation that starts with a node.
    Variation(NodeId),
    /// The closing bracket of a variation.
    Close,
}

impl Collection {
    /// Writes a game with its variations, without recursion.
    fn write_game(&self, f: &mut fmt::Formatter<'_>, game: NodeId) -> fmt::Result {
        let mut tasks = alloc::vec![Task::Variation(game)];
        while let Some(task) = tasks.pop() {
            match task {
                Task::Close => f.write_str(")")?,
                Task::Variation(first) => {
                    f.write_str(if first == game { "(" } else { "\n(" })?;
                    tasks.push(Task::Close);
                    let last = self.write_sequence(f, first)?;
                    let begin = tasks.len();
                    tasks.extend(last.children().map(Task::Variation));
                    tasks[begin..].reverse();
                }
            }
        }
        f.write_str("\n")
    }

    /// Writes nodes up to the first one with no child or several children, and returns it.
    fn write_sequence(
        &self,
        f: &mut fmt::Formatter<'_>,
        first: NodeId,
    ) -> Result<Node<'_>, fmt::Error> {
        let mut node = self.node(first);
        for number in 1.. {
            write!(f, "{node}")?;
            let mut children = node.children();
            match (children.next(), children.next()) {
                (Some(next), None) => node = self.node(next),
                _ => break,
            }
            if number % NODES_PER_LINE == 0 {
                f.write_str("\n")?;
            }
        }
        Ok(node)
    }
}

impl fmt::Display for Collection {
    /// Writes the text of a file: each game with its variations, followed by a line break.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.games()
            .iter()
            .try_for_each(|&game| self.write_game(f, game))
    }
}

impl fmt::Display for Node<'_> {
    /// Writes `;` and the properties.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(";")?;
        self.properties().try_for_each(|property| property.fmt(f))
    }
}

impl fmt::Display for Property<'_> {
    /// Writes the identifier and the values in brackets.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{format, string::ToString, vec::Vec};

    #[test]
    fn trees_round_trip() {
        for text in [
            "(;)\n",
            "(;FF[4]C[a\\]\n\\\\];B[aa];W[bb])\n",
            "(;B[aa]\n(;W[bb]\n(;B[cc])\n(;B[dd]))\n(;W[ee]))\n",
            "(;C[one])\n(;C[two])\n",
        ] {
            let collection: Collection = text.parse().unwrap();
            assert_eq!(collection.to_string(), text);
        }
        let spaced: Collection = " ( ; B [aa] (;W[bb]) ) ".parse().unwrap();
        assert_eq!(spaced.to_string(), "(;B[aa];W[bb])\n");
        assert_eq!(Collection::new().to_string(), "");
    }

    #[test]
    fn long_lines_are_broken_between_nodes() {
        let text = format!("({})", ";B[]".repeat(25))
            .parse::<Collection>()
            .unwrap()
            .to_string();
        let lengths: Vec<_> = text.lines().map(str::len).collect();
        assert_eq!(lengths, [41, 40, 21]);
        assert_eq!(text.parse::<Collection>().unwrap().to_string(), text);
    }

    #[test]
    fn deep_trees_are_written_without_recursion() {
        let nested = "(;(;)".repeat(5_000) + &")".repeat(5_000);
        let collection: Collection = nested.parse().unwrap();
        let text = collection.to_string();
        assert_eq!(text.parse::<Collection>().unwrap().to_string(), text);
        let long: Collection = format!("({})", ";".repeat(200_000)).parse().unwrap();
        assert_eq!(long.to_string().matches(';').count(), 200_000);
    }
}
