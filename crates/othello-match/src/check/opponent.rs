//! The opponent of a program that is checked.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

use boardgame_match::{Choice, LocalPlayer, Turn};
use boardgame_session::Thought;
use othello_core::{Board, Move};
use rand::{
    SeedableRng,
    seq::{IndexedRandom as _, IteratorRandom as _},
};
use rand_pcg::Pcg64;

use super::situation::{Situation, Tracker};

/// The random games from each move by which the opponent steers.
const PLAYOUTS: u32 = 24;

/// The moves that the program has answered boards with. Many programs repeat them.
#[derive(Clone, Debug, Default)]
pub(super) struct Replies(Arc<Mutex<HashMap<Board, Move>>>);

impl Replies {
    /// Learns the program's moves of a game.
    fn learn(&self, turn: &Turn<Board>) {
        let mut replies = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut board = turn.setup;
        for &mv in &turn.moves {
            if board.side_to_move() != turn.color {
                replies.insert(board, mv);
            }
            // The conductor of the game has judged it.
            let _ = board.play(mv);
        }
    }
}

/// An opponent that plays at random, or steers the game towards a situation: it prefers the moves after which
/// random games come closest to it.
#[derive(Clone, Debug)]
pub struct Opponent {
    goal: Option<Situation>,
    replies: Replies,
    random: Pcg64,
}

impl Opponent {
    pub(super) fn new(goal: Option<Situation>, replies: Replies, seed: u64) -> Self {
        Self {
            goal,
            replies,
            random: Pcg64::seed_from_u64(seed),
        }
    }

    fn chosen(&mut self, turn: &Turn<Board>) -> Move {
        let legal = turn.position.legal_moves();
        let mut moves: Vec<Move> = legal.iter().map(Move::Place).collect();
        if let Some(goal) = self.goal {
            let mut start = Tracker::new(turn.setup, !turn.color);
            turn.moves.iter().for_each(|&mv| start.play(mv));
            let counts: Vec<u32> = moves
                .iter()
                .map(|&mv| self.closeness(goal, start, mv))
                .collect();
            let most = counts.iter().max().copied();
            let mut counts = counts.into_iter();
            moves.retain(|_| counts.next() == most);
        }
        moves
            .choose(&mut self.random)
            .copied()
            .unwrap_or(Move::Pass)
    }

    /// Returns how close random games after a move come to a situation.
    fn closeness(&mut self, goal: Situation, start: Tracker, mv: Move) -> u32 {
        let replies = self
            .replies
            .0
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let mut closeness = 0;
        for _ in 0..PLAYOUTS {
            let mut game = start;
            game.play(mv);
            while !game.board().is_over() && !game.has(goal) {
                let known = replies.get(&game.board()).copied();
                let mv = known.unwrap_or_else(|| random_move(game.board(), &mut self.random));
                game.play(mv);
            }
            closeness += game.closeness(goal);
        }
        closeness
    }
}

impl LocalPlayer<Board> for Opponent {
    fn choose(&mut self, turn: &Turn<Board>) -> Choice<Move> {
        self.replies.learn(turn);
        Choice::Move(self.chosen(turn), Thought::default())
    }
}

fn random_move(board: Board, random: &mut Pcg64) -> Move {
    let square = board.legal_moves().iter().choose(random);
    square.map_or(Move::Pass, Move::Place)
}
