//! The searches that answer a book's questions.

use std::{
    io::{self, Write as _},
    path::Path,
    process::ExitCode,
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
    book::{Answer, Book, Question, Round, search_leaf},
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
    pub(super) engine: EngineOptions,
}

impl SearchOptions {
    /// Returns the settings of the searches.
    pub(super) const fn settings(&self) -> Settings {
        Settings {
            depth: self.depth,
            exact_from: 0,
        }
    }

    /// Reads a book of the weights of the searches.
    pub(super) fn open(&self, path: &Path) -> anyhow::Result<Book> {
        self.check(path, super::open(path)?)
    }

    /// Reads a book of the weights of the searches, or creates one if there is no file.
    pub(super) fn open_or_create(&self, path: &Path) -> anyhow::Result<Book> {
        let book = super::read(path)?.unwrap_or_else(|| Book::new(self.weights()));
        self.check(path, book)
    }

    fn check(&self, path: &Path, book: Book) -> anyhow::Result<Book> {
        let weights = self.weights();
        ensure!(
            book.weights() != Book::FOREIGN,
            "{}: expected a book of the weights {weights:08x}, but found values of other programs",
            path.display(),
        );
        ensure!(
            book.weights() == weights,
            "{}: expected a book of the weights {weights:08x}, but found one of {:08x}",
            path.display(),
            book.weights()
        );
        Ok(book)
    }

    fn weights(&self) -> u32 {
        let weights = self.engine.evaluation.weights.as_ref();
        weights.map_or_else(Network::built_in_checksum, OwnWeights::checksum)
    }

    /// Works on a book in rounds until one is empty, and tells what the file has then. After Ctrl-C it has the last
    /// complete round.
    pub(super) fn work(
        &self,
        mut book: Book,
        file: &Path,
        round: impl Fn(&Book) -> Round,
    ) -> anyhow::Result<ExitCode> {
        let mut search = self.start()?;
        let (started, before) = (Instant::now(), book.len());
        let is_complete = search.grow(&mut book, file, round)?;
        drop(search);
        let (name, told, elapsed) = (file.display(), in_words(&book, before), started.elapsed());
        writeln!(io::stdout(), "{name}: {told}; {elapsed:.1?}")?;
        Ok(super::exit_code(is_complete))
    }

    /// Starts searchers of one thread, one for each thread asked for. Ctrl-C stops them.
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
            settings: self.settings(),
            _work: work,
        })
    }
}

/// Describes a book that had a number of positions before.
pub(super) fn in_words(book: &Book, before: usize) -> String {
    let start = book.get(Position::START).map_or_else(
        || "the start is not in it".into(),
        |entry| format!("the start is worth {}", entry.value),
    );
    let (len, new) = (book.len(), book.len() - before);
    format!("{len} positions, {new} of them new; {start}")
}

/// Searches in several threads, until Ctrl-C stops them.
pub(super) struct BookSearch {
    searchers: Vec<Searcher>,
    stop: StopHandle,
    settings: Settings,
    _work: Work,
}

impl BookSearch {
    /// Grows a book by rounds until one is empty, and writes it to a file after a round at least every ten seconds,
    /// and at the end. Returns `false` if a signal ended the work after the last complete round.
    fn grow(
        &mut self,
        book: &mut Book,
        file: &Path,
        round: impl Fn(&Book) -> Round,
    ) -> anyhow::Result<bool> {
        let (mut written, mut searches) = (Instant::now(), 0);
        loop {
            let next = round(book);
            if next.is_empty() {
                break;
            }
            let Some(answers) = self.answer(&next.questions) else {
                break;
            };
            searches += answers.len();
            book.grow(next.known.into_iter().chain(answers));
            if written.elapsed() >= BETWEEN_WRITES {
                boardgame_files::replace(file, &book.to_bytes())?;
                tell(format_args!(
                    "{} positions, {searches} searches",
                    book.len()
                ))?;
                written = Instant::now();
            }
        }
        boardgame_files::replace(file, &book.to_bytes())?;
        Ok(!self.stop.is_stopped())
    }

    /// Answers questions, each by one searcher; returns `None` after a signal.
    pub(super) fn answer(&mut self, questions: &[Question]) -> Option<Vec<Answer>> {
        let (next, answers) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
        let (stop, settings) = (&self.stop, self.settings);
        thread::scope(|scope| {
            for searcher in &mut self.searchers {
                scope.spawn(|| {
                    while let Some(question) = questions.get(next.fetch_add(1, Relaxed)) {
                        let leaf = search_leaf(searcher, stop, settings, question);
                        if let Ok(mut answers) = answers.lock() {
                            answers.push((question.position, leaf));
                        }
                    }
                });
            }
        });
        let answers = answers.into_inner().unwrap_or_default();
        (!stop.is_stopped()).then_some(answers)
    }
}
