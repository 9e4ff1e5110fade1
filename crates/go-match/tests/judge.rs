//! Judgements of finished positions whose dead stones and scores are known.

use boardgame_core::ByColor;
use go_core::{Board, Color, Komi, Position, Setup};
use go_match::Judge;

const POSITIONS: &str = include_str!("data/positions.txt");

/// A finished position with its correct judgement.
struct Known<'a> {
    name: &'a str,
    position: Position,
    dead: &'a str,
    score: &'a str,
}

/// Reads the positions of the file.
fn known() -> impl Iterator<Item = Known<'static>> {
    let entries = POSITIONS.split("\nposition ").skip(1);
    entries.map(|entry| {
        let (name, entry) = entry.split_once('\n').unwrap();
        let (rows, entry) = entry.split_once("\ndead ").unwrap();
        let (dead, score) = entry.split_once("\nscore ").unwrap();
        Known {
            name,
            position: position(&rows.parse().unwrap()),
            dead: if dead == "none" { "" } else { dead },
            score: score.trim(),
        }
    })
}

fn position(board: &Board) -> Position {
    let of = |color| board.stones().filter(move |&(_, stone)| stone == color);
    let stones = ByColor::new_with(|color: Color| of(color).map(|(point, _)| point).collect());
    let setup = Setup::new(board.size()).with_komi(Komi::from_half_points(1));
    Position::new(&setup.with_stones(stones).unwrap())
}

#[test]
fn dead_stones_and_scores_are_right_whatever_the_seed() {
    let mut count = 0;
    for known in known() {
        for seed in 1..=3 {
            let judge = Judge {
                seed,
                ..Judge::default()
            };
            let judgement = judge.judge(&known.position);
            let found = (
                judgement.status.dead.to_string(),
                judgement.margin.to_string(),
            );
            let expected = (known.dead.to_owned(), known.score.to_owned());
            assert_eq!(found, expected, "{}, seed {seed}\n{judgement}", known.name);
        }
        count += 1;
    }
    assert_eq!(count, 12);
}

#[test]
fn a_cut_that_is_answered_leaves_nothing_open() {
    let mut cuts = known().filter(|known| known.name.starts_with("a group on the edge"));
    let cut = cuts.next().unwrap();
    let judgement = Judge::default().judge(&cut.position);
    let white = cut
        .position
        .board()
        .stones()
        .filter(|&(_, color)| color == Color::White);
    for (point, _) in white {
        assert!(
            !judgement.status.unsettled.contains(point),
            "{point}\n{judgement}"
        );
    }
}
