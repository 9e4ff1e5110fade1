//! Numbers of settings.

use core::{error, fmt, num::NonZeroUsize, str::FromStr};

/// A number from 1 to `MAX`, such as the size of a table, with a default.
///
/// # Examples
///
/// ```
/// use boardgame_core::Bounded;
///
/// type ThreadCount = Bounded<1024, 1>;
///
/// assert_eq!(ThreadCount::default().get(), 1);
/// assert_eq!("3".parse().map(ThreadCount::get), Ok(3));
/// let error = "1025".parse::<ThreadCount>().unwrap_err();
/// assert_eq!(error.to_string(), "expected a number from 1 to 1024");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "u64", into = "u64"))]
pub struct Bounded<const MAX: u64, const DEFAULT: u64>(NonZeroUsize);

/// The error of a number that is not from 1 to a maximum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[allow(missing_docs)]
pub struct OutOfRange {
    pub max: u64,
}

impl fmt::Display for OutOfRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected a number from 1 to {}", self.max)
    }
}

impl error::Error for OutOfRange {}

impl<const MAX: u64, const DEFAULT: u64> Bounded<MAX, DEFAULT> {
    /// The maximum.
    pub const MAX: u64 = MAX;

    /// The minimum, 1.
    pub const MIN: Self = Self(NonZeroUsize::MIN);

    /// Creates the number, or returns `None` if it is not from 1 to [`MAX`](Self::MAX).
    pub const fn new(number: u64) -> Option<Self> {
        if number > MAX {
            return None;
        }
        match NonZeroUsize::new(number as usize) {
            Some(number) => Some(Self(number)),
            None => None,
        }
    }

    /// Returns the number.
    pub const fn get(self) -> usize {
        self.0.get()
    }
}

impl<const MAX: u64, const DEFAULT: u64> Default for Bounded<MAX, DEFAULT> {
    fn default() -> Self {
        const { Self::new(DEFAULT).unwrap() }
    }
}

impl<const MAX: u64, const DEFAULT: u64> TryFrom<u64> for Bounded<MAX, DEFAULT> {
    type Error = OutOfRange;

    fn try_from(number: u64) -> Result<Self, OutOfRange> {
        Self::new(number).ok_or(OutOfRange { max: MAX })
    }
}

impl<const MAX: u64, const DEFAULT: u64> From<Bounded<MAX, DEFAULT>> for u64 {
    fn from(number: Bounded<MAX, DEFAULT>) -> Self {
        number.get() as Self
    }
}

impl<const MAX: u64, const DEFAULT: u64> From<Bounded<MAX, DEFAULT>> for NonZeroUsize {
    fn from(number: Bounded<MAX, DEFAULT>) -> Self {
        number.0
    }
}

impl<const MAX: u64, const DEFAULT: u64> FromStr for Bounded<MAX, DEFAULT> {
    type Err = OutOfRange;

    fn from_str(text: &str) -> Result<Self, OutOfRange> {
        let number = text.parse().ok().and_then(Self::new);
        number.ok_or(OutOfRange { max: MAX })
    }
}

impl<const MAX: u64, const DEFAULT: u64> fmt::Display for Bounded<MAX, DEFAULT> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
