//! The results of a calibration: a table for people, and Rust source for the search.

use std::{collections::BTreeMap, fmt};

use othello_search::selectivity::{LEVELS, shallow_depth};

use super::{Fit, Pair, Pairs};

/// The fits of a calibration and their pairs.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Calibration {
    /// The pairs.
    pub(crate) pairs: Pairs,
    /// The fit of [`Pairs::midgame`].
    pub(crate) midgame: Fit,
    /// The fit of [`Pairs::end`].
    pub(crate) end: Fit,
    /// The fit of [`Pairs::static_midgame`].
    pub(crate) static_midgame: Fit,
    /// The fit of [`Pairs::static_end`].
    pub(crate) static_end: Fit,
}

impl From<Pairs> for Calibration {
    fn from(pairs: Pairs) -> Self {
        Self {
            midgame: Fit::of(&pairs.midgame),
            end: Fit::of(&pairs.end),
            static_midgame: Fit::of(&pairs.static_midgame),
            static_end: Fit::of(&pairs.static_end),
            pairs,
        }
    }
}

/// The number of disc counts in a bucket of the table.
const BUCKET: u32 = 8;

impl fmt::Display for Calibration {
    /// Prints, for each two depths and range of discs, the number of pairs, and the observed and fitted
    /// means and deviations; then, for each level of selectivity, the share of pairs within its
    /// deviations, and the percentage that is the level's name.
    ///
    /// Midgame pairs are printed only for ProbCut's depths.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let pairs = &self.pairs;
        let used = |pair: &&Pair| pair.shallow == shallow_depth(pair.deep);
        let used: Vec<Pair> = pairs.midgame.iter().filter(used).copied().collect();
        section(
            f,
            "Midgame: deep value minus shallow value",
            &self.midgame,
            &used,
        )?;
        section(
            f,
            "End: exact score minus shallow value",
            &self.end,
            &pairs.end,
        )?;
        section(
            f,
            "Midgame: deep value minus evaluation (shallow: 1 if deep is odd)",
            &self.static_midgame,
            &pairs.static_midgame,
        )?;
        section(
            f,
            "End: exact score minus evaluation (shallow: 1 if deep is odd)",
            &self.static_end,
            &pairs.static_end,
        )
    }
}

fn section(f: &mut fmt::Formatter<'_>, title: &str, fit: &Fit, pairs: &[Pair]) -> fmt::Result {
    writeln!(f, "\n{title}, in discs")?;
    table(f, fit, pairs)?;
    coverage(f, fit, pairs)
}

fn table(f: &mut fmt::Formatter<'_>, fit: &Fit, pairs: &[Pair]) -> fmt::Result {
    let mut buckets: BTreeMap<(u32, u32, u32), Vec<&Pair>> = BTreeMap::new();
    for pair in pairs {
        let key = (pair.deep, pair.shallow, pair.discs / BUCKET);
        buckets.entry(key).or_default().push(pair);
    }
    writeln!(
        f,
        "  deep shallow  discs    pairs    mean  fitted   sigma  fitted"
    )?;
    for ((deep, shallow, bucket), pairs) in buckets {
        let of = |value: &dyn Fn(&Pair) -> f64| {
            pairs.iter().map(|pair| value(pair)).sum::<f64>() / pairs.len() as f64
        };
        let mean = of(&|pair| pair.difference);
        let sigma = of(&|pair| (pair.difference - mean).powi(2)).sqrt();
        let fitted = of(&|pair| fit.sigma(pair).powi(2)).sqrt();
        let from = bucket * BUCKET;
        writeln!(
            f,
            "  {deep:4} {shallow:7}  {from:2}-{:2} {:8} {mean:7.2} {:7.2} {sigma:7.2} {fitted:7.2}",
            from + BUCKET - 1,
            pairs.len(),
            of(&|pair| fit.mean(pair)),
        )?;
    }
    Ok(())
}

