//! A game of self-play: its stored form, and its samples.

use std::{fmt, str::FromStr};

use othello_core::{Empties, IllegalMove, Position, Square};

/// A game from the standard start to its end: the number of random moves at its beginning, the
/// squares played, and the values that searches found. Passes follow from the rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameRecord {
    random: u8,
    squares: Vec<Square>,
    values: Vec<i16>,
}

/// A position and its target, at first the final score of its game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// The position, in which the game is not over.
    pub position: Position,
    /// The target of a model: the final score in discs from the point of view of the side to move,
    /// with empty squares counted for the winner, or what [`Targets`](crate::Targets) make of it.
    pub score: f32,
}

/// An error: a record is not a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs)]
pub enum ReplayError {
    /// A move is illegal.
    #[error("move {number}: {illegal}")]
    Illegal {
        /// The move's number, from 1, passes not counted.
        number: usize,
        /// The move and the reason.
        illegal: IllegalMove,
    },
    /// The game is not over after the last move.
    #[error("expected the game to end with its last move, but after {moves} it goes on")]
    Unfinished { moves: usize },
    /// There are more random moves than moves.
    #[error("expected at most {moves} random moves, found {random}")]
    Random {
        moves: usize,
        /// The number of random moves in the record.
        random: u8,
    },
}

/// An error in the text of a record of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "expected a number of random moves, the squares of a game, and at most a value for each other move"
)]
pub struct ParseGameError;

impl GameRecord {
    /// The size of a packed record in bytes.
    pub const BYTES: usize = 1 + PACKED;

    pub(crate) const fn new(random: u8, squares: Vec<Square>, values: Vec<i16>) -> Self {
        Self {
            random,
            squares,
            values,
        }
    }

    /// The number of random moves, which are the first of the game.
    pub const fn random(&self) -> u8 {
        self.random
    }

    /// The squares played, in order.
    pub fn squares(&self) -> &[Square] {
        &self.squares
    }

    /// The values of the positions in which the moves after the random ones were searched for, in order, in
    /// tenths of a disc from the point of view of the side to move. There are none for random moves and those of
    /// perfect play, and none at all in records of earlier programs.
    pub fn values(&self) -> &[i16] {
        &self.values
    }

    /// Returns whether another record has the same moves and, unless either has none, the same values.
    pub(crate) fn agrees_with(&self, other: &Self) -> bool {
        let values =
            self.values.is_empty() || other.values.is_empty() || self.values == other.values;
        values && self.random == other.random && self.squares == other.squares
    }

    /// Appends the samples of the game, in order: each position after the random moves in which the
    /// game is not over, including those with a forced pass. Returns the final position.
    ///
    /// # Errors
    ///
    /// Fails if the record is not a game from the start to the end; nothing is then appended.
    pub fn samples(&self, samples: &mut Vec<Sample>) -> Result<Position, ReplayError> {
        let from = samples.len();
        let random = usize::from(self.random);
        let replayed = self.replay(|moves, position| {
            if moves >= random {
                let score = 0.0;
                samples.push(Sample { position, score });
            }
        });
        let last = replayed.inspect_err(|_| samples.truncate(from))?;
        // Each follows from the one before by a move or a pass, so the sides alternate.
        let mut score = last.score(Empties::ToWinner).discs() as f32;
        for sample in samples[from..].iter_mut().rev() {
            score = -score;
            sample.score = score;
        }
        Ok(last)
    }

    /// Returns the final position; `visit` is called with each position before it and the number of
    /// moves so far.
    pub(crate) fn replay(
        &self,
        mut visit: impl FnMut(usize, Position),
    ) -> Result<Position, ReplayError> {
        let moves = self.squares.len();
        if usize::from(self.random) > moves {
            let random = self.random;
            return Err(ReplayError::Random { moves, random });
        }
        let mut position = Position::START;
        for (played, &square) in self.squares.iter().enumerate() {
            visit(played, position);
            if position.must_pass() {
                position = position.passed();
                visit(played, position);
            }
            let illegal = |illegal| ReplayError::Illegal {
                number: played + 1,
                illegal,
            };
            position.play(square).map_err(illegal)?;
        }
        if position.is_over() {
            Ok(position)
        } else {
            Err(ReplayError::Unfinished { moves })
        }
    }

    /// Packs the moves into a fixed number of bytes, for checksums: the number of random moves, then six bits
    /// per square. Unused places hold a central square.
    pub fn pack(&self) -> [u8; Self::BYTES] {
        let mut bytes = [0; Self::BYTES];
        bytes[0] = self.random;
        let ends = std::iter::repeat(END);
        let squares = self.squares.iter().copied().chain(ends).take(MAX_MOVES);
        for (at, square) in squares.enumerate() {
            let bit = at * 6;
            let word = u16::from(square.index()) << (bit % 8);
            bytes[1 + bit / 8] |= word as u8;
            // The last square fills the last byte.
            if word > 0xff {
                bytes[2 + bit / 8] |= (word >> 8) as u8;
            }
        }
        bytes
    }
}

impl fmt::Display for GameRecord {
    /// Writes the number of random moves, a space, the squares and, if there are any, another space and the values,
    /// separated by commas.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ", self.random)?;
        self.squares.iter().try_for_each(|square| square.fmt(f))?;
        for (at, value) in self.values.iter().enumerate() {
            let separator = if at == 0 { ' ' } else { ',' };
            write!(f, "{separator}{value}")?;
        }
        Ok(())
    }
}

impl FromStr for GameRecord {
    type Err = ParseGameError;

