//! Weights of features in the tree and of answers in playouts, as a file.

use std::{fmt, ops::RangeInclusive, str::FromStr, sync::LazyLock};

use go_core::Pattern;

use crate::{
    playout::Policy,
    prior::{Feature, Priors},
};

/// The learned numbers of the search: the weights of moves in the tree and in playouts.
///
/// The text has a number a line, after the name of what it weighs and where it stands there. Patterns and shapes have
/// one line for all turned and mirrored forms. What has no line weighs 1; purposes, places and moves elsewhere weigh
/// what was set by hand. Lines that begin with `#` are comments.
///
/// ```text
/// feature 3 1.25
/// pattern 65535 0.8
/// shape .X.O........ 1.5
/// purpose 1 30
/// place 0 0.5
/// answer 65535 0.7
/// elsewhere 0 4
/// ```
#[derive(Clone, Debug)]
pub struct Weights {
    pub(crate) priors: Priors,
    pub(crate) policy: Policy,
}

/// An error in the text of weights: the line from 1, and what was expected there.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: expected {expected}")]
pub struct ParseWeightsError {
    line: usize,
    expected: &'static str,
}

impl Weights {
    /// The range of weights that are read.
    pub const RANGE: RangeInclusive<f32> = 1e-9..=1e9;

    /// Returns weights that were set by hand, with all patterns alike.
    pub fn by_hand() -> Self {
        Self {
            priors: Priors::default(),
            policy: Policy::default(),
        }
    }

    /// Returns the numbers that a name stands for, or `None` if it is unknown.
    fn table(&mut self, name: &str) -> Option<Table<'_>> {
        Some(match name {
            "feature" => Table::Plain(&mut self.priors.features),
            "pattern" => Table::Patterns(&mut self.priors.patterns),
            "purpose" => Table::Plain(&mut self.policy.purposes),
            "place" => Table::Plain(&mut self.policy.places),
            "answer" => Table::Patterns(&mut self.policy.patterns),
            "elsewhere" => Table::Plain(std::slice::from_mut(&mut self.policy.elsewhere)),
            _ => return None,
        })
    }
}

impl Default for Weights {
    /// Returns the weights that the crate was built with, most of them learned from games of self-play.
    fn default() -> Self {
        static BUILT_IN: LazyLock<Weights> = LazyLock::new(|| {
            let text = include_str!("weights.txt");
            text.parse().expect("weights")
        });
        BUILT_IN.clone()
    }
}

/// Numbers of one kind.
enum Table<'a> {
    Plain(&'a mut [f32]),
    /// By the code of a pattern, with the same number for all of its forms.
    Patterns(&'a mut [f32]),
}

impl Table<'_> {
    /// Sets a number; returns `None` if there is no such place.
    fn set(&mut self, place: usize, weight: f32) -> Option<()> {
        match self {
            Self::Plain(table) => *table.get_mut(place)? = weight,
            Self::Patterns(table) => {
                let pattern = Pattern::from_code(u16::try_from(place).ok()?);
                set_pattern(table, pattern, weight);
            }
        }
        Some(())
    }
}

/// Sets the number of all forms of a pattern.
pub(crate) fn set_pattern(table: &mut [f32], pattern: Pattern, weight: f32) {
    let turns = std::iter::successors(Some(pattern), |it| Some(it.turned()));
    for turned in turns.take(4) {
        table[usize::from(turned.code())] = weight;
        table[usize::from(turned.mirrored().code())] = weight;
    }
}

