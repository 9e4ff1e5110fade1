//! Epochs of training on a corpus, and validation on its held-out games.

use std::{sync::mpsc, thread};

use othello_core::{Backend, Tier, WithBackend};

use super::{
    Errors, Features, Network,
    stream::{self, Block, Selection, Shuffle},
};
use crate::corpus::{Corpus, Split};

/// The settings of a fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Settings {
    /// The seed of the order of the samples.
    pub(crate) seed: u64,
    /// The number of passes over all samples.
    pub(crate) epochs: u32,
    /// The games that are held out.
    pub(crate) split: Split,
    /// The size of the shuffle window in samples of 24 bytes: each sample is drawn from those in the
    /// window.
    pub(crate) window: usize,
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

/// An event of a fit.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Event<'a> {
    /// The model has learnt from some samples.
    Learnt {
        /// The number of samples since [`fit`] was called.
        samples: u64,
        /// The completed share of all epochs, 0 to 1.
        done: f32,
    },
    /// An epoch has ended.
    Epoch {
        /// Its number, from 1.
        number: u32,
        /// The errors on the training samples, each before learning from it.
        training: &'a Errors,
        /// The errors on the held-out games after the epoch.
        validation: &'a Errors,
    },
}

/// The capacity of the channel between the threads in blocks.
const BLOCKS_AHEAD: usize = 8;

/// Trains a model from epoch `first` on, counted from 0. `observer` is called with each event; an
/// error that it returns ends the fit.
///
/// The learning rate falls linearly from its full value at the start of the first epoch to 0 at the
/// end of the last.
///
/// Memory in addition to the model and the corpus does not depend on the number of games: about
/// [`Settings::window`] × 24 bytes for the window and 3 MB for blocks of samples.
pub(crate) fn fit<const H: usize>(
    model: &mut Network<H>,
    corpus: &Corpus,
    settings: &Settings,
    first: u32,
    observer: &mut dyn FnMut(Event<'_>, &Network<H>) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
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

/// The errors of a model on held-out games. Predictions are clamped to 64 discs.
pub(crate) fn validate<const H: usize>(
    model: &Network<H>,
    corpus: &Corpus,
    split: Split,
) -> anyhow::Result<Errors> {
    let tier = Tier::best();
    let mut errors = Errors::default();
    let selection = Selection {
        split,
        held_out: true,
        shuffle: None,
    };
    each_block(corpus, &selection, &mut |block| {
        tier.dispatch(Predict {
            model,
            block: &block.samples,
            errors: &mut errors,
        });
        Ok(())
    })?;
    Ok(errors)
}

/// Calls `work` with each block of a selection until there is an error, while another thread prepares
/// the next blocks.
pub(super) fn each_block(
    corpus: &Corpus,
    selection: &Selection,
    work: &mut dyn FnMut(&Block) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let (sender, receiver) = mpsc::sync_channel(BLOCKS_AHEAD);
    thread::scope(|scope| {
        scope.spawn(move || stream::send(corpus, selection, &sender));
        for block in receiver {
            work(&block?)?;
        }
        Ok(())
    })
}

/// Learning from a block, with a tier's back end.
struct Learn<'a, const H: usize> {
    model: &'a mut Network<H>,
    block: &'a [Features],
    rate: f32,
    errors: &'a mut Errors,
}

impl<const H: usize> WithBackend for Learn<'_, H> {
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

/// Predicting a block, with a tier's back end.
struct Predict<'a, const H: usize> {
    model: &'a Network<H>,
    block: &'a [Features],
    errors: &'a mut Errors,
}

impl<const H: usize> WithBackend for Predict<'_, H> {
    type Output = ();

    fn run<B: Backend>(self, backend: B) {
        backend.vectorize(
            #[inline(always)]
            || {
                for features in self.block {
                    // The range of scores, to which the search clamps its estimates too.
                    let predicted = self.model.predict(features).clamp(-64.0, 64.0);
                    self.errors.add(features.head, predicted - features.score);
                }
            },
        );
    }
}
