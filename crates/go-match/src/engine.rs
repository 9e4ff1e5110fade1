//! Engines as named on a command line or in a file, and their seats.

use std::{error::Error, fmt, str::FromStr, time::Duration};

use boardgame_core::TimeMeasure;
use boardgame_io::CommandLine;
use boardgame_match::{
    SessionSeatOptions, WatchOptions,
    engine::{
        self, Engine, EngineText, EngineTextError, Entry, LimitError, OpenError, OpenSeat,
        Patience, ReadEnginesError, SeatRequest, kept_program_options,
    },
    limit::Limit,
};
use go_core::{Position, Setup};

use go_proto::{gtp::GtpSeatOptions, usenix::RefereeOptions};

use crate::{
    Format, Go, GoProgram, Openings, ProgramSeatOptions, TournamentOptions, one_game_options,
};

/// An engine of a match: a program and its wire format.
///
/// # Examples
///
/// ```
/// use go_match::EngineSpec;
///
/// let peer: EngineSpec = "peer=gtp:gnugo --mode gtp --seed {seed}".parse()?;
/// assert!(peer.line.takes_seed());
/// assert!("peer=uci:x".parse::<EngineSpec>().is_err());
/// # Ok::<(), go_match::EngineSpecError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineSpec {
    /// The name in tables and records: unique in a match.
    pub name: String,
    /// The format that the program speaks.
    pub format: Format,
    /// The command line that starts it. If it has `{seed}`, the program is started anew for each game, with
    /// the game's seed.
    pub line: CommandLine,
    /// The commands that it is sent before its first game, in GTP.
    pub setup: Vec<String>,
    /// The limits of its thinking.
    pub limit: Limit,
}

/// The error of a text that names no engine.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs)] // The messages name the fields.
pub enum EngineSpecError {
    /// There is no name or no command line.
    #[error(transparent)]
    Text(#[from] EngineTextError),
    /// No format has the name.
    #[error("expected what the program speaks, gtp or usenix, found {found:?}")]
    Format { found: String },
}

/// The error of an engine with setup commands in a format without commands.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected no key `setup` of {engine}: the usenix format has no commands")]
pub struct NoCommands {
    /// The engine.
    pub engine: String,
}

/// The error of an engine whose format cannot express the openings of its match.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{engine} cannot play from the openings: the usenix format begins every game on an empty board \
     (--openings empty, no handicap)"
)]
pub struct CannotPlay {
    /// The engine.
    pub engine: String,
}

impl FromStr for EngineSpec {
    type Err = EngineSpecError;

    /// Reads `NAME=FORMAT:COMMAND`.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let text = EngineText::parse(text)?;
        let format = Format::from_name(text.protocol);
        let format = format.ok_or_else(|| EngineSpecError::Format {
            found: text.protocol.into(),
        })?;
        Ok(Self {
            name: text.name.into(),
            format,
            line: text.command_line()?,
            setup: Vec::new(),
            limit: Limit::default(),
        })
    }
}

impl fmt::Display for EngineSpec {
    /// The engine with everything that affects its play, except the limit.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}:{}", self.name, self.format, self.line)?;
        if let Some(folder) = self.line.directory() {
            write!(f, " (in {})", folder.display())?;
        }
        let mut commands = self.setup.iter();
        commands.try_for_each(|command| write!(f, " [{command}]"))
    }
}

/// Reads a file of engines: TOML with a table `[[engine]]` for each.
///
/// # Errors
///
/// Fails if the text is no such file; the error names the place and what was expected.
///
/// # Examples
///
/// ```
/// let engines = go_match::read_file(
///     r#"
///     [[engine]]
///     name = "peer"
///     protocol = "gtp"
///     command = "gnugo --mode gtp --level 1 --seed {seed}"
///     directory = "/tmp"
///     limit = "move:10s"
///     "#,
/// )?;
/// assert_eq!(engines[0].name, "peer");
/// # Ok::<(), boardgame_match::engine::ReadEnginesError>(())
/// ```
pub fn read_file(text: &str) -> Result<Vec<EngineSpec>, ReadEnginesError> {
    engine::read_file(text, |mut spec: EngineSpec, entry: &Entry| {
        spec.limit = entry.limit;
        spec.line.set_directory(entry.directory.clone());
        spec.setup = entry.setup.clone().unwrap_or_default();
        spec
    })
}

