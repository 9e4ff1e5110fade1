//! Samples as a stream: games replayed, one side of the split, shuffled within a window.

use std::sync::mpsc::SyncSender;

use othello_search::eval::RowMap;

use super::Features;
use crate::{
    corpus::{Corpus, CorpusError, Split},
    random::Dice,
    record::Sample,
};

/// Samples to learn from, and how much of the corpus was read before them, 0 to 1.
pub(super) struct Block {
    pub(super) samples: Vec<Features>,
    pub(super) read: f32,
}

/// Which samples, and in which order.
#[derive(Clone, Copy)]
pub(super) struct Selection {
    pub(super) split: Split,
    /// Those of the games held out, or those of the others.
    pub(super) held_out: bool,
    /// Samples among which the next one is drawn; without it, they come in the order of the games.
    pub(super) shuffle: Option<Shuffle>,
}

#[derive(Clone, Copy)]
pub(super) struct Shuffle {
    pub(super) window: usize,
    pub(super) seed: u64,
    pub(super) epoch: u64,
}

/// The samples of a block.
const BLOCK: usize = 1024;

/// Sends the selected samples of a corpus in blocks until all are sent, or nobody listens.
pub(super) fn send(
    corpus: &Corpus,
    selection: &Selection,
    sender: &SyncSender<Result<Block, CorpusError>>,
) {
    if let Err(error) = Stream::new(sender).run(corpus, selection) {
        // When nobody listens, nobody needs to know.
        let _ = sender.send(Err(error));
    }
}

/// A stream on its way.
struct Stream<'a> {
    sender: &'a SyncSender<Result<Block, CorpusError>>,
    map: RowMap,
    block: Vec<Features>,
    read: f32,
    /// Whether somebody listens.
    heard: bool,
}

impl<'a> Stream<'a> {
    fn new(sender: &'a SyncSender<Result<Block, CorpusError>>) -> Self {
        Self {
            sender,
            map: RowMap::new(),
            block: Vec::with_capacity(BLOCK),
            read: 0.0,
            heard: true,
        }
    }

    fn run(mut self, corpus: &Corpus, selection: &Selection) -> Result<(), CorpusError> {
        let window = selection.shuffle.map_or(0, |shuffle| shuffle.window);
        let mut waiting: Vec<Sample> = Vec::with_capacity(window);
        let mut dice = selection
            .shuffle
            .map(|shuffle| Dice::new(shuffle.seed, shuffle.epoch));
        let mut samples = Vec::new();
        let mut games = corpus.games()?;
        for number in 0..corpus.len() {
            let Some(game) = games.next() else { break };
            samples.clear();
            let replayed = game?.samples(&mut samples);
            let last = replayed.map_err(|error| games.refused(error))?;
            self.read = number as f32 / corpus.len() as f32;
            if selection.split.holds_out(last) != selection.held_out {
                continue;
            }
            for sample in samples.drain(..) {
                match &mut dice {
                    Some(_) if waiting.len() < window => waiting.push(sample),
                    Some(dice) if window > 0 => {
                        let at = dice.below(window as u32) as usize;
                        let drawn = std::mem::replace(&mut waiting[at], sample);
                        self.push(&drawn);
                    }
                    _ => self.push(&sample),
                }
            }
            if !self.heard {
                return Ok(());
            }
        }
        if let Some(dice) = &mut dice {
            while !waiting.is_empty() {
                let at = dice.below(waiting.len() as u32) as usize;
                let drawn = waiting.swap_remove(at);
                self.push(&drawn);
            }
        }
        self.flush();
        Ok(())
    }

    fn push(&mut self, sample: &Sample) {
        self.block.push(Features::of(&self.map, sample));
        if self.block.len() == BLOCK {
            self.flush();
        }
    }

    fn flush(&mut self) {
        let samples = std::mem::replace(&mut self.block, Vec::with_capacity(BLOCK));
        let read = self.read;
        self.heard &= self.sender.send(Ok(Block { samples, read })).is_ok();
    }
}
