//! Names of openings.

use std::collections::HashMap;

use othello_core::{Game, Position};

/// Lines with their names in Latin letters, sorted by moves. Every position that Egaroucid 7.8 names so is among them;
/// its sources are <https://berg.earthlingz.de/ocd/data/openings2/openings.txt> and, for the names in use in Japan,
/// <https://evaccaneer.livedoor.blog/archives/11101657.html>.
const NAMED: &[(&str, &str)] = &[
    ("f5d6", "Perpendicular"),
    ("f5d6c3d3c4", "Tiger"),
    ("f5d6c3d3c4b3", "Aubrey"),
    ("f5d6c3d3c4b3d2f4", "Aubrey (Feldborg)"),
    ("f5d6c3d3c4b5", "Berg Tiger"),
    ("f5d6c3d3c4f4c5b3c2", "Rose-Bill"),
    ("f5d6c3d3c4f4c5b3c2b4", "Central Rose-Bill"),
    ("f5d6c3d3c4f4c5b3c2b4c6d2", "Big Mass Triangle"),
    ("f5d6c3d3c4f4c5b3c2b4c6d2e6", "Emanuel Caspard"),
    ("f5d6c3d3c4f4c5b3c2b4e3", "Ladybird"),
    ("f5d6c3d3c4f4c5b3c2e6", "Tamenori"),
    ("f5d6c3d3c4f4c5b4b5c6f3e6e3", "Ishii"),
    ("f5d6c3d3c4f4c5b4b5c6f3e6e3g6f6g5d7g3", "Mainline Tiger"),
    ("f5d6c3d3c4f4e3", "Brightwell"),
    ("f5d6c3d3c4f4e6", "Leader's Tiger"),
    ("f5d6c3d3c4f4f6", "Stephenson"),
    ("f5d6c3d3c4f4f6b4", "Kung"),
    ("f5d6c3d3c4f4f6f3", "Comp'Oth"),
    ("f5d6c3d3c4f4f6f3e3g5g4", "Popov"),
    ("f5d6c3d3c4f4f6f3e3g5g4h3g3f2", "No-Kung (Continuation)"),
    ("f5d6c3d3c4f4f6f3e3g5g4h3h6", "Sharalle"),
    ("f5d6c3d3c4f4f6f3e3g5g6f7", "Tau"),
    ("f5d6c3d3c4f4f6g5", "No-Kung"),
    ("f5d6c3d3c4f4f6g5e6d7c7", "EJ"),
    ("f5d6c3g5", "Bent Ganglion"),
    ("f5d6c4d3c5", "Cat"),
    ("f5d6c4d3c5b4", "Nicolet"),
    ("f5d6c4d3c5f4e3f3c2b4b3", "Berner"),
    ("f5d6c4d3c5f4e3f3c2c6", "Sakaguchi"),
    ("f5d6c4d3e6", "Italian"),
    ("f5d6c4d3e6f4d7c5e3e7c7f3c3b4f7", "Nakajima"),
    ("f5d6c4g5", "Ganglion"),
    ("f5d6c4g5c6", "Swallow"),
    ("f5d6c4g5c6c3d3d2", "Song Yan"),
    ("f5d6c4g5c6c5d7d3b4c3e3f3", "No-Cat (Continuation)"),
    ("f5d6c5f4d3", "Horse"),
    ("f5d6c5f4e3c6d3f3", "Ralle"),
    ("f5d6c5f4e3c6d3f6e6d7", "Rose"),
    ("f5d6c5f4e3c6d3f6e6d7e7", "Greenberg"),
    ("f5d6c5f4e3c6d3f6e6d7g3c4", "Rose-Birth"),
    ("f5d6c5f4e3c6d3f6e6d7g3c4b4", "Rose-Birdie"),
    ("f5d6c5f4e3c6d3f6e6d7g3c4b4c3", "Rose-Tamenori"),
    ("f5d6c5f4e3c6d3f6e6d7g3c4g5c3b4e2", "Brightstein"),
    ("f5d6c5f4e3c6d3f6e6d7g4", "Flat"),
    ("f5d6c5f4e3c6d3f6e6d7g4c4", "Rotating Flat"),
    ("f5d6c5f4e3c6d3f6e6d7g4c4b4g3g5", "Amadeus of the Boaster"),
    (
        "f5d6c5f4e3c6d3f6e6d7g4c4g5c3f7d2e7f2",
        "Rotating Flat (Kling Continuation)",
    ),
    ("f5d6c5f4e3c6d3f6e6d7g4c4g6", "Murakami"),
    ("f5d6c5f4e3c6d3f6e6d7g4c4g6g3b4", "Amadeus Mercedes"),
    ("f5d6c5f4e3c6d7", "Bhagat"),
    ("f5d6c5f4e3c6e6", "Inoue"),
    ("f5d6c5f4e3c6e6f6", "Iago"),
    ("f5d6c5f4e3c6f3", "Shaman"),
    ("f5d6c5f4e3d3", "Mimura"),
    ("f5f4", "Parallel"),
    ("f5f6", "Diagonal"),
    ("f5f6c4f4", "Semi-Wing"),
    ("f5f6d3f4", "Wing"),
    ("f5f6e6f4c3", "Buffalo"),
    ("f5f6e6f4c3c4", "Hokuriku Buffalo"),
    ("f5f6e6f4c3d6f3c4c5b4", "Tanida Buffalo"),
    ("f5f6e6f4c3d6f3c4c5b6", "Chariot"),
    ("f5f6e6f4c3d6f3c5", "Esaki"),
    ("f5f6e6f4c3d7f3", "Maruoka Buffalo"),
    ("f5f6e6f4e3", "Cow"),
    ("f5f6e6f4e3c5c4", "Rose-v-Toth"),
    ("f5f6e6f4e3c5c4d3", "Ben-Hur"),
    ("f5f6e6f4e3c5c4d3c3", "Landau"),
    ("f5f6e6f4e3c5c4d3f3e2", "Maruoka"),
    ("f5f6e6f4e3c5c4e7", "Tanida"),
    ("f5f6e6f4e3c5c4e7b5e2", "Sailboat"),
    ("f5f6e6f4e3c5c4e7g4", "Aircraft"),
    ("f5f6e6f4e3c5g5", "Bat"),
    ("f5f6e6f4e3c5g5d6g6", "Bat (Kling Alternative)"),
    ("f5f6e6f4e3c5g5f3", "Akihiro"),
    (
        "f5f6e6f4e3c5g5f3g4d6g3g6f7h5h4h3e7",
        "Bat (Kling Continuation)",
    ),
    ("f5f6e6f4e3c5g5g3g4f3c4", "Melnikov"),
    ("f5f6e6f4e3c5g5g3g4f3g6", "Bat (Piau Continuation 2)"),
    ("f5f6e6f4e3d6", "Chimney"),
    ("f5f6e6f4g3", "Rocket"),
    ("f5f6e6f4g3d6", "Lollipop"),
    ("f5f6e6f4g3f3g4", "Hamilton"),
    ("f5f6e6f4g4", "Raccoon Dog"),
    ("f5f6e6f4g5", "Heath"),
    ("f5f6e6f4g5d6", "Heath-Chimney"),
    ("f5f6e6f4g5e7d7", "Iwasaki"),
    ("f5f6e6f4g5e7e3", "Heath-Bat"),
    ("f5f6e6f4g5e7f7", "Classic Heath"),
    ("f5f6e6f4g5e7f7c5e3f3c4d3c2", "Mimura II"),
    ("f5f6e6f4g6", "Snake"),
    ("f5f6e6f4g6c5g4g5f3e3c4", "Pyramid"),
    ("f5f6e6f4g7", "X-square"),
];

