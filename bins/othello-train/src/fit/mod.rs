//! `othello-train fit`: a model from games.

mod lock;
mod report;

use std::{
    path::{Path, PathBuf},
    time::Instant,
};

use anyhow::{Context as _, anyhow, ensure};
use othello_search::eval::{MAX_FILE_BYTES, ReadWeightsError, Weights};
use othello_train::{
    Corpus, Split, Teacher,
    fit::{
        Checkpoint, CheckpointError, Errors, Event, Fault, Linear, Model, Network, Rates, Settings,
        fit, validate,
    },
};

use self::{
    lock::Lock,
    report::{draw, table, tell},
};
use crate::{corpus, problems::read_problems, progress::bar};

/// The rate of the linear reference, unless another is asked for.
const LINEAR_RATE: f32 = 0.5;

/// The largest window, 6 GB of samples.
const MOST_WINDOW: usize = 1 << 28;

const EXAMPLES: &str = "\
Examples:
  The network from the games of generation 0:
    othello-train fit gen/0 --out gen/0.model --plot gen/0.svg
  The next one from where that ended, with more weight on the new games:
    othello-train fit gen/1 --out gen/1.model --from gen/0.model --memory 0.2
  The same where no model is left, from the weights that were made of it:
    othello-train fit gen/1 --out gen/1.model --from gen/0.weights --memory 0.03 --decay 1000000
  The linear reference, one table for 4 numbers of discs:
    othello-train fit gen/1 --out gen/1-linear.model --hidden 0 --phase 4

A fit that was stopped goes on after its last whole epoch when it is started again.";

/// Fits a model to games and tells how far it is off on those held out.
///
/// The samples are drawn from a window of 24 bytes each; besides it the network takes 16 MB, started
/// from weights 31 MB, and the linear reference 55 MB with a table for each number of discs; a teacher
/// takes 15 MB more, and a model read or written twice its own size for that moment. The same games
/// and settings give the same bits.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Shards of games, or folders of them
    #[arg(value_name = "GAMES", required = true)]
    games: Vec<PathBuf>,
    /// Positions of the first moves with their values, as `openings` writes them
    #[arg(long, value_name = "FILE.obf")]
    openings: Option<PathBuf>,
    /// Weights that correct the scores of games by what they take later positions for
    #[arg(long, value_name = "WEIGHTS")]
    teacher: Option<PathBuf>,
    /// How much the game counts against the teacher, from one position to the next
    #[arg(long, value_name = "SHARE", default_value_t = 0.9, requires = "teacher", value_parser = share)]
    lambda: f32,
    /// The file that keeps the model after each epoch
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// What to start from: a model of the same kind or, for the network, weights
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,
    /// What share of its inertia that keeps (weights have about as much as these games bring): less
    /// lets new games count for more
    #[arg(long, value_name = "SHARE", default_value_t = 0.1, requires = "from", value_parser = not_negative)]
    memory: f32,
    #[command(flatten)]
    form: Form,
    /// How often to go through all games
    #[arg(long, value_name = "N", default_value_t = Settings::default().epochs)]
    epochs: u32,
    /// Decides the order of the samples, and where the network starts
    #[arg(long, value_name = "N", default_value_t = Settings::default().seed)]
    seed: u64,
    /// The rate of the rows [default: 0.1; of the linear reference 0.5]
    #[arg(long, value_name = "STEP", value_parser = not_negative)]
    rate: Option<f32>,
    /// The rate of the network's heads [default: 1]
    #[arg(long, value_name = "STEP", value_parser = not_negative)]
    head_rate: Option<f32>,
    /// How strongly the rows of the network are drawn to 0, or to weights given by --from, the
    /// more the less is known of them [default: 1000000]
    #[arg(long, value_name = "N", value_parser = not_negative)]
    decay: Option<f32>,
    /// The samples among which the next one is drawn
    #[arg(long, value_name = "N", default_value_t = Settings::default().window, value_parser = window)]
    window: usize,
    /// Hold out one of so many games
    #[arg(long, value_name = "N", default_value_t = Split::default().one_in, value_parser = clap::value_parser!(u32).range(2..))]
    hold_out: u32,
    /// Draw the error by the number of discs
    #[arg(long, value_name = "FILE.svg")]
    plot: Option<PathBuf>,
}