    /// Parses a record without checking that it is a game.
    fn from_str(text: &str) -> Result<Self, ParseGameError> {
        let (random, rest) = text.split_once(' ').ok_or(ParseGameError)?;
        let (squares, values) = match rest.split_once(' ') {
            Some((squares, values)) => (squares, Some(values)),
            None => (rest, None),
        };
        let random = random.parse().map_err(|_| ParseGameError)?;
        let square = |at: usize| {
            let square = squares.get(at..at + 2).ok_or(ParseGameError)?;
            square.parse().map_err(|_| ParseGameError)
        };
        let squares: Vec<Square> = (0..squares.len())
            .step_by(2)
            .map(square)
            .collect::<Result<_, _>>()?;
        let values = values.into_iter().flat_map(|values| values.split(','));
        let values: Vec<i16> = values
            .map(|value| value.parse().map_err(|_| ParseGameError))
            .collect::<Result<_, _>>()?;
        let searched = squares.len().saturating_sub(usize::from(random));
        if squares.len() > MAX_MOVES || values.len() > searched {
            return Err(ParseGameError);
        }
        Ok(Self::new(random, squares, values))
    }
}

/// The maximum number of moves of a game.
const MAX_MOVES: usize = 60;
/// The size of the packed squares in bytes.
const PACKED: usize = MAX_MOVES * 6 / 8;
/// A square that is never played, which marks the places after the last move.
const END: Square = Square::D4;

#[cfg(test)]
mod tests {
    use othello_core::{Game, IllegalReason};
    use proptest::{collection::vec, prelude::*};

    use othello_core::Move;

    use super::*;
    use crate::random::Dice;

    /// A game of random moves.
    fn walk(seed: u64, random: u8) -> (GameRecord, Game) {
        let mut dice = Dice::new(seed, 0);
        let (mut game, mut squares) = (Game::default(), Vec::new());
        while !game.is_over() {
            let moves = game.board().legal_moves();
            if moves.is_empty() {
                game.play(Move::Pass).unwrap();
                continue;
            }
            let choice = dice.below(moves.count()) as usize;
            let square = moves.iter().nth(choice).unwrap();
            game.play(square).unwrap();
            squares.push(square);
        }
        (GameRecord::new(random, squares, Vec::new()), game)
    }

    #[test]
    fn samples_are_the_boards_of_the_game_with_its_score() {
        let mut with_passes = 0;
        for seed in 0..300 {
            let (record, game) = walk(seed, 12);
            let mut samples = Vec::new();
            record.samples(&mut samples).unwrap();
            let score = |color| game.board().score(color, Empties::ToWinner);
            let mut placed = 0;
            let expected = game.plies().filter_map(|(board, mv)| {
                let moves = placed;
                placed += usize::from(mv != Move::Pass);
                (moves >= 12).then(|| Sample {
                    position: board.position(),
                    score: score(board.side_to_move()).discs() as f32,
                })
            });
            let expected: Vec<Sample> = expected.collect();
            with_passes += usize::from(expected.len() > record.squares().len() - 12);
            assert_eq!(samples, expected, "seed {seed}");
        }
        assert!(with_passes > 100, "{with_passes}");
    }

    #[test]
    fn an_invalid_record_gives_no_samples() {
        let (game, _) = walk(1, 8);
        let check = |record: &GameRecord, expected: ReplayError| {
            let mut samples = Vec::new();
            assert_eq!(record.samples(&mut samples), Err(expected));
            assert_eq!(samples, []);
        };
        let moves = game.squares.len();
        let random = moves as u8 + 1;
        let record = GameRecord::new(random, game.squares.clone(), Vec::new());
        check(&record, ReplayError::Random { moves, random });
        let record = GameRecord::new(8, game.squares[..20].to_vec(), Vec::new());
        check(&record, ReplayError::Unfinished { moves: 20 });
        let mut squares = game.squares.clone();
        squares[19] = squares[18];
        let illegal = IllegalMove {
            mv: squares[18].into(),
            reason: IllegalReason::Occupied,
        };
        let number = 20;
        let record = GameRecord::new(8, squares, Vec::new());
        check(&record, ReplayError::Illegal { number, illegal });
    }

    #[test]
    fn texts_that_are_no_records_are_rejected() {
        let long = format!("8 {}", "a1".repeat(61));
        for text in [
            "",
            "8",
            "x f5",
            "8 f",
            "8 f5é",
            "8 f9",
            "256 f5",
            &long,
            "8 f5 ",
            "0 f5 1,",
            "0 f5 x",
            "0 f5 1 2",
            "0 f5 1,2",
            "1 f5 1",
            "0 f5 99999",
        ] {
            assert_eq!(text.parse::<GameRecord>(), Err(ParseGameError), "{text}");
        }
        let record: GameRecord = "8 f5d6".parse().unwrap();
        assert_eq!(
            record,
            GameRecord::new(8, vec![Square::F5, Square::D6], Vec::new())
        );
        let record: GameRecord = "0 f5d6 -3,12".parse().unwrap();
        assert_eq!(record.values(), [-3, 12]);
    }

    proptest! {
        #[test]
        fn records_read_back(seed: u64, random in 0_u8..60, mut values in vec(any::<i16>(), 0..60)) {
            let (GameRecord { squares, .. }, _) = walk(seed, random);
            values.truncate(squares.len().saturating_sub(usize::from(random)));
            let record = GameRecord::new(random, squares, values);
            prop_assert_eq!(record.to_string().parse(), Ok(record));
        }

        #[test]
        fn different_games_are_packed_differently(one: u64, other: u64) {
            let ((one, _), (other, _)) = (walk(one, 8), walk(other, 8));
            prop_assert_eq!(one.pack() == other.pack(), one == other);
        }
    }
}
