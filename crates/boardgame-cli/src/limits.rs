//! Options for the limits of programs.

use std::io::{self, Write as _};

use boardgame_io::{ProgramLimits, Unenforceable};

use crate::number_of;

/// The maximum number of processes or processors.
const MAX_COUNT: u32 = 4096;

/// The heading of the options.
const HEADING: &str = "Limits of each program and all that it starts";

/// The limits of each program and all that it starts.
#[derive(Clone, Debug, Default, PartialEq, Eq, clap::Args)]
#[cfg_attr(feature = "matches", derive(serde::Deserialize))]
#[cfg_attr(feature = "matches", serde(default, deny_unknown_fields))]
pub struct LimitOptions {
    /// The maximum memory, such as 512M or 2G
    #[cfg_attr(feature = "matches", serde(deserialize_with = "read_size"))]
    #[arg(long, help_heading = HEADING, value_name = "SIZE", value_parser = size)]
    pub memory: Option<u64>,
    /// The maximum number of processes at a time (with bubblewrap)
    #[arg(long, help_heading = HEADING, value_name = "N", value_parser = number_of("processes", 1..=MAX_COUNT))]
    pub processes: Option<u32>,
    /// The number of processors that it may run on
    #[arg(long, help_heading = HEADING, value_name = "N", value_parser = number_of("processors", 1..=MAX_COUNT))]
    pub cpus: Option<u32>,
    /// Allow no network (with bubblewrap)
    #[arg(long, help_heading = HEADING)]
    pub no_network: bool,
    /// Allow no writing to files but in a /tmp of its own, which ends with it (with bubblewrap)
    #[arg(long, help_heading = HEADING)]
    pub read_only: bool,
    /// Go on without the limits that this system cannot enforce
    #[arg(long, help_heading = HEADING)]
    pub allow_unenforced: bool,
}

/// The error of a limit that this system cannot enforce.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}; --allow-unenforced goes on without it")]
pub struct LimitError(Unenforceable);

/// The error of a text that is not a size in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected a size from 1M on, such as 512M or 2G")]
struct ParseSizeError;

/// Parses a size in MiB or GiB.
fn size(text: &str) -> Result<u64, ParseSizeError> {
    let split = text.find(|letter: char| !letter.is_ascii_digit());
    let (number, unit) = text.split_at(split.ok_or(ParseSizeError)?);
    let unit: u64 = match unit.to_ascii_lowercase().as_str() {
        "m" | "mib" => 1 << 20,
        "g" | "gib" => 1 << 30,
        _ => return Err(ParseSizeError),
    };
    let number: u64 = number.parse().map_err(|_| ParseSizeError)?;
    let size = number.checked_mul(unit).filter(|&size| size > 0);
    size.ok_or(ParseSizeError)
}

/// Reads a size from a file.
#[cfg(feature = "matches")]
fn read_size<'de, D: serde::Deserializer<'de>>(from: D) -> Result<Option<u64>, D::Error> {
    let text = <String as serde::Deserialize>::deserialize(from)?;
    size(&text).map(Some).map_err(serde::de::Error::custom)
}

impl LimitOptions {
    /// Returns the limits that this system enforces. With [`allow_unenforced`](Self::allow_unenforced) others are named
    /// on standard error.
    ///
    /// # Errors
    ///
    /// When the system cannot enforce all of them and need be.
    pub fn limits(&self) -> Result<ProgramLimits, LimitError> {
        let limits = ProgramLimits {
            memory: self.memory,
            processes: self.processes,
            cpus: self.cpus,
            no_network: self.no_network,
            read_only: self.read_only,
        };
        let (enforced, others) = limits.enforceable();
        for other in others {
            if !self.allow_unenforced {
                return Err(LimitError(other));
            }
            // Without standard error there is nowhere to tell.
            let _ = writeln!(io::stderr(), "warning: {other}");
        }
        Ok(enforced)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_in_mebibytes_or_gibibytes() {
        assert_eq!(size("512M"), Ok(512 << 20));
        assert_eq!((size("2g"), size("2GiB")), (Ok(2 << 30), Ok(2 << 30)));
        for wrong in [
            "",
            "512",
            "M",
            "0M",
            "1K",
            "-1M",
            "1.5G",
            "99999999999999999999G",
            "9999999999999G",
        ] {
            assert_eq!(size(wrong), Err(ParseSizeError), "{wrong}");
        }
    }
}
