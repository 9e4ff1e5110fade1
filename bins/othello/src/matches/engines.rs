//! The engines that the command line names.

use std::{path::PathBuf, str::FromStr};

use anyhow::{Context as _, bail, ensure};
use boardgame_match::{EngineId, limit::Limit};
use othello_match::engine::{self, EngineSpec};

/// The bytes that a file of engines may have.
const MAX_FILE: u64 = 16 * boardgame_files::MIB;

const FILE_HELP: &str = "\
Read the engines from this TOML file, with a table for each:

[[engine]]
name = \"ours\"
protocol = \"own\"
hash = 64                  # and threads, tier, solve-from, selective, weights
limit = \"move:100ms\"

[[engine]]
name = \"edax\"
protocol = \"gtp\"
command = \"./edax -gtp -l 8\"
directory = \"/opt/edax\"    # where it is started
setup = [\"komi 0\"]         # commands it is sent first, of gtp and nboard";

/// The engines of a match, and how much each may think.
#[derive(Clone, Debug, clap::Args)]
pub(super) struct Engines {
    /// An engine: our own in this process (a=own, a=own:hash=64,threads=2,solve-from=14,
    /// a=own:selective=false, a=own:tier=TIER, a=own:weights=FILE), or a program by what it speaks:
    /// gtp, nboard, sloan, sloan-lines, lth, codewarriors, gui, gui-v1, gui-v2, gui-stay-v1,
    /// gui-stay-v2
    #[arg(
        long = "engine",
        short = 'e',
        value_name = "NAME=PROTOCOL:COMMAND",
        help_heading = "Engines",
        conflicts_with = "file"
    )]
    named: Vec<EngineSpec>,
    /// Read the engines from this TOML file
    #[arg(long = "engines", value_name = "FILE", help_heading = "Engines", long_help = FILE_HELP)]
    file: Option<PathBuf>,
    /// The limit of an engine's thinking, or of all that have none of their own: move:100ms,
    /// game:60s+1s, depth:8, nodes:100000
    #[arg(
        long = "limit",
        short = 'l',
        value_name = "[NAME=]LIMIT",
        help_heading = "Engines"
    )]
    limits: Vec<NamedLimit>,
}

/// A limit for one engine or for all.
#[derive(Clone, Debug)]
struct NamedLimit {
    name: Option<String>,
    limit: Limit,
}

impl FromStr for NamedLimit {
    type Err = <Limit as FromStr>::Err;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (name, limit) = match text.split_once('=') {
            Some((name, limit)) => (Some(name.to_owned()), limit),
            None => (None, text),
        };
        let limit = limit.parse()?;
        Ok(Self { name, limit })
    }
}

impl Engines {
    /// The engines with their limits.
    pub(super) fn read(&self) -> anyhow::Result<Vec<EngineSpec>> {
        let mut engines = match &self.file {
            None => self.named.clone(),
            Some(file) => {
                let text = boardgame_files::read_to_string(file, MAX_FILE);
                let text = text.with_context(|| file.display().to_string())?;
                engine::read_file(&text).with_context(|| file.display().to_string())?
            }
        };
        let count = engines.len();
        ensure!(
            count >= 2,
            "expected two engines or more, by --engine or in the file of --engines, found {count}"
        );
        let (named, common): (Vec<_>, Vec<_>) =
            self.limits.iter().partition(|limit| limit.name.is_some());
        ensure!(
            common.len() <= 1,
            "expected one limit for all engines, found {}: name the engine, as in -l {}={}",
            common.len(),
            engines[0].name,
            common[0].limit
        );
        for NamedLimit { name, limit } in named {
            let name = name.as_deref().unwrap_or_default();
            let place = place(&engines, name)?;
            engines[place].limit = *limit;
        }
        for limit in common {
            let open = |engine: &&mut EngineSpec| engine.limit == Limit::default();
            for engine in engines.iter_mut().filter(open) {
                engine.limit = limit.limit;
            }
        }
        for (number, engine) in engines.iter().enumerate() {
            let known = place(&engines, &engine.name)?;
            ensure!(known == number, "two engines have the name {}", engine.name);
            engine.check()?;
        }
        Ok(engines)
    }
}

/// The engine of a name.
pub(super) fn find(engines: &[EngineSpec], name: &str) -> anyhow::Result<EngineId> {
    Ok(EngineId(u16::try_from(place(engines, name)?)?))
}

fn place(engines: &[EngineSpec], name: &str) -> anyhow::Result<usize> {
    let found = engines.iter().position(|engine| engine.name == name);
    let Some(found) = found else {
        let names: Vec<&str> = engines.iter().map(|engine| engine.name.as_str()).collect();
        bail!(
            "expected one of the engines {}, found {name:?}",
            names.join(", ")
        );
    };
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_in_the_help_names_engines() {
        let (_, file) = FILE_HELP.split_once("\n\n").unwrap();
        let engines = engine::read_file(file).unwrap();
        let names = engines.iter().map(|engine| engine.name.as_str());
        assert_eq!(names.collect::<Vec<_>>(), ["ours", "edax"]);
    }
}