/// A named opening.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Opening {
    /// The name, such as `Tiger`.
    pub name: &'static str,
    /// A line that leads to the opening, such as `f5d6c3d3c4`.
    pub line: &'static str,
}

/// The named openings, indexed by position, so that they are recognized in every orientation of the board and order of
/// moves.
///
/// # Examples
///
/// ```
/// use othello_records::Openings;
///
/// let openings = Openings::default();
/// // The tiger, turned, and then a move that has no name.
/// let game: othello_core::Game = "c4e3f6e6f5b4".parse()?;
/// assert_eq!(openings.of(&game).map(|opening| opening.name), Some("Tiger"));
/// let passed: Vec<(usize, &str)> = openings
///     .passed(&game)
///     .map(|(ply, opening)| (ply, opening.name))
///     .collect();
/// assert_eq!(passed, [(2, "Perpendicular"), (5, "Tiger")]);
/// # Ok::<(), othello_core::TranscriptError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Openings {
    by_position: HashMap<Position, Opening>,
    /// The number of moves of the longest line.
    longest: usize,
}

impl Default for Openings {
    fn default() -> Self {
        Self::new(NAMED.iter().copied())
    }
}

impl Openings {
    /// Creates an index of lines from the standard start and their names.
    ///
    /// # Panics
    ///
    /// Panics if a line is not a legal game.
    fn new(named: impl Iterator<Item = (&'static str, &'static str)>) -> Self {
        let mut by_position = HashMap::new();
        let mut longest = 0;
        for (line, name) in named {
            let game: Game = line.parse().expect("a line of the table is legal");
            longest = longest.max(game.moves().len());
            let (position, _) = game.board().position().canonical();
            by_position.insert(position, Opening { name, line });
        }
        Self {
            by_position,
            longest,
        }
    }

