use std::path::PathBuf;

use anyhow::bail;
use othello_core::{Problem, Tier, WithBackend};
use othello_search::{
    Options, Searcher,
    eval::{HEADS, HIDDEN, ROWS, Weights},
};

use super::*;
use crate::{
    corpus::{Corpus, Split},
    generate::play_shard,
    openings::{label, openings},
    player::Recipe,
    targets::Targets,
};

/// A corpus of games of random moves that end with perfect play.
struct Games {
    _folder: tempfile::TempDir,
    corpus: Corpus,
}

impl Games {
    fn new(games: u64) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let recipe = Recipe {
            depth: 0,
            solve_from: 6,
            ..Recipe::default()
        };
        play_shard(folder.path(), recipe, games, "0/1");
        let corpus = Corpus::open(&[PathBuf::from(folder.path())]).unwrap();
        Self {
            _folder: folder,
            corpus,
        }
    }

    /// The samples of held-out games, or of the others.
    fn samples(&self, held_out: bool) -> Vec<Features> {
        let selection = stream::Selection {
            split: Split::default(),
            held_out,
            shuffle: None,
        };
        self.selected(&selection)
    }

    fn selected(&self, selection: &stream::Selection) -> Vec<Features> {
        let blocks = self.blocks(selection).into_iter();
        blocks.flat_map(|block| block.samples).collect()
    }

    fn blocks(&self, selection: &stream::Selection) -> Vec<stream::Block> {
        let (sender, receiver) = std::sync::mpsc::sync_channel(1000);
        stream::send(&self.corpus, selection, &sender);
        drop(sender);
        receiver.into_iter().map(Result::unwrap).collect()
    }
}

fn settings(epochs: u32) -> Settings {
    Settings {
        epochs,
        window: 3000,
        ..Settings::default()
    }
}

fn fitted<const H: usize>(
    mut model: Network<H>,
    games: &Games,
    epochs: u32,
) -> (Network<H>, Errors) {
    let mut errors = Errors::default();
    let observer = &mut |event: Event<'_>, _: &Network<H>| {
        if let Event::Epoch { validation, .. } = event {
            errors = validation.clone();
        }
        Ok(())
    };
    fit(&mut model, &games.corpus, &settings(epochs), 0, observer).unwrap();
    (model, errors)
}

/// The samples in a canonical order, for comparison.
fn sorted(mut samples: Vec<Features>) -> Vec<Features> {
    samples.sort_by(|a, b| {
        let key = |features: &Features| (features.rows, features.score as i32);
        key(a).cmp(&key(b))
    });
    samples
}

#[test]
fn each_sample_comes_once_on_its_side_of_the_split_and_shuffled() {
    let games = Games::new(200);
    let all = Split { one_in: 0 };
    let (training, held_out) = (games.samples(false), games.samples(true));
    let in_order = games.selected(&stream::Selection {
        split: all,
        held_out: false,
        shuffle: None,
    });
    assert!(held_out.len() * 10 < training.len() && !held_out.is_empty());
    let both: Vec<Features> = training.into_iter().chain(held_out).collect();
    assert_eq!(sorted(both), sorted(in_order.clone()));
    for window in [1, 100, 3000, 1_000_000] {
        let shuffle = |epoch| {
            games.selected(&stream::Selection {
                split: all,
                held_out: false,
                shuffle: Some(stream::Shuffle {
                    window,
                    seed: 1,
                    epoch,
                }),
            })
        };
        let shuffled = shuffle(0);
        assert_eq!(shuffled == in_order, window == 1, "a window of {window}");
        assert_eq!(shuffled != shuffle(1), window != 1);
        assert_eq!(sorted(shuffled), sorted(in_order.clone()));
    }
}

#[test]
fn blocks_have_the_share_of_samples_sent() {
    let games = Games::new(600);
    for window in [0, 3000, 1_000_000] {
        let blocks = games.blocks(&stream::Selection {
            split: Split::default(),
            held_out: false,
            shuffle: Some(stream::Shuffle {
                window,
                seed: 1,
                epoch: 0,
            }),
        });
        let all: usize = blocks.iter().map(|block| block.samples.len()).sum();
        let mut sent = 0;
        for block in &blocks {
            sent += block.samples.len();
            let share = sent as f32 / all as f32;
            assert!((block.sent - share).abs() < 0.02, "{share}: {}", block.sent);
        }
    }
}

