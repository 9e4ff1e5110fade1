//! The weights of features in the tree and of answers in playouts, as a file.

use std::{fmt, ops::RangeInclusive, str::FromStr, sync::LazyLock};

use go_core::Pattern;

use crate::{
    pattern_weights::PatternWeights,
    playout::{Policy, Proximity, Purpose},
    prior::{Feature, Priors},
};

/// The learned parameters of the search: the weights of moves in the tree and in playouts.
///
/// The text form has a line for each weight: the kind, the name and the weight. Features, patterns and shapes are for
/// the tree; purposes, proximity classes (`place`), patterns of answers (`answer`) and moves elsewhere are for
/// playouts. Patterns, given by their codes, and shapes have one line for all symmetric forms. Without a line, a weight
/// is 1, or hand-set for purposes, proximity classes and moves elsewhere. Lines that begin with `#` are comments.
///
/// ```text
/// feature distance-5 1.25
/// pattern 65535 0.8
/// shape .X.O........ 1.5
/// purpose capture-1 30
/// place beside 0.5
/// answer 65535 0.7
/// elsewhere any 4
/// ```
#[derive(Clone, Debug)]
pub struct Weights {
    pub(crate) priors: Priors,
    pub(crate) policy: Policy,
}

/// The error of parsing weights: the line, counted from 1, and the expected text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: expected {expected}")]
pub struct ParseWeightsError {
    line: usize,
    expected: &'static str,
}

impl Weights {
    /// The range of valid weights.
    pub const RANGE: RangeInclusive<f32> = 1e-9..=1e9;

    /// Sets the weight with a kind and a name.
    ///
    /// # Errors
    ///
    /// Returns the text expected in place of the kind or the name.
    fn set(&mut self, kind: &str, name: &str, weight: f32) -> Result<(), &'static str> {
        let Self { priors, policy } = self;
        let place = |names: &[&str]| names.iter().position(|&it| it == name);
        let weighed = match kind {
            "feature" => Feature::by_name(name)
                .map(|feature| &mut priors.features[feature.index()])
                .ok_or("the name of a feature")?,
            "purpose" => place(&Purpose::NAMES)
                .map(|place| &mut policy.purposes[place])
                .ok_or("the name of a purpose")?,
            "place" => place(&Proximity::NAMES)
                .map(|place| &mut policy.places[place])
                .ok_or("the name of a place")?,
            "elsewhere" => (name == ANYWHERE)
                .then_some(&mut policy.elsewhere)
                .ok_or("`any`")?,
            "pattern" | "answer" => {
                let code = name.parse();
                let code = code.map_err(|_| "the code of a pattern, 0 to 65535")?;
                let patterns = match kind {
                    "pattern" => &mut priors.patterns,
                    _ => &mut policy.patterns,
                };
                patterns.set(Pattern::from_code(code), weight);
                return Ok(());
            }
            "shape" => {
                let shape = name.parse().map_err(|_| "a shape")?;
                let added = priors.shapes.insert(&shape, weight);
                return added.map_err(|_| "the next smaller shape before this one");
            }
            _ => return Err("feature, pattern, shape, purpose, place, answer or elsewhere"),
        };
        *weighed = weight;
        Ok(())
    }
}

/// The name of moves elsewhere, which all have the same weight.
const ANYWHERE: &str = "any";

impl Default for Weights {
    /// Returns the built-in weights, most of them learned from games of people.
    fn default() -> Self {
        static BUILT_IN: LazyLock<Weights> = LazyLock::new(|| {
            let text = include_str!("weights.txt");
            text.parse().expect("weights")
        });
        BUILT_IN.clone()
    }
}

