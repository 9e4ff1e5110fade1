//! The sides of a game of a check.

use std::{
    fmt::{self, Display},
    time::{Duration, Instant},
};

use boardgame_core::{ByColor, Color, TimeControl};
use boardgame_io::{SendForm, Trace};
use boardgame_match::{
    EngineId, GameId, GameSpec, LocalSeat, Seat as _,
    engine::{Engine, EngineSeat, OpenError, OpenSeat, Patience, SeatRequest, play},
    limit::Limit,
};
use othello_core::Board;

use super::{
    Check,
    opponent::{Opponent, Replies},
    played::Played,
    situation::Situation,
};
use crate::{engine::EngineSpec, record::Othello};

/// The longest that a program may take to start and to begin a game.
const START: Duration = Duration::from_secs(10);

/// The time that a late move is waited for.
const OVERTIME: Duration = Duration::from_secs(3);

/// The time that a move without a limit is waited for.
const UNTIMED: Duration = Duration::from_mins(1);

/// A side of a game of a check.
#[derive(Clone, Debug)]
pub(super) enum Player {
    Program(Box<EngineSpec>),
    Opponent {
        goal: Option<Situation>,
        replies: Replies,
        seed: u64,
    },
}

impl Display for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Engine for Player {
    type Format = Othello;

    fn name(&self) -> &str {
        match self {
            Self::Program(spec) => &spec.name,
            Self::Opponent { .. } => "opponent",
        }
    }

    fn limit(&self) -> Limit {
        match self {
            Self::Program(spec) => spec.limit,
            Self::Opponent { .. } => Limit::default(),
        }
    }

    fn set_limit(&mut self, limit: Limit) {
        if let Self::Program(spec) = self {
            spec.limit = limit;
        }
    }

    fn time(&self) -> TimeControl {
        match self {
            Self::Program(spec) => spec.time(),
            Self::Opponent { .. } => TimeControl::default(),
        }
    }

    async fn open(&self, request: &SeatRequest<'_, Board>) -> Result<OpenSeat<Board>, OpenError> {
        match self {
            Self::Program(spec) => spec.open(request).await,
            Self::Opponent {
                goal,
                replies,
                seed,
            } => {
                let opponent = Opponent::new(*goal, replies.clone(), *seed);
                let seat = LocalSeat::new("opponent", opponent).map_err(OpenError::new)?;
                Ok(OpenSeat::kept(seat))
            }
        }
    }
}

impl Check {
    /// Plays a game.
    pub(super) async fn play(&self, color: Color, form: SendForm, opponent: Player) -> Played {
        let trace = Trace::default();
        let mut patience = Patience {
            start: START,
            overtime: OVERTIME,
            untimed: UNTIMED,
            ..Patience::default()
        };
        patience.program.link.form = form;
        patience.program.link.trace = Some(trace.clone());
        let seat = |player| EngineSeat::new(player, patience.clone(), false);
        let (mut program, mut other) =
            (seat(Player::Program(Box::new(self.spec()))), seat(opponent));
        let began = Instant::now();
        let (black, white) = match color {
            Color::Black => (&mut program, &mut other),
            Color::White => (&mut other, &mut program),
        };
        let id = GameId {
            opening: 0,
            black: EngineId(0),
            white: EngineId(1),
        };
        let spec = GameSpec::new(Board::START);
        let game = play(id, &spec, ByColor { black, white }, |_| {}).await;
        program.close().await;
        other.close().await;
        Played::new(color, &game, began, trace.take())
    }
}