#[test]
fn openings_are_distributed_evenly() {
    let mut searcher = Searcher::new(Options::default());
    let problems: Vec<Problem> = openings(2)
        .into_iter()
        .map(|position| label(&mut searcher, position, 1))
        .collect();
    let mut games = Games::new(600);
    let before = games.corpus.signature();
    games.corpus = games.corpus.with_openings(&problems);
    assert_ne!(games.corpus.signature(), before);
    let samples = games.samples(false);
    for (half, samples) in samples.chunks(samples.len().div_ceil(2)).enumerate() {
        let early = samples.iter().filter(|features| features.head < 3).count();
        assert!((14_000..17_000).contains(&early), "half {half}: {early}");
    }
    let held_out = games.samples(true);
    assert!(held_out.iter().all(|features| features.head >= 8));
}

/// Weights of a network fitted to the games, and the network.
fn weights_of(games: &Games) -> (Weights<'static>, Network<HIDDEN>) {
    let (network, _) = fitted(Network::new(1, Rates::default()), games, 2);
    (network.quantized(ROWS).unwrap(), network)
}

#[test]
fn a_network_made_of_weights_predicts_nearly_the_same() {
    let games = Games::new(300);
    let (weights, network) = weights_of(&games);
    let again = Network::from_weights(&weights, Rates::default());
    let samples = games.samples(true);
    let apart = |features| (network.predict(features) - again.predict(features)).abs();
    let apart = samples.iter().map(apart).sum::<f32>() / samples.len() as f32;
    assert!(apart < 0.2, "{apart}");
    for row in 0..ROWS {
        assert_eq!(again.is_seen(row), network.is_seen(row), "row {row}");
    }

    let mut model = weights.model();
    for row in model.rows.iter_mut().flatten() {
        row[3] = 0.0;
    }
    for head in &mut model.heads {
        head.above[7] = 0.0;
        head.below[7] = 0.0;
    }
    let without = Network::from_weights(&Weights::quantized(&model).unwrap(), Rates::default());
    let largest = |unit: usize| {
        let values = without.rows.iter().map(|row| row.0[unit].abs());
        values.fold(0.0, f32::max)
    };
    assert!(largest(3) < 1e-9 && largest(7) < 0.03 && largest(0) > 0.03);
}

#[test]
fn gradient_sums_are_estimated_without_learning() {
    let games = Games::new(300);
    let (weights, network) = weights_of(&games);
    let start = Network::from_weights(&weights, Rates::default());
    let surveyed = |epochs| {
        let mut network = start.clone();
        network
            .estimate_gradient_sums(&games.corpus, Split::default(), epochs)
            .unwrap();
        network
    };
    let unknown = Network::<HIDDEN>::new(1, Rates::default());
    let known = |network: &Network<HIDDEN>| {
        let squares = network.row_squares.iter().zip(&unknown.row_squares);
        squares.map(|(known, fresh)| known - fresh).sum::<f32>()
    };
    let (once, twice) = (surveyed(1), surveyed(2));
    assert!(once.rows == start.rows, "rows have changed");
    for (head, before) in once.heads.iter().zip(&start.heads) {
        let before = (before.above, before.below, before.bias);
        assert!((head.above, head.below, head.bias) == before);
    }
    let ratio = known(&twice) / known(&once);
    assert!((1.9..2.1).contains(&ratio), "{ratio}");
    // The trained weights have smaller errors than those at the start of training.
    let share = known(&twice) / known(&network);
    assert!((0.05..1.0).contains(&share), "{share}");
}

#[test]
fn decay_pulls_the_rows_of_weights_to_their_first_values() {
    let games = Games::new(300);
    let (weights, _) = weights_of(&games);
    let moved = |decay| {
        let rates = Rates {
            decay,
            ..Rates::default()
        };
        let start = Network::from_weights(&weights, rates);
        let (network, _) = fitted(start.clone(), &games, 1);
        let rows = network.rows.iter().zip(&start.rows);
        let values = rows.flat_map(|(row, before)| row.0.into_iter().zip(before.0));
        values
            .map(|(value, before)| (value - before).powi(2))
            .sum::<f32>()
    };
    let moved = [0.0, 30_000.0, 300_000.0, 300_000_000.0].map(moved);
    assert!(moved.is_sorted_by(|more, less| more > less), "{moved:?}");
    assert!(moved[3] < 0.2 * moved[0], "{moved:?}");
}