/// Checks that every engine can receive its setup and its limit, be held to it, and play from every opening.
///
/// # Errors
///
/// Fails with the first engine that fails a check.
pub fn check(
    engines: &[EngineSpec],
    openings: &Openings,
) -> Result<(), Box<dyn Error + Send + Sync>> {
    for engine in engines {
        engine.check_limit()?;
        if engine.format == Format::Usenix && !engine.setup.is_empty() {
            let engine = engine.name.clone();
            return Err(NoCommands { engine }.into());
        }
        if engine.counts_user_time() {
            TournamentOptions::check_system()?;
        }
        if !engine.takes(openings.setup(), openings.have_moves()) {
            let engine = engine.name.clone();
            return Err(CannotPlay { engine }.into());
        }
    }
    Ok(())
}

impl EngineSpec {
    /// Checks that the limit can be passed to the engine.
    ///
    /// # Errors
    ///
    /// Fails if the format cannot carry it.
    pub fn check_limit(&self) -> Result<(), LimitError> {
        let limit = self.limit;
        let is_whole = |time: Option<Duration>| time.is_none_or(|time| time.subsec_nanos() == 0);
        let has_no_increment = limit.game.is_none_or(|game| game.increment.is_zero());
        let is_time = limit.depth.is_none() && limit.nodes.is_none();
        let (is_carried, expected) = match self.format {
            Format::Usenix => (is_time, "times"),
            Format::Gtp => {
                let times = [
                    limit.move_time,
                    limit.game.map(|game| game.base),
                    limit.byo_yomi.map(|byo_yomi| byo_yomi.period),
                ];
                let whole = times.into_iter().all(is_whole);
                let expected = "whole seconds without increment (move:2s, game:60s,byo-yomi:10s)";
                (is_time && has_no_increment && whole, expected)
            }
        };
        is_carried.then_some(()).ok_or_else(|| LimitError::Other {
            name: self.name.clone(),
            protocol: self.format.name(),
            expected,
            found: Box::new(limit),
        })
    }

    /// Returns whether the engine has a clock of user CPU time, as in the tournament.
    fn counts_user_time(&self) -> bool {
        self.time().measure == TimeMeasure::UserCpu
    }

    fn seat_options(&self, patience: &Patience) -> ProgramSeatOptions {
        let seat = match self.format {
            Format::Gtp => kept_program_options(),
            Format::Usenix => one_game_options(),
        };
        ProgramSeatOptions {
            referee: RefereeOptions {
                grace: patience.overtime,
                ..RefereeOptions::default()
            },
            gtp: GtpSeatOptions {
                setup: self.setup.clone(),
                ready: patience.start,
                grace: patience.overtime,
                ..GtpSeatOptions::default()
            },
            program: patience.program.clone(),
            seat: SessionSeatOptions {
                watch: self.watch(patience),
                ..seat
            },
        }
    }

    /// Returns the rules of the tournament for an engine with its clock, and no rules for others.
    fn watch(&self, patience: &Patience) -> WatchOptions {
        if !self.counts_user_time() {
            return WatchOptions::default();
        }
        let rules = TournamentOptions::default();
        TournamentOptions {
            max_idle: rules.max_idle.min(patience.untimed),
            ..rules
        }
        .watch()
    }

    /// Returns true if the format can express the setup, and earlier moves.
    fn takes(&self, setup: &Setup, has_moves: bool) -> bool {
        let has_stones = setup.stones().iter().any(|stones| !stones.is_empty());
        self.format == Format::Gtp || !has_stones && !has_moves
    }
}

