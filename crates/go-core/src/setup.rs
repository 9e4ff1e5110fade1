//! Setups: the size, komi, rules and handicap agreed before the first move.

use alloc::{string::String, vec::Vec};
use core::{fmt, str::FromStr};

use boardgame_core::{ByColor, Color};

use crate::{
    Board, Komi, ParseTextError, Point, PointSet, Rules, Size, StonesError, fixed_handicap,
};

/// The start of a game: size, komi, rules, initial stones, and the side that moves first.
///
/// The text form is one line: size, komi and rules, then the stones of each colour, if any, and `first white` if White
/// moves first. A handicap is black stones with White moving first.
///
/// # Examples
///
/// ```
/// use go_core::{Komi, Setup, Size};
///
/// let setup = Setup::new(Size::NINE).with_komi(Komi::from_half_points(11));
/// assert_eq!(setup.to_string(), "9x9 komi 5.5 rules japanese");
/// let setup = setup.with_fixed_handicap(2)?;
/// assert_eq!(setup.to_string(), "9x9 komi 5.5 rules japanese black C3 G7 first white");
/// assert_eq!(setup.to_string().parse(), Ok(setup));
/// # Ok::<(), go_core::SetupError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    size: Size,
    komi: Komi,
    rules: Rules,
    stones: ByColor<PointSet>,
    first: Color,
}

impl Setup {
    /// Creates a setup with an empty board, Black moving first, komi 0 and Japanese rules.
    pub const fn new(size: Size) -> Self {
        Self {
            size,
            komi: Komi::from_half_points(0),
            rules: Rules::JAPANESE,
            stones: ByColor {
                black: PointSet::new(),
                white: PointSet::new(),
            },
            first: Color::Black,
        }
    }

    /// Sets the komi.
    #[must_use]
    pub fn with_komi(self, komi: Komi) -> Self {
        Self { komi, ..self }
    }

    /// Sets the rules.
    #[must_use]
    pub fn with_rules(self, rules: Rules) -> Self {
        Self { rules, ..self }
    }

    /// Sets the side that moves first.
    #[must_use]
    pub fn with_first(self, first: Color) -> Self {
        Self { first, ..self }
    }

    /// Sets the initial stones.
    ///
    /// # Errors
    ///
    /// Fails if a point is off the board or has stones of both colours, or if a chain has no liberty.
    pub fn with_stones(self, stones: ByColor<PointSet>) -> Result<Self, StonesError> {
        Board::from_stones(self.size, colored(&stones))?;
        Ok(Self { stones, ..self })
    }

    /// Sets a free handicap: black stones, with White moving first.
    ///
    /// # Errors
    ///
    /// Fails unless there are at least two stones, all on different points of the board and with liberties.
    ///
    /// # Examples
    ///
    /// ```
    /// use go_core::{Color, Setup, Size};
    ///
    /// let setup = Setup::new(Size::NINE).with_handicap(["E5".parse()?, "C3".parse()?])?;
    /// assert_eq!((setup.handicap(), setup.first()), (2, Color::White));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn with_handicap(
        self,
        points: impl IntoIterator<Item = Point>,
    ) -> Result<Self, SetupError> {
        let points: Vec<Point> = points.into_iter().collect();
        if points.len() < 2 {
            return Err(SetupError::Handicap);
        }
        let stones = points.iter().map(|&point| (point, Color::Black));
        Board::from_stones(self.size, stones)?;
        let stones = ByColor {
            black: points.into_iter().collect(),
            white: PointSet::new(),
        };
        Ok(Self { stones, ..self }.with_first(Color::White))
    }

    /// Sets a handicap on the points of [`fixed_handicap`], with White moving first.
    ///
    /// # Errors
    ///
    /// Fails unless the size has a fixed handicap with this number of stones.
    pub fn with_fixed_handicap(self, stones: usize) -> Result<Self, SetupError> {
        let points = fixed_handicap(self.size, stones).ok_or(SetupError::Handicap)?;
        self.with_handicap(points)
    }

    /// Returns the size of the board.
    pub const fn size(&self) -> Size {
        self.size
    }

    /// Returns the komi.
    pub const fn komi(&self) -> Komi {
        self.komi
    }

    /// Returns the rules.
    pub const fn rules(&self) -> Rules {
        self.rules
    }

    /// Returns the side that moves first.
    pub const fn first(&self) -> Color {
        self.first
    }

    /// Returns the initial stones.
    pub const fn stones(&self) -> ByColor<&PointSet> {
        self.stones.as_ref()
    }

    /// Returns the number of handicap stones: the number of black stones if there are at least two and no white ones,
    /// and White moves first; otherwise 0.
    pub fn handicap(&self) -> usize {
        let stones = self.stones.black.len();
        let is_handicap = stones >= 2 && self.stones.white.is_empty() && self.first == Color::White;
        if is_handicap { stones } else { 0 }
    }

    /// Returns the board before the first move.
    pub fn board(&self) -> Board {
        let mut board = Board::new(self.size);
        for (point, color) in colored(&self.stones) {
            board.play(color, point);
        }
        board
    }
}

