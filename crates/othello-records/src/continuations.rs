//! Continuations of a position in game records.

use std::{cmp::Reverse, collections::HashMap};

use othello_core::{Board, Color, Move, Position, Symmetry};

use crate::{Opening, Openings, Record};

/// The moves that were played in a position, in every order of moves and orientation of the board.
///
/// # Examples
///
/// ```
/// use othello_core::{Board, Square};
/// use othello_records::{Continuations, Record};
///
/// let mut continuations = Continuations::new(Board::START);
/// for moves in ["f5d6", "f5f6", "d3c5"] {
///     let game: othello_core::Game = moves.parse()?;
///     continuations.add(&Record::from(game));
/// }
/// // The two first moves are one under symmetry.
/// let found = continuations.by_frequency();
/// assert_eq!((found.len(), found[0].mv, found[0].games), (1, Square::F5.into(), 3));
/// # Ok::<(), othello_core::TranscriptError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Continuations {
    board: Board,
    canonical: Position,
    from_canonical: Symmetry,
    /// The symmetries that leave the position as it is.
    own: Vec<Symmetry>,
    by_move: HashMap<Move, Continuation>,
    ended: u64,
}

/// A move with the games in which it was played. Results are from the point of view of the side that played it.
#[derive(Clone, Debug)]
pub struct Continuation {
    /// The move.
    pub mv: Move,
    /// The number of games.
    pub games: u64,
    /// The number of games won.
    pub wins: u64,
    /// The number of games drawn.
    pub draws: u64,
    /// The number of games lost.
    pub losses: u64,
    /// The first and the last year, if a game has a date.
    pub years: Option<(u16, u16)>,
    /// The sum of the results in discs, and the number of games with such a result.
    discs: (i64, u64),
    /// The number of games of each player who played the move.
    players: HashMap<String, u64>,
}

impl Continuation {
    /// Creates a move without games.
    pub fn new(mv: Move) -> Self {
        Self {
            mv,
            games: 0,
            wins: 0,
            draws: 0,
            losses: 0,
            years: None,
            discs: (0, 0),
            players: HashMap::new(),
        }
    }

    /// The mean result in discs, if a game has one.
    pub fn mean_discs(&self) -> Option<f64> {
        let (sum, games) = self.discs;
        (games > 0).then(|| sum as f64 / games as f64)
    }

    /// The player who played the move most often, with the number of games; of equals the first by name.
    pub fn main_player(&self) -> Option<(&str, u64)> {
        let players = self.players.iter().map(|(name, &games)| (games, name));
        let (games, name) = players.max_by(|a, b| a.0.cmp(&b.0).then(b.1.cmp(a.1)))?;
        Some((name, games))
    }

    fn add(&mut self, record: &Record, side: Color) {
        self.games += 1;
        if let Some(outcome) = record.outcome() {
            match outcome.winner {
                None => self.draws += 1,
                Some(winner) if winner == side => self.wins += 1,
                Some(_) => self.losses += 1,
            }
            if let Some(discs) = outcome.discs() {
                self.discs.0 += i64::from(if side == Color::Black { discs } else { -discs });
                self.discs.1 += 1;
            }
        }
        self.add_years(record.date.as_ref().map(|date| (date.year, date.year)));
        let name = &record.players[side].name;
        if !name.is_empty() {
            // Names are cloned once, not for each game.
            match self.players.get_mut(name) {
                Some(games) => *games += 1,
                None => _ = self.players.insert(name.clone(), 1),
            }
        }
    }

    fn add_years(&mut self, years: Option<(u16, u16)>) {
        self.years = match (self.years, years) {
            (Some(a), Some(b)) => Some((a.0.min(b.0), a.1.max(b.1))),
            (a, b) => a.or(b),
        };
    }

    /// Adds the games of an equivalent, less frequent move.
    fn merge(&mut self, other: Self) {
        self.games += other.games;
        self.wins += other.wins;
        self.draws += other.draws;
        self.losses += other.losses;
        self.discs.0 += other.discs.0;
        self.discs.1 += other.discs.1;
        self.add_years(other.years);
        for (name, games) in other.players {
            *self.players.entry(name).or_default() += games;
        }
    }
}

impl Continuations {
    /// Creates an empty collection for a position.
    pub fn new(board: Board) -> Self {
        let position = board.position();
        let (canonical, symmetry) = position.canonical();
        let own = Symmetry::ALL.into_iter();
        Self {
            board,
            canonical,
            from_canonical: symmetry.inverse(),
            own: own.filter(|it| it.position(position) == position).collect(),
            by_move: HashMap::new(),
            ended: 0,
        }
    }

    /// Adds a game. Returns the number of plies after which it reaches the position, with either colour to move, or
    /// `None` if it does not.
    pub fn add(&mut self, record: &Record) -> Option<usize> {
        let empties = self.board.empties().count();
        let plies = record.game.plies().map(|(board, mv)| (board, Some(mv)));
        let boards = plies.chain([(record.game.board(), None)]);
        let reached = boards
            .enumerate()
            .skip_while(|(_, (board, _))| board.empties().count() > empties)
            .take_while(|(_, (board, _))| board.empties().count() == empties)
            .find_map(|(ply, (board, mv))| {
                Some((ply, board, mv, self.symmetry_from(board.position())?))
            });
        let (ply, board, mv, symmetry) = reached?;
        let Some(mv) = mv else {
            self.ended += 1;
            return Some(ply);
        };
        let mv = match mv {
            Move::Place(square) => symmetry.square(square).into(),
            Move::Pass => Move::Pass,
        };
        let found = self.by_move.entry(mv);
        let found = found.or_insert_with(|| Continuation::new(mv));
        found.add(record, board.side_to_move());
        Some(ply)
    }

