//! Epochs: a model learns from a corpus, and is then tried on the games held out.

use std::{sync::mpsc, thread};

use othello_core::{Backend, Tier, WithBackend};

use super::{
    Errors, Features, Model,
    stream::{self, Block, Selection, Shuffle},
};
use crate::corpus::{Corpus, CorpusError, Split};

/// How a model is fitted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Decides the order of the samples.
    pub seed: u64,
    /// How often all samples are learnt from.
    pub epochs: u32,
    /// Which games are held out.
    pub split: Split,
    /// The samples among which the next one is drawn, of 24 bytes each.
    pub window: usize,
}

impl Default for Settings {
    /// Seed 1, 6 epochs, a window of 2²⁰ samples.
    fn default() -> Self {
        Self {
            seed: 1,
            epochs: 6,
            split: Split::default(),
            window: 1 << 20,
        }
    }
}

/// What happens in a fit.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Event<'a> {
    /// Some samples were learnt from.
    Learnt {
        /// How many since [`fit`] was called.
        samples: u64,
        /// The part of all epochs that is done, 0 to 1.
        done: f32,
    },
    /// An epoch is over.
    Epoch {
        /// Its number, from 1.
        number: u32,
        /// The errors before learning from each sample.
        training: &'a Errors,
        /// The errors on the games held out, after the epoch.
        validation: &'a Errors,
    },
}

/// Blocks on their way from one thread to the other.
const BLOCKS_AHEAD: usize = 8;

/// Lets a model learn, from epoch `first` on, counted from 0; `observer` hears how it goes, and its
/// error ends the fit.
///
/// Besides the model the fit holds the window of samples and a few blocks of them, in all about
/// [`Settings::window`] × 24 bytes and 3 MB, however many games the corpus has; the corpus holds its
/// openings and teacher. The rate falls from the
/// whole at the beginning of the first epoch to 0 at the end of the last in a straight line.
///
/// # Errors
///
/// When the games cannot be read, or the observer fails.
pub fn fit<M: Model, E: From<CorpusError>>(
    model: &mut M,
    corpus: &Corpus,
    settings: &Settings,
    first: u32,
    observer: &mut dyn FnMut(Event<'_>, &M) -> Result<(), E>,
) -> Result<(), E> {
    let tier = Tier::best();
    let mut samples = 0;
    for epoch in first..settings.epochs {
        let mut training = Errors::default();
        let shuffle = Shuffle {
            window: settings.window,
            seed: settings.seed,
            epoch: u64::from(epoch),
        };
        let selection = Selection {
            split: settings.split,
            held_out: false,
            shuffle: Some(shuffle),
        };
        each_block(corpus, &selection, &mut |block| {
            let done = (epoch as f32 + block.sent) / settings.epochs as f32;
            let errors = &mut training;
            tier.dispatch(Learn {
                model: &mut *model,
                block: &block.samples,
                rate: 1.0 - done,
                errors,
            });
            samples += block.samples.len() as u64;
            observer(Event::Learnt { samples, done }, model)
        })?;
        let validation = validate(model, corpus, settings.split)?;
        let event = Event::Epoch {
            number: epoch + 1,
            training: &training,
            validation: &validation,
        };
        observer(event, model)?;
    }
    Ok(())
}

/// The errors of a model on the games that are held out, predictions cut off at 64 discs.
///
/// # Errors
///
/// When the games cannot be read.
pub fn validate<M: Model>(model: &M, corpus: &Corpus, split: Split) -> Result<Errors, CorpusError> {
    let tier = Tier::best();
    let mut errors = Errors::default();
    let selection = Selection {
        split,
        held_out: true,
        shuffle: None,
    };
    each_block(corpus, &selection, &mut |block| {
        tier.dispatch(Try {
            model,
            block: &block.samples,
            errors: &mut errors,
        });
        Ok::<(), CorpusError>(())
    })?;
    Ok(errors)
}

/// Hands each block of the selection to `work`, while another thread prepares the next ones, until
/// there is an error.
pub(super) fn each_block<E: From<CorpusError>>(
    corpus: &Corpus,
    selection: &Selection,
    work: &mut dyn FnMut(&Block) -> Result<(), E>,
) -> Result<(), E> {
    let (sender, receiver) = mpsc::sync_channel(BLOCKS_AHEAD);
    thread::scope(|scope| {
        scope.spawn(move || stream::send(corpus, selection, &sender));
        for block in receiver {
            work(&block?)?;
        }
        Ok(())
    })
}

/// Learning from a block, for whichever tier.
struct Learn<'a, M> {
    model: &'a mut M,
    block: &'a [Features],
    rate: f32,
    errors: &'a mut Errors,
}

impl<M: Model> WithBackend for Learn<'_, M> {
    type Output = ();

    fn run<B: Backend>(self, backend: B) {
        backend.vectorize(
            #[inline(always)]
            || {
                for features in self.block {
                    let error = self.model.learn(features, self.rate);
                    self.errors.add(features.head, error);
                }
            },
        );
    }
}

/// Predicting a block, for whichever tier.
struct Try<'a, M> {
    model: &'a M,
    block: &'a [Features],
    errors: &'a mut Errors,
}

impl<M: Model> WithBackend for Try<'_, M> {
    type Output = ();

    fn run<B: Backend>(self, backend: B) {
        backend.vectorize(
            #[inline(always)]
            || {
                for features in self.block {
                    // No score is greater, and the search cuts its estimates off as well.
                    let predicted = self.model.predict(features).clamp(-64.0, 64.0);
                    self.errors.add(features.head, predicted - features.score);
                }
            },
        );
    }
}
