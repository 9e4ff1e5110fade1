#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod accuracy;
mod analysis;
mod annotate;
#[cfg(feature = "book")]
pub mod book;
mod discs;
#[cfg(feature = "store")]
mod disk;
mod evaluator;
mod explored;
mod hint;
mod images;
mod lessons;
mod losses;
#[cfg(feature = "proofs")]
pub mod proof;
mod report;
mod search;
mod settings;
mod store;
mod summary;
mod value;

pub use accuracy::{
    Accuracy, AccuracyReport, AccuracyTables, BreakdownReport, Estimate, GameSums, Named, Row,
};
pub use analysis::{Analysis, Job, PlayedValue, Position};
pub use annotate::annotate;
pub use discs::Discs;
#[cfg(feature = "store")]
pub use disk::{
    DiskStore, Size, SizeError, StoreError, StoreFault, default_lessons_path, default_store_path,
};
pub use evaluator::{Detail, Effort, Evaluator, Request};
pub use explored::{Explored, ExploredMove};
pub use hint::{Hint, HintLimits};
pub use images::{distinct_moves, moves_to_compare};
pub use lessons::{Answer, Card, Question, Reason, Skill, reasons};
pub use losses::{GameLosses, MoveLoss};
pub use report::{
    FORMAT, GameInfo, MoveReport, OpeningInfo, PlayedReport, PlayerInfo, PositionReport, Report,
    ResultInfo,
};
pub use search::{Search, values};
pub use settings::Settings;
pub use store::{MemoryStore, Store, Stored, keep, look_up, look_up_values};
pub use summary::{MISTAKE, Phase, PhaseSummary, Summary, WorstMove};
pub use value::{Bound, MoveValue, PositionValue, Source, line_in_words};
