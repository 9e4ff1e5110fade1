//! Rule sets.

use core::{fmt, str::FromStr};

use crate::{ParseTextError, SuicideRule};

/// The rule for repeated positions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum KoRule {
    /// A ko may not be retaken immediately; longer cycles are legal.
    #[default]
    Simple,
    /// A ko may be retaken immediately. No rule set of Go allows this, but a referee that does not enforce ko does.
    Unrestricted,
    /// A stone must not recreate the stones of any earlier position.
    PositionalSuperko,
    /// A stone must not recreate the stones of an earlier position with the same side to move.
    SituationalSuperko,
}

/// The points that count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Scoring {
    /// Stones on the board, and the empty points that they surround.
    Area,
    /// Surrounded empty points outside seki, and prisoners.
    #[default]
    Territory,
}

/// The rules of a game: ko, suicide and scoring. The default is [`Rules::JAPANESE`].
///
/// The text form is the name of a rule set or else the three rules joined by `+`: `simple-ko`, `unrestricted-ko`,
/// `positional-superko` or `situational-superko`; `area` or `territory`; and `suicide` if it is allowed.
///
/// # Examples
///
/// ```
/// use go_core::{KoRule, Rules};
///
/// assert_eq!("chinese".parse(), Ok(Rules::CHINESE));
/// let rules = Rules { ko: KoRule::Simple, ..Rules::CHINESE };
/// assert_eq!(rules.to_string(), "simple-ko+area");
/// assert_eq!("simple-ko+area".parse(), Ok(rules));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Rules {
    /// The rule for repetition.
    pub ko: KoRule,
    /// The rule for suicide.
    pub suicide: SuicideRule,
    /// The points that count.
    pub scoring: Scoring,
}

impl KoRule {
    /// Returns whether the rule depends on earlier positions of the game.
    pub(crate) const fn is_superko(self) -> bool {
        matches!(self, Self::PositionalSuperko | Self::SituationalSuperko)
    }
}

impl Rules {
    /// Japanese rules: simple ko, no suicide, territory.
    pub const JAPANESE: Self = Self {
        ko: KoRule::Simple,
        suicide: SuicideRule::Forbidden,
        scoring: Scoring::Territory,
    };

    /// Chinese rules: positional superko, no suicide, area.
    pub const CHINESE: Self = Self {
        ko: KoRule::PositionalSuperko,
        suicide: SuicideRule::Forbidden,
        scoring: Scoring::Area,
    };

    /// Rules of the American Go Association: situational superko, no suicide, area.
    pub const AGA: Self = Self {
        ko: KoRule::SituationalSuperko,
        suicide: SuicideRule::Forbidden,
        scoring: Scoring::Area,
    };

    /// Rules of the New Zealand Go Society: situational superko, suicide, area.
    pub const NEW_ZEALAND: Self = Self {
        ko: KoRule::SituationalSuperko,
        suicide: SuicideRule::Allowed,
        scoring: Scoring::Area,
    };

    /// Tromp-Taylor rules: positional superko, suicide, area.
    pub const TROMP_TAYLOR: Self = Self {
        ko: KoRule::PositionalSuperko,
        suicide: SuicideRule::Allowed,
        scoring: Scoring::Area,
    };

    /// The named rule sets.
    pub const NAMED: [(&'static str, Self); 5] = [
        ("japanese", Self::JAPANESE),
        ("chinese", Self::CHINESE),
        ("aga", Self::AGA),
        ("new-zealand", Self::NEW_ZEALAND),
        ("tromp-taylor", Self::TROMP_TAYLOR),
    ];

    /// Returns the points that White receives for Black's handicap stones: one for each under Chinese rules, one fewer
    /// under those of the AGA, none under others.
    pub fn handicap_points(&self, stones: usize) -> u32 {
        let stones = stones as u32;
        match *self {
            Self::CHINESE => stones,
            Self::AGA => stones.saturating_sub(1),
            _ => 0,
        }
    }

    /// Returns the name of the rule set, if it has one.
    pub fn name(&self) -> Option<&'static str> {
        Self::NAMED
            .iter()
            .find(|(_, rules)| rules == self)
            .map(|(name, _)| *name)
    }
}