impl Engine for EngineSpec {
    type Format = Go;

    fn name(&self) -> &str {
        &self.name
    }

    fn limit(&self) -> Limit {
        self.limit
    }

    fn set_limit(&mut self, limit: Limit) {
        self.limit = limit;
    }

    async fn open(
        &self,
        request: &SeatRequest<'_, Position>,
    ) -> Result<OpenSeat<Position>, OpenError> {
        let program = GoProgram {
            format: self.format,
            line: self.line.with_seed(request.game.seed),
        };
        let options = self.seat_options(request.patience);
        Ok(OpenSeat {
            seat: program.seat_with(program.line.to_string(), options),
            new_game: None,
            is_kept: self.format == Format::Gtp && !self.line.takes_seed(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_engine_prints_as_it_is_read() {
        for text in [
            "a=gtp:gnugo --mode gtp",
            "b=usenix:./player",
            "c=gtp:x --seed '{seed}'",
        ] {
            let engine: EngineSpec = text.parse().unwrap();
            assert_eq!(engine.to_string(), text);
        }
        for (text, expected) in [
            ("gnugo", "expected NAME="),
            ("a=uci:x", "gtp or usenix, found \"uci\""),
            ("a=gtp:", "the command of a: expected a program"),
        ] {
            let error = text.parse::<EngineSpec>().unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
        }
    }

    #[test]
    fn a_limit_that_a_format_cannot_carry_is_refused() {
        let check = |engine: &str, limit: &str| {
            let mut engine: EngineSpec = engine.parse().unwrap();
            engine.limit = limit.parse().unwrap();
            engine.check_limit().map_err(|error| error.to_string())
        };
        for limit in [
            "move:2s",
            "game:60m,byo-yomi:10s,user-cpu",
            "game:1m,byo-yomi:5x30s",
        ] {
            assert_eq!(check("a=gtp:x", limit), Ok(()));
            assert_eq!(check("a=usenix:x", limit), Ok(()));
        }
        assert_eq!(check("a=usenix:x", "game:1500ms"), Ok(()));
        for limit in ["depth:3", "nodes:9", "move:1500ms", "game:1m+1s"] {
            let error = check("a=gtp:x", limit).unwrap_err();
            assert!(
                error.starts_with("the limit of a: gtp carries whole"),
                "{error}"
            );
        }
        assert!(check("a=usenix:x", "nodes:9").is_err());
    }

    #[test]
    fn a_clock_of_user_time_has_the_rules_of_the_tournament() {
        let patience = Patience::default();
        let watch = |limit: &str, patience: &Patience| {
            let mut engine: EngineSpec = "a=usenix:x".parse().unwrap();
            engine.limit = limit.parse().unwrap();
            engine.seat_options(patience).seat.watch
        };
        assert_eq!(watch("game:60m", &patience), WatchOptions::default());
        let rules = watch("game:60m,user-cpu", &patience);
        assert_eq!(rules, TournamentOptions::default().watch());
        let untimed = Duration::from_secs(5);
        let rules = watch(
            "game:60m,user-cpu",
            &Patience {
                untimed,
                ..patience.clone()
            },
        );
        assert_eq!(rules.max_idle, Some(untimed));
    }

    #[test]
    fn the_tournament_begins_on_an_empty_board() {
        let takes = |engine: &str, setup: &str, has_moves| {
            let engine: EngineSpec = engine.parse().unwrap();
            engine.takes(&setup.parse().unwrap(), has_moves)
        };
        assert!(takes("a=usenix:x", "9x9", false));
        assert!(!takes("a=usenix:x", "9x9", true));
        assert!(!takes("a=usenix:x", "9x9 black C3 G7 first white", false));
        assert!(takes("a=gtp:x", "9x9 black C3 G7 first white", true));
    }
}
