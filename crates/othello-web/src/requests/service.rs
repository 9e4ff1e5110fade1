//! The service that carries out requests.

use std::sync::Arc;

use othello_analysis::{GameInfo, Store};
use othello_engine::{Engine, Settings, StopHandle, TableError};
use othello_records::{Record, wthor::Names};

use super::{
    AnalyzeTask, BoardInfo, Event, HintTask, Library, LineOfPlay, MoveTask, PositionRequest,
    Request, RequestError, explore, records, source,
};

/// A checked request.
#[derive(Clone, Debug)]
pub enum Prepared {
    /// The answer, if no search was needed.
    Answer(Event),
    /// The search that a [`Service`] is to run.
    Search(SearchTask),
}

/// A search for a request.
#[derive(Clone, Debug)]
pub enum SearchTask {
    /// The values of the moves of a position.
    Hint(HintTask),
    /// A move of the engine.
    Move(MoveTask),
    /// The analysis of a game.
    Analyze(Box<AnalyzeTask>),
}

impl Request {
    /// Checks the request, and answers it if no search is needed.
    ///
    /// # Errors
    ///
    /// Fails if the request cannot be carried out; the error describes the expected form.
    pub fn prepare(&self) -> Result<Prepared, RequestError> {
        self.prepare_with(&Library::default())
    }

    /// Checks the request like [`prepare`](Self::prepare), with the games and the book of a server.
    ///
    /// # Errors
    ///
    /// Fails like [`prepare`](Self::prepare).
    pub fn prepare_with(&self, library: &Library) -> Result<Prepared, RequestError> {
        let search = match self {
            Self::Hint(request) => SearchTask::Hint(HintTask::new(request)?),
            Self::Move(request) => SearchTask::Move(MoveTask::new(request)?),
            Self::Analyze(request) => SearchTask::Analyze(Box::new(AnalyzeTask::new(request)?)),
            Self::Records(request) => return Ok(Prepared::Answer(records::read(request)?)),
            Self::Position(request) => return Ok(Prepared::Answer(position(request)?)),
            Self::Explore(request) => {
                return Ok(Prepared::Answer(explore::answer(request, library)?));
            }
        };
        Ok(Prepared::Search(search))
    }
}

fn position(request: &PositionRequest) -> Result<Event, RequestError> {
    let game = source::game(&request.board, &request.moves)?;
    Ok(Event::Position(LineOfPlay {
        board: BoardInfo::last_of(&game),
        boards: BoardInfo::all_of(&game),
        opening: GameInfo::new(&Record::from(game)).opening,
    }))
}

/// An engine that carries out requests, one at a time.
pub struct Service {
    engine: Engine,
    program: String,
    /// The engine's book, without games.
    library: Library,
}

impl Service {
    /// Creates a service whose engine has these settings. `program` is the name and version for reports.
    ///
    /// # Errors
    ///
    /// Fails if there is no memory for the transposition table.
    pub fn new(settings: Settings, program: &str) -> Result<Self, TableError> {
        let book = settings.book.as_ref().map(|play| Arc::clone(&play.book));
        Ok(Self {
            library: Library::new(Names::default(), book),
            engine: Engine::try_new(settings)?,
            program: program.to_owned(),
        })
    }

    /// The engine, for searches that no request asks for.
    pub const fn engine(&mut self) -> &mut Engine {
        &mut self.engine
    }

    /// Carries out a search until it is done or stopped, and reports its results: at least one event, the last of which
    /// answers the request. Values in the store need not be searched again, and new ones are stored in it.
    pub fn run(
        &mut self,
        task: &SearchTask,
        stop: &StopHandle,
        store: Option<&mut dyn Store>,
        emit: &mut dyn FnMut(&Event),
    ) {
        let engine = &mut self.engine;
        match task {
            SearchTask::Hint(task) => task.run(engine.searcher(), stop, store, emit),
            SearchTask::Move(task) => task.run(engine, stop, emit),
            SearchTask::Analyze(task) => {
                task.run(&self.program, engine.searcher(), stop, store, emit);
            }
        }
    }

    /// Carries out a request in JSON; an error is reported as the last event.
    ///
    /// # Examples
    ///
    /// ```
    /// use othello_engine::{Settings, StopHandle};
    /// use othello_web::requests::Service;
    ///
    /// let mut service = Service::new(Settings::default(), "example 1.0")?;
    /// let mut answer = String::new();
    /// let request = br#"{"call":"hint","moves":"f6"}"#;
    /// service.answer_json(request, &StopHandle::new(), None, &mut |event| answer = event.to_json());
    /// let expected = r#"{"event":"error","message":"moves: illegal move f6: it flips nothing at offset 0"}"#;
    /// assert_eq!(answer, expected);
    /// # Ok::<(), othello_engine::TableError>(())
    /// ```
    pub fn answer_json(
        &mut self,
        request: &[u8],
        stop: &StopHandle,
        store: Option<&mut dyn Store>,
        emit: &mut dyn FnMut(&Event),
    ) {
        let request = Request::from_json(request);
        let prepared = request.and_then(|request| request.prepare_with(&self.library));
        match prepared {
            Ok(Prepared::Answer(answer)) => emit(&answer),
            Ok(Prepared::Search(task)) => self.run(&task, stop, store, emit),
            Err(error) => emit(&Event::from(&error)),
        }
    }
}
