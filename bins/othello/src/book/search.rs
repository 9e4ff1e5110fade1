//! The searches that answer a book's questions.

use std::{
    path::Path,
    sync::{
        Mutex,
        atomic::{AtomicUsize, Ordering::Relaxed},
    },
    thread,
    time::{Duration, Instant},
};

use anyhow::ensure;
use boardgame_cli::number_of;
use othello_analysis::{
    Settings,
    book::{Book, Leaf, Question, search_leaf},
};
use othello_core::Position;
use othello_engine::{StopHandle, ThreadCount};
use othello_match::engine::OwnWeights;
use othello_search::{Searcher, eval::Network};

use crate::{
    engine::EngineOptions,
    interrupt::{Interrupt, Work},
    output::tell,
};

/// The least time between two writes of a book that is being changed.
const BETWEEN_WRITES: Duration = Duration::from_secs(10);

/// Options of the searches.
#[derive(clap::Args)]
pub(super) struct SearchOptions {
    /// The depth of the searches, one less if leaves would have an even number of empties
    #[arg(long, value_name = "PLIES", default_value_t = 12, value_parser = number_of("plies", 2..=60))]
    depth: u32,
    #[command(flatten)]
    engine: EngineOptions,
}

impl SearchOptions {
    /// Reads a book, or creates one if there is no file.
    pub(super) fn read(&self, path: &Path) -> anyhow::Result<Book> {
        let weights = self.engine.evaluation.weights.as_ref();
        let weights = weights.map_or_else(Network::built_in_checksum, OwnWeights::checksum);
        let book = super::read(path)?.unwrap_or_else(|| Book::new(weights));
        ensure!(
            book.weights() == weights,
            "{}: expected a book of the weights {weights:08x}, but found one of {:08x}",
            path.display(),
            book.weights()
        );
        Ok(book)
    }

    /// Starts the work, which Ctrl-C stops, with a searcher of one thread for each thread asked for.
    pub(super) fn start(&self) -> anyhow::Result<BookSearch> {
        let settings = othello_engine::Settings {
            threads: ThreadCount::MIN,
            ..self.engine.settings()
        };
        let searchers = (0..self.engine.threads.get()).map(|_| settings.searcher());
        let searchers = searchers.collect::<Result<_, _>>()?;
        let stop = StopHandle::new();
        let work = Interrupt::watch(vec![stop.clone()]).work();
        Ok(BookSearch {
            searchers,
            stop,
            settings: Settings {
                depth: self.depth,
                exact_from: 0,
            },
            _work: work,
        })
    }
}

/// Searches in several threads, until Ctrl-C stops them.
pub(super) struct BookSearch {
    searchers: Vec<Searcher>,
    stop: StopHandle,
    settings: Settings,
    _work: Work,
}

impl BookSearch {
    /// Answers the rounds of a book until one has no questions, and writes the book to a file after a round at least
    /// every ten seconds, and at the end. Returns `false` if a signal ended the work after the last complete round.
    pub(super) fn grow(
        &mut self,
        book: &mut Book,
        file: &Path,
        mut round: impl FnMut(&Book) -> Vec<Question>,
    ) -> anyhow::Result<bool> {
        let mut written = Instant::now();
        loop {
            let questions = round(book);
            if questions.is_empty() {
                break;
            }
            let answers = self.answer(&questions);
            if self.stop.is_stopped() {
                break;
            }
            book.grow(answers);
            if written.elapsed() >= BETWEEN_WRITES {
                boardgame_files::replace(file, &book.to_bytes())?;
                tell(format_args!("{} positions", book.len()))?;
                written = Instant::now();
            }
        }
        boardgame_files::replace(file, &book.to_bytes())?;
        Ok(!self.stop.is_stopped())
    }

    /// Answers the questions of a round, each by one searcher.
    fn answer(&mut self, questions: &[Question]) -> Vec<(Position, Option<Leaf>)> {
        let (next, answers) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
        let (stop, settings) = (&self.stop, self.settings);
        thread::scope(|scope| {
            for searcher in &mut self.searchers {
                scope.spawn(|| {
                    while let Some(question) = questions.get(next.fetch_add(1, Relaxed)) {
                        let leaf = if question.moves.is_empty() {
                            None
                        } else {
                            search_leaf(searcher, stop, settings, question)
                        };
                        if let Ok(mut answers) = answers.lock() {
                            answers.push((question.position, leaf));
                        }
                    }
                });
            }
        });
        answers.into_inner().unwrap_or_default()
    }
}
