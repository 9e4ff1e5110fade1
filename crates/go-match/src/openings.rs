//! The openings of a match, determined by source, seed and setup.

use std::{
    fmt, io,
    path::{Path, PathBuf},
    str::FromStr,
    sync::Arc,
};

use boardgame_match::{GameSpec, Scorer, contest};
use go_core::{
    Color, Game, LifeAndDeath, Move, Point, Position, Random, Score, Scoring, Setup,
    TranscriptError, playout,
};

use crate::EngineSpec;

/// The maximum size of a file of openings, in bytes.
const MAX_FILE: u64 = 16 * boardgame_files::MIB;

/// The maximum number of moves of a random opening.
const MAX_MOVES: u32 = 20;

/// The number of openings drawn; the most balanced one is taken.
const DRAWN: usize = 8;

/// The number of playouts that estimate the balance of an opening.
const PLAYOUTS: u32 = 64;

/// The number of random openings in a fingerprint.
const FINGERPRINTED: u32 = 2;

/// The source of openings: `empty`, `random:MOVES`, or a file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum OpeningSource {
    /// No moves.
    Empty,
    /// Random moves, 1 to 20.
    Random {
        /// The number of moves.
        moves: u32,
    },
    /// A file with an opening in each line, moves such as `B Q16, W D4`. Empty lines and text after `#` are
    /// skipped.
    File(PathBuf),
}

/// An error in the text of a source of openings.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected empty, random:MOVES with 1 to {MAX_MOVES} moves, or a file, found {found:?}")]
pub struct ParseOpeningSourceError {
    /// The text.
    pub found: String,
}

impl FromStr for OpeningSource {
    type Err = ParseOpeningSourceError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let error = || ParseOpeningSourceError { found: text.into() };
        match (text, text.strip_prefix("random:")) {
            ("", _) => Err(error()),
            ("empty", _) => Ok(Self::Empty),
            (_, None) => Ok(Self::File(text.into())),
            (_, Some(moves)) => {
                let moves = moves.parse().ok();
                let moves = moves.filter(|moves| (1..=MAX_MOVES).contains(moves));
                Ok(Self::Random {
                    moves: moves.ok_or_else(error)?,
                })
            }
        }
    }
}

/// The error of a file of openings.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs)]
pub enum OpeningsError {
    /// The file cannot be read.
    #[error("cannot read the openings in {}", path.display())]
    Read { path: PathBuf, source: io::Error },
    /// The file has no openings.
    #[error("expected an opening in each line, found none in {}", path.display())]
    None { path: PathBuf },
    /// A line is not an opening.
    #[error("{}, line {line}", path.display())]
    Line {
        path: PathBuf,
        line: usize,
        source: TranscriptError,
    },
    /// The game of a line cannot be continued.
    #[error("{}, line {line}: expected sides that move in turn, and a game that is not over", path.display())]
    Turn { path: PathBuf, line: usize },
}

/// The terms of all games of a match.
#[derive(Clone)]
pub struct Terms {
    /// The setup of every game.
    pub setup: Setup,
    /// The judge of finished games.
    pub judge: Arc<dyn Scorer<Position>>,
    /// The number of moves after which a game is judged as it stands.
    pub max_moves: usize,
}

/// The openings of a match, by number.
pub struct Openings {
    terms: Terms,
    kind: Kind,
}

enum Kind {
    /// In the order of their numbers, repeating from the first; never empty.
    List(Vec<Vec<Move>>),
    Random {
        moves: u32,
        seed: u64,
    },
}

impl Openings {
    /// Returns the openings of a source. Random ones follow from the seed and their numbers.
    ///
    /// The moves of a random opening are uniformly distributed on the third line and above, if the board is
    /// large enough. Of eight candidates, the one with the most balanced random playouts is taken.
    ///
    /// # Errors
    ///
    /// Fails if a file cannot be read or has a line that is not an opening of this setup.
    pub fn load(source: &OpeningSource, seed: u64, terms: Terms) -> Result<Self, OpeningsError> {
        let kind = match source {
            OpeningSource::Empty => Kind::List(vec![Vec::new()]),
            &OpeningSource::Random { moves } => Kind::Random { moves, seed },
            OpeningSource::File(path) => Kind::List(read(path, &terms.setup)?),
        };
        Ok(Self { terms, kind })
    }

    /// Returns true if games may start with moves.
    pub fn have_moves(&self) -> bool {
        match &self.kind {
            Kind::List(openings) => openings.iter().any(|moves| !moves.is_empty()),
            Kind::Random { .. } => true,
        }
    }