#[test]
fn a_teacher_corrects_training_samples_but_not_held_out_ones() {
    let games = Games::new(60);
    let before = [false, true].map(|held_out| games.samples(held_out));
    let (weights, _) = weights_of(&games);
    let targets = Targets::new(0.9).with_teacher(&weights.to_bytes()).unwrap();
    let signature = games.corpus.signature();
    let taught = Games {
        corpus: games.corpus.clone().with_targets(targets),
        ..games
    };
    let with = |targets| taught.corpus.clone().with_targets(targets).signature();
    let teacher = |lambda| {
        let targets = Targets::new(lambda);
        targets.with_teacher(&weights.to_bytes()).unwrap()
    };
    let signatures = [
        with(Targets::new(0.9)),
        with(Targets::new(0.8)),
        with(teacher(0.9)),
        with(teacher(0.8)),
        signature,
    ];
    for (at, one) in signatures.iter().enumerate() {
        assert!(!signatures[..at].contains(one), "{signatures:?}");
    }
    let after = [false, true].map(|held_out| taught.samples(held_out));
    assert_eq!(after[1], before[1]);
    let pairs = || after[0].iter().zip(&before[0]);
    assert!(pairs().all(|(after, before)| after.rows == before.rows));
    let corrected = pairs().filter(|(after, before)| after != before);
    let perfect = |features: &Features| features.head as usize >= HEADS - 6;
    let ends = pairs().filter(|(after, _)| perfect(after));
    assert!(ends.clone().count() > 60 && corrected.count() > before[0].len() / 2);
    assert!(ends.into_iter().all(|(after, before)| after == before));
}

#[test]
fn gradients_are_those_of_finite_differences() {
    let games = Games::new(30);
    let samples = games.samples(false);
    let rates = Rates {
        decay: 0.0,
        ..Rates::default()
    };
    // Trained first, so that not all numbers are small.
    let mut network = Network::<4>::new(3, rates);
    for features in &samples {
        network.learn(features, 1.0);
    }
    // The number of checks for positive hidden values and for the others.
    let mut checked = [0; 2];
    for features in samples.iter().step_by(53) {
        let loss = |network: &Network<4>| {
            let error = f64::from(network.predict(features)) - f64::from(features.score);
            error * error / 2.0
        };
        let check = |name: &str, analytic: f32, shifted: &dyn Fn(f32) -> Network<4>| {
            let step = 1.0 / 128.0;
            let slope = (loss(&shifted(step)) - loss(&shifted(-step))) / f64::from(2.0 * step);
            let tolerance = 0.02 * slope.abs().max(1.0);
            assert!(
                (slope - f64::from(analytic)).abs() < tolerance,
                "{name}: {slope}, {analytic}"
            );
        };
        let gradient = network.gradient(features);
        let head = features.head as usize;
        for at in 0..4 {
            check("weight above", gradient.above[at], &|step| {
                let mut shifted = network.clone();
                shifted.heads[head].above[at] += step;
                shifted
            });
            check("weight below", gradient.below[at], &|step| {
                let mut shifted = network.clone();
                shifted.heads[head].below[at] += step;
                shifted
            });
            let row = features.rows[40];
            // A row that a position has twice has twice the slope; near 0 there is a kink.
            let times = features.rows.iter().filter(|&&other| other == row).count();
            let value = network.hidden(&features.rows)[at];
            if times == 1 && value.abs() >= 0.1 {
                checked[usize::from(value < 0.0)] += 1;
                check("hidden", gradient.hidden[at], &|step| {
                    let mut shifted = network.clone();
                    shifted.rows[row as usize].0[at] += step;
                    shifted
                });
            }
        }
        check("bias", gradient.error, &|step| {
            let mut shifted = network.clone();
            shifted.heads[head].bias += step;
            shifted
        });
    }
    assert!(checked.iter().all(|&count| count > 20), "{checked:?}");
}

