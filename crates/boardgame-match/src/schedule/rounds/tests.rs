use boardgame_core::Margin;
use proptest::prelude::*;

use super::*;
use crate::{
    ForfeitScore,
    record::{GameResult, Side},
};

/// A tournament that was played to its end.
struct Played {
    rounds: Vec<Round>,
    tally: Tally,
}

/// Plays a tournament, which must end; the numbers choose the results.
fn play(form: Form, entrants: &[Entrant], numbers: &[u8]) -> Played {
    let mut numbers = numbers.iter().cycle();
    let mut played = Played {
        rounds: Vec::new(),
        tally: Tally::new(0, Some(ForfeitScore::Points(64))),
    };
    while let Some(round) = next_round(form, entrants, &played.rounds, &played.tally) {
        assert!(played.rounds.len() < 100, "no end");
        played.rounds.push(round.clone());
        if form.depends_on_results() && !round.games.is_empty() {
            let early = next_round(form, entrants, &played.rounds, &played.tally);
            assert_eq!(early, None, "paired before the results");
        }
        for game in round.games {
            let result = match numbers.next().unwrap() % 4 {
                0 => GameResult::Forfeit { by: Side::Black },
                number => GameResult::Played {
                    margin: Margin::from_points(2 * (i32::from(number) - 2)),
                },
            };
            played.tally.set_result(game, Some(result));
        }
    }
    played
}

fn all(count: u16) -> Vec<Entrant> {
    (0..count).map(EngineId).map(Entrant::new).collect()
}

fn text(rounds: &[Round]) -> Vec<String> {
    let round = |round: &Round| {
        let game = |game: &GameId| format!("{}-{}", game.black.0, game.white.0);
        let byes = round.byes.iter().map(|bye| format!("bye {}", bye.0));
        let words: Vec<String> = round.games.iter().map(game).chain(byes).collect();
        words.join(" ")
    };
    rounds.iter().map(round).collect()
}

#[test]
fn the_first_meets_the_second_in_a_danish_tournament() {
    // Black loses by a fault.
    let danish = play(Form::Danish { rounds: 3 }, &all(5), &[0]);
    assert_eq!(
        text(&danish.rounds),
        ["0-1 3-2 bye 4", "1-2 4-0 bye 3", "2-0 4-3 bye 1"]
    );
    let byes: BTreeSet<_> = danish.rounds.iter().flat_map(|round| &round.byes).collect();
    assert_eq!(byes.len(), 3, "nobody rests twice");
}

/// Five take part, so that the three best seeds rest; all meetings are 1:1 without margins, and the better seed wins.
#[test]
fn the_best_seed_meets_the_worst_in_a_knock_out() {
    let played = play(Form::KnockOut, &all(5), &[2]);
    assert_eq!(
        text(&played.rounds),
        ["3-4 4-3 bye 0 bye 1 bye 2", "0-3 3-0 1-2 2-1", "0-1 1-0"]
    );
}

/// Of two forfeits, one by each, only the rule of forfeits tells which loses by more.
#[test]
fn forfeits_count_in_a_knock_out_by_their_margins() {
    let round = next_round(Form::KnockOut, &all(2), &[], &Tally::default()).unwrap();
    let winner = |results: [GameResult; 2]| {
        let mut tally = Tally::new(2, Some(ForfeitScore::Points(10)));
        for (game, result) in round.games.iter().zip(results) {
            tally.set_result(*game, Some(result));
        }
        knock_out_results(&round, &tally)[0][0].0
    };
    let forfeit = GameResult::Forfeit { by: Side::Black };
    let wins_by = |points| GameResult::Played {
        margin: Margin::from_points(points),
    };
    assert_eq!(winner([forfeit, forfeit]), 0);
    assert_eq!(winner([forfeit, wins_by(-12)]), 0);
    assert_eq!(winner([wins_by(8), wins_by(12)]), 1);
    assert_eq!(winner([wins_by(12), wins_by(10)]), 0);
    assert_eq!(
        winner([wins_by(8), GameResult::Forfeit { by: Side::White }]),
        1
    );
}

#[test]
fn who_is_absent_is_out_of_a_knock_out_and_rests_in_a_swiss() {
    let mut entrants = all(4);
    entrants[0].absent = vec![2];
    let knock_out = play(Form::KnockOut, &entrants, &[2]);
    // The other finalist wins without a game.
    assert_eq!(text(&knock_out.rounds), ["0-3 3-0 1-2 2-1", "bye 1"]);
    let swiss = play(Form::Swiss { rounds: 3 }, &entrants, &[2]);
    assert_eq!(swiss.rounds[1].games.len(), 1);
    assert_eq!(swiss.rounds[1].byes.len(), 1);
    assert_eq!(swiss.rounds[2].games.len(), 2);
}

#[test]
fn a_round_robin_without_changes_is_the_table() {
    for count in 2..9 {
        let rounds = play(Form::RoundRobin { cycles: 2 }, &all(count), &[1]).rounds;
        let games: Vec<GameId> = rounds.into_iter().flat_map(|round| round.games).collect();
        assert_eq!(games, round_robin::single(count, 2));
    }
}

