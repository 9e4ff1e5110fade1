//! The requests of the page and their answers: the values of a position's moves while a search deepens, a move of the
//! engine, the games of a record, the analysis of a game, the boards of a line of play, and the moves that people
//! played in a position. Requests and answers are JSON, the same for a server and for WebAssembly in a browser.
//!
//! | request | answers with |
//! |---|---|
//! | `hint` | many `update`s with the values of all moves, the last with `"done":true` |
//! | `move` | one `move`, and the board after it |
//! | `records` | the `records` that a text holds, in any format of `othello-records` |
//! | `analyze` | `progress`, and a `report` after each step |
//! | `position` | the boards of a line of play, and the name of its opening |
//! | `explore` | the moves of a position that were played in games, and the value of each in a book |
//!
//! A caller gives each request to a [`Service`], and may stop its search through a handle. Nothing here opens a file or
//! socket or starts a thread.
//!
//! ```
//! use othello_engine::Settings;
//! use othello_search::StopHandle;
//! use othello_web::requests::{Event, Prepared, Request, Service};
//!
//! let mut service = Service::new(Settings::default(), "example 1.0")?;
//! let request = Request::from_json(br#"{"call":"hint","moves":"f5","depth":4}"#)?;
//! let Prepared::Search(task) = request.prepare()? else { panic!("a hint needs a search") };
//!
//! let mut last = None;
//! service.run(&task, &StopHandle::new(), None, &mut |event| last = Some(event.clone()));
//! let Some(Event::Update(update)) = last else { panic!("a hint answers with updates") };
//! assert!(update.done && update.moves.len() == 3);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod analyze;
mod board;
mod choose;
mod error;
mod event;
mod explore;
mod file_bytes;
mod hint;
mod records;
mod request;
mod service;
mod source;

pub use analyze::AnalyzeTask;
pub use board::BoardInfo;
pub use choose::MoveTask;
pub use error::RequestError;
pub use event::{
    AnalysisReport, ChosenMove, Comment, Event, ExploredGames, GameRecord, LineOfPlay, Progress,
    ReachedGame, ReadProblem, Records, Update,
};
pub use explore::Library;
pub use file_bytes::FileBytes;
pub use hint::HintTask;
pub use request::{
    AnalyzeRequest, ExploreRequest, GameClock, HintRequest, MoveRequest, PositionRequest,
    RecordsRequest, Request,
};
pub use service::{Prepared, SearchTask, Service};