/// Returns all stones with their colours.
fn colored(stones: &ByColor<PointSet>) -> impl Iterator<Item = (Point, Color)> {
    Color::ALL
        .into_iter()
        .flat_map(|color| stones[color].iter().map(move |point| (point, color)))
}

impl Default for Setup {
    /// The setup of a 19x19 board.
    fn default() -> Self {
        Self::new(Size::default())
    }
}

/// The error of an invalid setup that does not come from text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SetupError {
    /// The handicap has fewer than two stones, or more than the size allows.
    Handicap,
    /// The stones cannot be on the board together.
    Stones(StonesError),
}

impl fmt::Display for SetupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Handicap => f.write_str("a handicap of that number of stones is not possible"),
            Self::Stones(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for SetupError {}

impl From<StonesError> for SetupError {
    fn from(error: StonesError) -> Self {
        Self::Stones(error)
    }
}

impl fmt::Display for Setup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} komi {} rules {}", self.size, self.komi, self.rules)?;
        for (name, stones) in [("black", self.stones.black), ("white", self.stones.white)] {
            if !stones.is_empty() {
                write!(f, " {name} {stones}")?;
            }
        }
        match self.first {
            Color::Black => Ok(()),
            Color::White => f.write_str(" first white"),
        }
    }
}

/// The error of parsing a setup.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ParseSetupError {
    /// The size (the first word), or a word after `komi`, `rules`, `black`, `white` or `first`, is missing or invalid.
    Part(ParseTextError),
    /// A word is unknown, or repeats an earlier one.
    Word(String),
    /// The stones cannot be on the board together.
    Stones(StonesError),
}

impl fmt::Display for ParseSetupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Part(error) => error.fmt(f),
            Self::Word(word) => write!(
                f,
                "expected komi, rules, black, white or first, each once, and found {word:?}"
            ),
            Self::Stones(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for ParseSetupError {}

impl From<ParseTextError> for ParseSetupError {
    fn from(error: ParseTextError) -> Self {
        Self::Part(error)
    }
}

impl FromStr for Setup {
    type Err = ParseSetupError;

    /// Parses the size and then, in any order, the parts that differ from [`Setup::new`].
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut words = text.split_whitespace().peekable();
        let mut setup = Self::new(words.next().unwrap_or_default().parse()?);
        let mut stones = ByColor::default();
        let mut seen: Vec<&str> = Vec::new();
        while let Some(word) = words.next() {
            if seen.contains(&word) {
                return Err(ParseSetupError::Word(word.into()));
            }
            seen.push(word);
            match word {
                "komi" => setup.komi = words.next().unwrap_or_default().parse()?,
                "rules" => setup.rules = words.next().unwrap_or_default().parse()?,
                "first" => {
                    let first = words.next().and_then(|word| word.parse().ok());
                    setup.first = first.ok_or(ParseTextError("black or white after first"))?;
                }
                "black" => stones.black = read_points(&mut words)?,
                "white" => stones.white = read_points(&mut words)?,
                _ => return Err(ParseSetupError::Word(word.into())),
            }
        }
        setup.with_stones(stones).map_err(ParseSetupError::Stones)
    }
}

