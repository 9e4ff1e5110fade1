//! Playouts: local answers (captures, escapes and patterns around the last move) or random moves.

mod local;
mod nakade;
mod policy;
mod replies;

pub(crate) use local::answers;
pub(crate) use policy::{Answer, Policy, Proximity, Purpose};
pub(crate) use replies::Replies;

use boardgame_core::Color;
use go_core::{Board, Point, Random};

use crate::{last_stones::LastStones, tactics::self_atari};
use local::draw;

/// The maximum number of random moves drawn to find one that puts fewer than [`Policy::self_atari_limit`] own stones in
/// atari.
const TRIES: usize = 4;

/// The side to move and the last two stones.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Turn {
    pub(crate) color: Color,
    pub(crate) stones: LastStones,
}

/// The weights and factors by which playouts choose moves.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PlayoutWeights<'a> {
    /// The weights of moves, independent of the search.
    pub(crate) policy: &'a Policy,
    /// The results of replies in the search so far.
    pub(crate) replies: &'a Replies,
}

/// Plays a game until both sides have passed in a row, or until three times as many moves as the board has points,
/// because simple ko allows cycles. Appends the moves to `moves`, with `None` for a pass.
pub(crate) fn play_out(
    board: &mut Board,
    mut turn: Turn,
    guide: PlayoutWeights<'_>,
    random: &mut Random,
    moves: &mut Vec<Option<Point>>,
) {
    let mut left = 3 * board.size().point_count();
    let mut passes = 0;
    while passes < 2 && left > 0 {
        let mv = choose(board, turn, guide, random);
        if let Some(point) = mv {
            board.play(turn.color, point);
            passes = 0;
        } else {
            board.clear_ko();
            passes += 1;
        }
        moves.push(mv);
        turn = Turn {
            color: !turn.color,
            stones: turn.stones.after(mv),
        };
        left -= 1;
    }
}

/// Returns the next move of a playout: a local answer or a random move, drawn by their weights.
fn choose(
    board: &mut Board,
    turn: Turn,
    guide: PlayoutWeights<'_>,
    random: &mut Random,
) -> Option<Point> {
    let policy = guide.policy;
    if let LastStones {
        last: Some(last),
        before,
    } = turn.stones
    {
        let answers = answers(board, turn.color, last, before);
        if let Some(point) = draw(board, turn.color, last, &answers, guide, random)
            && (self_atari(board, turn.color, point) < policy.self_atari_limit
                || captures(board, turn.color, point))
        {
            return Some(point);
        }
    }
    elsewhere(board, turn.color, policy, random)
}

/// Returns a random move, or `None` for a pass. Prefers a move that puts fewer than [`Policy::self_atari_limit`] own
/// stones in atari.
fn elsewhere(
    board: &mut Board,
    color: Color,
    policy: &Policy,
    random: &mut Random,
) -> Option<Point> {
    let mut choice = None;
    for _ in 0..TRIES {
        let point = board.random_move(color, random)?;
        if self_atari(board, color, point) < policy.self_atari_limit {
            return Some(point);
        }
        choice = Some(point);
    }
    choice
}

fn captures(board: &Board, color: Color, point: Point) -> bool {
    let mut neighbours = board.neighbour_stones(!color, point);
    neighbours.any(|stone| board.atari(stone).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;
    use go_core::Size;

    #[test]
    fn a_seed_determines_a_playout_that_leaves_only_eyes() {
        let (policy, replies) = (Policy::default(), Replies::default());
        let guide = PlayoutWeights {
            policy: &policy,
            replies: &replies,
        };
        let play = |seed| {
            let mut board = Board::new(Size::NINE);
            let mut moves = Vec::new();
            let turn = Turn {
                color: Color::Black,
                stones: LastStones::default(),
            };
            play_out(&mut board, turn, guide, &mut Random::new(seed), &mut moves);
            (board, moves)
        };
        assert_eq!(play(1), play(1));
        assert_ne!(play(1), play(2));
        for seed in 0..50 {
            let (board, moves) = play(seed);
            let ended = moves.ends_with(&[None, None]);
            assert!(ended || moves.len() == 3 * 81);
            for point in board.empty_points().filter(|_| ended) {
                assert!(
                    Color::ALL
                        .iter()
                        .any(|&color| !board.is_playout_move(color, point))
                );
            }
        }
    }

    /// Returns the share of playouts in which Black saves the stone that White's D3 has put in atari.
    fn saves(replies: &Replies) -> f32 {
        let board: Board = ".....\n..O..\n.OXO.\n.....\n.....".parse().unwrap();
        let guide = PlayoutWeights {
            policy: &Policy::default(),
            replies,
        };
        let turn = Turn {
            color: Color::Black,
            stones: LastStones::default().after(Some(point("D3"))),
        };
        let mut random = Random::new(1);
        let saved = (0..200)
            .filter(|_| choose(&mut board.clone(), turn, guide, &mut random) == Some(point("C2")))
            .count();
        saved as f32 / 200.0
    }

    fn point(name: &str) -> Point {
        name.parse().unwrap()
    }

    #[test]
    fn a_stone_in_atari_is_saved_more_often_than_not() {
        assert!(saves(&Replies::default()) > 0.5);
    }

    #[test]
    fn results_of_replies_change_the_moves() {
        let mut replies = Replies::default();
        for _ in 0..100 {
            replies.add(Color::Black, point("D3"), Some(point("C2")), 0.2);
            replies.add(Color::Black, point("D3"), None, 0.8);
        }
        assert!(saves(&replies) < 0.1);
    }
}