fn coverage(f: &mut fmt::Formatter<'_>, fit: &Fit, pairs: &[Pair]) -> fmt::Result {
    for (tenths, percent) in LEVELS {
        let deviations = f64::from(tenths) / 10.0;
        let within = pairs
            .iter()
            .filter(|pair| fit.residual(pair).abs() <= deviations);
        let share = 100.0 * within.count() as f64 / pairs.len().max(1) as f64;
        writeln!(
            f,
            "  within {deviations:.1} fitted sigma: {share:.1} % (the level's name: {percent} %)"
        )?;
    }
    Ok(())
}

/// Returns the fits as the Rust source file of the search; `comment` is its first line.
pub(crate) fn source(calibration: &Calibration, comment: &str) -> String {
    let fit = |doc: &str, name: &str, Fit { mean, ln_sigma }: &Fit| {
        let [at_depths @ .., per_move] = ln_sigma;
        format!(
            "/// {doc}\npub(super) const {name}: Fit = Fit {{\n    mean: {},\n    ln_sigma: {},\n    \
             ln_sigma_per_move: {per_move:.6},\n}};\n",
            array(mean),
            array(at_depths)
        )
    };
    let mean = |doc: &str, name: &str, Fit { mean, .. }: &Fit| {
        let mean = array(mean);
        format!("/// {doc}\npub(super) const {name}: Coefficients = {mean};\n")
    };
    let all = [
        fit(
            "The deep value minus the shallow one, for deep searches that end in the midgame.",
            "MIDGAME",
            &calibration.midgame,
        ),
        mean(
            "The mean of the deep value minus the static evaluation, for deep searches that end in the midgame. The\n\
             /// shallow depth is 1 if the deep one is odd, else 0.",
            "STATIC_MIDGAME",
            &calibration.static_midgame,
        ),
        fit(
            "The exact score minus the shallow value.",
            "END",
            &calibration.end,
        ),
        mean(
            "The mean of the exact score minus the static evaluation, with the same shallow depth.",
            "STATIC_END",
            &calibration.static_end,
        ),
    ];
    format!(
        "//! {comment}\n\nuse super::coefficients::{{Coefficients, Fit}};\n\n{}",
        all.join("\n")
    )
}

fn array(numbers: &[f64; 4]) -> String {
    let numbers = numbers.map(|number| format!("{number:.6}"));
    format!("[{}]", numbers.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn calibration() -> Calibration {
        let pair = |discs, difference| Pair {
            discs,
            shallow: 4,
            deep: 8,
            mobility: 10,
            difference,
        };
        let midgame: Vec<Pair> = (16..40)
            .flat_map(|discs| [pair(discs, 3.0), pair(discs, -1.0)])
            .collect();
        Calibration::from(Pairs {
            midgame,
            ..Pairs::default()
        })
    }

    #[test]
    fn the_table_has_a_line_for_each_bucket() {
        let text = calibration().to_string();
        let line = "     8       4  24-31       16    1.00    1.00    2.00    2.01";
        assert!(text.contains(line), "{text}");
        assert!(text.contains("within 1.6 fitted sigma: 100.0 %"), "{text}");
    }

    #[test]
    fn the_source_has_the_form_of_the_search() {
        let text = source(&calibration(), "Made here.");
        let expected = "\
//! Made here.

use super::coefficients::{Coefficients, Fit};

/// The deep value minus the shallow one, for deep searches that end in the midgame.
pub(super) const MIDGAME: Fit = Fit {
    mean: [1.000000, ";
        assert!(text.starts_with(expected), "{text}");
        let end = "\
/// The exact score minus the shallow value.
pub(super) const END: Fit = Fit {
    mean: [0.000000, 0.000000, 0.000000, 0.000000],
    ln_sigma: [0.000000, 0.000000, 0.000000, 0.000000],
    ln_sigma_per_move: 0.000000,
};
";
        assert!(text.contains(end), "{text}");
        let evaluated = "pub(super) const STATIC_END: Coefficients = [0.000000, ";
        assert!(text.contains(evaluated), "{text}");
    }
}
