//! `othello-train fit`: fits a model to games.

mod identity;
mod report;

use std::{
    io,
    path::{Path, PathBuf},
    time::Instant,
};

use anyhow::{Context as _, anyhow, bail, ensure};
use boardgame_files::{AppendFile, AppendOptions, OpenError, check_target};
use othello_search::eval::{HIDDEN, ReadWeightsError, Weights};

use self::report::{SVG, draw, print_epoch, table};
pub(crate) use self::{
    identity::{FittedGames, fitted_games, games},
    report::figures,
};
use super::{corpus, engine::read_weights, problems::read_problems, progress::bar};
use crate::{
    corpus::{Corpus, Split},
    fit::{Checkpoint, Errors, Event, Network, Rates, Settings, fit, validate},
    targets::Targets,
};

/// The type of the fitted network.
pub(crate) type Fitted = Network<HIDDEN>;

/// The maximum size of the window: 6 GB of samples.
const MAX_WINDOW: usize = 1 << 28;

const EXAMPLES: &str = "\
Examples:
  The network, from the games of generation 0:
    othello-train fit gen/0 --out gen/0.model --plot gen/0.svg
  The next network, starting from that one, with more weight on the new games:
    othello-train fit gen/1 --out gen/1.model --from gen/0.model --prior-weight 0.2
  The same from the quantized weights, if the model no longer exists:
    othello-train fit gen/1 --out gen/1.model --from gen/0.weights \\
      --prior-weight 0.03 --decay 1000000

An interrupted fit is resumed after its last complete epoch by the same command.";

/// Fits a model to games and prints its errors on held-out games.
///
/// The result depends on the games and the settings only, to the bit. Memory: 24 bytes for each sample of the window;
/// 35 MB for the network, 70 MB if it starts from weights; 17 MB for a teacher; twice the size of a model while it is
/// read or written.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Shards of games, or folders of them
    #[arg(value_name = "GAMES", required = true)]
    games: Vec<PathBuf>,
    /// Positions of the first moves, written by `openings`
    #[arg(long, value_name = "FILE.obf")]
    openings: Option<PathBuf>,
    /// Weights of a teacher, whose estimates replace search values in games without them; 0.9 is a good --lambda for
    /// these
    #[arg(long, value_name = "WEIGHTS")]
    teacher: Option<PathBuf>,
    /// Share of the next position's target in a position's target; the rest is the next position's value by the
    /// search that played the game, or by the teacher. Without either, targets are final scores
    #[arg(long, value_name = "SHARE", default_value_t = 0.7, value_parser = share)]
    lambda: f32,
    /// File of the model, written after each epoch
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Model or weights to start from
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,
    /// Weight given to the accumulated squared gradients of the fit of --from (estimated for weights); less gives new
    /// games more weight
    #[arg(long, value_name = "FACTOR", default_value_t = 0.1, requires = "from", value_parser = not_negative)]
    prior_weight: f32,
    /// Number of passes over all games
    #[arg(long, value_name = "N", default_value_t = Settings::default().epochs, value_parser = clap::value_parser!(u32).range(1..))]
    epochs: u32,
    /// Seed of the order of the samples and of the initial network
    #[arg(long, value_name = "N", default_value_t = Settings::default().seed)]
    seed: u64,
    /// Learning rate of the rows [default: 0.1]
    #[arg(long, value_name = "STEP", value_parser = not_negative)]
    rate: Option<f32>,
    /// Learning rate of the network's heads [default: 1]
    #[arg(long, value_name = "STEP", value_parser = not_negative)]
    head_rate: Option<f32>,
    /// Weight decay of the network's rows, towards 0 or the weights of --from [default: 1000000]
    #[arg(long, value_name = "N", value_parser = not_negative)]
    decay: Option<f32>,
    /// Size of the window from which samples are drawn at random
    #[arg(long, value_name = "N", default_value_t = Settings::default().window, value_parser = window)]
    window: usize,
    /// Hold out one in N games
    #[arg(long, value_name = "N", default_value_t = Split::default().one_in, value_parser = clap::value_parser!(u32).range(2..))]
    hold_out: u32,
    /// Write a chart of the errors by the number of discs
    #[arg(long, value_name = "FILE.svg")]
    plot: Option<PathBuf>,
}

