//! A game of self-play, as it is kept and as samples are made of it.

use othello_core::{Empties, IllegalMove, Move, Position, Square};

/// A game from the standard start to its end: how many of its moves were random, and the squares
/// played. Passes follow from the rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameRecord {
    random: u8,
    squares: Vec<Square>,
}

/// A position and what the game came to from there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// The position, in which the game goes on.
    pub position: Position,
    /// The final score in discs from the side to move, empties to the winner; what a model is to
    /// predict, which a [teacher](crate::Teacher) may correct.
    pub score: f32,
}

/// A record that is no game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ReplayError {
    /// A move that the rules forbid.
    #[error("move {number}: {illegal}")]
    Illegal {
        /// The move's number, from 1, passes not counted.
        number: usize,
        /// The move and what is wrong with it.
        illegal: IllegalMove,
    },
    /// Not the end of a game.
    #[error("expected the game to end with its last move, but after {moves} it goes on")]
    Unfinished {
        /// How many moves there are.
        moves: usize,
    },
    /// More random moves than moves.
    #[error("expected at most {moves} random moves, found {random}")]
    Random {
        /// How many moves there are.
        moves: usize,
        /// How many are said to be random.
        random: u8,
    },
    /// A square after the end of the moves.
    #[error("expected no move after number {moves}")]
    Gap {
        /// How many moves there are before the gap.
        moves: usize,
    },
}

impl GameRecord {
    /// The bytes of a packed record.
    pub const BYTES: usize = 1 + PACKED;

    pub(crate) const fn new(random: u8, squares: Vec<Square>) -> Self {
        Self { random, squares }
    }

    /// How many moves were random, from the first.
    pub const fn random(&self) -> u8 {
        self.random
    }

    /// The squares played, in order.
    pub fn squares(&self) -> &[Square] {
        &self.squares
    }

    /// Appends the samples that the game gives, in its order: each position after the random
    /// moves in which the game goes on, those with nothing but a pass among them. Returns the
    /// position at the end of the game.
    ///
    /// # Errors
    ///
    /// When the record is no game from the start to the end; nothing is appended then.
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
        // A move or a pass leads from each to the next, so that the sides alternate.
        let mut score = last.score(Empties::ToWinner).discs() as f32;
        for sample in samples[from..].iter_mut().rev() {
            score = -score;
            sample.score = score;
        }
        Ok(last)
    }

    /// The position in which the game ended; `visit` sees each before it, with the number of
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
            position = position.play(Move::Place(square)).map_err(illegal)?;
        }
        if position.is_over() {
            Ok(position)
        } else {
            Err(ReplayError::Unfinished { moves })
        }
    }

    /// The record in a fixed number of bytes: that of the random moves, then six bits a square, a
    /// central square after the last one.
    pub fn pack(&self) -> [u8; Self::BYTES] {
        let mut bytes = [0; Self::BYTES];
        bytes[0] = self.random;
        let ends = std::iter::repeat(END);
        let squares = self.squares.iter().copied().chain(ends).take(MOST_MOVES);
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

    /// The record of these bytes, whether or not it is a game.
    ///
    /// # Errors
    ///
    /// When a square follows the end of the moves.
    pub fn unpack(bytes: &[u8; Self::BYTES]) -> Result<Self, ReplayError> {
        let square = |at: usize| {
            let bit = at * 6;
            let low = bytes[1 + bit / 8];
            let high = bytes.get(2 + bit / 8).copied().unwrap_or(0);
            let word = u16::from_le_bytes([low, high]) >> (bit % 8);
            Square::ALL[usize::from(word % 64)]
        };
        let mut squares: Vec<Square> = (0..MOST_MOVES).map(square).collect();
        let moves = squares.iter().position(|&square| square == END);
        let moves = moves.unwrap_or(MOST_MOVES);
        if squares.drain(moves..).any(|square| square != END) {
            return Err(ReplayError::Gap { moves });
        }
        Ok(Self::new(bytes[0], squares))
    }
}

/// The moves of the longest game.
const MOST_MOVES: usize = 60;
/// The bytes of its squares.
const PACKED: usize = MOST_MOVES * 6 / 8;
/// A square that is never played, in the place of those after the last.
const END: Square = Square::D4;

#[cfg(test)]
mod tests {
    use othello_core::{Game, IllegalReason};
    use proptest::prelude::*;

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
        (GameRecord::new(random, squares), game)
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
    fn what_is_no_game_gives_no_samples() {
        let (game, _) = walk(1, 8);
        let check = |record: &GameRecord, expected: ReplayError| {
            let mut samples = Vec::new();
            assert_eq!(record.samples(&mut samples), Err(expected));
            assert_eq!(samples, []);
        };
        let moves = game.squares.len();
        let random = moves as u8 + 1;
        let record = GameRecord::new(random, game.squares.clone());
        check(&record, ReplayError::Random { moves, random });
        let record = GameRecord::new(8, game.squares[..20].to_vec());
        check(&record, ReplayError::Unfinished { moves: 20 });
        let mut squares = game.squares.clone();
        squares[19] = squares[18];
        let illegal = IllegalMove {
            mv: squares[18].into(),
            reason: IllegalReason::Occupied,
        };
        let number = 20;
        let record = GameRecord::new(8, squares);
        check(&record, ReplayError::Illegal { number, illegal });
    }

    #[test]
    fn a_square_after_the_end_is_refused() {
        let mut bytes = GameRecord::new(8, vec![Square::F5]).pack();
        *bytes.last_mut().unwrap() = 0;
        let error = GameRecord::unpack(&bytes).unwrap_err();
        assert_eq!(error, ReplayError::Gap { moves: 1 });
    }

    proptest! {
        #[test]
        fn games_read_back(seed: u64, random in 0_u8..60) {
            let (record, _) = walk(seed, random);
            prop_assert_eq!(GameRecord::unpack(&record.pack()), Ok(record));
        }
    }
}