#[test]
fn a_fit_predicts_games_that_it_has_not_seen() {
    let games = Games::new(600);
    let late = |errors: &Errors| errors.phases().last().unwrap().1.mean_absolute();
    let split = Split::default();
    let check = |fresh: Errors, fitted: Errors| {
        assert_eq!(fresh.total().count, fitted.total().count);
        assert!(
            late(&fitted) < 0.75 * late(&fresh),
            "{} {}",
            late(&fresh),
            late(&fitted)
        );
        let (fresh, fitted) = (fresh.total(), fitted.total());
        assert!(fitted.mean_absolute() < 0.95 * fresh.mean_absolute());
    };
    let network = Network::<HIDDEN>::new(1, Rates::default());
    let fresh = validate(&network, &games.corpus, split).unwrap();
    check(fresh, fitted(network, &games, 3).1);
}

#[test]
fn a_fit_that_is_resumed_comes_to_the_same_bits() {
    fn check(fresh: &Network<HIDDEN>, games: &Games) {
        let (whole, _) = fitted(fresh.clone(), games, 3);
        let mut kept = Vec::new();
        let mut first = fresh.clone();
        let observer = &mut |event: Event<'_>, model: &Network<HIDDEN>| {
            if matches!(event, Event::Epoch { number: 2, .. }) {
                kept = model.numbers();
            }
            Ok(())
        };
        fit(&mut first, &games.corpus, &settings(3), 0, observer).unwrap();
        assert!(first == whole, "two runs differ");
        let mut resumed = fresh.clone();
        resumed.set_numbers(&kept).unwrap();
        let observer = &mut |_: Event<'_>, _: &Network<HIDDEN>| Ok(());
        fit(&mut resumed, &games.corpus, &settings(3), 2, observer).unwrap();
        assert!(resumed == whole, "the resumed run differs");
        resumed.set_numbers(&kept[1..]).unwrap_err();
        assert!(resumed == whole, "refused numbers were taken");
    }
    let games = Games::new(100);
    check(&Network::<HIDDEN>::new(1, Rates::default()), &games);
    let (weights, _) = weights_of(&games);
    check(&Network::from_weights(&weights, Rates::default()), &games);
}

#[test]
fn an_error_of_the_observer_ends_the_fit() {
    let games = Games::new(50);
    let mut epochs = 0;
    let observer = &mut |event: Event<'_>, _: &Network<4>| {
        epochs += u32::from(matches!(event, Event::Epoch { .. }));
        if epochs == 2 {
            bail!("ended");
        }
        Ok(())
    };
    let ended = fit(
        &mut Network::new(1, Rates::default()),
        &games.corpus,
        &settings(5),
        0,
        observer,
    );
    assert_eq!(ended.unwrap_err().to_string(), "ended");
    assert_eq!(epochs, 2);
}

#[test]
fn every_tier_gives_the_same_model() {
    struct Lesson<'a>(Network<HIDDEN>, &'a [Features]);

    impl WithBackend for Lesson<'_> {
        type Output = Network<HIDDEN>;

        fn run<B: othello_core::Backend>(self, backend: B) -> Network<HIDDEN> {
            let Self(mut network, samples) = self;
            backend.vectorize(
                #[inline(always)]
                || {
                    for features in samples {
                        network.learn(features, 0.5);
                    }
                },
            );
            network
        }
    }

    let samples = Games::new(50).samples(false);
    let fresh = Network::new(1, Rates::default());
    let learnt = |tier: Tier| tier.dispatch(Lesson(fresh.clone(), &samples));
    let portable = learnt(Tier::Portable);
    assert!(portable != fresh);
    for tier in Tier::ALL.into_iter().filter(|tier| tier.is_supported()) {
        assert!(learnt(tier) == portable, "{tier}");
    }
}

#[test]
fn rows_of_samples_are_seen() {
    let samples = Games::new(3).samples(false);
    let mut network = Network::<HIDDEN>::new(1, Rates::default());
    assert!((0..ROWS).all(|row| !network.is_seen(row)));
    for features in &samples {
        network.learn(features, 1.0);
    }
    let seen: std::collections::BTreeSet<u32> =
        samples.iter().flat_map(|features| features.rows).collect();
    for share in [0.5, 0.0] {
        for row in 0..ROWS {
            let expected = seen.contains(&(row as u32));
            assert_eq!(network.is_seen(row), expected, "row {row}");
        }
        network.scale_gradient_sums(share);
    }
}
