//! `othello convert`: rewrites game records in another format.

use std::{
    collections::BTreeMap,
    fs,
    io::{self, BufWriter, IsTerminal as _, StdoutLock, Write as _},
    ops::ControlFlow,
    path::{Path, PathBuf},
    process::ExitCode,
};

use anyhow::{Context as _, bail, ensure};
use boardgame_files::{ReplaceError, Replacement};
use boardgame_io::printable;
use othello_records::{
    Format, Part, Record, losses, write_text,
    wthor::{Names, WriteError, Writer},
};

use super::{Inputs, games_in_words};
use crate::output::tell;

/// The extensions of the files of names next to a WTHOR file: players and tournaments.
const NAMES: [&str; 2] = ["jou", "trn"];

/// Rewrites game records in another format, and tells what that cannot hold.
///
/// Standard error tells the format of each file, the games that cannot be read or written, and what is lost.
///
/// Formats: transcript, board, rows, hex, obf, ggf, sgf, pgn, wthor, quest, nboard, ggs, logbook. Boards are those at
/// the end of the games. Logs of our matches and records of our hosts are read too.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  othello convert games.ggf --to pgn > games.pgn
  othello convert WTH_2001.wtb --players WTHOR.JOU --tournaments WTHOR.TRN \\
    --to sgf --output 2001.sgf
  othello convert mine.pgn --to wthor --output mine.wtb

WTHOR is written to a file; names of players and tournaments go to files beside it, .jou and
.trn.")]
pub(crate) struct Args {
    #[command(flatten)]
    inputs: Inputs,
    /// The format to write
    #[arg(long, value_name = "FORMAT")]
    to: Format,
    /// The file to write, which must not exist yet [default: standard output]
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// The games that are written.
struct Output {
    /// The file, or `None` for standard output.
    path: Option<PathBuf>,
    /// The number of games written.
    games: u64,
    format: Format,
    destination: Destination,
}

/// The destination of games.
enum Destination {
    Stdout(BufWriter<StdoutLock<'static>>),
    Text(Replacement),
    Wthor(Box<Writer<Replacement>>),
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let names = args.inputs.names()?;
    let mut output = Output::open(args, names.clone())?;
    let mut refused = 0;
    let mut lost: BTreeMap<Part, u64> = BTreeMap::new();
    let counts = args.inputs.for_each(&names, |file, number, record| {
        match output.write(record) {
            Ok(()) => {}
            Err(WriteError::Io(error)) => Err(error).with_context(|| output.name())?,
            Err(error) => {
                refused += 1;
                tell(format_args!("{file}, game {number}: {error}"))?;
                return Ok(ControlFlow::Continue(()));
            }
        }
        for remark in record.remarks() {
            tell(format_args!("{file}, game {number}: {remark}"))?;
        }
        for part in losses(record, args.to) {
            *lost.entry(part).or_default() += 1;
        }
        Ok(ControlFlow::Continue(()))
    })?;
    output.finish()?;
    tell_lost(args.to, lost)?;
    Ok(if counts.errors + refused == 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

/// Writes the parts of games that a format does not hold to standard error.
pub(crate) fn tell_lost(format: Format, lost: BTreeMap<Part, u64>) -> io::Result<()> {
    for (part, games) in lost {
        let games = games_in_words(games);
        tell(format_args!("not held by {format}: {part}, of {games}"))?;
    }
    Ok(())
}

impl Output {
    fn open(args: &Args, names: Names) -> anyhow::Result<Self> {
        if let (Format::Wthor, Some(path)) = (args.to, &args.output) {
            check_new(path)?;
        }
        let destination = match (args.to, args.output.as_deref()) {
            (Format::Wthor, None) => bail!("expected --output FILE: WTHOR is written to a file"),
            (Format::Wthor, Some(path)) => {
                Destination::Wthor(Box::new(Writer::new(Replacement::begin_new(path)?, names)?))
            }
            (_, None) => Destination::Stdout(BufWriter::new(io::stdout().lock())),
            (_, Some(path)) => Destination::Text(Replacement::begin_new(path)?),
        };
        Ok(Self {
            path: args.output.clone(),
            games: 0,
            format: args.to,
            destination,
        })
    }

    /// Returns the name of the file, for errors.
    fn name(&self) -> String {
        let path = self.path.as_deref();
        path.map_or("standard output".into(), |path| path.display().to_string())
    }

    fn write(&mut self, record: &Record) -> Result<(), WriteError> {
        match &mut self.destination {
            Destination::Wthor(writer) => writer.write(record)?,
            Destination::Stdout(out) if out.get_ref().is_terminal() => {
                let mut text = Vec::new();
                write_text(self.format, record, self.games, &mut text)?;
                for line in String::from_utf8_lossy(&text).split_inclusive('\n') {
                    // Names in a record must not control the terminal.
                    writeln!(out, "{}", printable(line.trim_end_matches('\n')))?;
                }
            }
            Destination::Stdout(out) => write_text(self.format, record, self.games, out)?,
            Destination::Text(out) => write_text(self.format, record, self.games, out)?,
        }
        self.games += 1;
        Ok(())
    }

    /// Ends the file and writes WTHOR's names next to it: all of them, or none. Without games there is no file.
    fn finish(self) -> anyhow::Result<()> {
        let Some(path) = self.path else {
            if let Destination::Stdout(mut out) = self.destination {
                out.flush()?;
            }
            return Ok(());
        };
        let mut files = Vec::new();
        match self.destination {
            _ if self.games == 0 => {
                tell(format_args!("{}: no games, so not written", path.display()))?;
            }
            Destination::Stdout(_) => {}
            Destination::Text(out) => files.push((path, out)),
            Destination::Wthor(writer) => {
                let ended = writer.finish();
                let (out, names) = ended.with_context(|| path.display().to_string())?;
                if names.any() {
                    let [players, tournaments] = names_beside(&path);
                    let mut file = Replacement::begin_new(&players)?;
                    names.write_players(&mut file)?;
                    files.push((players, file));
                    let mut file = Replacement::begin_new(&tournaments)?;
                    names.write_tournaments(&mut file)?;
                    files.push((tournaments, file));
                }
                files.push((path, out));
            }
        }
        Ok(keep(files)?)
    }
}

/// Moves files to their paths, or none of them if one cannot be finished.
fn keep(files: Vec<(PathBuf, Replacement)>) -> Result<(), ReplaceError> {
    let mut kept = Vec::new();
    for (path, file) in files {
        if let Err(error) = file.finish() {
            for path in kept {
                // A file that cannot be removed remains; the error is reported.
                let _ = fs::remove_file(path);
            }
            return Err(error);
        }
        kept.push(path);
    }
    Ok(())
}

/// Checks that a WTHOR file and the files of its names can be written.
fn check_new(path: &Path) -> anyhow::Result<()> {
    let extension = path.extension().unwrap_or_default();
    ensure!(
        !NAMES
            .iter()
            .any(|names| extension.eq_ignore_ascii_case(names)),
        "{}: expected another extension, for .{} is that of names",
        path.display(),
        extension.display()
    );
    let [players, tournaments] = names_beside(path);
    for path in [path, &players, &tournaments] {
        ensure!(!path.exists(), "{}: expected a new file", path.display());
    }
    Ok(())
}

/// Returns the files of names next to a WTHOR file.
fn names_beside(path: &Path) -> [PathBuf; 2] {
    NAMES.map(|extension| path.with_extension(extension))
}
