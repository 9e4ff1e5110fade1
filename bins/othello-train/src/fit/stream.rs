//! Streams of samples: games replayed, on one side of the split, shuffled within a window.

use std::sync::mpsc::SyncSender;

use othello_search::eval::RowMap;

use super::Features;
use crate::{
    corpus::{Corpus, Split},
    random::Dice,
    record::Sample,
};

/// A block of samples.
pub(super) struct Block {
    pub(super) samples: Vec<Features>,
    /// The share of all samples sent up to and including this block, 0 to 1.
    pub(super) sent: f32,
}

/// The selection and order of samples.
#[derive(Clone, Copy)]
pub(super) struct Selection {
    pub(super) split: Split,
    /// `true` for the samples of held-out games, `false` for those of the others.
    pub(super) held_out: bool,
    /// The shuffle, or `None` for the order of the games.
    pub(super) shuffle: Option<Shuffle>,
}

/// A shuffle within a window of samples.
#[derive(Clone, Copy)]
pub(super) struct Shuffle {
    pub(super) window: usize,
    pub(super) seed: u64,
    pub(super) epoch: u64,
}

/// The number of samples in a block.
const BLOCK: usize = 1024;

/// Sends the selected samples of a corpus in blocks, until all are sent or the receiver is gone.
pub(super) fn send(
    corpus: &Corpus,
    selection: &Selection,
    sender: &SyncSender<anyhow::Result<Block>>,
) {
    if let Err(error) = Stream::new(sender).run(corpus, selection) {
        // If the receiver is gone, the error is irrelevant.
        let _ = sender.send(Err(error));
    }
}

/// The state of a stream.
struct Stream<'a> {
    sender: &'a SyncSender<anyhow::Result<Block>>,
    map: RowMap,
    block: Vec<Features>,
    /// The number of samples sent or in the block.
    sent: u64,
    /// `false` once the receiver is gone.
    connected: bool,
}

impl<'a> Stream<'a> {
    fn new(sender: &'a SyncSender<anyhow::Result<Block>>) -> Self {
        Self {
            sender,
            map: RowMap::new(),
            block: Vec::with_capacity(BLOCK),
            sent: 0,
            connected: true,
        }
    }

    fn run(mut self, corpus: &Corpus, selection: &Selection) -> anyhow::Result<()> {
        let mut window = Window::new(selection.shuffle);
        let mut openings: Vec<&Sample> = Vec::new();
        if !selection.held_out {
            openings.extend(&corpus.openings);
            window.shuffle(&mut openings);
        }
        let mut openings = openings.into_iter();
        let mut samples = Vec::new();
        let mut games = corpus.games()?;
        for number in 0..corpus.len() {
            let Some(game) = games.replay(&mut samples) else {
                break;
            };
            let game = game?;
            let read = (number + 1) as f32 / corpus.len() as f32;
            if selection.split.holds_out(game.last) != selection.held_out {
                samples.clear();
            }
            if !selection.held_out {
                corpus
                    .targets
                    .correct(&mut samples, &game.game.values, game.solve_from);
            }
            // The same share of the openings as of the games.
            let left = corpus.len() - number;
            let due = openings.len().div_ceil(left as usize);
            samples.extend(openings.by_ref().take(due));
            for sample in &samples {
                if let Some(drawn) = window.exchange(*sample) {
                    self.push(&drawn, read * window.share_drawn(self.sent));
                }
            }
            if !self.connected {
                return Ok(());
            }
        }
        while let Some(drawn) = window.draw() {
            self.push(&drawn, window.share_drawn(self.sent));
        }
        self.flush(1.0);
        Ok(())
    }

    fn push(&mut self, sample: &Sample, share_sent: f32) {
        self.block.push(Features::of(&self.map, sample));
        self.sent += 1;
        if self.block.len() == BLOCK {
            self.flush(share_sent);
        }
    }

    fn flush(&mut self, sent: f32) {
        let samples = std::mem::replace(&mut self.block, Vec::with_capacity(BLOCK));
        self.connected &= self.sender.send(Ok(Block { samples, sent })).is_ok();
    }
}

/// The shuffle window: the samples from which the next one is drawn.
struct Window {
    waiting: Vec<Sample>,
    size: usize,
    /// The random numbers, or `None` if samples are not shuffled.
    dice: Option<Dice>,
}

impl Window {
    fn new(shuffle: Option<Shuffle>) -> Self {
        let size = shuffle.map_or(0, |shuffle| shuffle.window);
        Self {
            waiting: Vec::with_capacity(size),
            size,
            dice: shuffle.map(|shuffle| Dice::new(shuffle.seed, shuffle.epoch)),
        }
    }

    /// Adds a sample to the window and, if the window was full, removes and returns a random one.
    fn exchange(&mut self, sample: Sample) -> Option<Sample> {
        let Some(dice) = self.dice.as_mut().filter(|_| self.size > 0) else {
            return Some(sample);
        };
        if self.waiting.len() < self.size {
            self.waiting.push(sample);
            return None;
        }
        let at = dice.below(self.size as u32) as usize;
        Some(std::mem::replace(&mut self.waiting[at], sample))
    }

    /// Removes a random sample from the window, if it is not empty.
    fn draw(&mut self) -> Option<Sample> {
        let dice = self.dice.as_mut()?;
        let waiting = self.waiting.len();
        (waiting > 0).then(|| {
            self.waiting
                .swap_remove(dice.below(waiting as u32) as usize)
        })
    }

    /// Returns the drawn share of the samples added so far, if `sent` were drawn before this one.
    fn share_drawn(&self, sent: u64) -> f32 {
        let drawn = (sent + 1) as f32;
        drawn / (drawn + self.waiting.len() as f32)
    }

    /// Shuffles a list (Fisher and Yates 1938).
    fn shuffle<T>(&mut self, list: &mut [T]) {
        let Some(dice) = &mut self.dice else { return };
        for at in (1..list.len()).rev() {
            list.swap(at, dice.below(at as u32 + 1) as usize);
        }
    }
}