impl FromStr for Weights {
    type Err = ParseWeightsError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut weights = Self::by_hand();
        weights.priors.features = [1.0; Feature::COUNT];
        for (line, text) in (1..).zip(text.lines()) {
            let error = |expected| ParseWeightsError { line, expected };
            if text.is_empty() || text.starts_with('#') {
                continue;
            }
            let words: Vec<&str> = text.split(' ').collect();
            let [name, place, weight] = *words else {
                return Err(error("a name, a place and a number"));
            };
            let weight: Option<f32> = weight.parse().ok();
            let weight = weight.filter(|it| Self::RANGE.contains(it));
            let weight = weight.ok_or(error("a number from 1e-9 to 1e9"))?;
            if name == "shape" {
                let shape = place.parse().map_err(|_| error("a shape"))?;
                let added = weights.priors.shapes.insert(&shape, weight);
                added.map_err(|_| error("the next smaller shape before this one"))?;
                continue;
            }
            let mut table = weights.table(name).ok_or(error("the name of a table"))?;
            let place = place.parse().ok();
            let set = place.and_then(|place| table.set(place, weight));
            set.ok_or(error("a place in the table"))?;
        }
        Ok(weights)
    }
}

impl fmt::Display for Weights {
    /// Writes the numbers that are not 1, and all of purposes, places and moves elsewhere.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { priors, policy } = self;
        write(f, "feature", &priors.features, |_, weight| {
            is_not_one(weight)
        })?;
        write(f, "pattern", &priors.patterns, is_canonical)?;
        for (shape, weight) in priors.shapes.iter() {
            writeln!(f, "shape {shape} {weight}")?;
        }
        write(f, "purpose", &policy.purposes, |_, _| true)?;
        write(f, "place", &policy.places, |_, _| true)?;
        write(f, "answer", &policy.patterns, is_canonical)?;
        write(f, "elsewhere", &[policy.elsewhere], |_, _| true)
    }
}

/// Writes the numbers of a table that are to be named, by their places and weights.
fn write(
    f: &mut fmt::Formatter<'_>,
    name: &str,
    table: &[f32],
    is_named: impl Fn(usize, f32) -> bool,
) -> fmt::Result {
    for (place, &weight) in table.iter().enumerate() {
        if is_named(place, weight) {
            writeln!(f, "{name} {place} {weight}")?;
        }
    }
    Ok(())
}

fn is_not_one(weight: f32) -> bool {
    weight.to_bits() != 1.0_f32.to_bits()
}

/// Returns whether the weight of a pattern is not 1 and the pattern is the first of its forms.
fn is_canonical(code: usize, weight: f32) -> bool {
    let pattern = Pattern::from_code(code as u16);
    is_not_one(weight) && pattern.canonical() == pattern
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_read_back() {
        let text = "purpose 2 1\nfeature 3 1.25\npattern 21845 0.8\nshape .X.O........ 2\npurpose 1 30\nelsewhere 0 3\n";
        let weights: Weights = text.parse().unwrap();
        let printed = weights.to_string();
        assert!(
            printed.starts_with("feature 3 1.25\npattern 21845 0.8\n"),
            "{printed}"
        );
        assert!(printed.contains("purpose 2 1\n"), "{printed}");
        let again: Weights = printed.parse().unwrap();
        assert_eq!(again.to_string(), printed);
    }

    #[test]
    fn a_pattern_has_the_same_weight_in_all_forms() {
        let weights: Weights = "pattern 65533 0.5".parse().unwrap();
        let turned = Pattern::from_code(65533).turned();
        let weight = weights.priors.patterns[usize::from(turned.code())];
        assert_eq!(weight.to_bits(), 0.5_f32.to_bits());
    }

    #[test]
    fn errors_name_the_line() {
        let error = |text: &str| text.parse::<Weights>().unwrap_err().to_string();
        assert_eq!(
            error("# weights\nfeatures 1 2"),
            "line 2: expected the name of a table"
        );
        assert_eq!(
            error("feature 1"),
            "line 1: expected a name, a place and a number"
        );
        assert_eq!(
            error("feature 128 1"),
            "line 1: expected a place in the table"
        );
        assert_eq!(
            error("shape ...................X 2"),
            "line 1: expected the next smaller shape before this one"
        );
        assert_eq!(
            error("feature 1 -1"),
            "line 1: expected a number from 1e-9 to 1e9"
        );
    }
}
