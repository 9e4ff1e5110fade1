//! The engines named on the command line.

use std::path::PathBuf;

use boardgame_cli::matches::{NamedLimit, read_file, with_limits};
use othello_match::engine::{self, EngineSpec};

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
    /// a=own:selective=false, a=own:tier=TIER, a=own:weights=FILE, and, for moves of an opening book,
    /// a=own:book=FILE,book-margin=0.5,seed=7 or a=own:book=built-in), or a program by what it speaks:
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

impl Engines {
    /// Returns the engines with their limits.
    pub(super) fn read(&self) -> anyhow::Result<Vec<EngineSpec>> {
        let engines = match &self.file {
            None => self.named.clone(),
            Some(file) => read_file(file, engine::read_file)?,
        };
        let engines = with_limits(engines, &self.limits)?;
        engines.iter().try_for_each(EngineSpec::check)?;
        Ok(engines)
    }
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