fn entrants() -> impl Strategy<Value = Vec<Entrant>> {
    let one = (
        1..9_u32,
        prop::option::weighted(0.2, 0..5_u32),
        prop::collection::vec(1..6_u32, 0..2),
    );
    prop::collection::vec(one, 2..9).prop_map(|all| {
        let entrant =
            |(number, (from_round, withdrawn_after, absent)): (u16, (u32, _, _))| Entrant {
                engine: EngineId(number),
                // Two are there from the start.
                from_round: if number < 2 { 1 } else { from_round },
                withdrawn_after,
                absent,
            };
        (0..).zip(all).map(entrant).collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    /// In every form the tournament ends, only those who are there play, and nobody plays two opponents at once.
    #[test]
    fn every_form_pairs_those_who_are_there(
        entrants in entrants(),
        numbers in prop::collection::vec(any::<u8>(), 1..40),
    ) {
        for form in [
            Form::Swiss { rounds: 5 },
            Form::Danish { rounds: 5 },
            Form::Random { rounds: 5, seed: 3 },
            Form::KnockOut,
            Form::RoundRobin { cycles: 2 },
            Form::Gauntlet { pairs: 4 },
        ] {
            let Played { rounds, tally } = play(form, &entrants, &numbers);
            for (number, round) in rounds.iter().enumerate() {
                // Later rounds change nothing.
                let again = next_round(form, &entrants, &rounds[..number], &tally);
                prop_assert_eq!(again.as_ref(), Some(round), "{:?}", form);
            }
            for (number, round) in (1..).zip(rounds) {
                let seats = |game: &GameId| [game.black, game.white];
                let games: BTreeSet<_> = (round.games.iter())
                    .map(|game| pair(game.black, game.white))
                    .collect();
                let mut seen: Vec<_> = games.iter().flatten().chain(&round.byes).collect();
                seen.sort_unstable();
                let there = entrants.iter().filter(|one| one.is_present(number));
                let present: Vec<_> = there.map(|one| &one.engine).collect();
                let is_present = |engine: &&EngineId| present.contains(engine);
                prop_assert!(seen.iter().all(is_present), "{form:?}: {round:?}");
                let is_gauntlet = matches!(form, Form::Gauntlet { .. });
                let lead_plays = |pair: &[EngineId; 2]| pair.contains(&entrants[0].engine);
                prop_assert!(!is_gauntlet || games.iter().all(lead_plays), "{round:?}");
                let plays_once = seen.windows(2).all(|two| two[0] != two[1]);
                prop_assert!(is_gauntlet || plays_once, "{form:?}: {round:?}");
                prop_assert!(round.games.iter().flat_map(seats).count() >= 2 * games.len());
                if let Form::Swiss { .. } | Form::Danish { .. } | Form::Random { .. } = form {
                    prop_assert_eq!(&seen, &present);
                }
            }
        }
    }

    /// Those who stay to the end of a round robin all meet, with both colours if twice, those who come late and those
    /// who miss a round too.
    #[test]
    fn a_round_robin_is_made_complete(
        count in 2..8_u16,
        cycles in 1..3_u32,
        from_round in 1..9_u32,
        absent in prop::collection::vec((0..8_u16, 1..4_u32), 0..4),
    ) {
        let mut entrants = all(count);
        if count > 3 {
            entrants[2].from_round = from_round;
        }
        for (engine, round) in absent {
            if let Some(entrant) = entrants.get_mut(usize::from(engine)) {
                entrant.absent.push(round);
            }
        }
        let rounds = play(Form::RoundRobin { cycles }, &entrants, &[1]).rounds;
        let games = rounds.iter().flat_map(|round| &round.games);
        let seats = |game: &GameId| match cycles {
            1 => pair(game.black, game.white),
            _ => [game.black, game.white],
        };
        let met: Vec<_> = games.map(seats).collect();
        let distinct: BTreeSet<_> = met.iter().collect();
        prop_assert_eq!(distinct.len(), met.len(), "a game twice, or with the same colours");
        let expected = cycles * u32::from(count * (count - 1) / 2);
        prop_assert_eq!(met.len(), expected as usize, "{:?}", text(&rounds));
    }
}

#[test]
fn a_ladder_pairs_those_of_whom_least_is_known() {
    let mut entrants: Vec<Entrant> = (0..4).map(EngineId).map(Entrant::new).collect();
    let (mut rounds, mut tally) = (Vec::new(), Tally::default());
    let mut pairs = Vec::new();
    for number in 0..40 {
        let round = next_round(Form::Ladder, &entrants, &rounds, &tally).unwrap();
        assert_eq!(round.games[1], round.games[0].reversed());
        assert_eq!(round.games[0].opening, number);
        let game = round.games[0];
        let seats = round.games[..]
            .chunks(2)
            .flat_map(|games| [games[0].black, games[0].white]);
        assert_eq!(seats.collect::<BTreeSet<_>>().len(), 4, "all play once");
        let games = round.games[..2].to_vec();
        rounds.push(Round { games, ..round });
        assert_eq!(next_round(Form::Ladder, &entrants, &rounds, &tally), None);
        for &game in &rounds[rounds.len() - 1].games {
            // The engine of the lower number wins.
            let by = if game.black < game.white {
                Side::White
            } else {
                Side::Black
            };
            tally.set_result(game, Some(GameResult::Forfeit { by }));
        }
        pairs.push([game.black.0, game.white.0]);
    }
    assert_eq!(pairs[..2], [[0, 1], [2, 3]]);
    // Neighbours are compared more often than the best with the worst.
    let count = |pair| pairs.iter().filter(|&&found| found == pair).count();
    assert!(count([0, 1]) > count([0, 3]), "{pairs:?}");
    entrants[0].withdrawn_after = Some(0);
    let round = next_round(Form::Ladder, &entrants, &rounds, &tally).unwrap();
    assert_ne!(round.games[0].black, EngineId(0));
}
