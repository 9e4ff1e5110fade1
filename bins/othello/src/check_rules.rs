//! `othello check-rules`: checks the rules of a program in any language.

use std::{
    io::{self, Write as _},
    process::ExitCode,
    time::Duration,
};

use anyhow::bail;
use boardgame_cli::duration;
use boardgame_io::{CommandLine, Incoming, Program, ProgramOptions, printable_lines};
use clap::value_parser;
use othello_core::conformance::{check_counts, check_lines};
use tokio::{runtime::Builder, time::timeout};

/// The maximum length of an answer in bytes.
const MAX_ANSWER: usize = 10_000;

/// Checks the rules of a program in any language: plays games of random moves through it and shows the first
/// difference.
#[derive(clap::Args)]
#[command(after_help = "\
The program reads lines and answers each with one:
  moves BOARD        the legal squares, as in d3 c4 f5 e6, or pass if there is none
  play BOARD MOVE    the board after the move, which is a square or pass
  perft BOARD DEPTH  with --perft: the leaves at the depth; a pass is a ply, an early end a leaf
A board is 64 squares of X, O and -, a1 to h8, a space, and the side to move, X or O, which changes with every move.

Example: othello check-rules -- python3 rules.py

Exit status:
  0  no difference
  1  a difference, or an answer that is missing or has another form
  2  the command line cannot be parsed")]
pub(crate) struct Args {
    /// The program and its arguments
    #[arg(
        value_name = "PROGRAM",
        required = true,
        trailing_var_arg = true,
        allow_hyphen_values = true
    )]
    program: Vec<String>,
    /// The number of games; every second one starts from an unusual board
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = value_parser!(u32).range(1..))]
    games: u32,
    /// The seed of the moves
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Also compare perft counts from the start and from unusual boards, up to this depth
    #[arg(long, value_name = "DEPTH", value_parser = value_parser!(u32).range(1..=13))]
    perft: Option<u32>,
    /// The time that an answer may take
    #[arg(long, value_name = "TIME", value_parser = duration, default_value = "5s")]
    wait: Duration,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let mut words = args.program.iter();
    let line = CommandLine::new(words.next().map_or("", String::as_str), words);
    let runtime = Builder::new_current_thread().enable_all().build()?;
    let launched = async { Program::launch(&line, &ProgramOptions::default()) };
    let mut asked = Asked {
        program: runtime.block_on(launched)?,
        wait: args.wait,
        unread: Vec::new(),
    };
    let mut ask = |question: &str| runtime.block_on(asked.ask(question));
    let checked = check_lines(&mut ask, args.games, args.seed).and_then(|()| match args.perft {
        Some(depth) => check_counts(ask, depth),
        None => Ok(()),
    });
    let last = asked.nothing_unread();
    let report = runtime.block_on(asked.program.end());
    let Some(error) = checked.err().map(anyhow::Error::from).or(last.err()) else {
        let perft = args
            .perft
            .map(|depth| format!(" and perft to depth {depth}"));
        let (games, perft) = (args.games, perft.unwrap_or_default());
        writeln!(io::stdout(), "{games} games{perft}, no difference")?;
        return Ok(ExitCode::SUCCESS);
    };
    let stderr = report.stderr.trim_end();
    if !stderr.is_empty() {
        writeln!(io::stderr(), "{}", printable_lines(stderr))?;
    }
    bail!("{error}");
}

/// A program that answers lines.
struct Asked {
    program: Program,
    wait: Duration,
    /// The bytes that came after the last answer.
    unread: Vec<u8>,
}

impl Asked {
    /// Sends a line and waits for the answer.
    async fn ask(&mut self, question: &str) -> anyhow::Result<String> {
        self.nothing_unread()?;
        self.program.send(format!("{question}\n").as_bytes())?;
        match timeout(self.wait, self.line()).await {
            Ok(line) => line,
            Err(_) => bail!("nothing came in {:?} (is its output flushed?)", self.wait),
        }
    }

    /// Checks that nothing came with the last answer.
    fn nothing_unread(&self) -> anyhow::Result<()> {
        if !self.unread.is_empty() {
            bail!("the program wrote more than one line in answer to the question before");
        }
        Ok(())
    }

    async fn line(&mut self) -> anyhow::Result<String> {
        loop {
            if let Some(end) = self.unread.iter().position(|&byte| byte == b'\n') {
                let line: Vec<u8> = self.unread.drain(..=end).collect();
                return Ok(String::from_utf8_lossy(&line[..end]).into_owned());
            }
            if self.unread.len() > MAX_ANSWER {
                bail!("the answer has more than {MAX_ANSWER} bytes");
            }
            match self.program.next().await {
                Some(Incoming::Bytes { bytes, .. }) => self.unread.extend(bytes),
                _ => bail!("the program ended, or closed its output"),
            }
        }
    }
}
