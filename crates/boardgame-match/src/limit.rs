//! Search and time limits of an engine, with a text form.

use std::{fmt, str::FromStr, time::Duration};

use boardgame_core::{ByoYomi, ClockState, TimeControl, TimeMeasure};
use serde::{Deserialize, Serialize};

/// The maximum time that can be set: the sum of a few such times fits every clock.
const MAX_TIME: Duration = Duration::from_hours(24 * 365);

/// The maximum depth that can be set, in plies.
const MAX_DEPTH: u32 = 60;

/// The limits of an engine's search; none by default.
///
/// # Examples
///
/// ```
/// use std::time::Duration;
///
/// use boardgame_match::limit::Limit;
///
/// let limit: Limit = "game:60s+500ms,depth:12".parse()?;
/// assert_eq!(limit.game.map(|game| game.increment), Some(Duration::from_millis(500)));
/// assert_eq!(limit.depth, Some(12));
/// assert_eq!(limit.to_string(), "game:1m+500ms,depth:12");
/// # Ok::<(), boardgame_match::limit::ParseLimitError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Limit {
    /// The maximum time for a move.
    pub move_time: Option<Duration>,
    /// The time for the whole game.
    pub game: Option<GameTime>,
    /// The time for each move once the time for the game is used up.
    pub byo_yomi: Option<ByoYomi>,
    /// True if the times are user CPU time rather than wall-clock time.
    pub user_cpu: bool,
    /// The maximum depth of the search, in plies.
    pub depth: Option<u32>,
    /// The maximum number of positions searched for a move.
    pub nodes: Option<u64>,
}

/// The time for a game, with an increment for each move (Fischer).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameTime {
    /// The time at the start.
    pub base: Duration,
    /// The time added after each move.
    pub increment: Duration,
}

impl Limit {
    /// Returns true if time limits the search, so that the load of the machine affects the moves.
    pub const fn is_timed(&self) -> bool {
        self.move_time.is_some() || self.game.is_some()
    }

    /// Returns the clock of a game before its first move.
    pub fn clock(&self) -> ClockState {
        ClockState::new(TimeControl {
            main: self.game.map(|game| game.base),
            increment: self.game.map_or(Duration::ZERO, |game| game.increment),
            per_move: self.move_time,
            byo_yomi: self.byo_yomi,
            measure: if self.user_cpu {
                TimeMeasure::UserCpu
            } else {
                TimeMeasure::Wall
            },
        })
    }

    /// Returns the number that [`scaled`](Self::scaled) multiplies: nodes if they are limited, otherwise
    /// seconds.
    pub fn amount(&self) -> Option<f64> {
        let nodes = self.nodes.map(|nodes| nodes as f64);
        let time = self.move_time.or(self.game.map(|game| game.base));
        nodes.or(time.map(|time| time.as_secs_f64()))
    }

    /// Returns the limit with times and nodes multiplied by `factor`, rounded to three significant digits and
    /// at least 1 µs or 1 node; the depth stays. `None` if neither time nor nodes are limited.
    #[must_use]
    pub fn scaled(&self, factor: f64) -> Option<Self> {
        let time = |time: Duration| {
            let micros = time.as_micros() as f64 * factor;
            Duration::from_micros(three_digits(micros))
        };
        let bounded = self.is_timed() || self.nodes.is_some();
        bounded.then(|| Self {
            move_time: self.move_time.map(time),
            game: self.game.map(|game| GameTime {
                base: time(game.base),
                increment: if game.increment.is_zero() {
                    Duration::ZERO
                } else {
                    time(game.increment)
                },
            }),
            byo_yomi: self.byo_yomi.map(|byo_yomi| ByoYomi {
                period: time(byo_yomi.period),
                ..byo_yomi
            }),
            nodes: self.nodes.map(|nodes| three_digits(nodes as f64 * factor)),
            ..*self
        })
    }

    /// Returns the limit in words, such as `536 ms a move, depth 8`.
    pub fn in_words(&self) -> String {
        let game = |game: GameTime| {
            let base = time_in_words(game.base);
            if game.increment.is_zero() {
                return format!("{base} a game");
            }
            format!("{base} a game + {} a move", time_in_words(game.increment))
        };
        let byo_yomi = |overtime: ByoYomi| {
            let times = match overtime.periods {
                1 => String::new(),
                periods => format!("{periods} times "),
            };
            let moves = match overtime.moves {
                1 => String::new(),
                moves => format!(" for {moves} moves"),
            };
            format!("then {times}{}{moves}", time_in_words(overtime.period))
        };
        let parts = [
            self.move_time
                .map(|time| format!("{} a move", time_in_words(time))),
            self.game.map(game),
            self.byo_yomi.map(byo_yomi),
            self.user_cpu.then(|| "user CPU".into()),
            self.depth.map(|depth| format!("depth {depth}")),
            self.nodes.map(|nodes| format!("{nodes} nodes")),
        ];
        parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
    }
}

