use std::collections::BTreeSet;

use boardgame_core::Margin;
use proptest::prelude::*;

use super::*;
use crate::{
    record::Side,
    schedule::{Form, Schedule},
};

type Results = BTreeMap<GameId, GameResult>;

const fn played(points: i32) -> GameResult {
    GameResult::Played {
        margin: Margin::from_points(points),
    }
}

const BLACK_WINS: GameResult = played(8);
const WHITE_WINS: GameResult = played(-8);
const DRAW: GameResult = played(0);

/// The games of a round as `black-white`, and the bye.
fn text(round: &Round) -> String {
    let game = |game: &GameId| format!("{}-{}", game.black.0, game.white.0);
    let mut words: Vec<String> = round.games.iter().map(game).collect();
    words.extend(round.bye.map(|bye| format!("bye {}", bye.0)));
    words.join(" ")
}

/// All rounds of a tournament in which the results are as told.
fn tournament(
    engines: u16,
    count: u32,
    mut result: impl FnMut(GameId) -> GameResult,
) -> (Vec<Round>, Results) {
    let mut results = Results::new();
    for number in 1..=count {
        let rounds = rounds(engines, number, &results);
        for &game in rounds.iter().flat_map(|round| &round.games) {
            results.entry(game).or_insert_with(|| result(game));
        }
    }
    (rounds(engines, count, &results), results)
}

/// Whoever has the lower number wins.
fn favourite(game: GameId) -> GameResult {
    if game.black < game.white {
        BLACK_WINS
    } else {
        WHITE_WINS
    }
}

fn check(engines: u16, result: impl FnMut(GameId) -> GameResult, expected: &[&str]) {
    let (rounds, _) = tournament(engines, expected.len() as u32, result);
    let texts: Vec<String> = rounds.iter().map(text).collect();
    assert_eq!(texts, expected);
}

/// In the second round 0 and 2 are due White, and 1 and 3 Black, so 0 meets 3 rather than 2. In the
/// third 2 meets 4, the top of the bottom half of those with one point.
#[test]
fn equals_meet_and_colours_alternate() {
    check(
        8,
        favourite,
        &["0-4 5-1 2-6 7-3", "3-0 1-2 4-7 6-5", "0-1 2-4 5-3 7-6"],
    );
}

#[test]
fn the_lowest_rests_and_nobody_twice() {
    check(
        5,
        favourite,
        &[
            "0-2 3-1 bye 4",
            "1-0 2-4 bye 3",
            "0-3 4-1 bye 2",
            "4-0 3-2 bye 1",
            "1-2 3-4 bye 0",
        ],
    );
}

#[test]
fn a_forfeit_counts_as_a_game() {
    let lost_by_white = |_| GameResult::Forfeit { by: Side::White };
    let black_wins = |_| BLACK_WINS;
    let (forfeited, _) = tournament(7, 5, lost_by_white);
    let (played, _) = tournament(7, 5, black_wins);
    assert_eq!(forfeited, played);
}

#[test]
fn two_engines_meet_again_and_exchange_colours() {
    check(2, |_| DRAW, &["0-1", "1-0", "0-1", "1-0"]);
}

/// Round by round, and only as far as results go.
#[test]
fn a_round_is_known_once_the_one_before_is_over() {
    let schedule = Schedule::new(Form::Swiss { rounds: 3 }, 7).unwrap();
    let mut results = Results::new();
    let mut known = schedule.known(&results);
    assert_eq!((known.len(), schedule.byes(&results).len()), (3, 1));
    for played in 0..9 {
        results.insert(known[played], favourite(known[played]));
        let now = schedule.known(&results);
        let rounds = 1 + (played + 1) / 3;
        assert_eq!(now.len(), 3 * rounds.min(3));
        assert_eq!(schedule.byes(&results).len(), rounds.min(3));
        assert!(now.starts_with(&known), "what was known stays");
        known = now;
    }
    // A game of another match changes nothing.
    let stranger = GameId {
        opening: 9,
        ..known[0]
    };
    results.insert(stranger, WHITE_WINS);
    assert_eq!(schedule.known(&results), known);
}

/// Returns whether all can be paired without a rematch, by trying everything.
fn can_avoid(met: &BTreeSet<[EngineId; 2]>, left: &[EngineId]) -> bool {
    let Some((&first, rest)) = left.split_first() else {
        return true;
    };
    rest.iter().any(|&other| {
        let rest: Vec<_> = rest.iter().copied().filter(|&one| one != other).collect();
        !met.contains(&pair(first, other)) && can_avoid(met, &rest)
    })
}

