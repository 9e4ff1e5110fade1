//! Sentences about a bad move that are true of its position.

use std::fmt;

use othello_core::{Bitboard, Move, Position, Square};

/// The number of moves by which the opponent's choice must differ to be a reason.
const MOBILITY: u32 = 4;

/// A fact about a move in comparison with a better one: a disadvantage that the better move does not have.
///
/// It displays as the rest of a sentence about the move, such as `gives the corner at h8`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The better move takes this corner.
    MissesCorner(Square),
    /// The opponent may now take this corner, and could not before.
    GivesCorner(Square),
    /// The opponent answers on this square, which the move makes legal.
    OpensAccess(Square),
    /// The opponent plays last in this region of empty squares; after the better move the player does.
    LosesParity(Bitboard),
    /// After the opponent's answer each legal move makes a corner legal for the opponent.
    RunsOutOfSafeMoves(Move),
    /// After the opponent's answer there is no legal move.
    MustPass(Move),
    /// The opponent has this many moves, and that many after the better move.
    GivesMoves(u32, u32),
}

/// Returns the reasons why the first move of a line is bad, compared with the first of a better line. Both lines begin
/// in the position. There are none if a line is not legal or begins with a pass.
///
/// # Examples
///
/// ```
/// use othello_analysis::{Reason, reasons};
/// use othello_core::{Board, Move, Square};
///
/// let board: Board = "------------------O--------X--------O--------------------------- X".parse()?;
/// let line = |squares: &[Square]| squares.iter().copied().map(Move::Place).collect::<Vec<_>>();
/// let found = reasons(board.position(), &line(&[Square::B2, Square::A1]), &line(&[Square::F6]));
/// assert_eq!(found, [Reason::GivesCorner(Square::A1)]);
/// assert_eq!(found[0].to_string(), "gives the corner at a1");
/// # Ok::<(), othello_core::ParseBoardError>(())
/// ```
pub fn reasons(position: Position, line: &[Move], better: &[Move]) -> Vec<Reason> {
    let compared = |line| Line::new(position, line);
    let (Some(bad), Some(better)) = (compared(line), compared(better)) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    found.extend(misses_corner(&bad, &better));
    found.extend(gives_corners(&bad, &better));
    found.extend(opens_access(&bad, &better));
    found.extend(loses_parity(&bad, &better));
    found.extend(runs_out_of_safe_moves(&bad, &better));
    found.extend(must_pass(&bad, &better));
    found.extend(gives_moves(&bad, &better));
    found
}

/// A line of play.
struct Line<'a> {
    before: Position,
    first: Square,
    /// The position after the first move, from the opponent's side.
    after: Position,
    /// The opponent's answer and the position after it, from the player's side.
    answer: Option<(Move, Position)>,
    moves: &'a [Move],
}

impl<'a> Line<'a> {
    fn new(before: Position, moves: &'a [Move]) -> Option<Self> {
        let mut positions = Vec::new();
        let mut position = before;
        for &mv in moves {
            position.play(mv).ok()?;
            positions.push(position);
        }
        Some(Self {
            before,
            first: moves.first()?.square()?,
            after: positions[0],
            answer: moves.get(1).copied().zip(positions.get(1).copied()),
            moves,
        })
    }

    /// The opponent's moves that the first move makes legal.
    fn opened(&self) -> Bitboard {
        self.after.legal_moves() - self.before.passed().legal_moves()
    }

    /// Returns whether the player makes the last move in a region, or `None` if the line does not fill it.
    fn is_last_in(&self, region: Bitboard) -> Option<bool> {
        let mut left = region;
        self.moves.iter().enumerate().find_map(|(ply, mv)| {
            left = left.without(mv.square()?);
            left.is_empty().then_some(ply % 2 == 0)
        })
    }
}

fn misses_corner(bad: &Line<'_>, better: &Line<'_>) -> Option<Reason> {
    let is_corner = |square| Bitboard::CORNERS.contains(square);
    (is_corner(better.first) && !is_corner(bad.first)).then_some(Reason::MissesCorner(better.first))
}

fn gives_corners(bad: &Line<'_>, better: &Line<'_>) -> impl Iterator<Item = Reason> {
    let given = bad.opened() & Bitboard::CORNERS;
    let given = given - better.after.legal_moves();
    given.into_iter().map(Reason::GivesCorner)
}

fn opens_access(bad: &Line<'_>, better: &Line<'_>) -> Option<Reason> {
    let square = bad.answer?.0.square()?;
    let opened = bad.opened() - better.after.legal_moves() - Bitboard::CORNERS;
    opened
        .contains(square)
        .then_some(Reason::OpensAccess(square))
}

