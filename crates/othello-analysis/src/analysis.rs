//! The analysis of a game, position by position.

use othello_core::{Bitboard, Board, Empties, Game, Move, Score};

use crate::{
    Bound, Detail, Discs, Effort, Evaluator, MoveValue, PositionValue, Request, Settings, Source,
    Store, Stored,
    images::{add_images, distinct_moves, distinct_moves_except},
    store,
};

/// The analysis of a game: the known values of its positions, without contradictions.
///
/// The value of a position is the value of its best move. The value of the played move is that of the next position,
/// seen from the other side. Other moves have the values that searches found. A better value of a position updates all
/// positions before it.
///
/// Searches are asked for one at a time, from the end of the game backward, and may be repeated with more effort.
///
/// # Examples
///
/// ```
/// use othello_analysis::{Analysis, Search, Settings};
/// use othello_search::{Options, Searcher};
///
/// let game = "f5d6c3d3c4".parse()?;
/// let mut analysis = Analysis::new(&game);
/// let mut searcher = Searcher::new(Options::default());
/// let settings = Settings { depth: 4, exact_from: 8 };
/// while let Some(job) = analysis.next_job(&settings) {
///     let values = job.run(&mut Search::new(&mut searcher)).expect("nothing stops the search");
///     analysis.record(&job, values);
/// }
/// let first = &analysis.positions()[0];
/// assert_eq!(first.played_value().map(|played| played.loss), Some(Default::default()));
/// # Ok::<(), othello_core::TranscriptError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Analysis {
    positions: Vec<Position>,
    each_move_empties: u32,
}

/// The default of [`Analysis::with_each_move_empties`].
const EACH_MOVE_EMPTIES: u32 = 20;

/// A position of an analyzed game.
#[derive(Clone, Debug)]
pub struct Position {
    board: Board,
    played: Option<Move>,
    searched: Option<Stored>,
    moves: Vec<MoveValue>,
    value: Option<PositionValue>,
}

/// The value of the played move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlayedValue {
    /// The move.
    pub mv: Move,
    /// Its loss against the best move, at least 0.
    pub loss: Discs,
    /// Its rank among all moves, 1 for the best; among equal moves the played one comes first. `None` if moves before
    /// it only have bounds.
    pub rank: Option<usize>,
}

/// A search that an analysis needs.
#[derive(Clone, Copy, Debug)]
pub struct Job {
    /// The index of the position in the game.
    pub ply: usize,
    /// The question.
    pub request: Request,
}

impl Job {
    /// Runs the search; returns `None` if it was stopped.
    pub fn run(&self, evaluator: &mut dyn Evaluator) -> Option<Stored> {
        let moves = evaluator.evaluate(&self.request)?;
        Some(Stored {
            effort: self.request.effort,
            moves,
        })
    }
}

impl Analysis {
    /// Prepares the analysis of a game. If a pass must follow its last move, it is added.
    pub fn new(game: &Game) -> Self {
        let end = game.board();
        let pass = end.must_pass().then(|| (Move::Pass, end.passed()));
        let moves = game.moves().iter().copied();
        let played = moves.chain(pass.map(|(mv, _)| mv)).map(Some).chain([None]);
        let boards = game.boards().chain(pass.map(|(_, board)| board));
        let positions = boards.zip(played).map(|(board, played)| Position {
            board,
            played,
            searched: None,
            moves: Vec::new(),
            value: None,
        });
        let mut analysis = Self {
            positions: positions.collect(),
            each_move_empties: EACH_MOVE_EMPTIES,
        };
        analysis.update_from(analysis.positions.len() - 1);
        analysis
    }

    /// Sets the number of empty squares up to which each move of a solved position gets its own value, 20 by default.
    /// With more, moves that are neither best nor played only get a bound, which is much faster.
    #[must_use]
    pub const fn with_each_move_empties(mut self, empties: u32) -> Self {
        self.each_move_empties = empties;
        self
    }

    /// Returns the positions of the game: before each move, and after the last one.
    pub fn positions(&self) -> &[Position] {
        &self.positions
    }

    /// Returns `true` if every position has a value.
    pub fn is_complete(&self) -> bool {
        self.positions
            .iter()
            .all(|position| position.value.is_some())
    }

