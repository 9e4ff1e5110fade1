//! `go-game match`: measures which program is stronger.

mod engines;

use std::{
    fs,
    path::{Path, PathBuf},
    process::ExitCode,
    sync::Arc,
};

use anyhow::{Context as _, anyhow};
use boardgame_cli::matches::{Game, MatchError, MatchOptions, exit_code};
use boardgame_match::{EngineId, GameId, log, record::PlayedGame};
use go_core::{Komi, Rules, Setup, Size};
use go_match::Judge;
use go_match::{Go, OpeningSource, Openings, Terms, check, sgf};

use crate::options::judge;

use self::engines::Engines;

const EXAMPLES: &str = "\
Examples:
  GNU Go against itself at two levels, from random openings, each game with a seed of its own:
    go-game match -e ten='gtp:gnugo --mode gtp --level 10 --seed {seed}' \\
      -e one='gtp:gnugo --mode gtp --level 1 --seed {seed}' \\
      --size 9 --games 200 --sprt --sgf games
  A program of the tournament against another, by the tournament's clock:
    go-game match -e a=usenix:./mine -e b=usenix:./other --openings empty \\
      -l game:60m,byo-yomi:10s,user-cpu

A match that was stopped goes on when it is started again with the same log. Raise --games to
extend it; a round robin is filled out with --form double-round-robin.

Exit status:
  0  all games are played, or the test is decided for the first engine
  1  an error, such as an engine that does not start, or the match was called off
  2  the command line cannot be parsed
  3  the test is decided against the first engine";

/// Plays matches between programs of either format and tells which is stronger.
///
/// Finished games are counted by a judge who finds dead stones by playouts.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(flatten)]
    engines: Engines,
    /// Where games begin: empty, random:MOVES (1 to 20, the most balanced of several), or a file of
    /// openings such as B Q16, W D4, one a line
    #[arg(long, value_name = "SOURCE", default_value = "random:4")]
    openings: OpeningSource,
    /// The size of the board, 1 to 25
    #[arg(long, value_name = "LINES", default_value = "19")]
    size: Size,
    /// White's bonus
    #[arg(
        long,
        value_name = "POINTS",
        default_value = "5.5",
        allow_hyphen_values = true
    )]
    komi: Komi,
    /// Black's fixed handicap in stones, in both games of a pair
    #[arg(long, value_name = "STONES")]
    handicap: Option<usize>,
    /// The rules: japanese, chinese, aga, new-zealand, tromp-taylor, or such as simple-ko+area
    #[arg(long, value_name = "RULES", default_value = "japanese")]
    rules: Rules,
    /// The number of moves after which a game is judged as it stands
    #[arg(long, value_name = "N", default_value_t = 1200, value_parser = clap::value_parser!(u32).range(1..))]
    max_moves: u32,
    /// Write the games to this folder, named by the numbers of their openings and the players; those of shards once
    /// they are merged
    #[arg(long, value_name = "FOLDER")]
    sgf: Option<PathBuf>,
    /// The number of the judge's playouts
    #[arg(long, value_name = "N", default_value_t = 2000, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    playouts: u32,
    #[command(flatten)]
    contest: MatchOptions,
}

/// Plays a match, or the missing part of it, and reports the result.
pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let engines = args.engines.read()?;
    let judge = Judge {
        playouts: args.playouts,
        ..judge()
    };
    let terms = Terms {
        setup: args.setup()?,
        judge: Arc::new(judge),
        max_moves: args.max_moves as usize,
    };
    let openings = Openings::load(&args.openings, args.contest.seed, terms)?;
    check(&engines, &openings).map_err(|error| anyhow!(error))?;
    let game = Game {
        engines,
        fingerprint: openings.fingerprint(),
        rules: format!(
            "setup={:?} max-moves={} playouts={}",
            openings.setup().to_string(),
            args.max_moves,
            args.playouts
        ),
        openings,
        observer: None,
    };
    let played = boardgame_io::block_on(boardgame_cli::matches::run(&args.contest, game))?;
    let is_played = matches!(played, Ok(_) | Err(MatchError::Output(_)));
    let is_whole = args.contest.shards.shard.is_none();
    if let Some(folder) = args.sgf.as_ref().filter(|_| is_played && is_whole) {
        write_games(&args.contest.log, folder, judge)?;
    }
    Ok(exit_code(played?))
}

impl Args {
    fn setup(&self) -> anyhow::Result<Setup> {
        let setup = Setup::new(self.size)
            .with_komi(self.komi)
            .with_rules(self.rules);
        let Some(stones) = self.handicap else {
            return Ok(setup);
        };
        let setup = setup.with_fixed_handicap(stones);
        setup.with_context(|| format!("--handicap {stones} on a board of {}", self.size))
    }
}

/// Writes all games of a log as SGF.
fn write_games(log: &Path, folder: &Path, judge: Judge) -> anyhow::Result<()> {
    fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    for played in log::read::<Go>(log)?.games {
        let Some(record) = sgf(&played, judge) else {
            continue;
        };
        let path = folder.join(file_name(&played));
        boardgame_files::overwrite(&path, record.to_string().as_bytes())
            .with_context(|| path.display().to_string())?;
    }
    Ok(())
}

/// Returns the name of a game's file: the numbers of its opening and players, and their names, which may look alike in
/// a file name.
fn file_name(played: &PlayedGame) -> String {
    let GameId {
        opening,
        black,
        white,
    } = played.id;
    let opening = opening + 1;
    let [black, white] = [(black, &played.names[0]), (white, &played.names[1])]
        .map(|(EngineId(id), name)| format!("{}-{}", u32::from(id) + 1, plain(name)));
    format!("{opening:04}-{black}-{white}.sgf")
}

/// Returns the name of an engine in a form for file names.
fn plain(engine: &str) -> String {
    let letter = |letter: char| {
        let is_plain = letter.is_alphanumeric() || matches!(letter, '-' | '_' | '.');
        if is_plain { letter } else { '_' }
    };
    engine.chars().map(letter).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_files_stay_in_their_folder() {
        assert_eq!(plain("gnu-go_3.8"), "gnu-go_3.8");
        assert_eq!(plain("../a b"), ".._a_b");
    }
}
