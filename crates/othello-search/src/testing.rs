//! Test helpers: positions, and plain searches as oracles.

use std::sync::Arc;

use othello_core::{Backend, Bitboard, Move, Position, Square, Tier, WithBackend};

use crate::{
    control::{Control, Search},
    eval::{MAX_ESTIMATE, Network, Node, TEMPO},
    node_type::NodeType,
    private::PrivateTable,
    score::{Discs, Units, final_discs, final_value},
    selectivity::{Effort, STATIC_DEPTH},
    table::Table,
    worker::Worker,
};

/// A small generator of reproducible choices (Marsaglia's xorshift).
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        (self.next() >> 16) as usize % bound
    }
}

/// A position with `empties` empty squares (or a few more if the game ends earlier) from random play.
pub(crate) fn random_play(seed: u64, empties: u32) -> Position {
    let mut random = Random::new(seed);
    let mut position = Position::START;
    while position.empties().count() > empties && !position.is_over() {
        position = match choice(&mut random, position) {
            Some(square) => position.play_unchecked(square),
            None => position.passed(),
        };
    }
    position
}

fn choice(random: &mut Random, position: Position) -> Option<Square> {
    let moves = position.legal_moves();
    let count = moves.count() as usize;
    (count > 0).then(|| {
        let chosen = random.below(count);
        moves
            .into_iter()
            .nth(chosen)
            .expect("the index is below the count")
    })
}

/// A position with random discs and `empties` empty squares, possibly unreachable.
pub(crate) fn scattered(seed: u64, empties: usize) -> Position {
    let mut random = Random::new(seed);
    let mut holes = Bitboard::EMPTY;
    while (holes.count() as usize) < empties {
        holes = holes.with(Square::ALL[random.below(64)]);
    }
    let own = Bitboard(random.next() ^ random.next() >> 32) - holes;
    Position::new(own, !own - holes).expect("the sets are disjoint")
}

/// The exact value in discs by brute force.
pub(crate) fn brute_force(position: Position) -> Discs {
    let moves = position.legal_moves();
    if moves.is_empty() {
        return if position.is_over() {
            final_discs(position)
        } else {
            -brute_force(position.passed())
        };
    }
    let children = moves
        .into_iter()
        .map(|square| position.play_unchecked(square));
    children
        .map(|child| -brute_force(child))
        .max()
        .expect("there is a move")
}

/// A quarter turn of the board.
pub(crate) fn turned(set: Bitboard) -> Bitboard {
    set.into_iter()
        .filter_map(|square| Square::new(7 - square.row(), square.column()))
        .collect()
}

/// The board reflected in its vertical axis.
pub(crate) fn mirrored(set: Bitboard) -> Bitboard {
    set.into_iter()
        .filter_map(|square| Square::new(7 - square.column(), square.row()))
        .collect()
}

/// The eight orientations of a position.
pub(crate) fn orientations(position: Position) -> [Position; 8] {
    let map = |position: Position, turn: fn(Bitboard) -> Bitboard| {
        Position::new(turn(position.own()), turn(position.opponent())).expect("still disjoint")
    };
    let mut all = [position; 8];
    for at in 1..8 {
        all[at] = if at == 4 {
            map(position, mirrored)
        } else {
            map(all[at - 1], turned)
        };
    }
    all
}

/// A question to a worker.
enum Question {
    Search(u32, Units, Units),
    NullWindow(Discs),
    ProbCut(Effort, Units),
}

struct Ask<'a>(Position, &'a [Question]);

impl WithBackend for Ask<'_> {
    type Output = Vec<(Option<Units>, Vec<Move>)>;

    fn run<B: Backend>(self, backend: B) -> Self::Output {
        let search = Arc::new(Search {
            tier: Tier::best(),
            network: Network::built_in(),
            table: Arc::new(Table::new(1).expect("a small table fits into memory")),
            control: Control::default(),
        });
        let mut private = PrivateTable::new().expect("512 KiB are there");
        let mut worker = Worker::new(backend, &search, &mut private, None, 0);
        let node = Node::of(self.0);
        let moves = self.0.legal_moves();
        let mut answer = |question: &Question| {
            let mut pv = Vec::new();
            let value = match *question {
                Question::Search(depth, alpha, beta) => {
                    Some(worker.search(&node, Effort::full(depth), alpha, beta, &mut pv))
                }
                Question::NullWindow(alpha) => {
                    Some(Units::from_discs(worker.high(&node, alpha, NodeType::Cut)))
                }
                Question::ProbCut(effort, alpha) if effort.depth == STATIC_DEPTH => {
                    worker.probcut_static(&node, moves, effort.selectivity, alpha)
                }
                Question::ProbCut(effort, alpha) => worker.probcut(&node, moves, effort, alpha),
            };
            (value, pv)
        };
        self.1.iter().map(&mut answer).collect()
    }
}

fn ask(position: Position, question: Question) -> (Option<Units>, Vec<Move>) {
    let mut answers = Tier::best().dispatch(Ask(position, &[question]));
    answers.remove(0)
}

/// The value of a search with an empty table, and the line if the value is exact.
pub(crate) fn searched(
    position: Position,
    depth: u32,
    alpha: Units,
    beta: Units,
) -> (Units, Vec<Move>) {
    let (value, pv) = ask(position, Question::Search(depth, alpha, beta));
    (value.expect("a search has a value"), pv)
}

/// The bounds found with these null windows, in order, with the same tables.
pub(crate) fn bounds(position: Position, depth: u32, alphas: &[Units]) -> Vec<Units> {
    let null_window = |alpha: &Units| Question::Search(depth, *alpha, *alpha + Units::ONE);
    let questions: Vec<_> = alphas.iter().map(null_window).collect();
    let answers = Tier::best().dispatch(Ask(position, &questions));
    let bounds = answers.into_iter().map(|(bound, _)| bound);
    bounds
        .map(|bound| bound.expect("a search has one"))
        .collect()
}

/// The bound that the solver returns for a null window.
pub(crate) fn solved(position: Position, alpha: Discs) -> Discs {
    let (bound, _) = ask(position, Question::NullWindow(alpha));
    bound.expect("the solver has one").to_discs_floor()
}

/// The bound of ProbCut if it cuts; at [`STATIC_DEPTH`], the bound by the evaluation alone.
pub(crate) fn probed(position: Position, effort: Effort, alpha: Units) -> Option<Units> {
    ask(position, Question::ProbCut(effort, alpha)).0
}

/// The evaluation at a leaf.
pub(crate) fn evaluated(position: Position) -> Units {
    if position.is_over() {
        final_value(position)
    } else {
        (Network::built_in().units(position) + TEMPO).min(MAX_ESTIMATE)
    }
}
