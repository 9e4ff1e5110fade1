//! The statistics, tested on simulated matches of known strength.
//!
//! Seeds are fixed, so every run sees the same matches. A share that should be p among n matches may be off by four
//! binomial standard deviations, √(p (1 − p) / n).

use boardgame_match::{
    EngineId,
    stats::{
        MeanMargin, Pairing, Pentanomial, Sprt, SprtSettings, Trinomial, Verdict, ratings,
        score_of_elo,
    },
};
use rand::{Rng, RngExt, SeedableRng, distr::Distribution};
use rand_pcg::Pcg64;
use statrs::distribution::{ContinuousCDF, Normal};

/// A model of opening pairs between two engines whose Elo difference is known.
///
/// An opening favours one colour by a number of Elo, so the first engine is favoured in one game of the pair and
/// hindered in the other; given that, the two games are independent. The games of a pair are therefore negatively
/// correlated, as in real matches from unbalanced openings.
#[derive(Clone, Copy)]
struct PairModel {
    /// The chances that a pair gives the first engine 0, 1, 2, 3 or 4 half points.
    shares: [f64; 5],
}

impl PairModel {
    /// Returns the model of a first engine that is `elo` stronger, without draws and with balanced openings.
    fn new(elo: f64) -> Self {
        Self::with_openings(elo, 0.0, 0.0)
    }

    /// Returns the same with this share of draws, up to ½, in a balanced game, and openings that are worth `bias` Elo
    /// to one colour. In other games draws are fewer in proportion to s (1 − s) for the mean score s.
    fn with_openings(elo: f64, draws: f64, bias: f64) -> Self {
        let mean = |strength: f64| {
            let games = [strength + bias, strength - bias];
            games.map(score_of_elo).iter().sum::<f64>() / 2.0
        };
        // The strength that gives the wanted mean score, which the bias would else draw towards ½. So far out the game
        // against the bias alone gives the wanted score.
        let reach = elo.abs() + bias.abs();
        let (mut low, mut high) = (-reach, reach);
        for _ in 0..100 {
            let middle = f64::midpoint(low, high);
            if mean(middle) < score_of_elo(elo) {
                low = middle;
            } else {
                high = middle;
            }
        }
        // The chances of a loss, a draw and a win.
        let game = |elo| {
            let score = score_of_elo(elo);
            let draw = 4.0 * draws * score * (1.0 - score);
            let win = score - draw / 2.0;
            [1.0 - win - draw, draw, win]
        };
        let [first, second] = [low + bias, low - bias].map(game);
        let mut shares = [0.0; 5];
        for (i, a) in first.iter().enumerate() {
            for (j, b) in second.iter().enumerate() {
                shares[i + j] += a * b;
            }
        }
        Self { shares }
    }
}

/// The half points of the first engine in a pair.
impl Distribution<u32> for PairModel {
    fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> u32 {
        let mut left: f64 = rng.random();
        let passed = self.shares[..4].iter().take_while(|&&share| {
            left -= share;
            left >= 0.0
        });
        passed.count() as u32
    }
}

/// Pairs of games from openings as matches have them: some drawn, most favouring a colour.
fn othello(elo: f64) -> PairModel {
    PairModel::with_openings(elo, 0.05, 120.0)
}

/// The share of `trials` that succeed.
fn share(trials: u32, mut trial: impl FnMut() -> bool) -> f64 {
    let hits = (0..trials).filter(|_| trial()).count();
    hits as f64 / f64::from(trials)
}

fn four_deviations(share: f64, trials: u32) -> f64 {
    4.0 * (share * (1.0 - share) / f64::from(trials)).sqrt()
}

#[track_caller]
fn assert_share(found: f64, expected: f64, trials: u32) {
    let off = four_deviations(expected, trials);
    assert!(
        (found - expected).abs() <= off,
        "{found}, not {expected} ± {off}"
    );
}

#[test]
fn elo_intervals_hold_the_truth_95_times_in_100() {
    let mut rng = Pcg64::seed_from_u64(1);
    let models = [
        PairModel::new(0.0),
        othello(0.0),
        othello(60.0),
        PairModel::with_openings(-200.0, 0.2, 300.0),
    ];
    for (model, truth) in models.into_iter().zip([0.0, 0.0, 60.0, -200.0]) {
        let found = share(4000, || {
            let pairs: Pentanomial = model.sample_iter(&mut rng).take(500).collect();
            pairs.elo().contains(truth)
        });
        assert_share(found, 0.95, 4000);
    }
}

/// The purpose of the pentanomial: taken singly, the games of these pairs give intervals that are
/// too wide.
#[test]
fn single_games_of_pairs_give_wrong_intervals() {
    let mut rng = Pcg64::seed_from_u64(2);
    let model = PairModel::with_openings(0.0, 0.0, 300.0);
    let found = share(1000, || {
        let pairs: Pentanomial = model.sample_iter(&mut rng).take(500).collect();
        let [lost, _, split, _, won] = pairs.counts();
        let games = Trinomial::from_counts([2 * lost + split, 0, 2 * won + split]);
        games.elo().contains(0.0)
    });
    assert!(found > 0.98, "{found}");
}

/// One of two equal engines is called superior as often as the likelihood says.
#[test]
fn likelihood_of_superiority_is_calibrated() {
    let mut rng = Pcg64::seed_from_u64(3);
    for limit in [0.05, 0.5, 0.95] {
        let found = share(4000, || {
            let pairs: Pentanomial = othello(0.0).sample_iter(&mut rng).take(501).collect();
            pairs.los() < limit
        });
        assert_share(found, limit, 4000);
    }
}

