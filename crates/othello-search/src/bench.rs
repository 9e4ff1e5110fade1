//! A fixed benchmark whose node count is a signature of the search.
//!
//! With one thread the count is the same in every run and on every [`Tier`](othello_core::Tier). It changes only with
//! the search or the size of the table.

use std::time::Duration;

use othello_core::{Board, Square};

use crate::{Limits, Options, Report, Searcher};

/// The signature of this version of the search with the built-in weights: the nodes that [`run`] counts with default
/// options.
pub const SIGNATURE: u64 = 778_041;

/// Midgame positions as openings, each searched to [`MIDGAME_DEPTH`].
const OPENINGS: [&str; 6] = [
    "f5",
    "f5d6c4d3c2b3b4b5",
    "f5f4g3g6f3g4e3e2",
    "f5f6d3c5d6c7b5e3",
    "f5d6c3d3c4f4f6f3e6e7d7c7",
    "f5d6c5f4e3c6d3f6e6d7g4c4g5c3f7d2",
];

const MIDGAME_DEPTH: u32 = 10;

/// The FFO suite's problems 3, 10, 17, 22 and 23, with 14 to 18 empties, each solved exactly.
const ENDGAMES: [&str; 5] = [
    "----OX----OOXX---OOOXX-XOOXXOOOOOXXOXXOOOXXXOOOOOXXXXOXO--OOOOOX X",
    "-XXXX-----OXXX--XOXOXOXXOXOXXOXXOXXOXOOOXXXOXOOX--OXXO---OOOOO-- O",
    "-OOOOO----OXXO-XXXOOOXX-XXOXOXXOXXOOXOOOXXXXOO-OX-XOO----XXXX--- X",
    "--OOOO--X-OOOOO-XXOOXOXXXOXOXXXXXXXOXXXX-XXOXOXX--OXXX-X----X--- O",
    "--O-------OOX---OOOXXXO-OOOOXOXXXXXOOXOXXXXXXOOXX-XXXXOX--XXXX-- X",
];

/// One search of the benchmark.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct BenchSearch {
    /// The position searched.
    pub board: Board,
    /// The result of the search.
    pub report: Report,
}

/// The result of the benchmark.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct BenchResult {
    /// The searches in order.
    pub searches: Vec<BenchSearch>,
    /// The nodes of all searches: the signature.
    pub nodes: u64,
    /// The total time of the searches.
    pub elapsed: Duration,
}

/// Runs the benchmark, each search with an empty table, and calls `observer` after each.
///
/// # Examples
///
/// ```
/// use othello_search::{Options, bench};
///
/// let result = bench::run(Options::default(), &mut |_| {});
/// assert_eq!(result.nodes, result.searches.iter().map(|search| search.report.nodes).sum());
/// ```
pub fn run(options: Options, observer: &mut dyn FnMut(&BenchSearch)) -> BenchResult {
    let mut searcher = Searcher::new(options);
    let mut result = BenchResult::default();
    for (board, depth) in positions() {
        searcher.clear();
        let report = searcher.search(board.position(), &Limits::depth(depth));
        result.nodes += report.nodes;
        result.elapsed += report.elapsed;
        let search = BenchSearch { board, report };
        observer(&search);
        result.searches.push(search);
    }
    result
}

/// The positions and their search depths.
fn positions() -> impl Iterator<Item = (Board, u32)> {
    let midgame = OPENINGS
        .into_iter()
        .map(|moves| (after(moves), MIDGAME_DEPTH));
    let endgame = ENDGAMES.into_iter().map(|text| {
        let board: Board = text.parse().expect("the text is a board");
        (board, board.empties().count())
    });
    midgame.chain(endgame)
}

/// The board after an opening without passes.
fn after(moves: &str) -> Board {
    let mut board = Board::START;
    for at in (0..moves.len()).step_by(2) {
        let square: Square = moves[at..at + 2].parse().expect("the text is squares");
        board.play(square).expect("the move is legal");
    }
    board
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_positions_are_complete_and_distinct() {
        let mut boards: Vec<String> = positions().map(|(board, _)| board.to_string()).collect();
        boards.sort();
        boards.dedup();
        assert_eq!(boards.len(), OPENINGS.len() + ENDGAMES.len());
    }
}