/// What kind of model it is.
#[derive(clap::Args)]
pub(crate) struct Form {
    /// The hidden values of the network: 32, or 0 for the linear reference
    #[arg(long, value_name = "N", default_value_t = 32, value_parser = hidden)]
    hidden: u32,
    /// Numbers of discs that share a table of the linear reference
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=60))]
    phase: u32,
}

impl Form {
    /// Refuses options of the one for the other.
    pub(crate) fn check(&self) -> anyhow::Result<()> {
        ensure!(
            self.hidden == 0 || self.phase == 1,
            "--phase is of the linear reference, --hidden 0"
        );
        Ok(())
    }

    /// The numbers of discs that share a table, if it is the linear reference.
    pub(crate) fn linear(&self) -> Option<u32> {
        (self.hidden == 0).then_some(self.phase)
    }
}

fn hidden(text: &str) -> Result<u32, String> {
    let number = text.parse().ok().filter(|number| [0, 32].contains(number));
    number.ok_or_else(|| "expected 32 or 0".into())
}

fn window(text: &str) -> Result<usize, String> {
    let number = text.parse().ok().filter(|number| *number <= MOST_WINDOW);
    number.ok_or_else(|| format!("expected a number up to {MOST_WINDOW}"))
}

fn not_negative(text: &str) -> Result<f32, String> {
    let number = text
        .parse()
        .ok()
        .filter(|number| (0.0..1e9).contains(number));
    number.ok_or_else(|| "expected a number from 0 to below 1e9".into())
}

fn share(text: &str) -> Result<f32, String> {
    let number = text
        .parse()
        .ok()
        .filter(|share| (0.0..=1.0).contains(share));
    number.ok_or_else(|| "expected a number from 0 to 1".into())
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    args.form.check()?;
    let corpus = args.corpus()?;
    let _lock = Lock::take(&args.out)?;
    if let Some(phase) = args.form.linear() {
        ensure!(
            args.head_rate.is_none() && args.decay.is_none(),
            "--head-rate and --decay are of the network, and --hidden 0 is the linear reference",
        );
        let mut linear = Linear::new(phase, args.rates().rows);
        let from = args.from.as_ref();
        let from = from.map(|path| read_into(&mut linear, path)).transpose()?;
        return fitted(args, &corpus, linear, from.map(|from| from.signature()));
    }
    let (network, from) = start(args, &corpus)?;
    fitted(args, &corpus, network, from)
}

/// The network that learning starts from, and the checksum of what it was made of, if of anything.
fn start(args: &Args, corpus: &Corpus) -> anyhow::Result<(Network<32>, Option<u32>)> {
    let rates = args.rates();
    let fresh = || Network::new(args.seed, rates);
    let Some(from) = &args.from else {
        return Ok((fresh(), None));
    };
    let name = || from.display().to_string();
    let bytes = othello_files::read(from, Checkpoint::MAX_BYTES).with_context(name)?;
    let weights = match Weights::read(&bytes) {
        Err(ReadWeightsError::Magic { .. }) => {
            let mut network = fresh();
            let model = read_into(&mut network, from).map_err(|error| {
                match error.downcast_ref() {
                    Some(CheckpointError::Damaged { fault: Fault::Magic, .. }) => anyhow!(
                        "{}: expected a model, which begins with OTHMODEL, or the weights of a network, \
                         which begin with \"othello\" and a zero byte",
                        from.display(),
                    ),
                    _ => error,
                }
            })?;
            return Ok((network, Some(model.signature())));
        }
        weights => weights.with_context(name)?,
    };
    let mut network = Network::with_weights(&weights, rates);
    // A fit that goes on has its own sums.
    if !args.out.exists() {
        network.survey(corpus, args.split(), args.epochs)?;
    }
    Ok((network, Some(crc32fast::hash(&bytes))))
}

impl Args {
    fn corpus(&self) -> anyhow::Result<Corpus> {
        let mut corpus = corpus::open(&self.games)?;
        if let Some(path) = &self.openings {
            corpus = corpus.with_openings(&read_problems(path)?);
        }
        if let Some(path) = &self.teacher {
            let name = || path.display().to_string();
            let bytes = othello_files::read(path, MAX_FILE_BYTES).with_context(name)?;
            let teacher = Teacher::read(&bytes, self.lambda).with_context(name)?;
            corpus = corpus.with_teacher(teacher);
        }
        Ok(corpus)
    }

