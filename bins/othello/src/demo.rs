//! `othello demo`: a game in each competition format.

mod pipes;
mod sockets;
mod usenix;

use std::{
    fmt::Write as _,
    io::{self, Write as _},
    process::ExitCode,
    str::FromStr,
    time::Duration,
};

use anyhow::bail;
use boardgame_cli::{
    duration,
    terminal::{Detail, Watch},
};
use boardgame_core::Game;
use boardgame_io::printable;
use boardgame_match::GameReport;
use clap::{ValueEnum, builder::PossibleValue};
use othello_host::CommandLine;

use crate::own;

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
    Gui,
}

impl Format {
    /// Returns the name on the command line, which is also that of our player's subcommand.
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

/// A game of the demo.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum DemoGame {
    /// A game of Othello.
    Othello(Format),
    /// A game of Go over the format of the USENIX tournament.
    Usenix,
}

impl DemoGame {
    const fn key(self) -> &'static str {
        match self {
            Self::Othello(format) => format.key(),
            Self::Usenix => "usenix",
        }
    }

    const fn title(self) -> &'static str {
        match self {
            Self::Othello(format) => format.title(),
            Self::Usenix => "USENIX Go tournament, points over pipes",
        }
    }
}

impl ValueEnum for DemoGame {
    fn value_variants<'a>() -> &'a [Self] {
        &[
            Self::Othello(Format::Sloan),
            Self::Othello(Format::Lth),
            Self::Othello(Format::Codewarriors),
            Self::Othello(Format::Gui),
            Self::Usenix,
        ]
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        match self {
            Self::Othello(format) => format.to_possible_value(),
            Self::Usenix => {
                let help = "The USENIX Go tournament: a game of Go, a point a line over pipes";
                Some(PossibleValue::new("usenix").help(help))
            }
        }
    }
}

/// A program that plays White in a format's game.
#[derive(Clone, Debug)]
struct Guest {
    game: DemoGame,
    line: CommandLine,
}

impl FromStr for Guest {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (format, line) = text.split_once('=').ok_or("expected FORMAT=PROGRAM")?;
        let game = DemoGame::from_str(format, true).map_err(|_| {
            format!("expected sloan, lth, codewarriors, gui or usenix, not {format:?}")
        })?;
        let line = line.parse().map_err(|error| format!("{error}"))?;
        Ok(Self { game, line })
    }
}

/// Plays a game in each of the five competition formats and prints a table.
///
/// Our own players play both sides, over real pipes and sockets.
#[derive(clap::Args)]
#[command(
    after_help = "Example: othello demo --guest 'codewarriors=python3 mybot.py'
In the LTH format {host} and {port} in the guest's command line are replaced.
Our players play Go on 9x9, and on 19x19 against a guest."
)]
pub(crate) struct Args {
    /// Play the games of these formats alone
    #[arg(value_name = "FORMATS", value_enum)]
    games: Vec<DemoGame>,
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
    /// Returns the program that plays White in a game in place of our own.
    fn guest(&self, game: DemoGame) -> Option<&CommandLine> {
        let guest = self.guest.iter().find(|guest| guest.game == game);
        guest.map(|guest| &guest.line)
    }

    /// Returns the programs of a format's game, Black's first.
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
        let guest = self.guest(DemoGame::Othello(format)).cloned();
        let white = guest.map_or_else(|| own("white"), Ok)?;
        Ok([own("dark")?, white])
    }
}

/// A line of the table.
struct Row {
    game: DemoGame,
    names: [String; 2],
    /// The discs of both sides, or the margin.
    score: String,
    moves: usize,
    result: String,
    elapsed: Duration,
    /// True if the game was played to its end.
    played: bool,
}

/// Formats the discs of both sides for the table.
fn discs([black, white]: [u32; 2]) -> String {
    format!("{black}-{white}")
}

/// Returns the end of a game and the faults of its programs.
fn result<G: Game>(report: &GameReport<G>) -> String {
    let verdict = report.outcome.verdict();
    let mut result = verdict.map_or_else(|| report.outcome.to_string(), |v| v.cause.to_string());
    for seat in report.seats.iter() {
        for fault in &seat.faults {
            let _ = write!(result, "; {}: {fault}", seat.name);
        }
    }
    printable(&result)
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let mut rows = Vec::new();
    let games = games(&args.games);
    if let Some(guest) = args.guest.iter().find(|guest| !games.contains(&guest.game)) {
        let format = guest.game.key();
        bail!(
            "--guest {format}={}: expected a format of which a game is played",
            guest.line
        );
    }
    for game in games {
        if !args.detail.quiet {
            writeln!(io::stdout(), "{}", game.title())?;
        }
        let watch = &mut Watch::new(args.detail);
        rows.push(match game {
            DemoGame::Othello(Format::Lth) => sockets::play(args, watch)?,
            DemoGame::Othello(format) => pipes::play(args, format, watch)?,
            DemoGame::Usenix => usenix::play(args, watch)?,
        });
    }
    print(&rows)?;
    if let Some(row) = rows.iter().find(|row| !row.played) {
        bail!("the {} game was not played to its end", row.game.key());
    }
    Ok(ExitCode::SUCCESS)
}

/// Returns the games to play: the requested ones, or all that this system can referee.
fn games(asked: &[DemoGame]) -> Vec<DemoGame> {
    if !asked.is_empty() {
        return asked.to_vec();
    }
    let all = DemoGame::value_variants().iter().copied();
    all.filter(|&game| game != DemoGame::Usenix || usenix::can_be_refereed())
        .collect()
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
        "\n{:12}  {:black$}  {:white$}   score  moves  seconds  result",
        "format", "Black", "White"
    )?;
    for row in rows {
        let Row {
            names,
            score,
            moves,
            result,
            elapsed,
            ..
        } = row;
        let seconds = elapsed.as_secs_f64();
        let (key, [first, second]) = (row.game.key(), names);
        writeln!(
            out,
            "{key:12}  {first:black$}  {second:white$}  {score:>6}  {moves:>5}  {seconds:>7.1}  {result}"
        )?;
    }
    out.flush()
}
