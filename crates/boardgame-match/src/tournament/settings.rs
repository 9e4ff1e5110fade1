//! The settings of a tournament.

use std::{
    collections::{BTreeMap, BTreeSet},
    error::Error,
    str::FromStr,
    time::Duration,
};

use serde::{Deserialize, Deserializer, de};

use crate::{
    EngineId, ForfeitScore,
    engine::{self, Engine, ReadEnginesError},
    limit::Limit,
    log::EngineEntry,
    record::RecordFormat,
    schedule::{Entrant, Form},
    standings::TieBreak,
};

/// The highest number of a round.
const MAX_ROUND: u32 = 1000;

/// The settings of a tournament, from a TOML file with a table `[[program]]` for each program.
#[derive(Clone, Debug)]
pub struct Settings<E> {
    /// The title.
    pub title: String,
    /// The place where it is played.
    pub place: String,
    /// The form, with its number of rounds.
    pub form: Form,
    /// The source of the openings.
    pub openings: Option<String>,
    /// The time that a move may exceed its limit by.
    pub tolerance: Duration,
    /// The criteria that break ties, in their order.
    pub tie_breaks: Vec<TieBreak>,
    /// The margin of a game lost by a fault, if not the usual one.
    pub forfeit_score: Option<ForfeitScore>,
    /// The seed for openings, draws and commands.
    pub seed: u64,
    /// The secrets of the participants in a ladder, by their names.
    pub secrets: BTreeMap<String, String>,
    /// The limits of programs, whose keys the caller knows.
    pub limits: toml::Table,
    /// The programs in the order of their seeding: those with a seed first.
    pub programs: Vec<Program<E>>,
}

/// A program of a tournament.
#[derive(Clone, Debug)]
pub struct Program<E> {
    /// The program, with its limit.
    pub engine: E,
    /// The author.
    pub author: String,
    /// The round in which it enters, from 1.
    pub from_round: u32,
    /// Its last round, if it withdraws.
    pub withdrawn_after: Option<u32>,
    /// The rounds that it misses.
    pub absent: Vec<u32>,
}

/// The error of a text that describes no tournament.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs)]
pub enum SettingsError {
    /// It is not the TOML of a tournament.
    #[error(transparent)]
    File(#[from] toml::de::Error),
    /// The keys of a program do not name one.
    #[error(transparent)]
    Program(#[from] ReadEnginesError),
    /// There are too few programs.
    #[error("expected a table [[program]] for each of two or more programs, found {found}")]
    Count { found: usize },
    /// Two programs have one name.
    #[error("expected each name once, found two programs named {name}")]
    Name { name: String },
    /// The number of a round is out of range.
    #[error("expected the numbers of rounds to be 1 to {MAX_ROUND}, found {found}")]
    Round { found: u32 },
    /// A knock-out ends with its final.
    #[error("expected no key `rounds` for a knock-out, which ends with its final, or a ladder")]
    KnockOutRounds,
    /// Secrets are those of a ladder.
    #[error("expected no table [secrets] but for a ladder")]
    Secrets,
    /// Nobody is there for the first round.
    #[error("expected two or more programs with from_round = 1, found {found}")]
    NoStart { found: usize },
    /// The log has a program that the file lacks.
    #[error(
        "expected a program named {name}, which the log has; to end its part, write \
         withdrawn_after = ROUND into its table"
    )]
    Missing { name: String },
}

/// The form of a tournament as the file names it.
#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum FormName {
    Swiss,
    RoundRobin,
    Danish,
    Random,
    KnockOut,
    Gauntlet,
    Ladder,
}

