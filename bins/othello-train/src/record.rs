//! A game of self-play: its stored form, and its samples.

use std::{fmt, str::FromStr};

use anyhow::{Context as _, bail, ensure};
use othello_core::{Empties, Position, Square};

/// A game from the standard start to its end: the number of random moves at its start, the squares played, and the
/// values found by searches. Passes follow from the rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct GameRecord {
    /// Returns the number of random moves at the start of the game.
    pub(crate) random: u8,
    pub(crate) squares: Vec<Square>,
    /// The values of the positions in which the moves after the random ones were searched for, in order, in tenths of a
    /// disc from the point of view of the side to move. There are none for random moves and those of perfect play.
    pub(crate) values: Vec<i16>,
}

/// A position and its target, at first the final score of its game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Sample {
    /// The position, not the end of a game.
    pub(crate) position: Position,
    /// The target of a model: the final score in discs from the point of view of the side to move, with empty
    /// squares counted for the winner, or as changed by [`Targets`](crate::Targets).
    pub(crate) score: f32,
}

impl GameRecord {
    /// The size of a packed record in bytes.
    pub(crate) const BYTES: usize = 1 + PACKED;

    pub(crate) const fn new(random: u8, squares: Vec<Square>, values: Vec<i16>) -> Self {
        Self {
            random,
            squares,
            values,
        }
    }

    /// Appends the samples of the game, in order: each position after the random moves in which the
    /// game is not over, including those with a forced pass. Returns the final position.
    pub(crate) fn samples(&self, samples: &mut Vec<Sample>) -> anyhow::Result<Position> {
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
    ) -> anyhow::Result<Position> {
        let (moves, random) = (self.squares.len(), self.random);
        ensure!(
            usize::from(random) <= moves,
            "expected at most {moves} random moves, found {random}"
        );
        let mut position = Position::START;
        for (played, &square) in self.squares.iter().enumerate() {
            visit(played, position);
            if position.must_pass() {
                position = position.passed();
                visit(played, position);
            }
            if let Err(illegal) = position.play(square) {
                bail!("move {}: {illegal}", played + 1);
            }
        }
        ensure!(
            position.is_over(),
            "expected the game to end with its last move, but after {moves} it goes on"
        );
        Ok(position)
    }

    /// Packs the moves into a fixed number of bytes, for checksums: the number of random moves, then six bits
    /// per square. Unused places hold a central square.
    pub(crate) fn pack(&self) -> [u8; Self::BYTES] {
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
    type Err = anyhow::Error;

    /// Parses a record without checking that it is a game.
    fn from_str(text: &str) -> anyhow::Result<Self> {
        parse(text).context(
            "expected a number of random moves, the squares of a game, and at most a value for each other move",
        )
    }
}

fn parse(text: &str) -> Option<GameRecord> {
    let (random, rest) = text.split_once(' ')?;
    let (squares, values) = match rest.split_once(' ') {
        Some((squares, values)) => (squares, Some(values)),
        None => (rest, None),
    };
    let random = random.parse().ok()?;
    let square = |at: usize| squares.get(at..at + 2)?.parse().ok();
    let squares: Vec<Square> = (0..squares.len())
        .step_by(2)
        .map(square)
        .collect::<Option<_>>()?;
    let values = values.into_iter().flat_map(|values| values.split(','));
    let values: Vec<i16> = values
        .map(|value| value.parse().ok())
        .collect::<Option<_>>()?;
    let searched = squares.len().saturating_sub(usize::from(random));
    (squares.len() <= MAX_MOVES && values.len() <= searched)
        .then(|| GameRecord::new(random, squares, values))
}

/// The maximum number of moves of a game.
const MAX_MOVES: usize = 60;
/// The size of the packed squares in bytes.
const PACKED: usize = MAX_MOVES * 6 / 8;
/// A square that is never played, which marks the places after the last move.
const END: Square = Square::D4;

#[cfg(test)]
mod tests {
    use std::iter;

    use othello_core::{Game, Move};
    use proptest::{collection::vec, prelude::*};

    use super::*;
    use crate::random::Dice;

    /// A game of random moves.
    fn walk(seed: u64, random: u8) -> (GameRecord, Game) {
        let mut dice = Dice::new(seed, 0);
        let mut game = Game::default();
        game.play_choices(iter::repeat_with(|| dice.below(u32::MAX).into()));
        let squares = game.moves().iter().filter_map(|mv| mv.square()).collect();
        (GameRecord::new(random, squares, Vec::new()), game)
    }

    #[test]
    fn samples_are_the_boards_of_the_game_with_its_score() {
        let mut with_passes = 0;
        for seed in 0..300 {
            let (record, game) = walk(seed, 8);
            let mut samples = Vec::new();
            record.samples(&mut samples).unwrap();
            let score = |color| game.board().score(color, Empties::ToWinner);
            let mut placed = 0;
            let expected = game.plies().filter_map(|(board, mv)| {
                let moves = placed;
                placed += usize::from(mv != Move::Pass);
                (moves >= 8).then(|| Sample {
                    position: board.position(),
                    score: score(board.side_to_move()).discs() as f32,
                })
            });
            let expected: Vec<Sample> = expected.collect();
            with_passes += usize::from(expected.len() > record.squares.len() - 8);
            assert_eq!(samples, expected, "seed {seed}");
        }
        assert!(with_passes > 50, "{with_passes}");
    }

    #[test]
    fn an_invalid_record_gives_no_samples() {
        let (game, _) = walk(1, 8);
        let check = |random: u8, squares: &[Square], expected: &str| {
            let record = GameRecord::new(random, squares.to_vec(), Vec::new());
            let mut samples = Vec::new();
            let error = record.samples(&mut samples).unwrap_err();
            assert_eq!(
                (error.to_string().as_str(), samples),
                (expected, Vec::new())
            );
        };
        let moves = game.squares.len();
        let random = moves as u8 + 1;
        let expected = format!("expected at most {moves} random moves, found {random}");
        check(random, &game.squares, &expected);
        let expected = "expected the game to end with its last move, but after 20 it goes on";
        check(8, &game.squares[..20], expected);
        let mut squares = game.squares.clone();
        squares[19] = squares[18];
        let expected = format!(
            "move 20: illegal move {}: the square is occupied",
            squares[18]
        );
        check(8, &squares, &expected);
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
            assert_eq!(parse(text), None, "{text}");
        }
        let record: GameRecord = "8 f5d6".parse().unwrap();
        assert_eq!(
            record,
            GameRecord::new(8, vec![Square::F5, Square::D6], Vec::new())
        );
        let record: GameRecord = "0 f5d6 -3,12".parse().unwrap();
        assert_eq!(record.values, [-3, 12]);
    }

    proptest! {
        #[test]
        fn records_read_back(seed: u64, random in 0_u8..60, mut values in vec(any::<i16>(), 0..60)) {
            let (GameRecord { squares, .. }, _) = walk(seed, random);
            values.truncate(squares.len().saturating_sub(usize::from(random)));
            let record = GameRecord::new(random, squares, values);
            prop_assert_eq!(parse(&record.to_string()), Some(record));
        }

        #[test]
        fn different_games_are_packed_differently(one: u64, other: u64) {
            let ((one, _), (other, _)) = (walk(one, 8), walk(other, 8));
            prop_assert_eq!(one.pack() == other.pack(), one == other);
        }
    }
}
