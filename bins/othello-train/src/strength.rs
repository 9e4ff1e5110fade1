//! `othello-train strength`: ratings of generations from a match between them.

use std::{
    io::{self, Write as _},
    path::{Path, PathBuf},
};

use anyhow::{Context as _, ensure};
use boardgame_match::{
    EngineId,
    log::{self, Contents},
    stats::{Estimate, Rating, RatingSettings, ratings},
    tally::Tally,
};
use othello_match::record::Othello;
use othello_train::{Chart, Curve, Point};

use crate::output;

const EXAMPLES: &str = "\
Example:
  Three generations, each with its own weights, with equal numbers of nodes:
    othello match -e 0=own:weights=0.weights -e 1=own:weights=1.weights -e 2=own:weights=2.weights \\
      -l nodes:10000 --form double-round-robin --rounds 100 --log generations.jsonl
    othello-train strength generations.jsonl --from 1 --plot generations.svg";

/// Rates the generations that played a match.
///
/// The engines' names in the match must be the numbers of the generations. The mean of the ratings
/// is 0; all intervals are 95 %.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Log of the match, written by `othello match`
    #[arg(value_name = "LOG.jsonl")]
    log: PathBuf,
    /// First generation of the mean and the chart; one that lost nearly all its games has an
    /// uncertain rating, which would widen the intervals of all
    #[arg(long, value_name = "N", default_value_t = 0)]
    from: u32,
    /// Write a chart of the ratings with their intervals
    #[arg(long, value_name = "FILE.svg")]
    plot: Option<PathBuf>,
}

/// A generation with its rating.
struct Generation {
    number: u32,
    rating: Rating,
    /// The rating relative to the mean, in Elo.
    elo: Estimate,
    /// The difference to the previous generation of the match in Elo, if there is one.
    gain: Option<Estimate>,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let contents = log::read::<Othello>(&args.log)?;
    let generations =
        rated(&contents, args.from).with_context(|| args.log.display().to_string())?;
    if let Some(path) = &args.plot {
        let drawn = generations
            .iter()
            .filter(|generation| generation.number >= args.from);
        draw(path, drawn)?;
    }
    table(&generations)
}

/// The generations in order, rated by the games of a match.
fn rated(contents: &Contents, from: u32) -> anyhow::Result<Vec<Generation>> {
    let engines = &contents.header.engines;
    let ids = (0..).map(EngineId);
    let numbers = engines.iter().map(|engine| number(&engine.name));
    let mut numbers: Vec<(u32, EngineId)> = numbers
        .zip(ids)
        .map(|(number, id)| Ok((number?, id)))
        .collect::<anyhow::Result<_>>()?;
    numbers.sort_unstable();
    let later = numbers.iter().filter(|(number, _)| *number >= from);
    let measure: Vec<EngineId> = later.map(|&(_, id)| id).collect();
    ensure!(
        !measure.is_empty(),
        "expected a generation {from} or later to take the mean of, found none"
    );

    let mut tally = Tally::new(engines.len());
    for game in &contents.games {
        tally.add::<Othello>(game);
    }
    let list = ratings(&tally.pairings(), engines.len(), RatingSettings::default())?;
    ensure!(
        list.ratings().iter().all(|rating| rating.group == 0),
        "expected games that connect all {} generations, found some that have no opponents in \
         common, directly or indirectly",
        engines.len(),
    );
    let mut before = None;
    let generations = numbers.into_iter().filter_map(|(number, id)| {
        let rating = list.ratings().iter().find(|rating| rating.engine == id)?;
        Some(Generation {
            number,
            rating: *rating,
            elo: list.over_mean(id, &measure),
            gain: before.replace(id).map(|before| list.difference(id, before)),
        })
    });
    Ok(generations.collect())
}

/// Parses the name of an engine, the number of a generation.
fn number(name: &str) -> anyhow::Result<u32> {
    let number = name.parse().ok();
    number
        .filter(|number: &u32| number.to_string() == name)
        .with_context(|| {
            format!("expected engines named by the numbers of their generations, found {name:?}")
        })
}

fn table(generations: &[Generation]) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "generation  games  points  {:27}  gain", "Elo")?;
    for Generation {
        number,
        rating,
        elo,
        gain,
    } in generations
    {
        let points = rating.half_points as f64 / 2.0;
        let elo = format!("{elo:+.1}");
        let gain = gain.map(|gain| format!("{gain:+.1}")).unwrap_or_default();
        let line = format!(
            "{number:>10}  {:>5}  {points:>6.1}  {elo:27}  {gain}",
            rating.games
        );
        writeln!(out, "{}", line.trim_end())?;
    }
    Ok(())
}

fn draw<'a>(path: &Path, generations: impl Iterator<Item = &'a Generation>) -> anyhow::Result<()> {
    let point = |&Generation { number, elo, .. }: &Generation| {
        let Estimate { value, low, high } = elo;
        Point {
            interval: Some([low, high]),
            ..Point::new(number.into(), value)
        }
    };
    let chart = Chart {
        title: "Strength by generation".to_owned(),
        x_label: "generation".to_owned(),
        y_label: "Elo with 95 % intervals, 0 the mean".to_owned(),
        curves: vec![Curve {
            points: generations.map(point).collect(),
            ..Curve::default()
        }],
    };
    output::write(path, chart.to_string().as_bytes())
}
