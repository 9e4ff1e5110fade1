//! Ratings of engines that are named by numbers, from the log of a match between them.

use std::{
    io::{self, Write},
    path::{Path, PathBuf},
};

use boardgame_files::ReplaceError;
use boardgame_match::{
    EngineId,
    log::{self, Contents, LogError},
    record::RecordFormat,
    stats::{Estimate, Rating, ratings},
    tally::Tally,
};

use crate::matches::{Chart, Curve, Point, Scale};

/// The options for rating engines named by numbers.
#[derive(Clone, Debug, clap::Args)]
pub struct StrengthOptions {
    /// Log of the match
    #[arg(value_name = "LOG.jsonl")]
    log: PathBuf,
    /// First number of the mean and the chart; an engine that lost nearly all its games has an uncertain rating, which
    /// would widen the intervals of all
    #[arg(long, value_name = "N", default_value_t = 0)]
    from: u32,
    /// Write a chart of the ratings with their intervals
    #[arg(long, value_name = "FILE.svg")]
    plot: Option<PathBuf>,
}

/// The meaning of the engines' numbers.
#[derive(Clone, Copy, Debug)]
pub struct Numbers {
    /// The word for it, such as "generation".
    pub name: &'static str,
    /// The scale of their axis.
    pub scale: Scale,
}

/// An error of ratings.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs)]
pub enum StrengthError {
    /// The log cannot be read.
    #[error(transparent)]
    Log(#[from] LogError),
    /// The engines of the log cannot be rated.
    #[error("{}: expected {expected}", log.display())]
    Engines { log: PathBuf, expected: String },
    /// The chart cannot be written.
    #[error(transparent)]
    Plot(#[from] ReplaceError),
    /// The table cannot be written.
    #[error("the ratings cannot be written")]
    Output(#[from] io::Error),
}

/// An engine with its rating.
struct Rated {
    number: u32,
    rating: Rating,
    /// The rating relative to the mean, in Elo.
    elo: Estimate,
    /// The difference to the engine with the previous number in Elo, if there is one.
    gain: Option<Estimate>,
}

impl StrengthOptions {
    /// Prints the ratings of the engines of a match in the order of their numbers, and draws a chart if requested.
    ///
    /// # Errors
    ///
    /// If the log cannot be read, its engines are not named by numbers or not connected by games, or the output cannot
    /// be written.
    pub fn run<F: RecordFormat>(
        &self,
        numbers: Numbers,
        out: &mut impl Write,
    ) -> Result<(), StrengthError> {
        let contents = log::read::<F>(&self.log)?;
        let engines =
            rated::<F>(&contents, self.from).map_err(|expected| StrengthError::Engines {
                log: self.log.clone(),
                expected,
            })?;
        if let Some(path) = &self.plot {
            let drawn = engines.iter().filter(|engine| engine.number >= self.from);
            draw(path, drawn, numbers)?;
        }
        Ok(table(&engines, numbers.name, out)?)
    }
}

/// Returns the engines of a match in the order of their numbers.
///
/// # Errors
///
/// Fails with the engines that are expected.
fn rated<F: RecordFormat>(contents: &Contents, from: u32) -> Result<Vec<Rated>, String> {
    let engines = &contents.header.engines;
    let mut numbers: Vec<(u32, EngineId)> = (0..)
        .zip(engines)
        .map(|(id, engine)| Ok((number(&engine.name)?, EngineId(id))))
        .collect::<Result<_, String>>()?;
    numbers.sort_unstable();
    let later = numbers.iter().filter(|(number, _)| *number >= from);
    let measure: Vec<EngineId> = later.map(|&(_, id)| id).collect();
    if measure.is_empty() {
        return Err(format!(
            "an engine of the number {from} or more to take the mean of, found none"
        ));
    }
    let mut tally = Tally::new(engines.len(), None);
    for game in &contents.games {
        tally.add::<F>(game);
    }
    let list = ratings(&tally.pairings(), engines.len());
    if list.ratings().iter().any(|rating| rating.group != 0) {
        return Err(format!(
            "games that connect all {} engines, found some that have no opponents in common, \
             directly or indirectly",
            engines.len()
        ));
    }
    let mut before = None;
    let rated = numbers.into_iter().filter_map(|(number, id)| {
        let rating = list.ratings().iter().find(|rating| rating.engine == id)?;
        Some(Rated {
            number,
            rating: *rating,
            elo: list.over_mean(id, &measure),
            gain: before.replace(id).map(|before| list.difference(id, before)),
        })
    });
    Ok(rated.collect())
}

/// Parses the name of an engine.
fn number(name: &str) -> Result<u32, String> {
    let number = name.parse().ok();
    number
        .filter(|number: &u32| number.to_string() == name)
        .ok_or_else(|| format!("engines named by numbers, found {name:?}"))
}

fn table(engines: &[Rated], name: &str, out: &mut impl Write) -> io::Result<()> {
    let width = name.len();
    writeln!(out, "{name}  games  points  {:27}  gain", "Elo")?;
    for Rated {
        number,
        rating,
        elo,
        gain,
    } in engines
    {
        let points = rating.half_points as f64 / 2.0;
        let elo = format!("{elo:+.1}");
        let gain = gain.map(|gain| format!("{gain:+.1}")).unwrap_or_default();
        let line = format!(
            "{number:>width$}  {:>5}  {points:>6.1}  {elo:27}  {gain}",
            rating.games
        );
        writeln!(out, "{}", line.trim_end())?;
    }
    Ok(())
}

fn draw<'a>(
    path: &Path,
    engines: impl Iterator<Item = &'a Rated>,
    numbers: Numbers,
) -> Result<(), ReplaceError> {
    let point = |&Rated { number, elo, .. }: &Rated| {
        let Estimate { value, low, high } = elo;
        Point {
            interval: Some([low, high]),
            ..Point::new(number.into(), value)
        }
    };
    let chart = Chart {
        title: format!("Strength by {}", numbers.name),
        x_label: numbers.name.to_owned(),
        x_scale: numbers.scale,
        y_label: "Elo with 95 % intervals, 0 the mean".to_owned(),
        curves: vec![Curve {
            points: engines.map(point).collect(),
            ..Curve::default()
        }],
    };
    boardgame_files::replace(path, chart.to_string().as_bytes())
}
