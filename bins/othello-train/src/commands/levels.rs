//! `othello-train levels`: the strength of the levels of play.

use std::{
    io::{self, Write as _},
    path::PathBuf,
};

use anyhow::Context as _;
use clap::builder::PossibleValuesParser;
use othello_engine::{
    HashSize, PlayLevel, Rating, Settings,
    human::{Model, PlayStyle},
};
use othello_search::eval::Network;

use crate::{
    levels::{GameRunner, Losses, Player, mean},
    random::Dice,
};

/// The discs a move that each level loses, the weakest first.
const TARGETS: [f64; 6] = [6.0, 4.0, 2.5, 1.9, 1.0, 0.5];

/// Measures the levels of play: what their moves lose in games against themselves, and their results against the level
/// below and simple players.
///
/// With --calibrate, changes each level's weight of lost discs until it loses about as much as it should, and prints
/// the weights for the source of the engine.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Weights of the model [default: the built-in ones]
    #[arg(long, value_name = "FILE")]
    model: Option<PathBuf>,
    /// Games of each pair
    #[arg(long, value_name = "N", default_value_t = 40)]
    games: u32,
    /// Judge one move in N
    #[arg(long, value_name = "N", default_value_t = 4)]
    every: u32,
    /// Measure only this level
    #[arg(long, value_name = "NAME", value_parser = names(), ignore_case = true)]
    level: Option<String>,
    /// Steps of the calibration
    #[arg(long, value_name = "STEPS", default_value_t = 0)]
    calibrate: u32,
    /// The seed of the games
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

fn names() -> PossibleValuesParser {
    PlayLevel::NAMED.map(|(name, _)| name).into()
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let model = match &args.model {
        None => Model::built_in().clone(),
        Some(path) => {
            let bytes = boardgame_files::read(path, 1 << 20)?;
            Model::read(&bytes).with_context(|| path.display().to_string())?
        }
    };
    let settings = Settings {
        hash: HashSize::new(8).unwrap_or_default(),
        ..Settings::default()
    };
    let network = Network::built_in();
    let mut runner = GameRunner {
        searcher: settings.searcher()?,
        judge: settings.searcher()?,
        network: &network,
        model: &model,
    };
    let (mut below, mut loss_weights) = (None, Vec::new());
    for ((name, rating), target) in PlayLevel::NAMED.into_iter().zip(TARGETS) {
        let mut style = PlayStyle::of(rating);
        if args
            .level
            .as_ref()
            .is_none_or(|level| level.eq_ignore_ascii_case(name))
        {
            if args.calibrate > 0 {
                style.loss_weight = args.calibrated(&mut runner, rating, style, target);
            }
            args.report(&mut runner, name, Player::Person(rating, style), below)?;
        }
        below = Some(Player::Person(rating, style));
        loss_weights.push(style.loss_weight);
    }
    if args.calibrate > 0 {
        writeln!(
            io::stdout(),
            "const LOSS_WEIGHTS: [f32; {}] = {loss_weights:.3?};",
            loss_weights.len()
        )?;
    }
    Ok(())
}

impl Args {
    /// Returns the weight of lost discs with which a level loses about as much as it should, by bisection of its root.
    fn calibrated(
        &self,
        runner: &mut GameRunner<'_>,
        rating: Rating,
        style: PlayStyle,
        target: f64,
    ) -> f32 {
        let (mut low, mut high) = (0.0_f32, 2.0);
        for _ in 0..self.calibrate {
            let loss_weight = f32::midpoint(low, high).powi(2);
            let losses = self.losses(
                runner,
                Player::Person(
                    rating,
                    PlayStyle {
                        loss_weight,
                        ..style
                    },
                ),
            );
            let loses_more = mean(&losses.all()).0 > target;
            *(if loses_more { &mut low } else { &mut high }) = loss_weight.sqrt();
        }
        f32::midpoint(low, high).powi(2)
    }

    /// Returns what the moves of a player lose in games against itself.
    fn losses(&self, runner: &mut GameRunner<'_>, player: Player) -> Losses {
        let (mut losses, mut dice) = (Losses::default(), Dice::new(self.seed, 0));
        for _ in 0..self.games {
            let (_, game) = runner.play(player, player, &mut dice);
            runner.judge(&game, self.every, &mut dice, &mut losses);
        }
        losses
    }

    fn report(
        &self,
        runner: &mut GameRunner<'_>,
        name: &str,
        player: Player,
        below: Option<Player>,
    ) -> io::Result<()> {
        let mut out = io::stdout().lock();
        let others = [
            ("random", Player::Random),
            ("corners", Player::Corners),
            ("mobility", Player::Mobility),
            ("search of 4 plies", Player::Search(4)),
        ];
        let below = below.map(|below| ("the level below", below));
        let opponents = below.into_iter().chain(others);
        if let Player::Person(_, style) = player {
            writeln!(out, "{name}: weight of lost discs {:.3}", style.loss_weight)?;
        }
        for (number, (other, opponent)) in opponents.enumerate() {
            let mut dice = Dice::new(self.seed, 1 + number as u64);
            let points = (0..self.games).map(|game| {
                let is_black = game % 2 == 0;
                let players = if is_black {
                    (player, opponent)
                } else {
                    (opponent, player)
                };
                let (discs, _) = runner.play(players.0, players.1, &mut dice);
                let sign = if is_black {
                    discs.signum()
                } else {
                    -discs.signum()
                };
                f64::from(1 + sign) / 2.0
            });
            let (share, error) = mean(&points.collect::<Vec<_>>());
            writeln!(
                out,
                "  {:5.1} % ± {:.1} against {other}",
                100.0 * share,
                100.0 * error
            )?;
        }
        let losses = self.losses(runner, player);
        let all = losses.all();
        let phases = losses.of_phase.each_ref().map(|phase| mean(phase).0);
        let (loss, error) = mean(&all);
        writeln!(
            out,
            "  loses {loss:.2} ± {error:.2} discs a move: {:.2}, {:.2} and {:.2} by phase, {} moves",
            phases[0],
            phases[1],
            phases[2],
            all.len(),
        )?;
        out.flush()
    }
}