/// Parses at least one point, up to the next word that is not a point.
fn read_points<'a>(
    words: &mut core::iter::Peekable<impl Iterator<Item = &'a str>>,
) -> Result<PointSet, ParseTextError> {
    let mut points = PointSet::new();
    points.insert(words.next().unwrap_or_default().parse()?);
    while let Some(point) = words.peek().and_then(|word| word.parse::<Point>().ok()) {
        if !points.insert(point) {
            break;
        }
        words.next();
    }
    Ok(points)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{format, string::ToString};

    fn parse(text: &str) -> Setup {
        text.parse().unwrap()
    }

    fn error(text: &str) -> String {
        text.parse::<Setup>().unwrap_err().to_string()
    }

    #[test]
    fn setups_round_trip_in_canonical_form() {
        for text in [
            "19x19 komi 0 rules japanese",
            "9x9 komi -5.5 rules chinese black C3 G7 first white",
            "5x5 komi 7 rules simple-ko+area black A1 white B2 C3",
            "1x1 komi 0.5 rules tromp-taylor first white",
        ] {
            assert_eq!(parse(text).to_string(), text);
        }
        assert_eq!(parse("9"), Setup::new(Size::NINE));
        assert_eq!(parse("19x19"), Setup::default());
        let mixed = parse("9 first WHITE white b2 a1 rules AGA komi 6.50");
        assert_eq!(
            mixed.to_string(),
            "9x9 komi 6.5 rules aga white A1 B2 first white"
        );
    }

    #[test]
    fn setters_set_their_parts() {
        let komi = Komi::from_half_points(13);
        let setup = Setup::new(Size::NINE)
            .with_komi(komi)
            .with_rules(Rules::AGA);
        assert_eq!(
            (setup.size(), setup.komi(), setup.rules()),
            (Size::NINE, komi, Rules::AGA)
        );
        assert_eq!((setup.first(), setup.handicap()), (Color::Black, 0));
        let setup = setup.with_fixed_handicap(3).unwrap();
        assert_eq!((setup.first(), setup.handicap()), (Color::White, 3));
        assert_eq!(setup.stones().black.to_string(), "C3 C7 G7");
        assert_eq!(setup.board().stone_count(), 3);
        assert_eq!(setup.with_first(Color::Black).handicap(), 0);
        assert_eq!(parse("9 black A1 first white").handicap(), 0);
        assert_eq!(parse("9 black A1 B1 white C3 first white").handicap(), 0);
    }

    #[test]
    fn impossible_handicaps_are_rejected() {
        let place = |names: &[&str]| {
            let points = names.iter().map(|name| name.parse().unwrap());
            Setup::new(Size::new(2).unwrap())
                .with_handicap(points)
                .map_err(|error| error.to_string())
        };
        let not_possible = "a handicap of that number of stones is not possible";
        assert_eq!(place(&["A1"]), Err(not_possible.into()));
        assert_eq!(place(&["A1", "A1"]), Err("A1 is given twice".into()));
        let full = place(&["A1", "A2", "B1", "B2"]);
        assert_eq!(
            full,
            Err("the stone on B2 leaves a chain without liberties".into())
        );
        let fixed = Setup::new(Size::NINE).with_fixed_handicap(10);
        assert_eq!(fixed, Err(SetupError::Handicap));
    }

    #[test]
    fn errors_name_the_invalid_part() {
        for (text, expected) in [
            ("", "expected the size"),
            ("9 komi", "expected a komi"),
            ("9 rules korean", "expected japanese, chinese"),
            ("9 black white A1", "expected a point"),
            ("9 first", "expected black or white after first"),
        ] {
            assert!(error(text).starts_with(expected), "{text}");
        }
        let expected = |word| {
            format!("expected komi, rules, black, white or first, each once, and found {word:?}")
        };
        assert_eq!(error("9 moves"), expected("moves"));
        assert_eq!(error("9 komi 1 komi 2"), expected("komi"));
        assert_eq!(error("9 black A1 a1"), expected("a1"));
        assert_eq!(error("9 black A1 white A1"), "A1 is given twice");
        assert_eq!(error("9 black T19"), "T19 is off the board");
    }
}
