//! `go-game play`: a person plays in the terminal.

mod local;
mod person;
mod remote;
mod save;

use std::{
    io::{self, Write},
    process::ExitCode,
};

use anyhow::{Context as _, bail};
use boardgame_core::{ByColor, Color};
use go_cli::Options;
use go_core::{Game, Komi, Rules, Setup, Size, max_fixed_handicap};
use go_engine::{Engine, Settings};
use go_match::{Format, GoProgram};

use crate::options::judge;

/// Plays in the terminal against our engine or a program.
///
/// On your turn type a point such as Q16, pass, undo, hint, save FILE.sgf (writes the game) or quit. After the game you
/// can still save. Nobody holds you or the program to a clock; our engine thinks for 3 s, unless its options say
/// otherwise. After quit, or at the end of input, a program has 5 s left for its move.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  go-game play --size 9 --color white --move-time 1s
  go-game play 'gtp:gnugo --mode gtp' --handicap 4")]
pub(crate) struct Args {
    /// The program to play against, with its arguments, after gtp: if it speaks GTP, else in the format of the USENIX
    /// tournament [default: our engine]
    program: Option<GoProgram>,
    /// Your colour
    #[arg(long, default_value_t = Color::Black)]
    color: Color,
    /// The size of the board, 1 to 25, of which the USENIX format does not tell a program
    #[arg(long, value_name = "LINES", default_value = "19")]
    size: Size,
    /// White's bonus [default: 5.5, with a handicap 0.5]
    #[arg(long, value_name = "POINTS", allow_hyphen_values = true)]
    komi: Option<Komi>,
    /// The rules: japanese, chinese, aga, new-zealand, tromp-taylor, or such as simple-ko+area
    #[arg(long, value_name = "RULES", default_value = "japanese")]
    rules: Rules,
    /// Begin with this number of black stones, 2 to 9
    #[arg(long, value_name = "STONES", value_parser = clap::value_parser!(u8).range(2..=9))]
    handicap: Option<u8>,
    #[command(flatten)]
    options: Options,
}

impl Args {
    fn setup(&self) -> anyhow::Result<Setup> {
        let default = if self.handicap.is_some() { 1 } else { 11 };
        let komi = self.komi.unwrap_or(Komi::from_half_points(default));
        let setup = Setup::new(self.size).with_komi(komi).with_rules(self.rules);
        let Some(stones) = self.handicap else {
            return Ok(setup);
        };
        let is_usenix = |program: &GoProgram| program.format == Format::Usenix;
        if self.program.as_ref().is_some_and(is_usenix) {
            bail!("expected a program after gtp: the USENIX format has no word for a handicap");
        }
        let size = self.size;
        // The maximum is more helpful than the error.
        let with_stones = setup.with_fixed_handicap(stones.into()).ok();
        with_stones.with_context(|| match max_fixed_handicap(size) {
            0 => format!("no handicap is possible on {size}"),
            max => format!("expected a handicap of at most {max} stones on {size}, not {stones}"),
        })
    }

    /// Returns the names of the players, for records.
    fn players(&self, opponent: &str) -> ByColor<String> {
        let players = ByColor {
            black: "Person".into(),
            white: opponent.into(),
        };
        match self.color {
            Color::Black => players,
            Color::White => players.swapped(),
        }
    }

    fn engine(&self) -> Engine {
        Engine::new(Settings::from(&self.options))
    }
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let setup = args.setup()?;
    match &args.program {
        Some(program) => remote::play(args, program, setup),
        None => local::play(args, setup),
    }
}

/// Takes back moves up to the last one of `color`, included; `false` if there is none.
fn take_back(game: &mut Game, color: Color) -> bool {
    let last = game.moves().iter().rposition(|&(side, _)| side == color);
    let Some(kept) = last else {
        return false;
    };
    while game.moves().len() > kept && game.undo().is_some() {}
    true
}

/// Shows the final board, its judgement, and the moves.
fn conclude(out: &mut impl Write, game: &Game) -> io::Result<()> {
    writeln!(out, "{}", game.position())?;
    if game.position().is_over() {
        writeln!(out, "{}", judge().judge(game.position()))?;
    }
    if game.moves().is_empty() {
        return Ok(());
    }
    writeln!(out, "{}", game.transcript())
}

#[cfg(test)]
mod tests {
    use go_core::Move;

    use super::*;

    #[test]
    fn a_move_is_taken_back_with_the_answer_to_it() {
        let mut game = Game::default();
        for mv in ["D4", "Q16", "pass"] {
            game.play(mv.parse::<Move>().unwrap()).unwrap();
        }
        assert!(take_back(&mut game, Color::White));
        assert_eq!(game.transcript().to_string(), "B D4");
        assert!(!take_back(&mut game, Color::White));
        assert_eq!(game.moves().len(), 1);
    }
}