/// Rounds a number to three significant digits, at least 1.
fn three_digits(number: f64) -> u64 {
    let mut unit = 1.0;
    while number / unit >= 999.5 {
        unit *= 10.0;
    }
    (((number / unit).round() * unit) as u64).max(1)
}

/// Returns a time in words, such as `536 ms`, `1.5 s` or `30 min`.
fn time_in_words(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    if time.subsec_nanos() == 0 && time.as_secs() >= 60 && time.as_secs().is_multiple_of(60) {
        format!("{} min", time.as_secs() / 60)
    } else if seconds >= 1.0 {
        format!("{seconds} s")
    } else {
        format!("{} ms", time.as_micros() as f64 / 1e3)
    }
}

/// An error in the text of a limit.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "expected limits such as move:100ms, game:60s, game:60s+500ms, depth:8 or nodes:100000, \
     several with commas between them, after game:TIME also byo-yomi:30s or byo-yomi:5x30s, \
     after a time also user-cpu, found {found:?}"
)]
pub struct ParseLimitError {
    /// The part of the text that is not a limit.
    pub found: String,
}

impl FromStr for Limit {
    type Err = ParseLimitError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut limit = Self::default();
        for part in text.split(',').map(str::trim) {
            limit.set(part).ok_or_else(|| ParseLimitError {
                found: part.to_owned(),
            })?;
        }
        Ok(limit)
    }
}

impl Limit {
    /// Sets one limit from its text; `None` if the text is invalid or the limit is already set.
    fn set(&mut self, part: &str) -> Option<()> {
        if part == "user-cpu" {
            let is_new = self.is_timed() && !self.user_cpu;
            self.user_cpu = true;
            return is_new.then_some(());
        }
        let (kind, value) = part.split_once(':')?;
        let replaced = match kind {
            "move" => self.move_time.replace(some_time(value)?).is_some(),
            "game" => self.game.replace(game_time(value)?).is_some(),
            "byo-yomi" => {
                let byo_yomi = self.game.and(byo_yomi(value));
                self.byo_yomi.replace(byo_yomi?).is_some()
            }
            "depth" => {
                let depth = value
                    .parse()
                    .ok()
                    .filter(|depth| (1..=MAX_DEPTH).contains(depth));
                self.depth.replace(depth?).is_some()
            }
            "nodes" => {
                let nodes = value.parse().ok().filter(|&nodes| nodes > 0);
                self.nodes.replace(nodes?).is_some()
            }
            _ => return None,
        };
        (!replaced).then_some(())
    }
}

/// Parses a time of at most [`MAX_TIME`].
fn any_time(text: &str) -> Option<Duration> {
    let time = humantime::parse_duration(text).ok();
    time.filter(|&time| time <= MAX_TIME)
}

/// Parses a time longer than zero.
fn some_time(text: &str) -> Option<Duration> {
    any_time(text).filter(|time| !time.is_zero())
}

/// Parses a period such as `30s`, several such as `5x30s`, or one of several moves such as `5m/25`.
fn byo_yomi(text: &str) -> Option<ByoYomi> {
    let count = |text: &str| text.parse().ok().filter(|&count: &u32| count > 0);
    let (periods, text) = text.split_once('x').unwrap_or(("1", text));
    let (period, moves) = text.split_once('/').unwrap_or((text, "1"));
    Some(ByoYomi {
        period: some_time(period)?,
        moves: count(moves)?,
        periods: count(periods)?,
    })
}

fn game_time(text: &str) -> Option<GameTime> {
    let (base, increment) = text.split_once('+').unwrap_or((text, "0s"));
    Some(GameTime {
        base: some_time(base)?,
        increment: any_time(increment)?,
    })
}

impl fmt::Display for Limit {
    /// Writes the limit as it is parsed; nothing if there is none.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let time = humantime::format_duration;
        let byo_yomi = |overtime: ByoYomi| {
            let times = match overtime.periods {
                1 => String::new(),
                periods => format!("{periods}x"),
            };
            let moves = match overtime.moves {
                1 => String::new(),
                moves => format!("/{moves}"),
            };
            format!("byo-yomi:{times}{}{moves}", time(overtime.period))
        };
        let parts = [
            self.move_time.map(|limit| format!("move:{}", time(limit))),
            self.game.map(|game| game.to_string()),
            self.byo_yomi.map(byo_yomi),
            self.user_cpu.then(|| "user-cpu".into()),
            self.depth.map(|depth| format!("depth:{depth}")),
            self.nodes.map(|nodes| format!("nodes:{nodes}")),
        ];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        f.write_str(&parts.join(",").replace(' ', ""))
    }
}

impl fmt::Display for GameTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let time = humantime::format_duration;
        write!(f, "game:{}", time(self.base))?;
        if self.increment > Duration::ZERO {
            write!(f, "+{}", time(self.increment))?;
        }
        Ok(())
    }
}

