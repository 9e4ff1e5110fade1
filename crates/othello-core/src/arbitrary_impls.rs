//! Values made of a fuzzer's bytes.

use arbitrary::{Arbitrary, Result, Unstructured};

use crate::{Bitboard, Board, Color, Game, Move, Position, Square};

impl<'a> Arbitrary<'a> for Square {
    fn arbitrary(bytes: &mut Unstructured<'a>) -> Result<Self> {
        bytes.choose(&Self::ALL).copied()
    }
}

impl<'a> Arbitrary<'a> for Move {
    fn arbitrary(bytes: &mut Unstructured<'a>) -> Result<Self> {
        let index = bytes.int_in_range(0..=64)?;
        Ok(Square::from_index(index).map_or(Self::Pass, Self::Place))
    }
}

impl<'a> Arbitrary<'a> for Bitboard {
    fn arbitrary(bytes: &mut Unstructured<'a>) -> Result<Self> {
        bytes.arbitrary().map(Self)
    }
}

impl<'a> Arbitrary<'a> for Position {
    /// Takes any two disjoint sets of discs, which most games never reach: for reachable positions take a [`Game`].
    fn arbitrary(bytes: &mut Unstructured<'a>) -> Result<Self> {
        let (discs, own): (Bitboard, Bitboard) = bytes.arbitrary()?;
        Ok(Self::new_unchecked(discs & own, discs - own))
    }
}

impl<'a> Arbitrary<'a> for Board {
    /// Takes any discs and either side to move: for reachable boards take a [`Game`].
    fn arbitrary(bytes: &mut Unstructured<'a>) -> Result<Self> {
        let side = *bytes.choose(&Color::ALL)?;
        bytes.arbitrary().map(|position| Self::new(position, side))
    }
}

impl<'a> Arbitrary<'a> for Game {
    /// Plays legal moves from the standard start, one for each byte, until the bytes or the game end.
    fn arbitrary(bytes: &mut Unstructured<'a>) -> Result<Self> {
        let mut game = Self::default();
        while !bytes.is_empty() && !game.is_over() {
            game.play_choices([u64::from(u8::arbitrary(bytes)?)]);
        }
        Ok(game)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_takes_a_byte_for_each_move_and_leaves_the_rest() {
        let mut bytes = Unstructured::new(&[2, 0, 100]);
        assert_eq!(
            bytes.arbitrary::<Game>().map(|game| std::format!("{game}")),
            Ok("f5f4c3".into())
        );
        let mut bytes = Unstructured::new(&[7; 100]);
        let game: Game = bytes.arbitrary().unwrap();
        assert!(game.is_over());
        assert_eq!(bytes.len(), 100 - game.moves().len());
    }

    #[test]
    fn no_bytes_make_values_too() {
        let mut none = Unstructured::new(&[]);
        let (board, mv): (Board, Move) = none.arbitrary().unwrap();
        assert_eq!((board.empties(), mv), (Bitboard::FULL, Square::A1.into()));
        assert_eq!(none.arbitrary(), Ok(Game::default()));
    }
}