/// Whoever plays first in a region of an even number of empty squares lets the other play last there.
fn loses_parity(bad: &Line<'_>, better: &Line<'_>) -> Option<Reason> {
    let region = region(bad.before.empties(), bad.first);
    let is_lost = region.count().is_multiple_of(2)
        && bad.is_last_in(region) == Some(false)
        && better.is_last_in(region) == Some(true);
    is_lost.then_some(Reason::LosesParity(region))
}

fn runs_out_of_safe_moves(bad: &Line<'_>, better: &Line<'_>) -> Option<Reason> {
    let (answer, position) = bad.answer?;
    let has_none =
        |position: Position| !position.legal_moves().is_empty() && safe_moves(position).is_empty();
    (has_none(position) && !safe_moves(better.answer?.1).is_empty())
        .then_some(Reason::RunsOutOfSafeMoves(answer))
}

fn must_pass(bad: &Line<'_>, better: &Line<'_>) -> Option<Reason> {
    let (answer, position) = bad.answer?;
    (position.must_pass() && !better.answer?.1.must_pass()).then_some(Reason::MustPass(answer))
}

fn gives_moves(bad: &Line<'_>, better: &Line<'_>) -> Option<Reason> {
    let count = |line: &Line<'_>| line.after.legal_moves().count();
    let (given, fewer) = (count(bad), count(better));
    (given >= fewer + MOBILITY).then_some(Reason::GivesMoves(given, fewer))
}

/// Returns the legal moves that make no corner legal for the opponent.
fn safe_moves(position: Position) -> Bitboard {
    let taken = position.passed().legal_moves();
    let opens = |square: &Square| {
        let replies = position.play_unchecked(*square).legal_moves();
        (replies & Bitboard::CORNERS).is_subset(taken)
    };
    position.legal_moves().into_iter().filter(opens).collect()
}

