use super::*;
use crate::{
    GameId,
    countdown::{BLACK_WINS, Countdown, NINE_MOVES},
    record::{Side, Thought},
};

fn samples(games: &[(f64, f64, f64)]) -> Samples {
    let sample = |&(amount, cost, aim)| Sample { amount, cost, aim };
    Samples(games.iter().map(sample).collect())
}

fn nodes(nodes: u64) -> Limit {
    Limit {
        nodes: Some(nodes),
        ..Limit::default()
    }
}

#[test]
fn a_ratio_is_that_of_the_sums_with_the_error_of_their_residuals() {
    let estimate = samples(&[(10.0, 1.0, 2.0), (10.0, 3.0, 2.0)]).estimate(nodes(10));
    let expected = Estimate {
        games: 2,
        cost: 2.0,
        aim: 2.0,
        error: 0.5,
    };
    assert_eq!(estimate, expected);
    // Games that cost both engines more do not affect the ratio.
    let alike = samples(&[(10.0, 1.0, 2.0), (10.0, 4.0, 8.0)]).estimate(nodes(10));
    assert!(alike.error < 1e-12, "{alike:?}");
}

#[test]
fn games_with_a_limit_nearby_count_in_proportion_and_others_do_not() {
    let games = samples(&[(80.0, 99.0, 1.0), (10.0, 2.0, 1.0), (12.0, 2.4, 1.0)]);
    let estimate = games.estimate(nodes(12));
    assert_eq!(estimate.games, 2);
    assert!((estimate.ratio() - 2.4).abs() < 1e-12, "{estimate:?}");
}

/// A game in which the engine with the limit and the other used these CPU times in microseconds.
fn game(limit: Limit, black: u16, cost: [u64; 2]) -> PlayedGame {
    let [own, other] = cost;
    let by_color = if black == 0 {
        [own, other]
    } else {
        [other, own]
    };
    let limits = if black == 0 {
        [limit, Limit::default()]
    } else {
        [Limit::default(), limit]
    };
    let cpu = by_color.into_iter().chain([0; 7]);
    let thoughts = cpu.map(|cpu_us| Thought {
        cpu_us: Some(cpu_us),
        ..Thought::default()
    });
    PlayedGame {
        game: Some("countdown".into()),
        id: GameId {
            opening: 0,
            black: EngineId(black),
            white: EngineId(1 - black),
        },
        names: ["black".into(), "white".into()],
        limits,
        finished: 0,
        setup: None,
        moves: NINE_MOVES.into(),
        opening_plies: 0,
        thoughts: thoughts.collect(),
        result: BLACK_WINS,
        faults: Vec::new(),
    }
}

/// Plays a round in which game `n` costs `cost(n, limit)`.
fn play(
    calibration: &mut Calibration,
    cost: impl Fn(u32, Limit) -> [u64; 2],
) -> Result<Round, CalibrationError> {
    let limit = calibration.limit();
    for number in 0..2 * PAIRS {
        let game = game(limit, (number % 2) as u16, cost(number, limit));
        calibration.add::<Countdown>(&game);
    }
    calibration.end_round(&["own".into(), "other".into()])
}

#[test]
fn the_limit_is_scaled_until_the_costs_agree() {
    let mut calibration = Calibration::new(nodes(1000));
    let cost = |_, limit: Limit| [2 * limit.nodes.unwrap(), 8000];
    assert_eq!(calibration.pairs(), 4);
    let first = play(&mut calibration, cost).unwrap();
    assert_eq!((first.limit, first.estimate.games), (nodes(1000), 8));
    assert!((first.estimate.ratio() - 0.25).abs() < 1e-9, "{first:?}");
    assert_eq!(calibration.find(&first), Ok(None));
    assert_eq!((calibration.limit(), calibration.pairs()), (nodes(4000), 8));
    let second = play(&mut calibration, cost).unwrap();
    assert_eq!(calibration.find(&second), Ok(Some(nodes(4000))));
}

#[test]
fn the_games_of_the_first_round_do_not_count_afterwards() {
    let mut calibration = Calibration::new(nodes(1000));
    for games in [8, 8, 16] {
        // The ratio is 1, and uncertain.
        let round = play(&mut calibration, |game, _| {
            [1000 * u64::from(game % 4), 1500]
        });
        let round = round.unwrap();
        assert_eq!(round.estimate.games, games);
        assert_eq!(calibration.find(&round), Ok(None));
    }
}

#[test]
fn after_the_last_round_an_uncertain_ratio_near_1_will_do() {
    let rounds = |ratio: u64| {
        let mut calibration = Calibration::new(nodes(1000));
        // Whatever its limit, the engine costs this multiple of the other.
        let cost = |game: u32, _| [ratio * 1000 * u64::from(game % 4), 1500];
        loop {
            let round = play(&mut calibration, cost).unwrap();
            match calibration.find(&round) {
                Ok(None) => {}
                end => return (calibration.pairs() / PAIRS - 1, end),
            }
        }
    };
    assert_eq!(rounds(1), (MAX_ROUNDS, Ok(Some(nodes(1000)))));
    let (count, end) = rounds(3);
    let Err(CalibrationError::NoAgreement { games, ratio }) = end else {
        panic!("{end:?}")
    };
    assert_eq!((count, games), (MAX_ROUNDS, 200));
    assert!((ratio - 3.0).abs() < 1e-9, "{ratio}");
}

#[test]
fn engines_whose_cost_is_not_known_are_errors() {
    let mut calibration = Calibration::new(nodes(1000));
    let error = play(&mut calibration, |_, _| [1000, 0]).unwrap_err();
    assert_eq!(error.to_string(), "the CPU time of other is not known");

    let mut calibration = Calibration::new("depth:5".parse().unwrap());
    let round = play(&mut calibration, |_, _| [1000, 2000]).unwrap();
    assert_eq!(calibration.find(&round), Err(CalibrationError::NoLimit));

    let mut failed = game(nodes(1000), 1, [1000, 1000]);
    failed.result = GameResult::Forfeit { by: Side::White };
    let mut after = |faults| {
        failed.faults = faults;
        let mut calibration = Calibration::new(nodes(1000));
        calibration.add::<Countdown>(&failed);
        play(&mut calibration, |_, _| [1000, 1000]).map_err(|error| error.to_string())
    };
    let hung = Fault::Hung {
        waited: Duration::from_secs(9),
        cause: None,
    };
    let faults = [Fault::MisreadOpening, hung.clone()].map(|fault| (Side::White, fault));
    let error = after(faults.to_vec()).unwrap_err();
    assert_eq!(error, "white did not answer for 9.0s");
    // A fault that decides no game is no reason to stop.
    assert!(after(vec![(Side::Black, hung)]).is_ok());
    assert!(after(vec![(Side::White, Fault::Resigned)]).is_ok());
}