    /// All openings, in unspecified order.
    pub fn all(&self) -> impl Iterator<Item = Opening> {
        self.by_position.values().copied()
    }

    /// The named openings that a game passes through, in order, each with the index of its position in the game.
    pub fn passed(&self, game: &Game) -> impl Iterator<Item = (usize, Opening)> {
        let boards = game.boards().enumerate().skip(1).take(self.longest);
        boards.filter_map(|(ply, board)| Some((ply, self.at(board.position())?)))
    }

    /// The named opening that ends in a position.
    pub fn at(&self, position: Position) -> Option<Opening> {
        self.by_position.get(&position.canonical().0).copied()
    }

    /// The last named opening that a game passes through.
    pub fn of(&self, game: &Game) -> Option<Opening> {
        self.passed(game).last().map(|(_, opening)| opening)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use othello_core::{Move, Symmetry};

    #[test]
    fn every_line_has_a_distinct_position_and_name() {
        let openings = Openings::default();
        assert_eq!(openings.by_position.len(), NAMED.len());
        for &(line, name) in NAMED {
            let game: Game = line.parse().unwrap();
            assert_eq!(openings.of(&game), Some(Opening { name, line }));
        }
    }

    #[test]
    fn an_opening_is_recognized_in_every_orientation() {
        let openings = Openings::default();
        let game: Game = "f5d6c3d3c4f4c5b3c2e6".parse().unwrap();
        let name = openings.of(&game).unwrap().name;
        let same_start =
            |symmetry: &Symmetry| symmetry.position(Position::START) == Position::START;
        let mut turned = 0;
        for symmetry in Symmetry::ALL.iter().filter(|symmetry| same_start(symmetry)) {
            let mut image = Game::default();
            for mv in game.moves() {
                let Move::Place(square) = mv else {
                    panic!("no passes")
                };
                image.play(symmetry.square(*square)).unwrap();
            }
            assert_eq!(openings.of(&image).unwrap().name, name);
            turned += 1;
        }
        assert_eq!(turned, 4);
    }

    #[test]
    fn another_order_of_moves_leads_to_the_same_opening() {
        let openings = Openings::default();
        let name = |line: &str| openings.of(&line.parse().unwrap()).map(|found| found.name);
        assert_eq!(name("f5d6c3d3c4"), Some("Tiger"));
        assert_eq!(name("f5d6c4d3c3"), Some("Tiger"));
        assert_eq!(openings.of(&Game::default()), None);
    }
}