/// Returns the empty squares that are connected with one of them, by sides or corners.
fn region(empties: Bitboard, square: Square) -> Bitboard {
    let mut region = Bitboard::from_square(square);
    loop {
        let near = region.into_iter().map(Square::neighbors);
        let grown = near.fold(region, |all, near| all | near) & empties;
        if grown == region {
            return region;
        }
        region = grown;
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::MissesCorner(corner) => write!(f, "does not take the corner at {corner}"),
            Self::GivesCorner(corner) => write!(f, "gives the corner at {corner}"),
            Self::OpensAccess(square) => write!(f, "opens the opponent's access to {square}"),
            Self::LosesParity(region) => {
                let squares: Vec<String> = region.iter().map(|square| square.to_string()).collect();
                let squares = squares.join(" ");
                write!(
                    f,
                    "loses parity: the opponent plays last in the region {squares}"
                )
            }
            Self::RunsOutOfSafeMoves(answer) => write!(
                f,
                "runs out of safe moves: after {answer} each of your moves gives a corner"
            ),
            Self::MustPass(answer) => write!(f, "leaves you without a move after {answer}"),
            Self::GivesMoves(given, fewer) => {
                write!(f, "leaves the opponent {given} moves instead of {fewer}")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use othello_core::Game;

    use super::*;

    /// Returns the reasons against one line in comparison with another; `rows` has the discs of the rows with any.
    fn found(rows: &[(usize, &str)], bad: &str, better: &str) -> Vec<Reason> {
        let mut squares = ["--------"; 8];
        for (row, discs) in rows {
            squares[row - 1] = discs;
        }
        let board = squares.concat() + " X";
        let board: othello_core::Board = board.parse().unwrap();
        let line =
            |text: &str| -> Vec<Move> { text.split(' ').map(|mv| mv.parse().unwrap()).collect() };
        let found = reasons(board.position(), &line(bad), &line(better));
        for line in [bad, better] {
            let game = Game::from_transcript(board, line);
            assert!(game.is_ok(), "{line} is not legal");
        }
        found
    }

    /// X at d4 between O at c3 and e5.
    const DIAGONAL: [(usize, &str); 3] = [(3, "--O-----"), (4, "---X----"), (5, "----O---")];

    #[test]
    fn a_corner_is_given_only_by_the_move_that_makes_it_legal() {
        let corner = Reason::GivesCorner(Square::A1);
        assert_eq!(found(&DIAGONAL, "b2 a1", "f6"), [corner]);
        assert_eq!(found(&DIAGONAL, "f6", "b2 a1"), []);
    }

    #[test]
    fn a_corner_that_the_better_move_gives_too_is_no_reason() {
        assert_eq!(found(&DIAGONAL, "b2 a1", "b2 a1"), []);
    }

    #[test]
    fn a_corner_is_missed_unless_a_corner_is_taken() {
        let rows = [(1, "-OX-----"), (3, "--O-----"), (4, "---X----")];
        let missed = [Reason::MissesCorner(Square::A1)];
        assert_eq!(found(&rows, "b2", "a1"), missed);
        assert_eq!(found(&rows, "a1", "b2"), []);
        assert_eq!(found(&rows, "a1", "a1"), []);
    }

    #[test]
    fn access_is_opened_only_to_the_square_of_the_answer() {
        let opened = [Reason::OpensAccess(Square::G7)];
        assert_eq!(found(&DIAGONAL, "f6 g7", "b2 a1"), opened);
        assert_eq!(found(&DIAGONAL, "f6", "b2 a1"), []);
        // h6 was legal before.
        let rows = [&DIAGONAL[..], &[(7, "-------X"), (8, "-------O")]].concat();
        assert_eq!(found(&rows, "f6 h6", "b2 h6"), []);
    }

    #[test]
    fn parity_is_lost_by_playing_first_in_an_even_region() {
        let full = "XXXXXXXX";
        let mut rows: Vec<(usize, &str)> = (1..6).map(|row| (row, full)).collect();
        rows.extend([(6, "XXXXXXOX"), (7, "OXXXXXXX"), (8, "-OXXXO--")]);
        let region = Bitboard::from_square(Square::G8).with(Square::H8);
        let lost = Reason::LosesParity(region);
        assert!(found(&rows, "g8 h8 a8", "a8 g8 h8").contains(&lost));
        let is_parity = |reason: &Reason| matches!(reason, Reason::LosesParity(_));
        assert!(!found(&rows, "a8 g8 h8", "g8 h8 a8").iter().any(is_parity));
        // A line that does not fill the region says nothing of it.
        assert!(!found(&rows, "g8", "a8 g8 h8").iter().any(is_parity));
    }

    #[test]
    fn safe_moves_run_out_where_each_one_gives_a_corner() {
        // Of b2, g7 and c8 only c8 gives no corner.
        let rows = [
            (3, "--O-----"),
            (4, "---X----"),
            (5, "----O---"),
            (6, "-----O--"),
            (8, "---OX---"),
        ];
        let ran_out = Reason::RunsOutOfSafeMoves(Move::Pass);
        assert!(found(&rows, "c8 --", "b2 a1").contains(&ran_out));
        let is_out = |reason: &Reason| matches!(reason, Reason::RunsOutOfSafeMoves(_));
        assert!(!found(&rows, "b2 a1", "c8 --").iter().any(is_out));
        assert!(!found(&rows, "c8 --", "c8 --").iter().any(is_out));
    }

    #[test]
    fn a_pass_is_a_reason_only_where_the_better_move_has_none() {
        let rows = [&DIAGONAL[..], &[(7, "-------X"), (8, "-------O")]].concat();
        let passes = Reason::MustPass(Square::A1.into());
        assert!(found(&rows, "b2 a1", "f6 h6").contains(&passes));
        assert!(!found(&rows, "f6 h6", "b2 a1").contains(&passes));
        assert!(!found(&rows, "b2 a1", "b2 a1").contains(&passes));
    }

    #[test]
    fn the_opponent_has_the_numbers_of_moves_that_are_told() {
        let mut game = Game::default();
        game.play_choices(7..60);
        let (mut told, mut all) = (0, 0);
        for position in game.boards().map(othello_core::Board::position) {
            let count = |square| position.play_unchecked(square).legal_moves().count();
            let legal = || position.legal_moves().into_iter();
            for (bad, better) in legal().flat_map(|bad| legal().map(move |better| (bad, better))) {
                let found = reasons(position, &[bad.into()], &[better.into()]);
                let (given, fewer) = (count(bad), count(better));
                let is_told = found.contains(&Reason::GivesMoves(given, fewer));
                assert_eq!(is_told, given >= fewer + 4, "{bad} {better}");
                told += u32::from(is_told);
                all += 1;
            }
        }
        assert!(0 < told && told < all, "{told} of {all}");
    }

    #[test]
    fn lines_that_are_not_legal_have_no_reasons() {
        let position = Position::START;
        let legal = position.legal_moves().first().unwrap();
        assert_eq!(reasons(position, &[Square::A1.into()], &[legal.into()]), []);
        assert_eq!(reasons(position, &[], &[legal.into()]), []);
        assert_eq!(reasons(position, &[Move::Pass], &[legal.into()]), []);
    }
}
