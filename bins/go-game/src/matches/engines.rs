//! The engines named on the command line.

use std::path::PathBuf;

use boardgame_cli::matches::{NamedLimit, read_file, with_limits};
use go_match::EngineSpec;

const FILE_HELP: &str = "\
Read the engines from this TOML file, with a table for each:

[[engine]]
name = \"gnugo\"
protocol = \"gtp\"
command = \"gnugo --mode gtp --level 1 --seed {seed}\"
directory = \"/tmp\"         # where it is started
setup = [\"level 2\"]        # commands it is sent first, of gtp
limit = \"move:10s\"

[[engine]]
name = \"ours\"
protocol = \"usenix\"
command = \"./player\"";

/// The engines of a match, and their limits.
#[derive(Clone, Debug, clap::Args)]
pub(super) struct Engines {
    /// An engine: a program by what it speaks, gtp or usenix. Where its command has {seed}, it is
    /// started for each game anew, with a number that follows from the seed of the match
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
    /// The limit of an engine's thinking, or of all that have none of their own: move:10s, game:60s,
    /// game:60m,byo-yomi:10s, game:60m,byo-yomi:5x30s; of user CPU time with ,user-cpu
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
            Some(file) => read_file(file, go_match::read_file)?,
        };
        Ok(with_limits(engines, &self.limits)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_in_the_help_names_engines() {
        let (_, file) = FILE_HELP.split_once("\n\n").unwrap();
        let engines = go_match::read_file(file).unwrap();
        let names = engines.iter().map(|engine| engine.name.as_str());
        assert_eq!(names.collect::<Vec<_>>(), ["gnugo", "ours"]);
    }
}