impl fmt::Display for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(name) = self.name() {
            return f.write_str(name);
        }
        f.write_str(match self.ko {
            KoRule::Simple => "simple-ko",
            KoRule::Unrestricted => "unrestricted-ko",
            KoRule::PositionalSuperko => "positional-superko",
            KoRule::SituationalSuperko => "situational-superko",
        })?;
        f.write_str(match self.scoring {
            Scoring::Area => "+area",
            Scoring::Territory => "+territory",
        })?;
        f.write_str(match self.suicide {
            SuicideRule::Forbidden => "",
            SuicideRule::Allowed => "+suicide",
        })
    }
}

const EXPECTED: ParseTextError = ParseTextError(
    "japanese, chinese, aga, new-zealand, tromp-taylor or rules such as simple-ko+area+suicide",
);

impl FromStr for Rules {
    type Err = ParseTextError;

    /// Parses, in any case, the name of a rule set, or rules in any order; missing rules are as in [`Rules::JAPANESE`].
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let named = Self::NAMED
            .iter()
            .find(|(name, _)| name.eq_ignore_ascii_case(text));
        if let Some((_, rules)) = named {
            return Ok(*rules);
        }
        let mut rules = Self::default();
        for rule in text.split('+') {
            match rule.to_ascii_lowercase().as_str() {
                "simple-ko" => rules.ko = KoRule::Simple,
                "unrestricted-ko" => rules.ko = KoRule::Unrestricted,
                "positional-superko" => rules.ko = KoRule::PositionalSuperko,
                "situational-superko" => rules.ko = KoRule::SituationalSuperko,
                "area" => rules.scoring = Scoring::Area,
                "territory" => rules.scoring = Scoring::Territory,
                "suicide" => rules.suicide = SuicideRule::Allowed,
                _ => return Err(EXPECTED),
            }
        }
        Ok(rules)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::string::ToString;

    #[test]
    fn every_combination_round_trips() {
        let kos = [
            KoRule::Simple,
            KoRule::Unrestricted,
            KoRule::PositionalSuperko,
            KoRule::SituationalSuperko,
        ];
        for ko in kos {
            for scoring in [Scoring::Area, Scoring::Territory] {
                for suicide in [SuicideRule::Forbidden, SuicideRule::Allowed] {
                    let rules = Rules {
                        ko,
                        suicide,
                        scoring,
                    };
                    assert_eq!(rules.to_string().parse(), Ok(rules));
                    assert_eq!(rules.to_string().to_uppercase().parse(), Ok(rules));
                }
            }
        }
    }

    #[test]
    fn rule_sets_have_names() {
        assert_eq!(Rules::default(), Rules::JAPANESE);
        for (name, rules) in Rules::NAMED {
            assert_eq!(
                (rules.name(), rules.to_string()),
                (Some(name), name.to_string())
            );
        }
        let rules = Rules {
            suicide: SuicideRule::Allowed,
            ..Rules::JAPANESE
        };
        assert_eq!(
            (rules.name(), rules.to_string()),
            (None, "simple-ko+territory+suicide".into())
        );
        let rules = Rules {
            scoring: Scoring::Territory,
            ..Rules::AGA
        };
        assert_eq!(rules.to_string(), "situational-superko+territory");
        let rules = Rules {
            scoring: Scoring::Territory,
            ..Rules::CHINESE
        };
        assert_eq!(rules.to_string(), "positional-superko+territory");
    }

    #[test]
    fn other_texts_are_rejected() {
        for text in ["", "korean", "area+", "simple ko", "japanese+suicide"] {
            assert_eq!(text.parse::<Rules>(), Err(EXPECTED), "{text}");
        }
        assert_eq!(
            "suicide+area".parse::<Rules>().unwrap().to_string(),
            "simple-ko+area+suicide"
        );
        let expected = "expected japanese, chinese, aga, new-zealand, tromp-taylor or rules such as \
            simple-ko+area+suicide";
        assert_eq!(EXPECTED.to_string(), expected);
    }
}