    fn split(&self) -> Split {
        Split {
            one_in: self.hold_out,
        }
    }

    /// Of the linear reference the first one alone counts.
    fn rates(&self) -> Rates {
        let default = Rates::default();
        let rows = if self.form.linear().is_some() {
            LINEAR_RATE
        } else {
            default.rows
        };
        Rates {
            rows: self.rate.unwrap_or(rows),
            heads: self.head_rate.unwrap_or(default.heads),
            decay: self.decay.unwrap_or(default.decay),
        }
    }
}

/// Fits a model and tells how far it is off; `from` is the checksum of what it was made of, if of
/// anything.
fn fitted<M: Model>(
    args: &Args,
    corpus: &Corpus,
    mut model: M,
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

/// How far the fit has come before, in the model too, but without its numbers.
fn begun<M: Model>(
    args: &Args,
    corpus: &Corpus,
    model: &mut M,
    from: Option<u32>,
) -> anyhow::Result<Checkpoint> {
    let mut kept = Checkpoint {
        fit: name(args, model, corpus)?,
        epochs: 0,
        numbers: Vec::new(),
    };
    if let Some(from) = from {
        kept.fit = format!("{}, from {from:08x}", kept.fit);
        model.forget(args.memory);
    }
    if args.out.exists() {
        let before = read_into(model, &args.out)?;
        let out = args.out.display();
        ensure!(
            before.fit == kept.fit,
            "{out} holds another fit: expected {}, found {}",
            kept.fit,
            before.fit,
        );
        kept.epochs = before.epochs;
    }
    Ok(kept)
}

/// The units of an epoch's progress.
const EPOCH: u64 = 1000;

/// Goes through the epochs that are left and keeps the model after each; the errors after the last,
/// if there was any.
fn learn<M: Model>(
    args: &Args,
    corpus: &Corpus,
    model: &mut M,
    mut kept: Checkpoint,
) -> anyhow::Result<Option<Errors>> {
    let settings = Settings {
        seed: args.seed,
        epochs: args.epochs,
        split: args.split(),
        window: args.window,
    };
    let began = Instant::now();
    let bar = bar("thousandths of an epoch");
    bar.set_length(u64::from(settings.epochs) * EPOCH);
    bar.set_position(u64::from(kept.epochs) * EPOCH);
    bar.reset_eta();
    let mut last = None;
    let first = kept.epochs;
    let observer = &mut |event: Event<'_>, model: &M| -> anyhow::Result<()> {
        match event {
            Event::Learnt { samples, done } => {
                bar.set_position((done * (u64::from(settings.epochs) * EPOCH) as f32) as u64);
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
                // A reader that has gone does not end the fit; it is missed when the table is printed.
                let _ = bar.suspend(|| tell(number, training, validation));
                last = Some(validation.clone());
            }
            _ => {}
        }
        Ok(())
    };
    fit(model, corpus, &settings, first, observer)?;
    bar.finish_and_clear();
    Ok(last)
}

/// All that a fit depends on, in words.
fn name<M: Model>(args: &Args, model: &M, corpus: &Corpus) -> anyhow::Result<String> {
    let Rates { rows, heads, decay } = args.rates();
    Ok(format!(
        "{}, {} games {:08x}, one in {} held out, {} epochs, window {}, seed {}, rates {rows} {heads}, decay {decay}, memory {}",
        model.kind(),
        corpus.len(),
        corpus.signature()?,
        args.hold_out,
        args.epochs,
        args.window,
        args.seed,
        args.memory,
    ))
}

/// Reads the numbers of a model.
pub(crate) fn read_into<M: Model>(model: &mut M, path: &Path) -> anyhow::Result<Checkpoint> {
    let checkpoint = Checkpoint::read(path)?;
    model
        .set_numbers(&checkpoint.numbers)
        .with_context(|| format!("{} is no {}", path.display(), model.kind()))?;
    Ok(checkpoint)
}