    /// Returns the setup of every game.
    pub const fn setup(&self) -> &Setup {
        &self.terms.setup
    }

    /// Returns a text that identifies the openings: equal only if all numbers give the same games.
    pub fn fingerprint(&self) -> String {
        let (name, count) = match &self.kind {
            Kind::List(openings) if !self.have_moves() => {
                return format!("empty, {}", openings.len());
            }
            Kind::List(openings) => ("listed".to_owned(), openings.len() as u32),
            Kind::Random { moves, seed } => (format!("random:{moves}, seed {seed}"), FINGERPRINTED),
        };
        let mut hasher = crc32fast::Hasher::new();
        for number in 0..count {
            let moves = self.moves(number);
            let text: Vec<String> = moves.iter().map(Move::to_string).collect();
            hasher.update(format!("{}\n", text.join(" ")).as_bytes());
        }
        format!("{name}, checksum {:08x}", hasher.finalize())
    }

    fn moves(&self, number: u32) -> Vec<Move> {
        match &self.kind {
            Kind::List(openings) => openings[number as usize % openings.len()].clone(),
            &Kind::Random { moves, seed } => balanced(&self.terms.setup, moves, seed, number),
        }
    }
}

impl contest::Openings<EngineSpec> for Openings {
    fn game(&self, number: u32) -> GameSpec<Position> {
        GameSpec {
            opening: self.moves(number),
            scorer: Some(Arc::clone(&self.terms.judge)),
            max_moves: Some(self.terms.max_moves),
            ..GameSpec::new(self.terms.setup.clone())
        }
    }
}

impl fmt::Debug for Openings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Openings({} {})", self.terms.setup, self.fingerprint())
    }
}

fn read(path: &Path, setup: &Setup) -> Result<Vec<Vec<Move>>, OpeningsError> {
    let text = boardgame_files::read_to_string(path, MAX_FILE).map_err(|source| {
        let path = path.to_owned();
        OpeningsError::Read { path, source }
    })?;
    let mut openings = Vec::new();
    for (line, text) in (1..).zip(text.lines()) {
        let text = text.split('#').next().unwrap_or_default();
        if text.trim().is_empty() {
            continue;
        }
        let game = Game::from_transcript(setup.clone(), text).map_err(|source| {
            let path = path.to_owned();
            OpeningsError::Line { path, line, source }
        })?;
        openings.push(in_turn(&game).ok_or_else(|| {
            let path = path.to_owned();
            OpeningsError::Turn { path, line }
        })?);
    }
    if openings.is_empty() {
        let path = path.to_owned();
        return Err(OpeningsError::None { path });
    }
    Ok(openings)
}

/// Returns the moves of a game if it can be continued and the sides move in turn.
fn in_turn(game: &Game) -> Option<Vec<Move>> {
    let mut position = Position::new(game.setup());
    for &(color, mv) in game.moves() {
        let is_in_turn = color == position.side_to_move();
        position.play(mv).ok().filter(|()| is_in_turn)?;
    }
    let moves = game.moves().iter().map(|&(_, mv)| mv).collect();
    (!position.is_over()).then_some(moves)
}

/// Returns the most balanced of several random openings.
fn balanced(setup: &Setup, moves: u32, seed: u64, number: u32) -> Vec<Move> {
    // Generators with neighbouring seeds are independent.
    let mut random = Random::new(seed.wrapping_mul(1 << 32).wrapping_add(number.into()));
    let drawn = (0..DRAWN).map(|_| draw(setup, moves, &mut random));
    let openings: Vec<_> = drawn.collect();
    let mut rated = Vec::new();
    for (moves, position) in openings {
        rated.push((imbalance(&position, &mut random), moves));
    }
    let best = rated.into_iter().min_by_key(|&(imbalance, _)| imbalance);
    best.map_or(Vec::new(), |(_, moves)| moves)
}

/// Returns an opening of random moves and the position after it.
fn draw(setup: &Setup, moves: u32, random: &mut Random) -> (Vec<Move>, Position) {
    let mut position = Position::new(setup);
    let lines = setup.size().lines();
    let margin = if lines >= 9 { 2 } else { 0 };
    let inner = margin..lines - margin;
    let is_inner = |point: &Point| inner.contains(&point.column()) && inner.contains(&point.row());
    let mut drawn = Vec::new();
    for _ in 0..moves {
        let points: Vec<Point> = position.legal_points().filter(is_inner).collect();
        if points.is_empty() {
            break;
        }
        let mv = Move::Place(points[random.below(points.len() as u32) as usize]);
        let played = position.play(mv);
        debug_assert!(played.is_ok(), "the point is legal");
        drawn.push(mv);
    }
    (drawn, position)
}