/// Parses the size of the window.
fn window(text: &str) -> anyhow::Result<usize> {
    let number = text.parse().ok().filter(|number| *number <= MAX_WINDOW);
    number.with_context(|| format!("expected a number up to {MAX_WINDOW}"))
}

/// Parses a number that is not negative.
fn not_negative(text: &str) -> anyhow::Result<f32> {
    let number = text
        .parse()
        .ok()
        .filter(|number| (0.0..1e9).contains(number));
    number.context("expected a number from 0 to below 1e9")
}

/// Parses a share, 0 to 1.
fn share(text: &str) -> anyhow::Result<f32> {
    let number = text
        .parse()
        .ok()
        .filter(|share| (0.0..=1.0).contains(share));
    number.context("expected a number from 0 to 1")
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    check_target(&args.out, Checkpoint::MAGIC)?;
    if let Some(path) = &args.plot {
        check_target(path, SVG)?;
    }
    let _lock = lock(&args.out)?;
    let corpus = args.corpus()?;
    let (network, from) = start(args, &corpus)?;
    fitted(args, &corpus, network, from)
}

/// Locks a model against other processes, by a separate file, since the model is replaced after each epoch.
fn lock(model: &Path) -> anyhow::Result<AppendFile> {
    let path = model.with_added_extension("lock");
    let options = AppendOptions {
        lock: true,
        ..AppendOptions::default()
    };
    AppendFile::open(&path, options).map_err(|error| match error {
        OpenError::Locked => anyhow!("{}: another process is fitting it", model.display()),
        other => anyhow!(io::Error::from(other)).context(path.display().to_string()),
    })
}

/// Returns the initial network, and the checksum of the file it was made from, if any.
fn start(args: &Args, corpus: &Corpus) -> anyhow::Result<(Fitted, Option<u32>)> {
    let rates = args.rates();
    let fresh = || Fitted::new(args.seed, rates);
    let Some(from) = &args.from else {
        return Ok((fresh(), None));
    };
    let name = || from.display().to_string();
    let bytes = boardgame_files::read(from, Checkpoint::MAX_BYTES).with_context(name)?;
    let weights = match Weights::read(&bytes) {
        Err(ReadWeightsError::Magic { .. }) => {
            ensure!(
                bytes.starts_with(Checkpoint::MAGIC),
                "{}: expected a model, which begins with OTHMODEL, or the weights of a network, which begin with \
                 \"othello\" and a zero byte",
                name(),
            );
            let mut network = fresh();
            let model = read_into(&mut network, from)?;
            return Ok((network, Some(model.signature())));
        }
        weights => weights.with_context(name)?,
    };
    let mut network = Network::from_weights(&weights, rates);
    // A resumed fit has its own sums.
    if !args.out.exists() {
        network.estimate_gradient_sums(corpus, args.split(), args.epochs)?;
    }
    Ok((network, Some(crc32fast::hash(&bytes))))
}

impl Args {
    /// Returns the games; for a resumed fit those at its start.
    fn corpus(&self) -> anyhow::Result<Corpus> {
        let mut corpus = corpus::open(&self.games)?;
        if self.out.exists() {
            let begun = fitted_games(&Checkpoint::read(&self.out)?)
                .with_context(|| self.out.display().to_string())?;
            corpus = corpus.limited_to(&begun.shares)?;
        }
        if let Some(path) = &self.openings {
            corpus = corpus.with_openings(&read_problems(path)?);
        }
        let mut targets = Targets::new(self.lambda);
        if let Some(path) = &self.teacher {
            let taught = targets.with_teacher(&read_weights(path)?);
            targets = taught.with_context(|| path.display().to_string())?;
        }
        Ok(corpus.with_targets(targets))
    }

