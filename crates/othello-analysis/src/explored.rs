//! The moves that were played in a position, with their values.

use othello_core::{Board, Move, Position};
use othello_records::{Continuation, Continuations, Openings};
use serde::Serialize;

use crate::{Discs, MoveValue};

/// The moves that were played in a position, most frequent first, then those that only a book has.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Explored {
    /// The board, as text.
    pub board: String,
    /// The name of the opening that ends in the position.
    pub opening: Option<&'static str>,
    /// The number of games through the position.
    pub games: u64,
    /// The number of games that end in the position.
    pub ended: u64,
    /// The moves.
    pub moves: Vec<ExploredMove>,
}

/// A move with its games, and its values where they are known. Results are those of the side that played it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ExploredMove {
    /// The move.
    #[serde(rename = "move")]
    pub mv: Move,
    /// The number of games.
    pub games: u64,
    /// The number of games won.
    pub wins: u64,
    /// The number of games drawn.
    pub draws: u64,
    /// The number of games lost.
    pub losses: u64,
    /// The mean result in discs.
    pub mean_discs: Option<f64>,
    /// The first year in which it was played.
    pub first_year: Option<u16>,
    /// The last year in which it was played.
    pub last_year: Option<u16>,
    /// The player who played it most often.
    pub player: Option<String>,
    /// The number of games in which that player played it.
    pub player_games: u64,
    /// The name of the opening that it leads to.
    pub opening: Option<&'static str>,
    /// Its value in a store of analyses.
    pub value: Option<MoveValue>,
    /// Its value in a book.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub book: Option<Discs>,
}

impl Explored {
    /// Adds names of openings and known values, those of a store and those of a book, to what was played on a board.
    /// Of moves that are equivalent under symmetry, one has all values.
    pub fn new(
        board: Board,
        found: &Continuations,
        openings: &Openings,
        values: &[MoveValue],
        book: &[(Move, Discs)],
    ) -> Self {
        let played = found.by_frequency();
        let mut moves: Vec<ExploredMove> = played.iter().map(ExploredMove::new).collect();
        for &(mv, value) in book {
            let position = after(board, mv);
            match moves.iter_mut().find(|it| after(board, it.mv) == position) {
                Some(known) => known.book = Some(value),
                None => moves.push(ExploredMove {
                    book: Some(value),
                    ..ExploredMove::new(&Continuation::new(mv))
                }),
            }
        }
        for one in &mut moves {
            let position = after(board, one.mv);
            let is_same = |value: &&MoveValue| after(board, value.mv) == position;
            one.value = values.iter().find(is_same).cloned();
            one.opening = found.opening_after(one.mv, openings).map(|it| it.name);
        }
        Self {
            board: board.to_string(),
            opening: openings.at(board.position()).map(|it| it.name),
            games: played.iter().map(|one| one.games).sum::<u64>() + found.ended(),
            ended: found.ended(),
            moves,
        }
    }
}

impl ExploredMove {
    fn new(one: &Continuation) -> Self {
        let player = one.main_player();
        Self {
            mv: one.mv,
            games: one.games,
            wins: one.wins,
            draws: one.draws,
            losses: one.losses,
            mean_discs: one.mean_discs(),
            first_year: one.years.map(|years| years.0),
            last_year: one.years.map(|years| years.1),
            player: player.map(|(name, _)| name.to_owned()),
            player_games: player.map_or(0, |(_, games)| games),
            opening: None,
            value: None,
            book: None,
        }
    }
}

/// Returns the canonical position after a legal move.
fn after(mut board: Board, mv: Move) -> Option<Position> {
    board.play(mv).ok()?;
    Some(board.position().canonical().0)
}

#[cfg(test)]
mod tests {
    use othello_core::{Game, Square};
    use othello_records::Record;

    use super::*;

    #[test]
    fn a_book_has_the_value_of_an_equivalent_move_and_moves_that_nobody_played() {
        let board = "f5".parse::<Game>().unwrap().board();
        let mut found = Continuations::new(board);
        for moves in ["f5d6", "f5d6c3", "f5f4"] {
            found.add(&Record::from(moves.parse::<Game>().unwrap()));
        }
        let of = |board, found: &_, book: &[(Move, Discs)]| {
            let explored = Explored::new(board, found, &Openings::default(), &[], book);
            let told = explored.moves.into_iter();
            told.map(|it| (it.mv.to_string(), it.games, it.book.map(Discs::hundredths)))
                .collect::<Vec<_>>()
        };
        let value =
            |square: Square, hundredths| (square.into(), Discs::from_hundredths(hundredths));
        let book = [value(Square::D6, 10), value(Square::F6, -20)];
        let expected = [("d6", 2, Some(10)), ("f4", 1, None), ("f6", 0, Some(-20))];
        assert_eq!(
            of(board, &found, &book),
            expected.map(|it| (it.0.to_owned(), it.1, it.2))
        );
        // All first moves are one.
        let mut found = Continuations::new(Board::START);
        found.add(&Record::from("f5".parse::<Game>().unwrap()));
        let moves = of(Board::START, &found, &[value(Square::D3, 7)]);
        assert_eq!(moves, [("f5".to_owned(), 1, Some(7))]);
    }
}
