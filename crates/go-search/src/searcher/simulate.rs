//! A simulation: descent in the tree, playout, and backpropagation of the result.

use super::{Board, Color, NodeId, Point, Position, Searcher, expand::MAX_CHILDREN, widening};
use crate::{
    last_stones::LastStones,
    owners::Owners,
    playout::{self, PlayoutWeights, Turn},
    prior::Context,
    scoring::{Counting, area},
};

/// The range of margins in points; margins beyond half of it on either side count alike. On small boards the range is
/// the number of points.
const MARGIN_RANGE: f32 = 120.0;

/// The state of simulations from a root; its memory is reused by the next one.
pub(super) struct Simulation {
    start: Board,
    first: Color,
    /// The last two stones before the root.
    last: LastStones,
    /// Whether the last move before the root was a pass.
    passed: bool,
    counting: Counting,
    board: Board,
    /// The nodes of the descent, root first.
    path: Vec<NodeId>,
    /// The moves from the root on, with `None` for a pass.
    moves: Vec<Option<Point>>,
    /// For each point, the side that first places a stone there from the current move on.
    first_on: Vec<Option<Color>>,
    pub(super) owners: Owners,
}

/// The result of a simulation for Black.
#[derive(Clone, Copy, Debug)]
struct Outcome {
    /// The result, 0 to 1: partly from the margin, the rest from the winner.
    result: f32,
    /// 1 for a win, 0 for a loss, one half for a draw.
    won: f32,
    /// The margin in points.
    margin: f32,
}

impl Outcome {
    fn for_side(self, color: Color) -> Self {
        match color {
            Color::Black => self,
            Color::White => Self {
                result: 1.0 - self.result,
                won: 1.0 - self.won,
                margin: -self.margin,
            },
        }
    }
}

impl Simulation {
    pub(super) fn new(position: &Position) -> Self {
        Self {
            start: position.board().clone(),
            first: position.side_to_move(),
            last: LastStones::of(position),
            passed: position.last_move() == Some(go_core::Move::Pass),
            counting: Counting::new(position),
            board: position.board().clone(),
            path: Vec::new(),
            moves: Vec::new(),
            first_on: vec![None; Point::INDEX_END],
            owners: Owners::default(),
        }
    }

    fn begin(&mut self) {
        self.board.clone_from(&self.start);
        self.path.clear();
        self.path.push(NodeId::ROOT);
        self.moves.clear();
    }

    /// Returns the side of the move at an index of [`Self::moves`].
    fn color_at(&self, place: usize) -> Color {
        if place.is_multiple_of(2) {
            self.first
        } else {
            !self.first
        }
    }

    fn to_move(&self) -> Color {
        self.color_at(self.moves.len())
    }

    /// Returns the stones of the last two moves.
    fn last_stones(&self) -> LastStones {
        match *self.moves {
            [] => self.last,
            [only] => self.last.after(only),
            [.., before, last] => LastStones { last, before },
        }
    }

    fn play(&mut self, mv: Option<Point>) {
        match mv {
            Some(point) => {
                self.board.play(self.to_move(), point);
            }
            None => self.board.clear_ko(),
        }
        self.moves.push(mv);
    }

    /// Returns whether both sides have passed in a row.
    fn is_over(&self) -> bool {
        match *self.moves {
            [.., one, other] => one.is_none() && other.is_none(),
            [only] => only.is_none() && self.passed,
            [] => false,
        }
    }
}

impl Searcher {
    /// Runs one simulation from the root.
    pub(super) fn simulate(&mut self, simulation: &mut Simulation) {
        simulation.begin();
        self.descend(simulation);
        let outcome = self.finish(simulation);
        self.learn_replies(simulation, outcome);
        self.back_up(simulation, outcome);
    }

    /// Descends the tree to a node without children.
    fn descend(&mut self, simulation: &mut Simulation) {
        let mut id = NodeId::ROOT;
        while !simulation.is_over() {
            self.grow(id, simulation);
            if !self.tree.node(id).is_expanded() {
                return;
            }
            let place = self.select(id);
            id = self.tree.child(id, place);
            simulation.play(self.tree.node(id).mv);
            simulation.path.push(id);
        }
    }

