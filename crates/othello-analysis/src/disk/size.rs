//! The size of a store.

use std::{fmt, str::FromStr};

/// A mebibyte in bytes.
const MIB: u64 = 1 << 20;

/// The maximum size of the file of a store in MiB: from [`Size::MIN`] to [`Size::MAX`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Size(u64);

/// The error of a size out of bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected a size in MiB from {} to {}", Size::MIN.0, Size::MAX.0)]
pub struct SizeError;

impl Size {
    /// The minimum.
    pub const MIN: Self = Self(4);
    /// The maximum, a tebibyte.
    pub const MAX: Self = Self(1 << 20);

    /// Creates a size from a number of MiB.
    ///
    /// # Errors
    ///
    /// Fails if the number is out of bounds.
    pub const fn from_mib(mib: u64) -> Result<Self, SizeError> {
        if mib < Self::MIN.0 || mib > Self::MAX.0 {
            return Err(SizeError);
        }
        Ok(Self(mib))
    }

    /// The size in bytes.
    pub const fn bytes(self) -> u64 {
        self.0 * MIB
    }
}

impl Default for Size {
    /// 256 MiB.
    fn default() -> Self {
        Self(256)
    }
}

impl FromStr for Size {
    type Err = SizeError;

    /// Parses a number of MiB.
    fn from_str(text: &str) -> Result<Self, SizeError> {
        Self::from_mib(text.parse().map_err(|_| SizeError)?)
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_out_of_bounds_are_refused() {
        assert_eq!("256".parse(), Ok(Size::default()));
        for text in ["3", "1048577", "-1", "64k", "", "99999999999999999999"] {
            assert_eq!(text.parse::<Size>(), Err(SizeError), "{text}");
        }
        assert_eq!(
            SizeError.to_string(),
            "expected a size in MiB from 4 to 1048576"
        );
    }
}
