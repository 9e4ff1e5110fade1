//! Games between levels of play and simple players, and what their moves lose.

use othello_core::{Bitboard, Board, Color, Move, Square};
use othello_engine::{
    Rating,
    human::{HumanPlayer, Model, PlayStyle},
};
use othello_search::{Limits, Searcher, eval::Network};

use crate::random::Dice;

/// The depth of the searches that say what a move loses, and the number of empty squares from which they are exact.
const DEPTH: u32 = 10;
const SOLVED: u32 = 14;

/// A player of a measurement.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Player {
    /// Like a person of a rating, with a style.
    Person(Rating, PlayStyle),
    /// At random.
    Random,
    /// A corner if there is one, and otherwise at random.
    Corners,
    /// The move that leaves the opponent the fewest moves, a corner first.
    Mobility,
    /// By a search of this depth.
    Search(u32),
}

/// Plays games on a board of its own.
pub(crate) struct GameRunner<'a> {
    pub(crate) searcher: Searcher,
    /// The searcher that judges.
    pub(crate) judge: Searcher,
    pub(crate) network: &'a Network,
    pub(crate) model: &'a Model,
}

/// The losses of some moves in discs.
#[derive(Clone, Debug, Default)]
pub(crate) struct Losses {
    /// By phase: opening (the first 20 discs), middle game and endgame (from 20 empty squares).
    pub(crate) of_phase: [Vec<f64>; 3],
}

impl Losses {
    pub(crate) fn all(&self) -> Vec<f64> {
        self.of_phase.concat()
    }
}

/// Returns the mean of some numbers and the half width of its 95 % interval.
pub(crate) fn mean(numbers: &[f64]) -> (f64, f64) {
    let count = numbers.len().max(1) as f64;
    let mean = numbers.iter().sum::<f64>() / count;
    let squares = numbers
        .iter()
        .map(|number| (number - mean).powi(2))
        .sum::<f64>();
    (
        mean,
        1.96 * (squares / (count - 1.0).max(1.0) / count).sqrt(),
    )
}

impl GameRunner<'_> {
    /// Plays a game from the usual start. Returns Black's discs less White's, and the boards with the moves.
    pub(crate) fn play(
        &mut self,
        black: Player,
        white: Player,
        dice: &mut Dice,
    ) -> (i32, Vec<(Board, Square)>) {
        let (mut board, mut last, mut moves) = (Board::START, None, Vec::new());
        self.searcher.clear();
        while !board.is_over() {
            if board.must_pass() {
                (board, last) = (board.passed(), None);
                continue;
            }
            let player = if board.side_to_move() == Color::Black {
                black
            } else {
                white
            };
            let square = self.choose(player, board, last, dice);
            moves.push((board, square));
            board = board.play_unchecked(square);
            last = Some(square);
        }
        let count = |color| board.discs(color).count() as i32;
        (count(Color::Black) - count(Color::White), moves)
    }

    fn choose(
        &mut self,
        player: Player,
        board: Board,
        last: Option<Square>,
        dice: &mut Dice,
    ) -> Square {
        let (position, moves) = (board.position(), board.legal_moves());
        let corners = moves & Bitboard::CORNERS;
        let chosen = match player {
            Player::Person(rating, style) => {
                let player = HumanPlayer {
                    model: self.model,
                    rating,
                    style,
                };
                let limits = style.strength().limits();
                let draw = u64::from(dice.below(1 << 24)) << 40;
                let context = (position, last);
                player
                    .choose(&mut self.searcher, self.network, context, &limits, draw)
                    .best
            }
            Player::Search(depth) => self.searcher.search(position, &Limits::depth(depth)).best,
            Player::Corners if !corners.is_empty() => corners.nth(dice.below(corners.count())),
            Player::Mobility => {
                let mut shuffled: Vec<(u32, Square)> =
                    moves.iter().map(|mv| (dice.below(1 << 20), mv)).collect();
                shuffled.sort_unstable();
                let replies = |&(_, mv): &(u32, Square)| {
                    (
                        !corners.contains(mv),
                        position.play_unchecked(mv).legal_moves().count(),
                    )
                };
                shuffled.into_iter().min_by_key(replies).map(|mv| mv.1)
            }
            Player::Corners | Player::Random => moves.nth(dice.below(moves.count())),
        };
        chosen.expect("the side to move has a move")
    }

    /// Adds what the moves of a game lose, of one in `every` of them.
    pub(crate) fn judge(
        &mut self,
        game: &[(Board, Square)],
        every: u32,
        dice: &mut Dice,
        losses: &mut Losses,
    ) {
        for &(board, square) in game {
            if dice.below(every) > 0 {
                continue;
            }
            let empties = board.empties().count();
            let phase = if empties > 44 {
                0
            } else {
                1 + usize::from(empties <= 20)
            };
            losses.of_phase[phase].push(self.loss(board, square));
        }
    }

    /// Returns the discs that a move loses against the best one.
    fn loss(&mut self, board: Board, square: Square) -> f64 {
        if board.legal_moves().count() == 1 {
            return 0.0;
        }
        let value = |searcher: &mut Searcher, board: Board, depth: u32| {
            let limits = Limits {
                depth: Some(depth),
                solve_from: SOLVED,
                selective: board.empties().count() > SOLVED,
                ..Limits::default()
            };
            f64::from(searcher.search(board.position(), &limits).score.discs())
        };
        let best = value(&mut self.judge, board, DEPTH);
        let mut child = board;
        if child.play(Move::Place(square)).is_err() {
            return 0.0;
        }
        let sign = if child.must_pass() { 1.0 } else { -1.0 };
        let child = if child.must_pass() {
            child.passed()
        } else {
            child
        };
        let after = if child.is_over() {
            f64::from(
                child
                    .position()
                    .score(othello_core::Empties::ToWinner)
                    .discs(),
            )
        } else {
            value(&mut self.judge, child, DEPTH - 1)
        };
        (best - sign * after).max(0.0)
    }
}
