//! Proofs of exact scores: files that `othello-check`, a small checker that shares no code with the engine, accepts.
//! docs/design/proofs.md describes the format.
//!
//! ```
//! use othello_analysis::proof::{Claim, prove};
//! use othello_core::{Board, Score};
//! use othello_search::{Options, Searcher, StopHandle};
//!
//! let board: Board = "XXXXXXXXOXXXXXXXOXXXXXXXOXXXXXXXOXXXXXXXOXXXXXXXOOOOOOOO-OOOOOOX X".parse()?;
//! let claim = Claim::exact(board, Score::new(52).expect("a score"), 0);
//! let mut searcher = Searcher::new(Options::default());
//! let mut file = Vec::new();
//! prove(&mut searcher, &claim, &StopHandle::new(), &mut file, &mut |_| {})?;
//! assert!(file.starts_with(b"othproof 1 "));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod claim;
mod encoder;
mod prover;

pub use claim::{Claim, MAX_THRESHOLD};
pub use prover::{Progress, Proof, ProveError, prove};