/// With ten pairs a normal interval would hold the truth only 92 times in 100.
#[test]
fn disc_intervals_hold_the_truth_95_times_in_100() {
    let mut rng = Pcg64::seed_from_u64(4);
    let spread = Normal::new(1.5, 12.0).unwrap();
    for pairs in [10, 100] {
        let found = share(4000, || {
            let play = |_| {
                let opening = rng.random_range(-20.0..20.0);
                let mut game = || spread.inverse_cdf(rng.random());
                [
                    (game() + opening).round() as i32,
                    (game() - opening).round() as i32,
                ]
            };
            MeanMargin::from_pairs((0..pairs).map(play))
                .mean()
                .contains(1.5)
        });
        assert_share(found, 0.95, 4000);
    }
}

/// The strengths of a round robin, with a mean of 0.
const TRUTH: [f64; 6] = [-180.0, -90.0, -10.0, 30.0, 100.0, 150.0];

/// A round robin with a number of pairs for each two engines.
fn round_robin(pairs: usize, model: impl Fn(f64) -> PairModel, rng: &mut Pcg64) -> Vec<Pairing> {
    let mut pairings = Vec::new();
    for (second, theirs) in TRUTH.iter().enumerate() {
        for (first, ours) in TRUTH[..second].iter().enumerate() {
            let half_points = model(ours - theirs)
                .sample_iter(&mut *rng)
                .take(pairs)
                .sum();
            pairings.push(Pairing {
                first: EngineId(first as u16),
                second: EngineId(second as u16),
                half_points_first: half_points,
                games: 2 * pairs as u32,
            });
        }
    }
    pairings
}

#[test]
fn ratings_recover_the_truth() {
    let mut rng = Pcg64::seed_from_u64(5);
    let games = round_robin(20_000, othello, &mut rng);
    let list = ratings(&games, TRUTH.len());
    let order: Vec<_> = list
        .ratings()
        .iter()
        .map(|rating| rating.engine.0)
        .collect();
    assert_eq!(order, [5, 4, 3, 2, 1, 0]);
    for rating in list.ratings() {
        let truth = TRUTH[usize::from(rating.engine.0)];
        assert!((rating.elo.value - truth).abs() < 3.0, "{rating:?}");
        assert!(rating.elo.half_width() < 2.0, "{rating:?}");
    }
}

/// The share of ratings and rating differences whose intervals contain the true value.
fn rating_coverage(tournaments: u32, model: impl Fn(f64) -> PairModel, seed: u64) -> [f64; 2] {
    let mut rng = Pcg64::seed_from_u64(seed);
    let (mut ratings_held, mut differences_held) = (0, 0);
    for _ in 0..tournaments {
        let games = round_robin(50, &model, &mut rng);
        let list = ratings(&games, TRUTH.len());
        let held = |rating: &&boardgame_match::stats::Rating| {
            rating.elo.contains(TRUTH[usize::from(rating.engine.0)])
        };
        ratings_held += list.ratings().iter().filter(held).count();
        for pair in games {
            let truth = TRUTH[usize::from(pair.first.0)] - TRUTH[usize::from(pair.second.0)];
            let difference = list.difference(pair.first, pair.second);
            differences_held += usize::from(difference.contains(truth));
        }
    }
    let of = f64::from(tournaments);
    [
        ratings_held as f64 / (6.0 * of),
        differences_held as f64 / (15.0 * of),
    ]
}

/// The ratings of a list are not independent, so only the lists count as trials.
#[test]
fn rating_intervals_hold_the_truth_95_times_in_100() {
    for found in rating_coverage(1000, PairModel::new, 6) {
        assert_share(found, 0.95, 1000);
    }
}

/// Draws and unbalanced openings make the intervals too wide, never too narrow.
#[test]
fn rating_intervals_are_cautious_with_draws_and_pairs() {
    let model = |elo| PairModel::with_openings(elo, 0.2, 200.0);
    for found in rating_coverage(500, model, 7) {
        assert!(found > 0.97, "{found}");
    }
}

/// The shares that accept H0 and H1 among 2,000 matches played to a verdict.
fn sprt_verdicts(settings: SprtSettings, model: PairModel, seed: u64) -> [f64; 2] {
    let sprt = Sprt::new(settings).unwrap();
    let mut rng = Pcg64::seed_from_u64(seed);
    let accepts_h1 = share(2000, || {
        let mut pairs = Pentanomial::new();
        loop {
            pairs.add(model.sample(&mut rng));
            match sprt.test(&pairs).verdict {
                Verdict::Continue => {}
                verdict => return verdict == Verdict::AcceptH1,
            }
        }
    });
    [1.0 - accepts_h1, accepts_h1]
}

#[test]
fn sequential_tests_err_no_more_than_stated() {
    let even = SprtSettings {
        elo1: 30.0,
        ..SprtSettings::default()
    };
    let uneven = SprtSettings {
        elo0: -20.0,
        elo1: 20.0,
        alpha: 0.02,
        beta: 0.1,
    };
    for settings in [even, uneven] {
        let SprtSettings { alpha, beta, .. } = settings;
        let [_, false_h1] = sprt_verdicts(settings, othello(settings.elo0), 8);
        assert!(
            false_h1 <= alpha + four_deviations(alpha, 2000),
            "{settings:?}: {false_h1}"
        );
        let [false_h0, _] = sprt_verdicts(settings, othello(settings.elo1), 9);
        assert!(
            false_h0 <= beta + four_deviations(beta, 2000),
            "{settings:?}: {false_h0}"
        );
        // Far fewer errors would mean that the test wastes games.
        assert!(
            false_h1 > alpha / 3.0 && false_h0 > beta / 3.0,
            "{false_h1} {false_h0}"
        );
    }
}