    fn split(&self) -> Split {
        Split {
            one_in: self.hold_out,
        }
    }

    fn rates(&self) -> Rates {
        let default = Rates::default();
        Rates {
            rows: self.rate.unwrap_or(default.rows),
            heads: self.head_rate.unwrap_or(default.heads),
            decay: self.decay.unwrap_or(default.decay),
        }
    }
}

/// Fits a model and prints its errors; `from` is the checksum of the file it was made of, if any.
fn fitted(
    args: &Args,
    corpus: &Corpus,
    mut model: Fitted,
    from: Option<u32>,
) -> anyhow::Result<()> {
    let kept = begun(args, corpus, &mut model, from)?;
    let errors = match learn(args, corpus, &mut model, kept)? {
        Some(errors) => errors,
        None => validate(&model, corpus, args.split())?,
    };
    if let Some(path) = &args.plot {
        draw(path, &errors)?;
    }
    table(&errors)
}

/// Loads an earlier checkpoint, if any, into `model`; returns the current one without numbers.
fn begun(
    args: &Args,
    corpus: &Corpus,
    model: &mut Fitted,
    from: Option<u32>,
) -> anyhow::Result<Checkpoint> {
    let work = identity::work(args, corpus, from)?;
    if from.is_some() {
        model.scale_gradient_sums(args.prior_weight);
    }
    let mut kept = Checkpoint {
        fit: serde_json::to_string(&work)?,
        epochs: 0,
        numbers: Vec::new(),
    };
    if args.out.exists() {
        let before = read_into(model, &args.out)?;
        let out = args.out.display();
        if let Some(difference) = work.difference(&identity::of(&before).context(out.to_string())?)
        {
            bail!("{out} holds another fit: {difference}");
        }
        kept.epochs = before.epochs;
    }
    Ok(kept)
}

/// The number of progress units per epoch.
const EPOCH: u64 = 1000;

/// Trains the model for the remaining epochs and writes a checkpoint after each. Returns the errors
/// after the last epoch, or `None` if none remained.
fn learn(
    args: &Args,
    corpus: &Corpus,
    model: &mut Fitted,
    mut kept: Checkpoint,
) -> anyhow::Result<Option<Errors>> {
    let settings = Settings {
        seed: args.seed,
        epochs: args.epochs,
        split: args.split(),
        window: args.window,
    };
    let began = Instant::now();
    let [length, done] = [settings.epochs, kept.epochs].map(|epochs| u64::from(epochs) * EPOCH);
    let bar = bar("thousandths of an epoch", length, done);
    let mut last = None;
    let first = kept.epochs;
    let observer = &mut |event: Event<'_>, model: &Fitted| {
        match event {
            Event::Learnt { samples, done } => {
                bar.set_position((done * length as f32) as u64);
                let rate = samples as f64 / began.elapsed().as_secs_f64();
                bar.set_message(format!("{rate:.0} samples/s"));
            }
            Event::Epoch {
                number,
                training,
                validation,
            } => {
                kept.epochs = number;
                kept.numbers = model.numbers();
                kept.write(&args.out)?;
                kept.numbers = Vec::new();
                // A closed pipe does not end the fit; printing the table reports the error.
                let _ = bar.suspend(|| print_epoch(number, training, validation));
                last = Some(validation.clone());
            }
        }
        Ok(())
    };
    fit(model, corpus, &settings, first, observer)?;
    bar.finish_and_clear();
    Ok(last)
}

/// Reads a checkpoint into a model.
pub(crate) fn read_into(model: &mut Fitted, path: &Path) -> anyhow::Result<Checkpoint> {
    let checkpoint = Checkpoint::read(path)?;
    model
        .set_numbers(&checkpoint.numbers)
        .with_context(|| format!("{} is no model of this network", path.display()))?;
    Ok(checkpoint)
}