    /// Returns the symmetry that maps a position to this one, if there is one.
    fn symmetry_from(&self, position: Position) -> Option<Symmetry> {
        if position == self.board.position() {
            return Some(Symmetry::Identity);
        }
        let (canonical, symmetry) = position.canonical();
        (canonical == self.canonical).then(|| symmetry.then(self.from_canonical))
    }

    /// The number of games that end in the position.
    pub const fn ended(&self) -> u64 {
        self.ended
    }

    /// Returns the moves, most frequent first. Moves that are equivalent under the position's own symmetries are one.
    pub fn by_frequency(&self) -> Vec<Continuation> {
        let mut raw: Vec<_> = self.by_move.values().cloned().collect();
        raw.sort_by_key(|found| (Reverse(found.games), found.mv.square()));
        let mut merged: Vec<Continuation> = Vec::new();
        for found in raw {
            match merged
                .iter_mut()
                .find(|it| self.are_equivalent(it.mv, found.mv))
            {
                Some(known) => known.merge(found),
                None => merged.push(found),
            }
        }
        merged.sort_by_key(|found| Reverse(found.games));
        merged
    }

    fn are_equivalent(&self, a: Move, b: Move) -> bool {
        match (a, b) {
            (Move::Place(a), Move::Place(b)) => self.own.iter().any(|it| it.square(a) == b),
            (a, b) => a == b,
        }
    }

    /// Returns the named opening that a move leads to.
    pub fn opening_after(&self, mv: Move, openings: &Openings) -> Option<Opening> {
        let mut board = self.board;
        board.play(mv).ok()?;
        openings.at(board.position())
    }
}

#[cfg(test)]
mod tests {
    use othello_core::{ByColor, Game};

    use super::*;
    use crate::{Date, Outcome, Player};

    fn record(moves: &str, black: &str, year: u16, discs: i32) -> Record {
        let name = |name: &str| Player {
            name: name.into(),
            ..Player::default()
        };
        Record {
            players: ByColor {
                black: name(black),
                white: name("white"),
            },
            date: Some(Date::year(year)),
            result: Some(Outcome::played(discs)),
            ..Record::from(moves.parse::<Game>().unwrap())
        }
    }

    #[test]
    fn moves_are_counted_in_every_orientation_and_order_of_moves() {
        let board = "f5d6c3d3c4".parse::<Game>().unwrap().board();
        let mut found = Continuations::new(board);
        for (moves, reaches) in [
            ("f5d6c3d3c4f4", Some(5)),
            ("f5d6c4d3c3f4", Some(5)),
            ("c4e3f6e6f5c5", Some(5)), // turned
            ("f5d6c3d3c4b3", Some(5)),
            ("f5d6c3d3c4", Some(5)),
            ("f5d6c3d3", None),
            ("f5f6e6f4c3", None),
        ] {
            let game = record(moves, "ann", 2001, 2);
            assert_eq!(found.add(&game), reaches, "{moves}");
        }
        let moves = found.by_frequency();
        assert_eq!(found.ended(), 1);
        let told: Vec<_> = moves
            .iter()
            .map(|it| (it.mv.to_string(), it.games))
            .collect();
        assert_eq!(told, [("f4".to_owned(), 3), ("b3".to_owned(), 1)]);
        assert_eq!((moves[0].wins, moves[0].losses), (0, 3), "White plays");
        assert_eq!(moves[0].mean_discs(), Some(-2.0));
        assert_eq!(moves[0].main_player(), Some(("white", 3)));
        let openings = Openings::default();
        let after = found.opening_after(moves[1].mv, &openings);
        assert_eq!(after.map(|opening| opening.name), Some("Aubrey"));
    }

    #[test]
    fn equivalent_moves_are_one_with_the_name_of_the_more_frequent() {
        let mut found = Continuations::new(Board::START);
        for (moves, black, year, discs) in [
            ("d3", "bob", 1999, 0),
            ("f5", "ann", 2003, 10),
            ("f5", "bob", 2001, -4),
        ] {
            assert_eq!(found.add(&record(moves, black, year, discs)), Some(0));
        }
        let moves = found.by_frequency();
        assert_eq!(moves.len(), 1);
        let all = &moves[0];
        assert_eq!((all.mv.to_string().as_str(), all.games), ("f5", 3));
        assert_eq!((all.wins, all.draws, all.losses), (1, 1, 1));
        assert_eq!(all.years, Some((1999, 2003)));
        assert_eq!(all.mean_discs(), Some(2.0));
        assert_eq!(all.main_player(), Some(("bob", 2)));
    }

    #[test]
    fn colours_do_not_matter_and_a_pass_is_a_continuation() {
        let mut game = Game::default();
        while !game.is_over() {
            let last = game.board().legal_moves().into_iter().next_back();
            game.play(last.map_or(Move::Pass, Move::Place)).unwrap();
        }
        let mut passes = game.plies().filter(|(_, mv)| *mv == Move::Pass);
        let (board, _) = passes.next().expect("a pass");
        let other = Board::new(board.position(), !board.side_to_move());
        let mut found = Continuations::new(other);
        assert!(found.add(&Record::from(game.clone())).is_some());
        assert_eq!(found.by_frequency()[0].mv, Move::Pass);
    }
}
