use super::*;

/// Pairings from wins of the first and of the second engine.
pub(in crate::stats) fn pairings(results: &[(u16, u16, u32, u32)]) -> Vec<Pairing> {
    let pairing = |&(first, second, won, lost)| Pairing {
        first: EngineId(first),
        second: EngineId(second),
        half_points_first: 2 * won,
        games: won + lost,
    };
    results.iter().map(pairing).collect()
}

/// Practically no virtual draws, since the published examples have none.
const NO_PRIOR: f64 = 1e-6;

fn by_engine(list: &RatingList) -> Vec<Rating> {
    let mut ratings = list.ratings().to_vec();
    ratings.sort_by_key(|rating| rating.engine);
    ratings
}

/// Citations between four journals of statistics (Stigler 1994; Agresti, Categorical Data
/// Analysis, table 10.11). Abilities with a sum of 0 and their standard errors as the R
/// package `BradleyTerry2` prints them in its test `BTabilities.Rout.save`.
#[test]
fn journals_of_statistics() {
    let cited = pairings(&[
        (0, 1, 730, 33),
        (0, 2, 498, 320),
        (0, 3, 221, 284),
        (1, 2, 68, 813),
        (1, 3, 17, 276),
        (2, 3, 142, 325),
    ]);
    let list = rate(&cited, 4, NO_PRIOR);
    let published = [
        (0.789_922_1, 0.043_330_47),
        (-2.159_150_4, 0.072_579_74),
        (0.310_352_3, 0.041_641_02),
        (1.058_876_1, 0.053_046_99),
    ];
    for (rating, (ability, error)) in zip(by_engine(&list), published) {
        let expected = Estimate::normal(ability, error).map(|logits| logits * ELO_PER_LOGIT);
        assert!(
            (rating.elo.value - expected.value).abs() < 1e-3,
            "{rating:?}"
        );
        assert!((rating.elo.low - expected.low).abs() < 1e-3, "{rating:?}");
    }
    let order: Vec<_> = list
        .ratings()
        .iter()
        .map(|rating| rating.engine.0)
        .collect();
    assert_eq!(order, [3, 0, 2, 1]);
}

/// The American League's east in 1987 (Agresti, Categorical Data Analysis, section 10.6), home
/// and away together. Differences from Baltimore and their standard errors as the R package
/// `BradleyTerry2` prints them in its test `baseball.Rout.save`.
#[test]
fn american_league() {
    let [
        milwaukee,
        detroit,
        toronto,
        new_york,
        boston,
        cleveland,
        baltimore,
    ] = [0, 1, 2, 3, 4, 5, 6];
    let games = pairings(&[
        (milwaukee, detroit, 7, 6),
        (milwaukee, toronto, 9, 4),
        (milwaukee, new_york, 7, 6),
        (milwaukee, boston, 7, 6),
        (milwaukee, cleveland, 9, 4),
        (milwaukee, baltimore, 11, 2),
        (detroit, toronto, 7, 6),
        (detroit, new_york, 5, 8),
        (detroit, boston, 11, 2),
        (detroit, cleveland, 9, 4),
        (detroit, baltimore, 9, 4),
        (toronto, new_york, 7, 6),
        (toronto, boston, 7, 6),
        (toronto, cleveland, 8, 5),
        (toronto, baltimore, 12, 1),
        (new_york, boston, 6, 7),
        (new_york, cleveland, 7, 6),
        (new_york, baltimore, 10, 3),
        (boston, cleveland, 7, 6),
        (boston, baltimore, 12, 1),
        (cleveland, baltimore, 6, 7),
    ]);
    let list = rate(&games, 7, NO_PRIOR);
    let published = [
        (boston, 1.1077, 0.3339),
        (cleveland, 0.6839, 0.3319),
        (detroit, 1.4364, 0.3396),
        (milwaukee, 1.5814, 0.3433),
        (new_york, 1.2476, 0.3359),
        (toronto, 1.2945, 0.3367),
    ];
    for (team, ability, error) in published {
        let (value, own_error) = list.compare(EngineId(team), EngineId(baltimore));
        assert!((value - ability).abs() < 1e-4, "{team}: {value}");
        assert!((own_error - error).abs() < 1e-4, "{team}: {own_error}");
    }
}

/// Without other engines the rating difference is the Elo difference of the score.
#[test]
fn two_engines_differ_by_their_elo() {
    let list = rate(&pairings(&[(0, 1, 64, 36)]), 2, NO_PRIOR);
    let difference = list.difference(EngineId(0), EngineId(1));
    assert!((difference.value - super::super::elo_of_score(0.64)).abs() < 1e-3);
    let mean: f64 = list.ratings().iter().map(|rating| rating.elo.value).sum();
    assert!(mean.abs() < 1e-9);
}