fn pair(one: EngineId, other: EngineId) -> [EngineId; 2] {
    [one.min(other), one.max(other)]
}

/// The laws of a tournament, whatever its results.
fn check_laws(engines: u16, rounds: &[Round]) -> Result<(), TestCaseError> {
    let mut met = BTreeSet::new();
    let mut byes = vec![0_u32; usize::from(engines)];
    for (number, round) in rounds.iter().enumerate() {
        let seats = round.games.iter().flat_map(|game| [game.black, game.white]);
        let mut present: Vec<_> = seats.chain(round.bye).collect();
        present.sort();
        prop_assert_eq!(present, (0..engines).map(EngineId).collect::<Vec<_>>());
        prop_assert!(
            round
                .games
                .iter()
                .all(|game| game.opening as usize == number)
        );

        if let Some(bye) = round.bye {
            byes[index(bye)] += 1;
        }
        let (fewest, most) = (byes.iter().min(), byes.iter().max());
        prop_assert!(most.unwrap() - fewest.unwrap() <= 1, "{:?}", byes);

        let pairs = round.games.iter().map(|game| pair(game.black, game.white));
        let pairs: Vec<_> = pairs.collect();
        if pairs.iter().any(|pair| met.contains(pair)) {
            // Then there was no way around it, whoever of those due had rested.
            let before = |one: usize| byes[one] - u32::from(round.bye == Some(id(one)));
            let fewest = (0..byes.len()).map(before).min();
            let due = |one: usize| round.bye.is_some() && Some(before(one)) == fewest;
            let resting = (0..byes.len())
                .filter(|&one| due(one))
                .map(|one| Some(id(one)));
            let resting: Vec<_> = match round.bye {
                None => vec![None],
                Some(_) => resting.collect(),
            };
            for bye in resting {
                let all = (0..engines).map(EngineId);
                let playing: Vec<_> = all.filter(|&one| Some(one) != bye).collect();
                prop_assert!(!can_avoid(&met, &playing), "round {}", number);
            }
        }
        met.extend(pairs);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Few engines and many rounds, so that rematches cannot be avoided in the end.
    #[test]
    fn laws_hold_in_small_tournaments(
        engines in 2_u16..=9,
        count in 1_u32..=10,
        seed in proptest::collection::vec(0..3_usize, 60),
    ) {
        let mut seed = seed.into_iter().cycle();
        let mut result = |_| [BLACK_WINS, WHITE_WINS, DRAW][seed.next().unwrap()];
        let (rounds, _) = tournament(engines, count, &mut result);
        check_laws(engines, &rounds)?;
    }

    /// With engines enough for the rounds, nobody meets the same twice, has a colour three times
    /// in succession or more than twice more often than the other.
    #[test]
    fn large_tournaments_are_balanced(
        engines in 16_u16..=24,
        seed in proptest::collection::vec(0..3_usize, 97),
    ) {
        let mut seed = seed.into_iter().cycle();
        let mut result = |_| [BLACK_WINS, WHITE_WINS, DRAW][seed.next().unwrap()];
        let (rounds, results) = tournament(engines, 5, &mut result);
        check_laws(engines, &rounds)?;
        let games = || results.keys();
        let pairs: BTreeSet<_> = games().map(|game| pair(game.black, game.white)).collect();
        prop_assert_eq!(pairs.len(), results.len());
        for engine in (0..engines).map(EngineId) {
            let own = games().filter(|game| game.black == engine || game.white == engine);
            let blacks: Vec<bool> = own.map(|game| game.black == engine).collect();
            let balance = blacks.iter().map(|&black| if black { 1 } else { -1 }).sum::<i32>();
            prop_assert!(balance.abs() <= 2, "{:?}", blacks);
            let thrice = blacks.windows(3).any(|three| three[0] == three[1] && three[1] == three[2]);
            prop_assert!(!thrice, "{:?}", blacks);
        }
    }

    /// After as many rounds as halve the field to one, with the favourite always winning, the
    /// favourite leads alone.
    #[test]
    fn the_best_comes_out(power in 1_u32..=4) {
        let engines = 1 << power;
        let (rounds, results) = tournament(engines, power, favourite);
        prop_assert_eq!(rounds.len(), power as usize);
        let wins = |engine: u16| {
            let won = results.iter().filter(|(game, result)| {
                result.winner().map(|color| game.engine(color)) == Some(EngineId(engine))
            });
            won.count() as u32
        };
        prop_assert_eq!(wins(0), power);
        prop_assert!((1..engines).all(|engine| wins(engine) < power));
    }
}
