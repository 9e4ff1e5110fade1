//! `othello demo`: a game over each wire format.

mod pipes;
mod sockets;

use std::{
    io::{self, Write as _},
    process::ExitCode,
    str::FromStr,
    time::Duration,
};

use anyhow::bail;
use boardgame_cli::duration;
use clap::ValueEnum;
use othello_host::CommandLine;

use crate::{
    own,
    watch::{Detail, Watch},
};

/// A wire format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// The Sloan (IAGO) referee: S-expressions over pipes
    Sloan,
    /// The LTH course server: lines over TCP
    Lth,
    /// Code Warriors: two characters a message over pipes
    Codewarriors,
    /// The Othello GUI: a process for each move
    #[value(alias = "guibot")]
    Gui,
}

impl Format {
    /// The name on the command line, which is also that of our player's subcommand.
    pub(crate) const fn key(self) -> &'static str {
        match self {
            Self::Sloan => "sloan",
            Self::Lth => "lth",
            Self::Codewarriors => "codewarriors",
            Self::Gui => "gui",
        }
    }

    const fn title(self) -> &'static str {
        match self {
            Self::Sloan => "Sloan referee, S-expressions over pipes",
            Self::Lth => "LTH server, lines over TCP",
            Self::Codewarriors => "Code Warriors judge, two characters over pipes",
            Self::Gui => "Othello GUI, a process for each move",
        }
    }
}

/// A program that plays White in a format's game.
#[derive(Clone, Debug)]
struct Guest {
    format: Format,
    line: CommandLine,
}

impl FromStr for Guest {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (format, line) = text.split_once('=').ok_or("expected FORMAT=PROGRAM")?;
        let format = Format::from_str(format, true)
            .map_err(|_| format!("expected sloan, lth, codewarriors or gui, not {format:?}"))?;
        let line = line.parse().map_err(|error| format!("{error}"))?;
        Ok(Self { format, line })
    }
}

/// Plays a game over each wire format, over real pipes and sockets, and prints a table.
///
/// Our own players play both sides.
#[derive(clap::Args)]
#[command(
    after_help = "Example: othello demo --guest 'codewarriors=python3 mybot.py'
In the LTH format {host} and {port} in the guest's command line are replaced."
)]
pub(crate) struct Args {
    /// Play the games of these formats alone
    #[arg(value_enum)]
    formats: Vec<Format>,
    /// Let this program play White in a format's game; may be repeated
    #[arg(long, value_name = "FORMAT=PROGRAM")]
    guest: Vec<Guest>,
    /// The time of our players for a move
    #[arg(long, value_name = "TIME", value_parser = duration, default_value = "100ms")]
    move_time: Duration,
    #[command(flatten)]
    detail: Detail,
}

impl Args {
    /// The programs of a format's game, Black's first.
    fn programs(&self, format: Format, address: &[&str]) -> anyhow::Result<[CommandLine; 2]> {
        let time = format!("{}ms", self.move_time.as_millis().max(1));
        let own = |name: &'static str| {
            let mut words = address.to_vec();
            if format == Format::Lth {
                words.extend(["--name", name]);
            }
            words.extend(["--move-time", &time, "--threads", "1"]);
            own::player(format.key(), &words)
        };
        let guest = self.guest.iter().find(|guest| guest.format == format);
        let white = guest.map_or_else(|| own("white"), |guest| Ok(guest.line.clone()))?;
        Ok([own("dark")?, white])
    }
}

/// A line of the table.
struct Row {
    format: Format,
    names: [String; 2],
    discs: [u32; 2],
    moves: usize,
    result: String,
    elapsed: Duration,
    /// Returns whether the game was played to its end.
    played: bool,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let all = Format::value_variants();
    let formats = if args.formats.is_empty() {
        all
    } else {
        &args.formats
    };
    let mut rows = Vec::new();
    for &format in formats {
        if !args.detail.quiet {
            writeln!(io::stdout(), "{}", format.title())?;
        }
        let watch = &mut Watch::new(args.detail);
        rows.push(match format {
            Format::Lth => sockets::play(args, watch)?,
            _ => pipes::play(args, format, watch)?,
        });
    }
    print(&rows)?;
    if let Some(row) = rows.iter().find(|row| !row.played) {
        bail!("the {} game was not played to its end", row.format.key());
    }
    Ok(ExitCode::SUCCESS)
}

fn print(rows: &[Row]) -> io::Result<()> {
    let mut out = io::stdout().lock();
    let width = |seat: usize| {
        let names = rows.iter().map(|row| row.names[seat].chars().count());
        names.max().unwrap_or(0).max(5)
    };
    let (black, white) = (width(0), width(1));
    writeln!(
        out,
        "\n{:12}  {:black$}  {:white$}  discs  moves  seconds  result",
        "format", "Black", "White"
    )?;
    for row in rows {
        let Row {
            names,
            discs,
            moves,
            result,
            elapsed,
            ..
        } = row;
        let discs = format!("{}-{}", discs[0], discs[1]);
        let seconds = elapsed.as_secs_f64();
        let (key, [first, second]) = (row.format.key(), names);
        writeln!(
            out,
            "{key:12}  {first:black$}  {second:white$}  {discs:>5}  {moves:>5}  {seconds:>7.1}  {result}"
        )?;
    }
    out.flush()
}
