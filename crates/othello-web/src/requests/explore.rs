//! The moves that people played in a position.

use std::sync::Arc;

use othello_analysis::{Discs, Explored};
use othello_engine::book::OpeningBook;
use othello_records::{Continuations, DetectError, Format, Openings, Record, wthor::Names};

use super::{
    Event, ExploreRequest, ExploredGames, ReachedGame, RequestError, records,
    source::{self, Text},
};

/// The maximum number of games in an answer.
const MAX_LISTED: usize = 20;

/// The games and the book of a server, for requests that bring no games of their own.
#[derive(Clone, Debug, Default)]
pub struct Library {
    /// The files of games.
    files: Vec<(Format, Vec<u8>)>,
    /// The names of the players and tournaments in files of WTHOR.
    names: Names,
    book: Option<Arc<OpeningBook>>,
}

impl Library {
    /// Creates a library without games. The names are those of the players and tournaments in files of WTHOR.
    pub const fn new(names: Names, book: Option<Arc<OpeningBook>>) -> Self {
        Self {
            files: Vec::new(),
            names,
            book,
        }
    }

    /// Adds a file of games. It is read anew for each request: that takes less memory than its games, and 0.6 s for the
    /// 137,548 of WTHOR.
    ///
    /// # Errors
    ///
    /// Fails if the file is in no format of game records.
    pub fn add(&mut self, file: Vec<u8>) -> Result<(), DetectError> {
        self.files.push((Format::detect(&file)?, file));
        Ok(())
    }

    /// True if a request has to read games.
    #[cfg(feature = "server")]
    pub(crate) fn reads_for(&self, request: &ExploreRequest) -> bool {
        !self.files.is_empty() || request.text.is_some() || request.base64.is_some()
    }
}

/// Returns the moves of a position that were played in the games of a request, or else of a library, and those of its
/// book.
pub(crate) fn answer(request: &ExploreRequest, library: &Library) -> Result<Event, RequestError> {
    let board = source::game(&request.board, &request.moves)?.board();
    let mut search = Search {
        total: 0,
        found: Continuations::new(board),
        newest: Vec::new(),
    };
    match Text::of(request.text.as_deref(), request.base64.as_ref())? {
        Some(text) => search.read(text.format()?, text.bytes, &Names::default()),
        None => {
            for (format, bytes) in &library.files {
                search.read(*format, bytes, &library.names);
            }
        }
    }
    let position = board.position();
    let book = library.book.as_ref();
    let moves = book.map_or_else(Vec::new, |book| book.moves(position));
    let value = |value: i16| Discs::from_hundredths(value.into());
    let moves: Vec<_> = moves
        .iter()
        .map(|mv| (mv.square.into(), value(mv.value)))
        .collect();
    let games = search.newest.into_iter();
    Ok(Event::Explored(ExploredGames {
        explored: Explored::new(board, &search.found, &Openings::default(), &[], &moves),
        total: search.total,
        newest: games.map(Newest::into_game).collect(),
    }))
}

/// A search for games that reach a position.
struct Search {
    total: u64,
    found: Continuations,
    /// The newest games, the newest first.
    newest: Vec<Newest>,
}

struct Newest {
    date: (u16, Option<u8>, Option<u8>),
    number: u64,
    ply: usize,
    record: Record,
}

impl Search {
    /// Reads games, those with a fault to the move before it.
    fn read(&mut self, format: Format, bytes: &[u8], names: &Names) {
        for (read, number) in format.read_with(bytes, names).zip(1..) {
            self.total += 1;
            let record = read.or_else(|error| error.record.map(|record| *record).ok_or(()));
            let Ok(record) = record else { continue };
            let Some(ply) = self.found.add(&record) else {
                continue;
            };
            let date = record.date.as_ref();
            let date = date.map_or((0, None, None), |date| (date.year, date.month, date.day));
            let place = self.newest.partition_point(|known| known.date >= date);
            if place < MAX_LISTED {
                self.newest.truncate(MAX_LISTED - 1);
                let game = Newest {
                    date,
                    number,
                    ply,
                    record,
                };
                self.newest.insert(place, game);
            }
        }
    }
}

impl Newest {
    fn into_game(self) -> ReachedGame {
        ReachedGame {
            ply: self.ply,
            game: records::game(self.number, &self.record),
        }
    }
}
