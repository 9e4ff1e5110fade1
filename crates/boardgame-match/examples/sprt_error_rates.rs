//! Prints how often the sequential test errs, and how long it takes, in simulated matches whose
//! truth is known.
//!
//! `cargo run -p boardgame-match --example sprt_error_rates [MATCHES]`, 2000 for each row
//! unless told otherwise
#![allow(clippy::print_stdout)] // What it prints is what it is for.

use std::{env, error::Error};

use boardgame_match::stats::{PairModel, Pentanomial, Sprt, SprtSettings, Verdict};
use rand::{SeedableRng, distr::Distribution};
use rand_pcg::Pcg64;
use statrs::distribution::{Beta, ContinuousCDF};

/// Hypotheses and error rates, in the order of [`SprtSettings`].
const TESTS: [[f64; 4]; 4] = [
    [0.0, 5.0, 0.05, 0.05],
    [0.0, 20.0, 0.05, 0.05],
    [0.0, 40.0, 0.05, 0.05],
    [-10.0, 10.0, 0.02, 0.10],
];

fn main() -> Result<(), Box<dyn Error>> {
    let matches: u32 = match env::args().nth(1) {
        Some(matches) => matches.parse()?,
        None => 2000,
    };
    let mut seed = 2026;
    println!(
        "| elo0 | elo1 | alpha | beta | openings | truth | errors | 95 % of them | mean pairs |"
    );
    println!("|---|---|---|---|---|---|---|---|---|");
    for [elo0, elo1, alpha, beta] in TESTS {
        let settings = SprtSettings {
            elo0,
            elo1,
            alpha,
            beta,
        };
        let sprt = Sprt::new(settings)?;
        for (openings, bias) in [("balanced", 0.0), ("unbalanced", 250.0)] {
            for (name, truth, error) in [
                ("H0", elo0, Verdict::AcceptH1),
                ("H1", elo1, Verdict::AcceptH0),
            ] {
                let model = PairModel::new(truth).draws(0.05).opening_bias(bias);
                let mut rng = Pcg64::seed_from_u64(seed);
                seed += 1;
                let (errors, pairs) = simulate(matches, sprt, model, error, &mut rng);
                let [low, high] = limits(errors, matches);
                println!(
                    "| {elo0} | {elo1} | {alpha} | {beta} | {openings} | {name} \
                     | {:.2} % | {:.2} to {:.2} % | {:.0} |",
                    100.0 * f64::from(errors) / f64::from(matches),
                    100.0 * low,
                    100.0 * high,
                    pairs as f64 / f64::from(matches),
                );
            }
        }
    }
    Ok(())
}

/// Plays matches to their verdicts: how many gave the wrong one, and the pairs of all.
fn simulate(
    matches: u32,
    sprt: Sprt,
    model: PairModel,
    error: Verdict,
    rng: &mut Pcg64,
) -> (u32, u64) {
    let (mut errors, mut played) = (0, 0);
    for _ in 0..matches {
        let mut pairs = Pentanomial::new();
        let verdict = loop {
            pairs.add(model.sample(rng));
            match sprt.test(&pairs).verdict {
                Verdict::Continue => {}
                verdict => break verdict,
            }
        };
        errors += u32::from(verdict == error);
        played += pairs.units();
    }
    (errors, played)
}

/// The exact 95 % limits of the share of errors (Clopper and Pearson, 1934).
fn limits(errors: u32, matches: u32) -> [f64; 2] {
    let (hits, misses) = (f64::from(errors), f64::from(matches - errors));
    let quantile = |a: f64, b: f64, p| match Beta::new(a, b) {
        Ok(beta) => beta.inverse_cdf(p),
        // No errors, or nothing else: the end of the range.
        Err(_) => a.min(1.0),
    };
    [
        quantile(hits, misses + 1.0, 0.025),
        quantile(hits + 1.0, misses, 0.975),
    ]
}