impl TryFrom<String> for Limit {
    type Error = ParseLimitError;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        if text.is_empty() {
            return Ok(Self::default());
        }
        text.parse()
    }
}

impl From<Limit> for String {
    fn from(limit: Limit) -> Self {
        limit.to_string()
    }
}

/// Returns a clock after an accepted move; time beyond the limit is not subtracted.
pub(crate) fn after_move(clock: ClockState, took: Duration) -> ClockState {
    let counted = clock.allowed().map_or(took, |allowed| took.min(allowed));
    clock.after(counted).unwrap_or(clock)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_printed_reads_back() {
        for text in [
            "move:100ms",
            "game:1m",
            "game:1m30s+500ms",
            "depth:8",
            "nodes:100000",
            "move:1s,depth:8",
            "game:1m,byo-yomi:10s,user-cpu",
            "game:1m,byo-yomi:5x30s,nodes:9",
            "move:2s,user-cpu",
        ] {
            let limit: Limit = text.parse().unwrap();
            assert_eq!(limit.to_string(), text);
            let timed = limit.move_time.is_some() || text.starts_with("game");
            assert_eq!(limit.is_timed(), timed, "{text}");
        }
    }

    #[test]
    fn times_and_nodes_are_scaled_and_depths_are_not() {
        let scaled = |text: &str, factor| {
            let limit: Limit = text.parse().unwrap();
            limit.scaled(factor).map(|limit| limit.to_string())
        };
        let expected = Some("game:1s500ms+15ms,depth:9".into());
        assert_eq!(scaled("game:1s+10ms,depth:9", 1.5), expected);
        assert_eq!(scaled("game:1s", 0.25), Some("game:250ms".into()));
        assert_eq!(scaled("nodes:1000", 0.0001), Some("nodes:1".into()));
        assert_eq!(scaled("depth:9", 2.0), None);
        for (text, factor, expected) in [
            ("move:500ms", 1.072375, "move:536ms"),
            ("move:100ms", 0.99999, "move:100ms"),
            ("move:100us", 0.5001, "move:50us"),
            ("nodes:123456", 1.0, "nodes:123000"),
            ("nodes:99960", 1.0, "nodes:100000"),
            ("nodes:999", 1.0, "nodes:999"),
        ] {
            assert_eq!(scaled(text, factor).as_deref(), Some(expected), "{text}");
        }
    }

    #[test]
    fn limits_are_told_as_people_write_them() {
        for (text, expected) in [
            ("move:536ms", "536 ms a move"),
            ("move:53ms600us", "53.6 ms a move"),
            ("move:1s500ms,depth:8", "1.5 s a move, depth 8"),
            ("game:1m30s", "90 s a game"),
            ("game:30m+500ms", "30 min a game + 500 ms a move"),
            ("nodes:100000", "100000 nodes"),
            (
                "game:60m,byo-yomi:10s,user-cpu",
                "60 min a game, then 10 s, user CPU",
            ),
            ("game:1s,byo-yomi:3x10s", "1 s a game, then 3 times 10 s"),
        ] {
            assert_eq!(text.parse::<Limit>().unwrap().in_words(), expected);
        }
        assert_eq!(Limit::default().in_words(), "");
    }

    #[test]
    fn what_is_no_limit_is_refused_with_the_part_that_is_none() {
        for (text, found) in [
            ("", ""),
            ("fast", "fast"),
            ("depth:8,depth:9", "depth:9"),
            ("move:100", "move:100"),
            ("game:0s", "game:0s"),
            ("depth:61", "depth:61"),
            ("move:366days", "move:366days"),
            ("game:1s+366days", "game:1s+366days"),
            ("nodes:0", "nodes:0"),
            ("byo-yomi:10s", "byo-yomi:10s"),
            ("game:1s,byo-yomi:0x10s", "byo-yomi:0x10s"),
            ("user-cpu", "user-cpu"),
            ("move:1s,user-cpu,user-cpu", "user-cpu"),
        ] {
            let error = text.parse::<Limit>().unwrap_err();
            assert_eq!(error.found, found, "{text}");
        }
    }

    #[test]
    fn a_clock_runs_down_and_gains_its_increment() {
        let ms = Duration::from_millis;
        let limit: Limit = "game:1s+100ms,move:700ms".parse().unwrap();
        let clock = limit.clock();
        assert_eq!(clock.allowed(), Some(ms(700)));
        let clock = after_move(clock, ms(600));
        assert_eq!(clock.allowed(), Some(ms(500)));
        let clock = after_move(clock, ms(540));
        assert_eq!(clock.main(), Some(ms(100)));
    }

    #[test]
    fn without_a_clock_no_move_is_late() {
        let limit: Limit = "depth:8".parse().unwrap();
        let clock = after_move(limit.clock(), Duration::MAX);
        assert_eq!((clock, clock.allowed()), (limit.clock(), None));
    }
}