    /// Returns the number of missing searches.
    pub fn pending(&self, settings: &Settings) -> usize {
        let missing = |position: &&Position| position.needs(*settings);
        self.positions.iter().filter(missing).count()
    }

    /// Returns the next search that is missing, from the end of the game backward, or `None` if the analysis is as
    /// thorough as the settings ask.
    pub fn next_job(&self, settings: &Settings) -> Option<Job> {
        let needs = |position: &Position| position.needs(*settings);
        let ply = self.positions.iter().rposition(needs)?;
        let position = &self.positions[ply];
        let effort = settings.effort(position.board.position());
        let request = Request {
            position: position.board.position(),
            moves: position.moves_to_search(),
            effort,
            detail: self.detail(ply, effort),
        };
        Some(Job { ply, request })
    }

    /// Records the result of a job.
    ///
    /// # Panics
    ///
    /// If the job belongs to a longer game, or the line of a value is empty.
    pub fn record(&mut self, job: &Job, found: Stored) {
        self.positions[job.ply].searched = Some(found);
        self.update_from(job.ply);
    }

    /// Runs all missing searches until the evaluator is stopped, and calls `progress` after each. Values in the store
    /// are not searched again, and new ones are stored. Returns `false` if the evaluator was stopped.
    pub fn deepen(
        &mut self,
        settings: &Settings,
        evaluator: &mut dyn Evaluator,
        mut store: Option<&mut dyn Store>,
        progress: &mut dyn FnMut(&Self),
    ) -> bool {
        while let Some(job) = self.next_job(settings) {
            let known = store
                .as_deref_mut()
                .and_then(|store| self.look_up(&job, store));
            let Some(found) = known.or_else(|| job.run(evaluator)) else {
                return false;
            };
            self.record(&job, found);
            if let (Some(store), Some(known)) = (store.as_deref_mut(), self.known(job.ply)) {
                store::keep(store, job.request.position, &known);
            }
            progress(self);
        }
        true
    }

    /// Returns the store's answer to a question, if it is sufficient and consistent with the value of the played move:
    /// exact values of the other moves do not go with an estimate of this one, and bounds only with an exact value.
    fn look_up(&self, job: &Job, store: &mut dyn Store) -> Option<Stored> {
        let stored = store::look_up(store, job.request.position)?;
        let is_deep = stored.effort >= job.request.effort;
        let next = self.value_of_next(job.ply);
        let fits = stored.effort < Effort::Exact || next.is_none_or(is_exact);
        let may_be_bound = self.score_to_beat(job.ply).is_some();
        let answers = |square| {
            let mut moves = stored.moves.iter();
            let value = moves.find(|value| value.mv == Move::Place(square));
            value.is_some_and(|value| may_be_bound || value.bound == Bound::Exact)
        };
        (is_deep && fits && job.request.moves.into_iter().all(answers)).then_some(stored)
    }

    /// Returns the known values of all moves of a position.
    fn known(&self, ply: usize) -> Option<Stored> {
        let position = &self.positions[ply];
        let effort = position.searched.as_ref()?.effort;
        position.value.map(|_| Stored {
            effort,
            moves: position.moves.clone(),
        })
    }

    /// Returns the required detail for the moves of a position.
    fn detail(&self, ply: usize, effort: Effort) -> Detail {
        match self.score_to_beat(ply) {
            Some(score) if effort == Effort::Exact => Detail::BestAbove(score),
            _ => Detail::EachMove,
        }
    }

    /// The exact score of the played move, if moves of the solved position that are not better need no value of their
    /// own.
    fn score_to_beat(&self, ply: usize) -> Option<Discs> {
        let empties = self.positions[ply].board.empties().count();
        let next = self.value_of_next(ply).filter(|&next| is_exact(next))?;
        (empties > self.each_move_empties).then_some(-next.score)
    }

    /// The value of the position after the played move.
    fn value_of_next(&self, ply: usize) -> Option<PositionValue> {
        self.positions.get(ply + 1)?.value
    }