/// Returns the imbalance of random playouts: the difference of wins, 0 to [`PLAYOUTS`].
fn imbalance(position: &Position, random: &mut Random) -> u32 {
    let (mut black, mut white) = (0_u32, 0_u32);
    let mut board = position.board().clone();
    for _ in 0..PLAYOUTS {
        board.clone_from(position.board());
        playout(&mut board, position.side_to_move(), random);
        let score = Score::new(&board, &LifeAndDeath::default(), Scoring::Area);
        match position.margin(&score).winner() {
            Some(Color::Black) => black += 1,
            Some(Color::White) => white += 1,
            None => {}
        }
    }
    black.abs_diff(white)
}

#[cfg(test)]
mod tests {
    use std::error::Error as _;

    use crate::Judge;
    use boardgame_match::contest::Openings as _;

    use super::*;

    fn load(setup: &str, source: &str, seed: u64) -> Result<Openings, OpeningsError> {
        let terms = Terms {
            setup: setup.parse().unwrap(),
            judge: Arc::new(Judge::default()),
            max_moves: 100,
        };
        Openings::load(&source.parse().unwrap(), seed, terms)
    }

    #[test]
    fn random_openings_follow_from_the_seed_and_the_number() {
        let openings = |seed| {
            let openings = load("9x9 komi 5.5", "random:4", seed).unwrap();
            (0..20)
                .map(|number| openings.game(number).opening)
                .collect::<Vec<_>>()
        };
        let first = openings(1);
        assert_eq!(first, openings(1));
        assert_ne!(first, openings(2));
        assert!((1..20).all(|number| first[number] != first[0]));
        for moves in first {
            assert_eq!(moves.len(), 4);
            for mv in moves {
                let point = mv.point().expect("a stone");
                assert!((2..7).contains(&point.column()) && (2..7).contains(&point.row()));
            }
        }
    }

    #[test]
    fn the_most_balanced_opening_is_taken() {
        let setup: Setup = "9x9 komi 5.5".parse().unwrap();
        let mut random = Random::new(3);
        let mut of = |moves: &[Move]| {
            let mut position = Position::new(&setup);
            for &mv in moves {
                position.play(mv).unwrap();
            }
            imbalance(&position, &mut random)
        };
        let balanced: u32 = (0..20)
            .map(|number| of(&balanced(&setup, 6, 1, number)))
            .sum();
        let mut other = Random::new(4);
        let drawn: u32 = (0..20).map(|_| of(&draw(&setup, 6, &mut other).0)).sum();
        assert!(balanced < drawn, "{balanced} {drawn}");
    }

    #[test]
    fn a_file_has_an_opening_in_each_line() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("openings");
        let file = path.to_str().unwrap();
        std::fs::write(&path, "# two\nB E5, W C3\n\nB D4 # one\n").unwrap();
        let openings = load("9x9 komi 5.5", file, 1).unwrap();
        assert!(openings.have_moves());
        assert_eq!(openings.game(0).opening.len(), 2);
        assert_eq!(openings.game(1).opening, openings.game(3).opening);
        std::fs::write(&path, "B E5\nB E5, W E5\n").unwrap();
        let error = load("9x9 komi 5.5", file, 1).unwrap_err();
        assert!(error.to_string().ends_with("line 2"), "{error}");
        let source = error.source().map(ToString::to_string);
        assert!(
            source
                .as_ref()
                .is_some_and(|it| it.starts_with("illegal move E5")),
            "{source:?}"
        );
        for line in ["W E5", "B pass, W pass"] {
            std::fs::write(&path, line).unwrap();
            let error = load("9x9 komi 5.5", file, 1).unwrap_err().to_string();
            assert!(error.contains("line 1: expected sides"), "{error}");
        }
        std::fs::write(&path, "# nothing\n").unwrap();
        let error = load("9x9 komi 5.5", file, 1).unwrap_err().to_string();
        assert!(
            error.starts_with("expected an opening in each line"),
            "{error}"
        );
        assert!(load("9x9", "/no/such/file", 1).is_err());
    }

    #[test]
    fn sources_are_bounded() {
        for text in ["", "random:0", "random:21", "random:many"] {
            assert!(text.parse::<OpeningSource>().is_err(), "{text}");
        }
        let empty = load("9x9", "empty", 1).unwrap();
        assert!(!empty.have_moves());
        let full = load("1x1", "random:3", 1).unwrap();
        assert_eq!(full.game(0).opening, []);
    }
}
