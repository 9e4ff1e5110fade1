use std::collections::{BTreeSet, HashMap};

use super::*;

fn games(form: Form, engines: usize) -> Vec<GameId> {
    let schedule = Schedule::new(form, engines).unwrap();
    let games = schedule.known(&Tally::default());
    let distinct: BTreeSet<_> = games.iter().collect();
    assert_eq!(distinct.len(), games.len(), "{form:?}: a game twice");
    let openings = games.iter().map(|game| game.opening).max().unwrap() + 1;
    assert_eq!(openings, schedule.openings(), "{form:?}");
    for game in &games {
        assert!(game.black != game.white && usize::from(game.black.0) < engines);
        assert!(usize::from(game.white.0) < engines);
    }
    games
}

fn text(games: &[GameId]) -> String {
    let one = |game: &GameId| format!("{}:{}-{}", game.opening, game.black.0, game.white.0);
    games.iter().map(one).collect::<Vec<_>>().join(" ")
}

#[test]
fn a_pair_plays_each_opening_twice() {
    let games = games(Form::Pairs { pairs: 3 }, 2);
    assert_eq!(text(&games), "0:0-1 0:1-0 1:0-1 1:1-0 2:0-1 2:1-0");
}

#[test]
fn a_gauntlet_gives_each_opponent_the_same_openings() {
    let games = games(Form::Gauntlet { pairs: 2 }, 3);
    assert_eq!(
        text(&games),
        "0:0-1 0:1-0 0:0-2 0:2-0 1:0-1 1:1-0 1:0-2 1:2-0"
    );
}

#[test]
fn shards_share_the_games_of_every_form_that_knows_them_from_the_start() {
    for (form, engines) in [
        (Form::Pairs { pairs: 5 }, 2),
        (Form::Gauntlet { pairs: 3 }, 4),
        (Form::RoundRobin { cycles: 2 }, 5),
        (Form::DoubleRoundRobin { cycles: 1 }, 4),
    ] {
        let all = games(form, engines);
        let schedule = Schedule::new(form, engines).unwrap();
        let shards: Vec<Vec<GameId>> = (0..3)
            .map(|index| schedule.clone().of_shard(Shard::new(index, 3).unwrap()))
            .map(|shard| shard.known(&Tally::default()))
            .collect();
        let merged = (0..all.len()).map(|number| shards[number % 3][number / 3]);
        assert!(merged.eq(all.iter().copied()), "{form:?}");
        assert_eq!(shards.concat().len(), all.len());
    }
}

/// The Berger table for four, in the order of its rounds.
#[test]
fn a_round_robin_of_four() {
    let games = games(Form::RoundRobin { cycles: 1 }, 4);
    assert_eq!(text(&games), "0:0-3 0:1-2 1:0-1 1:3-2 2:2-0 2:1-3");
}

#[test]
fn in_a_round_robin_everyone_meets_everyone_with_balanced_colours() {
    for engines in 2..=21 {
        for cycles in 1..=3 {
            let games = games(Form::RoundRobin { cycles }, engines);
            let rounds = if engines % 2 == 0 {
                engines - 1
            } else {
                engines
            };
            assert_eq!(games.len(), cycles as usize * engines * (engines - 1) / 2);

            let mut met = HashMap::<_, u32>::new();
            let mut seats = HashMap::<_, u32>::new();
            let mut balance = vec![0_i32; engines];
            for game in &games {
                let (black, white) = (game.black, game.white);
                *met.entry((black.min(white), black.max(white))).or_default() += 1;
                for engine in [black, white] {
                    *seats.entry((game.opening, engine)).or_default() += 1;
                }
                balance[usize::from(black.0)] += 1;
                balance[usize::from(white.0)] -= 1;
            }
            assert_eq!(met.len(), engines * (engines - 1) / 2);
            assert!(met.values().all(|&count| count == cycles));
            assert!(seats.values().all(|&count| count == 1), "twice in a round");
            let all_rounds = cycles as usize * rounds;
            let each_round = engines / 2 * 2;
            assert_eq!(seats.len(), all_rounds * each_round);
            let allowed = i32::from(engines % 2 == 0 && cycles % 2 == 1);
            assert!(
                balance.iter().all(|balance| balance.abs() == allowed),
                "{engines} engines, {cycles} cycles: {balance:?}"
            );
            let in_order = games.is_sorted_by_key(|game| game.opening);
            assert!(in_order, "round after round");
        }
    }
}

#[test]
fn a_double_round_robin_fills_out_the_single_one() {
    for engines in 2..=9 {
        for cycles in 1..=2 {
            let single = games(Form::RoundRobin { cycles }, engines);
            let double = games(Form::DoubleRoundRobin { cycles }, engines);
            let (first, second) = double.split_at(single.len());
            assert_eq!(first, single);
            let reversed: Vec<_> = single.iter().map(|game| game.reversed()).collect();
            assert_eq!(second, reversed);
        }
    }
}

#[test]
fn a_longer_schedule_has_all_games_of_a_shorter() {
    let forms: [fn(u32) -> Form; 4] = [
        |pairs| Form::Pairs { pairs },
        |pairs| Form::Gauntlet { pairs },
        |cycles| Form::RoundRobin { cycles },
        |cycles| Form::DoubleRoundRobin { cycles },
    ];
    for form in forms {
        let set = |length| BTreeSet::from_iter(games(form(length), 2));
        assert!(set(3).is_subset(&set(4)), "{:?}", form(3));
        assert_eq!(form(3).family(), form(4).family());
    }
}

#[test]
fn what_cannot_be_scheduled_is_refused() {
    for (form, engines, message) in [
        (
            Form::Pairs { pairs: 1 },
            3,
            "expected two engines for pairs, found 3",
        ),
        (
            Form::RoundRobin { cycles: 1 },
            1,
            "expected 2 to 1,000 engines for round robin, found 1",
        ),
        (
            Form::Swiss { rounds: 3 },
            1001,
            "expected 2 to 1,000 engines for swiss from the top, found 1001",
        ),
        (
            Form::Gauntlet { pairs: 0 },
            2,
            "expected 1 to 1,000,000 pairs, cycles or rounds, found 0",
        ),
    ] {
        let error = Schedule::new(form, engines).unwrap_err();
        assert_eq!(error.to_string(), message);
    }
}

#[test]
fn two_engines_play_pairs_unless_each_opening_is_played_once() {
    let of_pairs = |form, engines| Schedule::new(form, engines).unwrap().is_of_pairs();
    for (form, expected) in [
        (Form::Pairs { pairs: 1 }, true),
        (Form::Gauntlet { pairs: 1 }, true),
        (Form::DoubleRoundRobin { cycles: 1 }, true),
        (Form::RoundRobin { cycles: 1 }, false),
        (Form::Swiss { rounds: 1 }, false),
    ] {
        assert_eq!(of_pairs(form, 2), expected, "{form:?}");
    }
    assert!(!of_pairs(Form::Gauntlet { pairs: 1 }, 3));
}

#[test]
fn the_total_has_the_rounds_that_are_not_paired_yet() {
    let schedule = Schedule::new(Form::Swiss { rounds: 5 }, 5).unwrap();
    let none = Tally::default();
    assert_eq!(
        (schedule.known(&none).len(), schedule.total(&none)),
        (2, 10)
    );
}
