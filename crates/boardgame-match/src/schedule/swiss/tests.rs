use std::collections::{BTreeMap, BTreeSet};

use boardgame_core::Margin;
use proptest::prelude::*;
use rand::SeedableRng as _;
use rand_pcg::Pcg64;

use super::*;
use crate::{
    EngineId, GameId,
    record::{GameResult, Side},
    schedule::{Form, Schedule},
    tally::Tally,
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
    words.extend(round.byes.iter().map(|bye| format!("bye {}", bye.0)));
    words.join(" ")
}

fn tally(results: &Results) -> Tally {
    let mut tally = Tally::default();
    for (&game, &result) in results {
        tally.set_result(game, Some(result));
    }
    tally
}

fn rounds(engines: u16, count: u32, results: &Results) -> Vec<Round> {
    let schedule = Schedule::new(Form::Swiss { rounds: count }, engines.into()).unwrap();
    schedule.rounds(&tally(results))
}

fn start(engines: u16) -> Tournament {
    Tournament::new(&(0..engines).map(EngineId).collect::<Vec<_>>())
}

fn index(engine: EngineId) -> usize {
    usize::from(engine.0)
}

/// All rounds of a tournament with the given results.
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

/// The lower number wins.
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

/// In the third round 2 is the lowest without a bye. If it rested and the leaders 0 and 4 met, 1 and 3 would meet
/// again.
#[test]
fn leaders_meet_before_the_lowest_rests() {
    let four_beats_two = |game: GameId| match (game.black.0, game.white.0) {
        (2, 4) => WHITE_WINS,
        _ => favourite(game),
    };
    check(
        5,
        four_beats_two,
        &["0-2 3-1 bye 4", "1-0 2-4 bye 3", "4-0 2-3 bye 1"],
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

/// Rounds appear one by one, only as far as results are known.
#[test]
fn a_round_is_known_once_the_one_before_is_over() {
    let schedule = Schedule::new(Form::Swiss { rounds: 3 }, 7).unwrap();
    let mut results = Results::new();
    let mut known = schedule.known(&tally(&results));
    assert_eq!((known.len(), schedule.byes(&tally(&results)).len()), (3, 1));
    for played in 0..9 {
        results.insert(known[played], favourite(known[played]));
        let now = schedule.known(&tally(&results));
        let rounds = 1 + (played + 1) / 3;
        assert_eq!(now.len(), 3 * rounds.min(3));
        assert_eq!(schedule.byes(&tally(&results)).len(), rounds.min(3));
        assert!(now.starts_with(&known), "what was known stays");
        known = now;
    }
    // A game of another match changes nothing.
    let stranger = GameId {
        opening: 9,
        ..known[0]
    };
    results.insert(stranger, WHITE_WINS);
    assert_eq!(schedule.known(&tally(&results)), known);
}

/// The costs of a pairing for each rule, by engine in the order of rank; the best pairing has the least. The first is
/// the maximum number of earlier games between two engines that meet.
type Qualities = (u32, Vec<u32>, Vec<u8>, Vec<bool>, Vec<u32>);

/// A pairing of a round.
struct Pairing<'a> {
    before: &'a Tournament,
    ranked: Vec<usize>,
    /// The opponent of each engine; the number of engines stands for the bye.
    opponents: Vec<usize>,
}

impl<'a> Pairing<'a> {
    fn new(before: &'a Tournament, round: &Round) -> Self {
        let count = before.players.len();
        let mut opponents = vec![count; count];
        for game in &round.games {
            opponents[index(game.black)] = index(game.white);
            opponents[index(game.white)] = index(game.black);
        }
        Self {
            before,
            ranked: before.ranked(),
            opponents,
        }
    }

    fn qualities(&self) -> Qualities {
        let before = self.before;
        let all = || self.ranked.iter().map(|&one| (one, self.opponents[one]));
        let met = || all().map(|(one, other)| before.meetings(one, other));
        let max_met = met().flatten().max().unwrap_or(0);
        let leaders = all().take(before.leaders(&self.ranked).len());
        (
            max_met,
            met().map(|met| met.unwrap_or(max_met)).collect(),
            leaders
                .map(|(one, other)| before.descent(one, other))
                .collect(),
            all()
                .map(|(one, other)| before.must_clash(one, other))
                .collect(),
            all()
                .map(|(one, other)| before.distance(one, other))
                .collect(),
        )
    }

    /// Returns the least costs of all pairings of the remaining engines, by brute force.
    fn least(&mut self, left: &[usize]) -> Option<Qualities> {
        let count = self.opponents.len();
        let Some((&first, rest)) = left.split_first() else {
            return Some(self.qualities());
        };
        let fewest = self.before.players.iter().map(|player| player.byes).min();
        let may_rest = Some(self.before.players[first].byes) == fewest;
        let bye = (left.len() % 2 == 1 && may_rest).then_some(count);
        let others: Vec<usize> = rest.iter().copied().chain(bye).collect();
        let pairings = others.into_iter().filter_map(|other| {
            self.opponents[first] = other;
            if other < count {
                self.opponents[other] = first;
            }
            let left: Vec<_> = rest.iter().copied().filter(|&one| one != other).collect();
            self.least(&left)
        });
        pairings.min()
    }
}

/// Plays a tournament with random results, in which stronger engines win more often, and calls a check for each round
/// with the state before it.
fn simulate(
    engines: u16,
    rounds: u32,
    rng: &mut Pcg64,
    mut check: impl FnMut(&Tournament, &Round),
) {
    let mut tournament = start(engines);
    for number in 0..rounds {
        let round = tournament.pair(number);
        check(&tournament, &round);
        let mut results = Results::new();
        for &game in &round.games {
            let favourite = favourite(game);
            let result = match rng.random_range(0..8) {
                0 => DRAW,
                1..=5 => favourite,
                _ if favourite == BLACK_WINS => WHITE_WINS,
                _ => BLACK_WINS,
            };
            results.insert(game, result);
        }
        assert!(tournament.add(&round, &results));
    }
}

fn check_seats_and_byes(before: &Tournament, round: &Round) {
    let count = before.players.len();
    let seats = round.games.iter().flat_map(|game| [game.black, game.white]);
    let mut present: Vec<usize> = seats.chain(round.byes.clone()).map(index).collect();
    present.sort_unstable();
    assert_eq!(present, (0..count).collect::<Vec<_>>());
    let fewest = before.players.iter().map(|player| player.byes).min();
    let rests = round
        .byes
        .first()
        .map(|&bye| before.players[index(bye)].byes);
    assert!(rests.is_none() || rests == fewest, "a bye too many");
}

#[test]
fn a_thousand_tournaments_obey_the_rules() {
    let mut rng = Pcg64::seed_from_u64(23);
    for number in 0..1000 {
        let engines = 4 + number % 37;
        let rounds = rng.random_range(3..=9);
        simulate(engines, rounds, &mut rng, |before, round| {
            check_seats_and_byes(before, round);
            let (max_met, ..) = Pairing::new(before, round).qualities();
            assert_eq!(max_met, before.fewest_meetings().0);
        });
    }
}

/// Few engines and many rounds, so that rematches cannot be avoided in the end.
#[test]
fn no_pairing_of_few_engines_is_better() {
    let mut rng = Pcg64::seed_from_u64(24);
    for number in 0..70 {
        simulate(2 + number % 7, 10, &mut rng, |before, round| {
            check_seats_and_byes(before, round);
            let mut pairing = Pairing::new(before, round);
            let found = pairing.qualities();
            let all = pairing.ranked.clone();
            assert_eq!(Some(found), pairing.least(&all), "{}", text(round));
        });
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// With enough engines for the rounds, there is no rematch, and only leaders who had to meet get a colour three
    /// times in succession, or in more than two games more than the other.
    #[test]
    fn large_tournaments_are_balanced(
        engines in 16_u16..=24,
        seed in proptest::collection::vec(0..3_usize, 97),
    ) {
        let mut seed = seed.into_iter().cycle();
        let mut result = |_| [BLACK_WINS, WHITE_WINS, DRAW][seed.next().unwrap()];
        let (rounds, results) = tournament(engines, 5, &mut result);
        let mut state = start(engines);
        let mut exempt = BTreeSet::new();
        for round in &rounds {
            let ranked = Pairing::new(&state, round).ranked;
            for [one, other] in round.games.iter().map(|game| [index(game.black), index(game.white)]) {
                if state.must_clash(one, other) {
                    let lead = |one| state.leaders(&ranked).contains(&one);
                    prop_assert!(lead(one) && lead(other));
                    exempt.extend([one, other]);
                }
            }
            prop_assert!(state.add(round, &results));
        }
        prop_assert!(state.met.iter().flatten().all(|&met| met <= 1));
        let games = || results.keys();
        for engine in (0..engines).map(EngineId).filter(|&engine| !exempt.contains(&index(engine))) {
            let own = games().filter(|game| game.black == engine || game.white == engine);
            let blacks: Vec<bool> = own.map(|game| game.black == engine).collect();
            let balance = blacks.iter().map(|&black| if black { 1 } else { -1 }).sum::<i32>();
            prop_assert!(balance.abs() <= 2, "{:?}", blacks);
            let thrice = blacks.windows(3).any(|three| three[0] == three[1] && three[1] == three[2]);
            prop_assert!(!thrice, "{:?}", blacks);
        }
    }

    /// With log₂ of the field as rounds, and the favourite always winning, the favourite leads alone.
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
