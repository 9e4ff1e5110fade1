#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod analyze;
mod board;
mod choose;
mod error;
mod event;
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
    AnalysisReport, ChosenMove, Comment, Event, GameRecord, LineOfPlay, Progress, ReadProblem,
    Records, Update,
};
pub use file_bytes::FileBytes;
pub use hint::HintTask;
pub use request::{
    AnalyzeRequest, GameClock, HintRequest, MoveRequest, PositionRequest, RecordsRequest, Request,
};
pub use service::{Prepared, SearchTask, Service};
