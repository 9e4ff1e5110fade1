//! The numbers of legal positions published by John Tromp and Gunnar Farnebäck ("Combinatorics of Go", 2007).

use std::collections::BTreeSet;

use go_core::{Board, Color, Point, Size};

/// Counts the boards with legal stones on the remaining points, given the stones before. A board whose stones already
/// lack liberties has no legal completions.
fn count(boards: &mut [Board], points: &[Point]) -> u64 {
    let Some((&point, points)) = points.split_first() else {
        return 1;
    };
    let (board, rest) = boards.split_first_mut().expect("a board for each point");
    let mut sum = count_empty(board, rest, points);
    for color in Color::ALL
        .into_iter()
        .filter(|&color| board.is_legal(color, point))
    {
        let captures =
            |neighbour| board.stone(neighbour) == Some(!color) && board.atari(neighbour).is_some();
        if board.neighbours(point).any(captures) {
            continue;
        }
        if points.is_empty() {
            sum += 1;
        } else {
            rest[0].clone_from(board);
            rest[0].play(color, point);
            sum += count(rest, points);
        }
    }
    sum
}

/// Counts the boards whose next point is empty.
fn count_empty(board: &Board, rest: &mut [Board], points: &[Point]) -> u64 {
    if points.is_empty() {
        return 1;
    }
    rest[0].clone_from(board);
    count(rest, points)
}

fn legal_positions(size: Size) -> u64 {
    let points: Vec<_> = size.points().collect();
    count(&mut vec![Board::new(size); points.len()], &points)
}

#[test]
fn the_numbers_of_legal_positions_are_as_published() {
    for (lines, expected) in [(1, 1), (2, 57), (3, 12_675)] {
        assert_eq!(legal_positions(Size::new(lines).expect("a size")), expected);
    }
}

#[test]
fn the_number_of_legal_positions_on_4x4_is_as_published() {
    assert_eq!(legal_positions(Size::new(4).expect("a size")), 24_318_165);
}

/// Plays stones of either colour in every order, with each ko lifted.
#[test]
fn every_legal_position_can_be_reached_by_play() {
    for (lines, expected) in [(1, 1), (2, 57), (3, 12_675)] {
        let empty = Board::new(Size::new(lines).expect("a size"));
        let (mut seen, mut open) = (BTreeSet::from([empty.hash()]), vec![empty]);
        while let Some(mut board) = open.pop() {
            board.clear_ko();
            for point in board.size().points() {
                for color in Color::ALL {
                    if board.is_legal(color, point) && seen.insert(board.hash_after(color, point)) {
                        let mut next = board.clone();
                        next.play(color, point);
                        open.push(next);
                    }
                }
            }
        }
        assert_eq!(seen.len(), expected);
    }
}
