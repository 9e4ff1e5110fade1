//! `go-train predict`: how well weights predict the moves of games.

use std::{
    collections::BTreeMap,
    convert::Infallible,
    io::{self, Write as _},
};

use go_search::{
    Weights,
    learn::{Shapes, TreeReader},
};

use super::{source::GamesOption, weights::WeightsOption};
use crate::training_game::visit;

/// The number of moves of a row.
const PHASE: usize = 50;

/// Tells how well the priors of moves in the tree predict the moves of games, by the number of moves before them.
///
/// The owners of points are those of 64 playouts. Positions whose move fills an eye are left out.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    source: GamesOption,
    #[command(flatten)]
    weights: WeightsOption,
}

/// Predicted moves, in shares of positions.
#[derive(Clone, Copy, Default)]
struct Predicted {
    positions: u32,
    first: f64,
    among_five: f64,
    log: f64,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let (games, _) = args.source.read()?;
    let settings = args.weights.settings();
    let weights = settings.weights.as_ref().map(|file| file.weights().clone());
    let weights: Weights = weights.unwrap_or_default();
    let mut reader = TreeReader::new(Shapes::default());
    let mut phases: BTreeMap<usize, Predicted> = BTreeMap::new();
    let Ok(()) = visit(&games, args.source.every, |_, position| {
        let priors = reader.priors(position.position, &weights);
        let total: f64 = priors.iter().map(|it| f64::from(it.1)).sum();
        let considered: f32 = priors.iter().map(|it| position.share(it.0)).sum();
        if considered > 0.0 {
            let phase = phases.entry(position.number / PHASE).or_default();
            phase.positions += 1;
            for &(point, prior) in &priors {
                let share = f64::from(position.share(point));
                let before = priors.iter().filter(|other| other.1 > prior).count();
                phase.first += if before == 0 { share } else { 0.0 };
                phase.among_five += if before < 5 { share } else { 0.0 };
                if share > 0.0 {
                    phase.log += share * (f64::from(prior) / total).ln();
                }
            }
        }
        Ok::<(), Infallible>(())
    });
    let mut out = io::stdout().lock();
    writeln!(
        out,
        "moves     positions  first  among five  mean log-likelihood"
    )?;
    let mut all = Predicted::default();
    for (phase, predicted) in phases {
        let moves = format!("{}-{}", phase * PHASE + 1, (phase + 1) * PHASE);
        predicted.print(&mut out, &moves)?;
        all.positions += predicted.positions;
        all.first += predicted.first;
        all.among_five += predicted.among_five;
        all.log += predicted.log;
    }
    Ok(all.print(&mut out, "all")?)
}

impl Predicted {
    fn print(self, out: &mut impl io::Write, moves: &str) -> io::Result<()> {
        let count = f64::from(self.positions.max(1));
        writeln!(
            out,
            "{moves:9} {:9} {:5.1}% {:10.1}% {:20.4}",
            self.positions,
            100.0 * self.first / count,
            100.0 * self.among_five / count,
            self.log / count
        )
    }
}
