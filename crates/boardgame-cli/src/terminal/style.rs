//! The drawing style of an output.

use std::{
    env,
    io::{self, IsTerminal as _},
};

/// The drawing style of an output.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Style {
    /// ASCII without colours.
    #[default]
    Plain,
    /// ASCII with colours.
    Colors,
    /// Colours, and symbols beyond ASCII.
    Symbols,
}

impl Style {
    /// Returns the style of standard output.
    ///
    /// It is plain if the output is not a terminal, `NO_COLOR` has a value, or `TERM` is `dumb`. Symbols require a
    /// UTF-8 locale or Windows.
    pub fn of_stdout() -> Self {
        let variable = |name: &str| env::var(name).unwrap_or_default();
        Self::of(io::stdout().is_terminal(), variable)
    }

    /// Returns the style of an output in an environment, whose missing variables are empty.
    fn of(is_terminal: bool, variable: impl Fn(&str) -> String) -> Self {
        if !is_terminal || !variable("NO_COLOR").is_empty() || variable("TERM") == "dumb" {
            return Self::Plain;
        }
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].map(&variable);
        let locale = locale.iter().find(|value| !value.is_empty());
        let is_utf8 = locale.is_some_and(|locale| {
            let locale = locale.to_ascii_lowercase();
            locale.contains("utf-8") || locale.contains("utf8")
        });
        if is_utf8 || cfg!(windows) {
            Self::Symbols
        } else {
            Self::Colors
        }
    }

    /// Returns whether there are colours.
    pub fn has_colors(self) -> bool {
        self != Self::Plain
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(is_terminal: bool, environment: &[(&str, &str)], expected: Style) {
        let variable = |name: &str| {
            let found = environment.iter().find(|(key, _)| *key == name);
            found.map(|(_, value)| (*value).to_owned())
        };
        let style = Style::of(is_terminal, |name| variable(name).unwrap_or_default());
        assert_eq!(style, expected, "{environment:?}");
    }

    #[test]
    fn colours_are_for_terminals_that_are_not_told_otherwise() {
        check(false, &[("LANG", "en_GB.UTF-8")], Style::Plain);
        let told = [("LANG", "en_GB.UTF-8"), ("NO_COLOR", "1")];
        check(true, &told, Style::Plain);
        check(true, &[("TERM", "dumb")], Style::Plain);
        check(
            true,
            &[("LANG", "C.utf8"), ("NO_COLOR", "")],
            Style::Symbols,
        );
    }

    #[cfg(not(windows))]
    #[test]
    fn symbols_are_for_the_locale_that_counts() {
        check(true, &[], Style::Colors);
        let c = [("LANG", "en_GB.UTF-8"), ("LC_ALL", "C")];
        check(true, &c, Style::Colors);
        let utf8 = [("LANG", "C"), ("LC_CTYPE", "de_DE.UTF-8")];
        check(true, &utf8, Style::Symbols);
    }
}