/// Over the mean of all it is the rating, over one engine the difference; without an engine that
/// lost nearly everything, the intervals of the others are narrow.
#[test]
fn the_mean_may_leave_out_engines() {
    let games = pairings(&[
        (0, 1, 60, 40),
        (1, 2, 55, 45),
        (2, 0, 30, 70),
        (0, 3, 99, 1),
    ]);
    let list = rate(&games, 4, NO_PRIOR);
    let [a, b, c, d] = [0, 1, 2, 3].map(EngineId);
    let near = |one: Estimate, other: Estimate| {
        let pairs = [
            (one.value, other.value),
            (one.low, other.low),
            (one.high, other.high),
        ];
        pairs.into_iter().all(|(x, y)| (x - y).abs() < 1e-6)
    };
    for rating in list.ratings() {
        let mean = list.over_mean(rating.engine, &[a, b, c, d]);
        assert!(near(mean, rating.elo), "{mean} for {rating:?}");
    }
    assert!(near(list.over_mean(b, &[c]), list.difference(b, c)));
    let three = [a, b, c].map(|engine| list.over_mean(engine, &[a, b, c]));
    let sum: f64 = three.iter().map(|estimate| estimate.value).sum();
    assert!(sum.abs() < 1e-6, "{three:?}");
    let among_four = by_engine(&list)[0].elo.half_width();
    assert!(
        three[0].half_width() < among_four / 2.0,
        "{among_four}, {three:?}"
    );
    // As if the fourth had not played: one game more or less hardly affects the others.
    let without = rate(&games[..3], 3, NO_PRIOR);
    for (estimate, rating) in zip(three, by_engine(&without)) {
        assert!(
            (estimate.value - rating.elo.value).abs() < 1e-3,
            "{estimate}"
        );
        assert!((estimate.low - rating.elo.low).abs() < 1e-3, "{estimate}");
    }
}

#[test]
fn perfect_scores_have_finite_ratings_that_grow_with_the_games() {
    let winner = |wins| {
        let list = ratings(&pairings(&[(0, 1, wins, 0)]), 2);
        list.difference(EngineId(0), EngineId(1))
    };
    let (few, many, most) = (winner(2), winner(20), winner(1_000_000));
    assert!(0.0 < few.value && few.value < many.value && many.value < most.value);
    assert!(most.value.is_finite() && most.high.is_finite());
    assert!(few.low < 0.0, "two games prove nothing: {few}");
    assert!(many.low > 0.0, "twenty do: {many}");
}

#[test]
fn engines_that_no_games_link_are_in_groups_of_their_own() {
    let games = pairings(&[(0, 3, 5, 5), (1, 4, 8, 2), (2, 5, 0, 0), (3, 6, 1, 0)]);
    let list = ratings(&games, 7);
    let groups: Vec<_> = by_engine(&list).iter().map(|rating| rating.group).collect();
    assert_eq!(groups, [0, 1, 2, 0, 1, 3, 0]);
    let unplayed = by_engine(&list)[2];
    assert_eq!((unplayed.games, unplayed.half_points), (0, 0));
    assert!(unplayed.elo.half_width() > 400.0, "{unplayed:?}");
    let across = list.difference(EngineId(0), EngineId(1));
    let within = list.difference(EngineId(0), EngineId(3));
    assert!(across.half_width() > 1.5 * within.half_width());
}

#[test]
fn the_order_of_pairings_and_of_their_engines_does_not_matter() {
    let games = pairings(&[(0, 1, 7, 3), (1, 2, 6, 4), (2, 0, 2, 8), (0, 1, 1, 1)]);
    let turned = pairings(&[(1, 0, 1, 1), (0, 2, 8, 2), (2, 1, 4, 6), (1, 0, 3, 7)]);
    let (a, b) = (ratings(&games, 3), ratings(&turned, 3));
    for (a, b) in zip(a.ratings(), b.ratings()) {
        assert_eq!(
            (a.engine, a.games, a.half_points),
            (b.engine, b.games, b.half_points)
        );
        assert!((a.elo.value - b.elo.value).abs() < 1e-9);
        assert!((a.elo.high - b.elo.high).abs() < 1e-9);
    }
}

#[test]
fn games_and_points_are_those_of_all_pairings() {
    let games = pairings(&[(0, 1, 7, 3), (2, 0, 2, 8), (0, 1, 1, 1)]);
    let list = ratings(&games, 3);
    let totals: Vec<_> = by_engine(&list)
        .iter()
        .map(|rating| (rating.games, rating.half_points))
        .collect();
    assert_eq!(totals, [(22, 32), (12, 8), (10, 4)]);
}

#[test]
fn a_tenth_of_an_elo_decides_the_order() {
    let games = pairings(&[(0, 1, 4999, 5001)]);
    let list = ratings(&games, 2);
    let order: Vec<_> = list
        .ratings()
        .iter()
        .map(|rating| rating.engine.0)
        .collect();
    assert_eq!(order, [1, 0]);
}

#[test]
fn equal_engines_keep_their_order() {
    let games = pairings(&[(2, 1, 5, 5), (1, 0, 5, 5), (0, 2, 5, 5)]);
    let list = ratings(&games, 3);
    let order: Vec<_> = list
        .ratings()
        .iter()
        .map(|rating| rating.engine.0)
        .collect();
    assert_eq!(order, [0, 1, 2]);
}
