//! Checks of a program before a contest: the situations of Go, and dialogues in GTP.

mod dialogue;
mod opponent;
mod replay;

use std::sync::Arc;

use boardgame_core::{Color, Margin};
use boardgame_io::{CommandLine, ProgramLimits};
use boardgame_match::{
    GameSpec,
    check::{self, Case, Finished, Loss},
    limit::Limit,
};
use go_core::{Komi, Move, Position, Setup, Size};

use self::{opponent::Opponent, replay::Replay};
use crate::{EngineSpec, Format};

/// The number of moves after the opening of a game for one situation in GTP.
const SHORT_GAME: usize = 24;

/// A situation of a game of Go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Goal {
    Captured,
    Ko,
    Suicide,
    OpponentPasses,
    TwoPasses,
    MustPass,
    Handicap,
    Thirteen,
    Nineteen,
}

impl Goal {
    /// Those that are looked for; the last four begin with a setup or moves, which GTP alone can express.
    const ALL: [Self; 9] = [
        Self::Captured,
        Self::Ko,
        Self::Suicide,
        Self::OpponentPasses,
        Self::TwoPasses,
        Self::MustPass,
        Self::Handicap,
        Self::Thirteen,
        Self::Nineteen,
    ];

    const fn name(self) -> &'static str {
        match self {
            Self::Captured => "captured",
            Self::Ko => "ko",
            Self::Suicide => "suicide",
            Self::OpponentPasses => "opponent-passes",
            Self::TwoPasses => "two-passes",
            Self::MustPass => "must-pass",
            Self::Handicap => "handicap",
            Self::Thirteen => "board-13",
            Self::Nineteen => "board-19",
        }
    }

    const fn in_words(self) -> &'static str {
        match self {
            Self::Captured => "the opponent captures its stones",
            Self::Ko => "it may not retake a ko at once",
            Self::Suicide => "a point is suicide for it",
            Self::OpponentPasses => "the opponent passes early",
            Self::TwoPasses => "two passes end the game",
            Self::MustPass => "it has no legal point and must pass",
            Self::Handicap => "Black has two handicap stones",
            Self::Thirteen => "the board has 13 lines",
            Self::Nineteen => "the board has 19 lines",
        }
    }

    fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|goal| goal.name() == name)
    }

    /// Returns the moves that lead a program of a colour to the situation, if it needs any.
    fn opening(self, program: Color, size: Size) -> Vec<Move> {
        let text = match (self, program) {
            (Self::Captured, Color::Black) => "A1 A2 pass B1",
            (Self::Captured, Color::White) => "A2 A1 B1",
            (Self::Ko, Color::Black) => "E6 C5 F5 D6 E4 D4 D5 E5",
            (Self::Ko, Color::White) => "C5 E6 D6 F5 D4 E4 A1 D5 E5",
            (Self::Suicide, Color::Black) => "pass A2 pass B1",
            (Self::Suicide, Color::White) => "A2 pass B1",
            (Self::MustPass, _) => return filled_board(program, size),
            _ => "",
        };
        let moves = text.split_whitespace();
        moves.filter_map(|mv| mv.parse().ok()).collect()
    }
}

/// Returns the moves after which the opponent has filled a board up to two eyes and the program is to move.
fn filled_board(program: Color, size: Size) -> Vec<Move> {
    let points = Position::new(&Setup::new(size))
        .legal_points()
        .collect::<Vec<_>>();
    let eyes = [points.first().copied(), points.last().copied()];
    let mut moves = Vec::new();
    for point in points
        .into_iter()
        .filter(|&point| !eyes.contains(&Some(point)))
    {
        if program == Color::Black || !moves.is_empty() {
            moves.push(Move::Pass);
        }
        moves.push(point.into());
    }
    moves
}

/// Returns the names of all cases.
pub fn names() -> impl Iterator<Item = &'static str> {
    check::names(Goal::ALL.map(Goal::name), dialogue::names())
}

/// A program that is checked.
#[derive(Clone, Debug)]
pub struct Subject {
    program: EngineSpec,
    size: Size,
}

impl Subject {
    /// Returns a program that plays on boards of a size, which the USENIX format does not tell it.
    pub fn new(format: Format, line: CommandLine, limit: Limit, size: Size) -> Self {
        let program = EngineSpec {
            name: line.to_string(),
            format,
            line,
            setup: Vec::new(),
            limit,
        };
        Self { program, size }
    }

    /// Returns whether games begin with setups and moves.
    fn has_openings(&self) -> bool {
        self.program.format == Format::Gtp
    }
}

impl check::Subject for Subject {
    type Engine = EngineSpec;
    type Opponent = Opponent;

    fn engine(&self) -> EngineSpec {
        self.program.clone()
    }

    fn situations(&self) -> Vec<check::Situation> {
        let count = if self.has_openings() { 9 } else { 5 };
        let goals = Goal::ALL.into_iter().take(count);
        goals
            .map(|goal| check::Situation {
                name: goal.name(),
                about: goal.in_words(),
            })
            .collect()
    }

    fn game(&self, goal: Option<&str>, color: Color) -> GameSpec<Position> {
        let goal = goal.and_then(Goal::named).filter(|_| self.has_openings());
        let size = match goal {
            Some(Goal::Thirteen) => Size::new(13).unwrap_or_default(),
            Some(Goal::Nineteen) => Size::NINETEEN,
            // The openings need a board of nine lines.
            Some(Goal::TwoPasses | Goal::OpponentPasses) | None => self.size,
            Some(_) => Size::NINE,
        };
        let setup = Setup::new(size).with_komi(Komi::from_half_points(11));
        let handicap = setup.clone().with_fixed_handicap(2);
        let setup = match handicap {
            Ok(handicap) if goal == Some(Goal::Handicap) => handicap,
            _ => setup,
        };
        let opening = goal.map_or(Vec::new(), |goal| goal.opening(color, size));
        let is_short = goal.is_some_and(|goal| goal != Goal::TwoPasses);
        let max_moves = if is_short {
            opening.len() + SHORT_GAME
        } else {
            3 * size.point_count()
        };
        GameSpec {
            opening,
            max_moves: Some(max_moves),
            // The result is of no interest.
            scorer: Some(Arc::new(|_: &Position| Margin::DRAW)),
            ..GameSpec::new(setup)
        }
    }

    fn opponent(&self, goal: Option<&str>, seed: u64) -> Opponent {
        Opponent::new(goal.and_then(Goal::named), seed)
    }

    fn met(&self, game: &Finished) -> Vec<&'static str> {
        let replay = Replay::new(self.program.format, game);
        replay.met().into_iter().map(Goal::name).collect()
    }

    fn loss(&self, game: &Finished) -> Loss {
        Replay::new(self.program.format, game).loss()
    }

    async fn others(
        &self,
        wants: impl Fn(&str) -> bool + Send,
        limits: ProgramLimits,
    ) -> Vec<Case> {
        if self.program.format == Format::Gtp {
            dialogue::cases(&self.program.line, limits, wants).await
        } else {
            Vec::new()
        }
    }
}