impl FormName {
    fn with(self, rounds: Option<u32>, seed: u64, programs: usize) -> Form {
        let enough = programs.next_power_of_two().ilog2();
        let or_enough = rounds.unwrap_or(enough);
        let or_one = rounds.unwrap_or(1);
        match self {
            Self::Swiss => Form::Swiss { rounds: or_enough },
            Self::Danish => Form::Danish { rounds: or_enough },
            Self::Random => Form::Random {
                rounds: or_enough,
                seed,
            },
            Self::RoundRobin => Form::RoundRobin { cycles: or_one },
            Self::Gauntlet => Form::Gauntlet { pairs: or_one },
            Self::KnockOut => Form::KnockOut,
            Self::Ladder => Form::Ladder,
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    title: String,
    #[serde(default)]
    place: String,
    form: FormName,
    rounds: Option<u32>,
    openings: Option<String>,
    protocol: Option<String>,
    #[serde(default)]
    limit: Limit,
    #[serde(default, deserialize_with = "text")]
    tolerance: Option<humantime::Duration>,
    #[serde(default, deserialize_with = "text")]
    forfeit_score: Option<ForfeitScore>,
    tie_breaks: Option<Vec<String>>,
    #[serde(default = "one_u64")]
    seed: u64,
    #[serde(default)]
    secrets: BTreeMap<String, String>,
    #[serde(default)]
    limits: toml::Table,
    #[serde(default)]
    program: Vec<Entry>,
}

/// The programs of a ladder that are not in its file.
#[derive(Deserialize)]
struct More {
    #[serde(default)]
    program: Vec<Entry>,
}

/// A table of a program.
#[derive(Deserialize)]
struct Entry {
    #[serde(default)]
    author: String,
    seed: Option<u32>,
    #[serde(default = "one")]
    from_round: u32,
    withdrawn_after: Option<u32>,
    #[serde(default)]
    absent: Vec<u32>,
    #[serde(flatten)]
    engine: engine::Entry,
}

const fn one() -> u32 {
    1
}

const fn one_u64() -> u64 {
    1
}

/// Reads a number or a text by its own parser.
fn text<'de, D: Deserializer<'de>, T: FromStr<Err: Error>>(from: D) -> Result<Option<T>, D::Error> {
    let value = toml::Value::deserialize(from)?;
    let text = match value {
        toml::Value::String(text) => text,
        toml::Value::Integer(number) => number.to_string(),
        other => {
            let found = other.type_str();
            let error = format!("expected a text or a whole number, found a value of type {found}");
            return Err(de::Error::custom(error));
        }
    };
    text.parse().map(Some).map_err(de::Error::custom)
}

impl<E: Engine + FromStr<Err: Error + Send + Sync + 'static>> Settings<E> {
    /// Reads the settings. A program is first parsed like one on the command line; `complete` adds the rest of its
    /// entry. A ladder also has the programs in the tables `more`.
    ///
    /// # Errors
    ///
    /// Fails if the text describes no tournament; the error names the place and what was expected.
    pub fn read(
        text: &str,
        more: &str,
        complete: impl Fn(E, &engine::Entry) -> E,
    ) -> Result<Self, SettingsError> {
        let mut file: File = toml::from_str(text)?;
        if matches!(file.form, FormName::Ladder) {
            file.program.extend(toml::from_str::<More>(more)?.program);
        } else if !file.secrets.is_empty() {
            return Err(SettingsError::Secrets);
        }
        let mut entries: Vec<(u32, Program<E>)> = Vec::new();
        for mut entry in file.program {
            entry.engine.or_protocol(file.protocol.as_deref());
            let mut engine = entry.engine.read(&complete)?;
            if engine.limit() == Limit::default() {
                engine.set_limit(file.limit);
            }
            let program = Program {
                engine,
                author: entry.author,
                from_round: entry.from_round,
                withdrawn_after: entry.withdrawn_after,
                absent: entry.absent,
            };
            entries.push((entry.seed.unwrap_or(u32::MAX), program));
        }
        entries.sort_by_key(|(seed, _)| *seed);
        let programs: Vec<_> = entries.into_iter().map(|(_, program)| program).collect();
        check(file.rounds, file.form, &programs)?;
        let form = file.form.with(file.rounds, file.seed, programs.len());
        let usual = || Ok(TieBreak::usual(form).to_vec());
        Ok(Self {
            title: file.title,
            place: file.place,
            form,
            openings: file.openings,
            tolerance: file
                .tolerance
                .map_or(Duration::from_millis(100), Into::into),
            tie_breaks: file.tie_breaks.map_or_else(usual, |names| {
                names.iter().map(|name| tie_break::<E>(name)).collect()
            })?,
            forfeit_score: file.forfeit_score,
            seed: file.seed,
            secrets: file.secrets,
            limits: file.limits,
            programs,
        })
    }

    /// Returns the entrants in the order of their seeding, by the engines of the log.
    ///
    /// # Errors
    ///
    /// Fails if the log has a program that the file lacks.
    pub fn entrants(&self, engines: &[EngineEntry]) -> Result<Vec<Entrant>, SettingsError> {
        let known: BTreeSet<&str> = self.programs.iter().map(|one| one.engine.name()).collect();
        if let Some(engine) = engines
            .iter()
            .find(|engine| !known.contains(&engine.name[..]))
        {
            let name = engine.name.clone();
            return Err(SettingsError::Missing { name });
        }
        let entrants = self.programs.iter().filter_map(|program| {
            let mut engines = (0..).zip(engines);
            let is_it = |(_, engine): &(u16, &EngineEntry)| engine.name == program.engine.name();
            let (id, _) = engines.find(is_it)?;
            Some(Entrant {
                engine: EngineId(id),
                from_round: program.from_round,
                withdrawn_after: program.withdrawn_after,
                absent: program.absent.clone(),
            })
        });
        Ok(entrants.collect())
    }
}

/// Returns the tie-break of a name; that of margins may be named like their column.
fn tie_break<E: Engine>(name: &str) -> Result<TieBreak, SettingsError> {
    if name == E::Format::MARGIN {
        return Ok(TieBreak::Margin);
    }
    name.parse()
        .map_err(|error| SettingsError::File(de::Error::custom(error)))
}

fn check<E: Engine>(
    rounds: Option<u32>,
    form: FormName,
    programs: &[Program<E>],
) -> Result<(), SettingsError> {
    let found = programs.len();
    let is_ladder = matches!(form, FormName::Ladder);
    if found < 2 && !is_ladder {
        return Err(SettingsError::Count { found });
    }
    if rounds.is_some() && (is_ladder || matches!(form, FormName::KnockOut)) {
        return Err(SettingsError::KnockOutRounds);
    }
    let mut names = BTreeSet::new();
    for program in programs {
        let name = program.engine.name();
        if !names.insert(name) {
            let name = name.to_owned();
            return Err(SettingsError::Name { name });
        }
    }
    let numbers = programs.iter().flat_map(|program| {
        let absent = program.absent.iter().copied();
        absent.chain([program.from_round])
    });
    let is_wrong = |number: &u32| !(1..=MAX_ROUND).contains(number);
    if let Some(found) = numbers.chain(rounds).find(is_wrong) {
        return Err(SettingsError::Round { found });
    }
    let start = programs.iter().filter(|program| program.from_round == 1);
    match start.count() {
        found @ 0..2 if !is_ladder => Err(SettingsError::NoStart { found }),
        _ => Ok(()),
    }
}