impl FromStr for Weights {
    type Err = ParseWeightsError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut weights = Self {
            priors: Priors::default(),
            policy: Policy::default(),
        };
        let mut is_empty = true;
        for (line, text) in (1..).zip(text.lines()) {
            let error = |expected| ParseWeightsError { line, expected };
            if text.is_empty() || text.starts_with('#') {
                continue;
            }
            let words: Vec<&str> = text.split(' ').collect();
            let [kind, name, weight] = *words else {
                return Err(error("a kind, a name and a number"));
            };
            let weight: Option<f32> = weight.parse().ok();
            let weight = weight.filter(|it| Self::RANGE.contains(it));
            let weight = weight.ok_or(error("a number from 1e-9 to 1e9"))?;
            weights.set(kind, name, weight).map_err(error)?;
            is_empty = false;
        }
        if is_empty {
            return Err(ParseWeightsError {
                line: text.lines().count().max(1),
                expected: "a weight such as `feature distance-5 1.25`, found none",
            });
        }
        Ok(weights)
    }
}

impl fmt::Display for Weights {
    /// Prints features and patterns with weights other than 1, and all shapes, purposes, proximity classes and moves
    /// elsewhere.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { priors, policy } = self;
        for (index, &weight) in priors.features.iter().enumerate() {
            if is_not_one(weight) {
                writeln!(f, "feature {} {weight}", Feature::from_index(index))?;
            }
        }
        write_patterns(f, "pattern", &priors.patterns)?;
        for (shape, weight) in priors.shapes.iter() {
            writeln!(f, "shape {shape} {weight}")?;
        }
        for (name, weight) in Purpose::NAMES.iter().zip(&policy.purposes) {
            writeln!(f, "purpose {name} {weight}")?;
        }
        for (name, weight) in Proximity::NAMES.iter().zip(&policy.places) {
            writeln!(f, "place {name} {weight}")?;
        }
        write_patterns(f, "answer", &policy.patterns)?;
        writeln!(f, "elsewhere {ANYWHERE} {}", policy.elsewhere)
    }
}

/// Prints the weights of patterns.
fn write_patterns(
    f: &mut fmt::Formatter<'_>,
    kind: &str,
    patterns: &PatternWeights,
) -> fmt::Result {
    for (pattern, weight) in patterns.iter() {
        writeln!(f, "{kind} {} {weight}", pattern.code())?;
    }
    Ok(())
}

fn is_not_one(weight: f32) -> bool {
    weight.to_bits() != 1.0_f32.to_bits()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_round_trip_through_text() {
        let text = "purpose capture-2 1\nfeature distance-5 1.25\npattern 21845 0.8\n\
            shape ...O...X...O 2\npurpose capture-1 30\nplace far 2\nelsewhere any 3\n";
        let weights: Weights = text.parse().unwrap();
        let printed = weights.to_string();
        assert!(
            printed.starts_with("feature distance-5 1.25\npattern 21845 0.8\n"),
            "{printed}"
        );
        for line in text.lines() {
            assert!(printed.lines().any(|it| it == line), "{line}");
        }
        let again: Weights = printed.parse().unwrap();
        assert_eq!(again.to_string(), printed);
    }

    #[test]
    fn errors_name_the_line() {
        let error = |text: &str| text.parse::<Weights>().unwrap_err().to_string();
        assert_eq!(
            error("# weights\nfeatures 1 2"),
            "line 2: expected feature, pattern, shape, purpose, place, answer or elsewhere"
        );
        assert_eq!(
            error("feature caught"),
            "line 1: expected a kind, a name and a number"
        );
        for (text, expected) in [
            ("feature 3 1", "the name of a feature"),
            ("purpose 3 1", "the name of a purpose"),
            ("place near 1", "the name of a place"),
            ("elsewhere 0 1", "`any`"),
            ("pattern 65536 1", "the code of a pattern, 0 to 65535"),
        ] {
            assert_eq!(error(text), format!("line 1: expected {expected}"));
        }
        assert_eq!(
            error("shape ...................X 2"),
            "line 1: expected the next smaller shape before this one"
        );
        assert_eq!(
            error("# nothing\n\n"),
            "line 2: expected a weight such as `feature distance-5 1.25`, found none"
        );
        assert_eq!(
            error("feature caught -1"),
            "line 1: expected a number from 1e-9 to 1e9"
        );
    }
}
