//! Programs in games: their commands and wire formats.

use std::{fmt, str::FromStr, time::Duration};

use boardgame_io::{CommandLine, CommandLineError, ProgramLimits, ProgramOptions};
use boardgame_match::{Seat, SessionSeat, SessionSeatOptions, WatchOptions};
use go_core::Position;
use go_proto::{
    gtp::{Go, GtpSeat, GtpSeatOptions},
    usenix::{RefereeOptions, RefereeSeat},
};

use crate::TournamentOptions;

/// The time that a program has to end once its input is closed, as the referee of 1986 gave it.
const GRACE: Duration = Duration::from_secs(3);

/// The prefix of a program that speaks GTP.
const GTP: &str = "gtp:";

/// A program that plays Go, with its wire format.
///
/// The text is a command line, after `gtp:` for a program that speaks GTP.
///
/// # Examples
///
/// ```
/// use go_match::{Format, GoProgram};
///
/// let program: GoProgram = "gtp:gnugo --mode gtp".parse()?;
/// assert_eq!((program.format, program.line.program()), (Format::Gtp, "gnugo"));
/// assert_eq!(program.to_string(), "gtp:gnugo --mode gtp");
/// # Ok::<(), boardgame_io::CommandLineError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GoProgram {
    /// The wire format.
    pub format: Format,
    /// The program and its arguments; none are added.
    pub line: CommandLine,
}

/// Returns the seat options of a program that plays one game, with the format's bounds on its output, for a turn and
/// for earlier output.
pub fn one_game_options() -> SessionSeatOptions {
    let bound = RefereeOptions::default().max_turn_bytes as u64;
    SessionSeatOptions {
        max_turn_bytes: 2 * bound,
        max_game_bytes: u64::MAX,
        ..SessionSeatOptions::default()
    }
}

/// Options of the seat of a program, for each of its parts.
#[derive(Clone, Debug, Default)]
pub struct ProgramSeatOptions {
    /// Options of the session of a program that speaks the format of the tournament.
    pub referee: RefereeOptions,
    /// Options of the session of a program that speaks GTP.
    pub gtp: GtpSeatOptions,
    /// The bounds of the process.
    pub program: ProgramOptions,
    /// The launch, the bounds of the output and the rules enforced on the program.
    pub seat: SessionSeatOptions,
}

/// A wire format of Go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// The format of the tournament.
    Usenix,
    /// The Go Text Protocol.
    Gtp,
}

impl Format {
    /// Returns the format of a name, `usenix` or `gtp`.
    pub fn from_name(name: &str) -> Option<Self> {
        let mut formats = [Self::Usenix, Self::Gtp].into_iter();
        formats.find(|format| format.name() == name)
    }

    /// Returns the name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Usenix => "usenix",
            Self::Gtp => "gtp",
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl GoProgram {
    /// Returns the program with a number in place of `{seed}` in its arguments.
    #[must_use]
    pub fn with_seed(&self, seed: u64) -> Self {
        Self {
            line: self.line.with_seed(seed),
            ..*self
        }
    }

    /// Returns the seat of the program in games of the tournament. It is started when the game begins.
    pub fn seat(
        &self,
        name: impl Into<String>,
        options: &TournamentOptions,
    ) -> Box<dyn Seat<Position>> {
        let referee = RefereeOptions {
            as_1986: options.as_1986,
            ..RefereeOptions::default()
        };
        self.watched_seat(name.into(), referee, options.watch(), options.limits)
    }

    /// Returns the seat of the program in games without a clock, where it may idle and start processes. It is started
    /// when the game begins.
    pub fn free_seat(&self, name: impl Into<String>) -> Box<dyn Seat<Position>> {
        let referee = RefereeOptions::default();
        let limits = ProgramLimits::default();
        self.watched_seat(name.into(), referee, WatchOptions::default(), limits)
    }

    fn watched_seat(
        &self,
        name: String,
        referee: RefereeOptions,
        watch: WatchOptions,
        limits: ProgramLimits,
    ) -> Box<dyn Seat<Position>> {
        let options = ProgramSeatOptions {
            referee,
            program: ProgramOptions {
                grace: GRACE,
                limits,
                ..ProgramOptions::default()
            },
            seat: SessionSeatOptions {
                watch,
                ..one_game_options()
            },
            ..ProgramSeatOptions::default()
        };
        self.seat_with(name, options)
    }

    /// Returns the seat of the program with options for each of its parts.
    pub fn seat_with(&self, name: String, options: ProgramSeatOptions) -> Box<dyn Seat<Position>> {
        let ProgramSeatOptions {
            referee,
            gtp,
            program,
            seat,
        } = options;
        let line = self.line.clone();
        match self.format {
            Format::Usenix => {
                let session = RefereeSeat::new(referee);
                Box::new(SessionSeat::program(name, session, line, program, seat))
            }
            Format::Gtp => {
                let session = GtpSeat::<Go>::new(gtp);
                Box::new(SessionSeat::program(name, session, line, program, seat))
            }
        }
    }
}

impl fmt::Display for GoProgram {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.format == Format::Gtp {
            f.write_str(GTP)?;
        }
        self.line.fmt(f)
    }
}

impl FromStr for GoProgram {
    type Err = CommandLineError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (format, line) = match text.strip_prefix(GTP) {
            Some(line) => (Format::Gtp, line),
            None => (Format::Usenix, text),
        };
        Ok(Self {
            format,
            line: line.parse()?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_read_back() {
        for (text, format, arguments) in [
            ("./player", Format::Usenix, 0),
            ("gtp:gnugo --mode gtp", Format::Gtp, 2),
            ("python3 'my bot.py'", Format::Usenix, 1),
        ] {
            let program: GoProgram = text.parse().unwrap();
            assert_eq!(program.to_string(), text);
            assert_eq!(program.format, format);
            assert_eq!(program.line.arguments().len(), arguments);
        }
        assert_eq!("gtp:".parse::<GoProgram>(), Err(CommandLineError::Empty));
    }
}