    /// Adds children to a node, if it has enough visits and the tree has room.
    fn grow(&mut self, id: NodeId, simulation: &Simulation) {
        let node = self.tree.node(id);
        let is_due = if node.is_expanded() {
            widening::needs_children(node)
        } else {
            node.visits >= self.options.expand_after
        };
        if !is_due || !self.tree.has_room(MAX_CHILDREN + 1) {
            return;
        }
        let (board, color) = (&simulation.board, simulation.to_move());
        let last = simulation.last_stones();
        let context = Context::new(board, color, last, Some(&simulation.owners));
        self.expand(id, &context);
    }

    /// Plays the game to its end and counts it. After two passes, the playout only removes dead stones, and its moves
    /// are discarded.
    fn finish(&mut self, simulation: &mut Simulation) -> Outcome {
        let game_len = simulation.is_over().then_some(simulation.moves.len());
        let turn = Turn {
            color: simulation.to_move(),
            stones: simulation.last_stones(),
        };
        let counting = &simulation.counting;
        let correction = if game_len.is_some() {
            counting.at_the_end(&simulation.board)
        } else {
            counting.correction(&simulation.board, turn.color)
        };
        playout::play_out(
            &mut simulation.board,
            turn,
            PlayoutWeights {
                policy: &self.policy,
                replies: &self.replies,
            },
            &mut self.random,
            &mut simulation.moves,
        );
        if let Some(game_len) = game_len {
            simulation.moves.truncate(game_len);
        }
        simulation.owners.add(&simulation.board);
        let margin = area(&simulation.board) as f32 + correction;
        let won = if margin > 0.0 {
            1.0
        } else if margin < 0.0 {
            0.0
        } else {
            0.5
        };
        let points = simulation.board.size().point_count() as f32;
        let by_margin = (0.5 + margin / points.min(MARGIN_RANGE)).clamp(0.0, 1.0);
        let share = self.options.margin_share;
        Outcome {
            result: (1.0 - share) * won + share * by_margin,
            won,
            margin,
        }
    }

    /// Adds the outcome to the replies made in the simulation.
    fn learn_replies(&mut self, simulation: &Simulation, outcome: Outcome) {
        let mut last = simulation.last.last;
        for (place, &mv) in simulation.moves.iter().enumerate() {
            if let Some(stone) = last {
                let color = simulation.color_at(place);
                let result = outcome.for_side(color).result;
                self.replies.add(color, stone, mv, result);
            }
            last = mv;
        }
    }

    /// Adds the outcome to the nodes on the path and, as AMAF results, to each sibling whose point the same side is the
    /// first to play from there on.
    fn back_up(&mut self, simulation: &mut Simulation, outcome: Outcome) {
        simulation.first_on.fill(None);
        for place in (0..simulation.moves.len()).rev() {
            let color = simulation.color_at(place);
            if let Some(point) = simulation.moves[place] {
                simulation.first_on[point.index()] = Some(color);
            }
            let seen = outcome.for_side(color);
            if let Some(&parent) = simulation.path.get(place) {
                self.add_amaf(parent, &simulation.first_on, color, seen.result);
            }
            if let Some(&id) = simulation.path.get(place + 1) {
                self.add_visit(id, seen);
            }
        }
        self.add_visit(NodeId::ROOT, outcome.for_side(!simulation.first));
    }

    fn add_visit(&mut self, id: NodeId, outcome: Outcome) {
        let node = self.tree.node_mut(id);
        node.visits += 1;
        node.results += outcome.result;
        node.wins += outcome.won;
        node.margins += outcome.margin;
    }

    fn add_amaf(&mut self, parent: NodeId, first_on: &[Option<Color>], color: Color, result: f32) {
        for child in self.tree.children_mut(parent) {
            if let Some(point) = child.mv
                && first_on[point.index()] == Some(color)
            {
                child.amaf_visits += 1;
                child.amaf_results += result;
            }
        }
    }
}