    /// Updates the values of a position and of those before it.
    fn update_from(&mut self, ply: usize) {
        for ply in (0..=ply).rev() {
            let (before, after) = self.positions.split_at_mut(ply + 1);
            before[ply].update(after.first());
        }
    }
}

impl Position {
    /// The board.
    pub const fn board(&self) -> Board {
        self.board
    }

    /// Returns the played move, or `None` at the end.
    pub const fn played(&self) -> Option<Move> {
        self.played
    }

    /// Returns the values of the moves from the point of view of the side to move, best first; none at the end of the
    /// game, or while some are unknown.
    pub fn moves(&self) -> &[MoveValue] {
        &self.moves
    }

    /// Returns the value of the position, or `None` while unknown.
    pub const fn value(&self) -> Option<PositionValue> {
        self.value
    }

    /// Returns the value of the played move, or `None` if there is none or it is unknown.
    pub fn played_value(&self) -> Option<PlayedValue> {
        let mv = self.played?;
        let index = self.moves.iter().position(|value| value.mv == mv)?;
        Some(PlayedValue {
            mv,
            loss: self.loss(&self.moves[index])?,
            rank: self.moves[..index]
                .iter()
                .all(|before| before.bound == Bound::Exact)
                .then_some(index + 1),
        })
    }

    /// Returns the loss of a move against the best one, or a lower bound for a move with a bound.
    pub fn loss(&self, value: &MoveValue) -> Option<Discs> {
        Some(self.value?.score - value.score)
    }

    /// Returns the moves that need a search: one of each symmetry class, except the class of the played move.
    fn moves_to_search(&self) -> Bitboard {
        let position = self.board.position();
        match self.played.and_then(Move::square) {
            Some(played) => distinct_moves_except(position, played),
            None => distinct_moves(position),
        }
    }

    /// Returns `true` if a search is missing.
    fn needs(&self, settings: Settings) -> bool {
        let effort = settings.effort(self.board.position());
        let searched = self.searched.as_ref().map(|searched| searched.effort);
        !self.moves_to_search().is_empty() && searched < Some(effort)
    }

    /// Updates the values from the next position.
    fn update(&mut self, next: Option<&Self>) {
        if self.board.is_over() {
            self.value = Some(PositionValue {
                score: self.board.position().score(Empties::ToWinner).into(),
                source: Source::Over,
            });
            return;
        }
        if let Some(moves) = self.all_moves(next) {
            self.value = moves.first().map(|best| PositionValue {
                score: best.score,
                source: evidence(best, &moves),
            });
            self.moves = moves;
        }
    }

    /// The values of all moves, best first, or `None` if some are not known.
    fn all_moves(&self, next: Option<&Self>) -> Option<Vec<MoveValue>> {
        let mut moves = Vec::new();
        if let Some(mv) = self.played {
            moves.push(next?.as_move(mv)?);
        }
        let to_search = self.moves_to_search();
        if !to_search.is_empty() {
            let is_needed = |mv: Move| mv.square().is_some_and(|square| to_search.contains(square));
            let searched = self.searched.as_ref()?.moves.iter();
            moves.extend(searched.filter(|value| is_needed(value.mv)).cloned());
        }
        add_images(self.board.position(), &mut moves);
        // Among equal moves, the played one stays first.
        MoveValue::sort(&mut moves);
        Some(moves)
    }

    /// The value of the move that led here.
    fn as_move(&self, mv: Move) -> Option<MoveValue> {
        let value = self.value?;
        let rest = self.moves.first().map(|best| best.line.as_slice());
        Some(MoveValue {
            mv,
            score: -value.score,
            bound: Bound::Exact,
            source: value.source.before(mv),
            line: [&[mv], rest.unwrap_or_default()].concat(),
        })
    }
}

fn is_exact(value: PositionValue) -> bool {
    value.source >= Source::Exact
}

/// Returns the evidence for the value of a position: the weakest of all moves, unless the best is a proven wipe-out.
fn evidence(best: &MoveValue, moves: &[MoveValue]) -> Source {
    if best.source == Source::Exact && best.score == Score::MAX.into() {
        return Source::Exact;
    }
    let sources = moves.iter().map(|value| value.source);
    sources.min().unwrap_or(best.source)
}
