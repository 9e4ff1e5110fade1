//! One game with its moves.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use boardgame_core::{ByColor, ClockState, Color};
use boardgame_session::Thought;
use othello_core::{Board, Game, Move};
use serde::{Deserialize, Serialize};

use super::{GameEnd, GameSummary};

/// The details of a move apart from the move itself.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MoveDetails {
    /// The time that the move took.
    pub took: Option<Duration>,
    /// The expected score in discs, from the point of view of the side that moves.
    pub score: Option<f32>,
    /// The depth of the search, in plies.
    pub depth: Option<u32>,
}

impl From<&Thought> for MoveDetails {
    fn from(thought: &Thought) -> Self {
        Self {
            took: Some(thought.took),
            score: thought.score,
            depth: thought.depth,
        }
    }
}

/// A move of a game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MoveView {
    /// The number of the move in the game, from 1; passes and the opening's moves count.
    pub ply: usize,
    /// The move: a square such as `f5`, or `pass`.
    #[serde(rename = "move")]
    pub mv: String,
    /// The side that moved, `black` or `white`.
    pub color: String,
    /// The time that it took, in milliseconds.
    pub ms: Option<u64>,
    /// The expected score in discs, from the point of view of the side that moved.
    pub score: Option<f32>,
    /// The depth of the search, in plies.
    pub depth: Option<u32>,
}

/// A game with all its moves.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameView {
    /// The current state of the game.
    #[serde(flatten)]
    pub summary: GameSummary,
    /// The time of this machine in milliseconds since 1970, for comparison with other times.
    pub now: u64,
    /// The board at the start: 64 squares of `X`, `O` and `-`, a space, and the side to move.
    pub start: String,
    /// The number of moves of the opening.
    pub opening: usize,
    /// The moves.
    pub moves: Vec<MoveView>,
    /// The moves as a transcript such as `f5d6c3`, passes as `--`.
    pub transcript: String,
    /// The faults of both sides, in words.
    pub faults: Vec<String>,
}

/// A game with the details of its moves.
#[derive(Clone, Debug)]
pub(crate) struct LiveGame {
    id: u64,
    names: ByColor<String>,
    game: Game,
    /// The number of moves of the opening.
    opening: usize,
    /// The details of the moves after the opening.
    details: Vec<MoveDetails>,
    clocks: ByColor<Option<Duration>>,
    since: Option<u64>,
    scores: ByColor<Option<f32>>,
    end: Option<GameEnd>,
    faults: Vec<String>,
}

impl LiveGame {
    /// Returns a game after its opening.
    pub(crate) fn new(
        id: u64,
        names: ByColor<&str>,
        opening: &Game,
        clocks: ByColor<Option<Duration>>,
    ) -> Self {
        Self {
            id,
            names: names.map(str::to_owned),
            game: opening.clone(),
            opening: opening.moves().len(),
            details: Vec::new(),
            clocks,
            since: None,
            scores: ByColor::default(),
            end: None,
            faults: Vec::new(),
        }
    }

    pub(crate) const fn id(&self) -> u64 {
        self.id
    }

    pub(crate) const fn is_over(&self) -> bool {
        self.end.is_some()
    }

    /// Starts the clock of the side to move.
    pub(crate) fn begin(&mut self) {
        self.since = Some(now());
    }

    /// Makes a move; an illegal one changes nothing and returns `None`.
    pub(crate) fn play(
        &mut self,
        mv: Move,
        details: MoveDetails,
        clocks: ByColor<Option<Duration>>,
    ) -> Option<MoveView> {
        let color = self.game.side_to_move();
        self.game.play(mv).ok()?;
        self.details.push(details);
        self.clocks = clocks;
        self.since = self.since.map(|_| now());
        if details.score.is_some() {
            self.scores[color] = details.score;
        }
        Some(move_view(self.game.moves().len(), (color, mv), &details))
    }

    pub(crate) fn finish(&mut self, end: GameEnd, faults: Vec<String>) {
        self.since = None;
        self.end = Some(end);
        self.faults = faults;
    }

    pub(crate) fn summary(&self) -> GameSummary {
        let board = self.game.board();
        let is_over = self.is_over() || board.is_over();
        GameSummary {
            id: self.id,
            black: self.names.black.clone(),
            white: self.names.white.clone(),
            ply: self.game.moves().len(),
            last: self.game.last_move().map(move_text),
            squares: squares(board),
            to_move: (!is_over).then(|| color_text(board.side_to_move())),
            discs: ByColor::new_with(|color| board.discs(color).count()).into(),
            clocks: self.clocks.map(|left| left.map(milliseconds)).into(),
            since: self.since.filter(|_| !is_over),
            scores: self.scores.into(),
            end: self.end.clone(),
        }
    }

    pub(crate) fn view(&self) -> GameView {
        let none = MoveDetails::default();
        let details = std::iter::repeat_n(&none, self.opening).chain(&self.details);
        let moves = self.game.plies().zip(details).enumerate();
        GameView {
            summary: self.summary(),
            now: now(),
            start: self.game.start().to_string(),
            opening: self.opening,
            moves: moves
                .map(|(index, ((before, mv), details))| {
                    move_view(index + 1, (before.side_to_move(), mv), details)
                })
                .collect(),
            transcript: self.game.transcript().to_string(),
            faults: self.faults.clone(),
        }
    }
}

fn move_view(ply: usize, (color, mv): (Color, Move), details: &MoveDetails) -> MoveView {
    MoveView {
        ply,
        mv: move_text(mv),
        color: color_text(color),
        ms: details.took.map(milliseconds),
        score: details.score,
        depth: details.depth,
    }
}

/// Returns the times that the next move of each side may take.
pub(crate) fn allowed(clocks: &ByColor<ClockState>) -> ByColor<Option<Duration>> {
    clocks.as_ref().map(ClockState::allowed)
}

/// Returns the time in milliseconds since 1970.
pub(crate) fn now() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    now.map_or(0, milliseconds)
}

fn milliseconds(time: Duration) -> u64 {
    time.as_millis().try_into().unwrap_or(u64::MAX)
}

fn move_text(mv: Move) -> String {
    match mv {
        Move::Place(square) => square.to_string(),
        Move::Pass => "pass".to_owned(),
    }
}

fn color_text(color: Color) -> String {
    match color {
        Color::Black => "black".to_owned(),
        Color::White => "white".to_owned(),
    }
}

fn squares(board: Board) -> String {
    let text = board.to_string();
    text.split(' ').next().unwrap_or_default().to_owned()
}
