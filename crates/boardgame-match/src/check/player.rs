//! The sides of a game of a check.

use std::{
    fmt::{self, Display},
    time::{Duration, Instant},
};

use boardgame_core::{ByColor, Color, Margin, TimeControl};
use boardgame_io::{SendForm, Trace, cpu};
use boardgame_session::SeatFault;

use super::{Check, Finished, Subject, finished::Pressure};
use crate::{
    EngineId, GameId, GameReport, LocalPlayer, LocalSeat, Seat as _,
    engine::{
        Engine, EngineSeat, OpenError, OpenSeat, Patience, Rules, SeatRequest, play as play_game,
    },
    fault::Fault,
    limit::Limit,
};

/// The longest that a program may take to start and to begin a game.
const START: Duration = Duration::from_secs(10);

/// The time that a late move is waited for.
const OVERTIME: Duration = Duration::from_secs(3);

/// The time that a move without a limit is waited for.
const UNTIMED: Duration = Duration::from_mins(1);

/// A side of a game of a check.
#[derive(Clone, Debug)]
enum Player<E, O> {
    Program(Box<E>),
    Opponent(O),
}

impl<E: Engine, O> Display for Player<E, O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Program(engine) => engine.fmt(f),
            Self::Opponent(_) => f.write_str("opponent"),
        }
    }
}

impl<E: Engine, O: LocalPlayer<Rules<E>> + Clone + Sync> Engine for Player<E, O> {
    type Format = E::Format;

    fn name(&self) -> &str {
        match self {
            Self::Program(engine) => engine.name(),
            Self::Opponent(_) => "opponent",
        }
    }

    fn limit(&self) -> Limit {
        match self {
            Self::Program(engine) => engine.limit(),
            Self::Opponent(_) => Limit::default(),
        }
    }

    fn set_limit(&mut self, limit: Limit) {
        if let Self::Program(engine) = self {
            engine.set_limit(limit);
        }
    }

    fn time(&self) -> TimeControl {
        match self {
            Self::Program(engine) => engine.time(),
            Self::Opponent(_) => TimeControl::default(),
        }
    }

    fn likely_cause(
        &self,
        fault: &SeatFault,
        color: Color,
        game: &GameReport<Rules<E>>,
    ) -> Option<String> {
        match self {
            Self::Program(engine) => engine.likely_cause(fault, color, game),
            Self::Opponent(_) => None,
        }
    }

    fn false_result(&self, claim: Margin, position: &Rules<E>) -> Fault {
        match self {
            Self::Program(engine) => engine.false_result(claim, position),
            Self::Opponent(_) => unreachable!("the opponent claims no result"),
        }
    }

    async fn open(
        &self,
        request: &SeatRequest<'_, Rules<E>>,
    ) -> Result<OpenSeat<Rules<E>>, OpenError> {
        match self {
            Self::Program(engine) => engine.open(request).await,
            Self::Opponent(player) => {
                let seat = LocalSeat::new("opponent", player.clone()).map_err(OpenError::new)?;
                Ok(OpenSeat::kept(seat))
            }
        }
    }
}

impl<S: Subject> Check<S> {
    /// Plays a number of games, in one process if the format allows it, until the program makes a fault; returns the
    /// last of them.
    pub(super) async fn play(
        &self,
        color: Color,
        form: SendForm,
        goal: Option<&str>,
        number: u64,
        games: u32,
    ) -> Finished {
        let trace = Trace::default();
        let mut patience = Patience {
            start: START,
            overtime: OVERTIME,
            untimed: UNTIMED,
            ..Patience::default()
        };
        patience.program.limits = self.limits;
        patience.program.link.form = form;
        patience.program.link.trace = Some(trace.clone());
        let seat = |player| EngineSeat::new(player, patience.clone(), false);
        let opponent = self.subject.opponent(goal, self.seed.wrapping_add(number));
        let mut program = seat(Player::Program(Box::new(self.subject.engine())));
        let mut other = seat(Player::Opponent(opponent));
        let (began, waited) = (Instant::now(), cpu::pressure());
        let id = GameId {
            opening: 0,
            black: EngineId(0),
            white: EngineId(1),
        };
        let spec = self.subject.game(goal, color);
        let mut game = 0;
        let played = loop {
            let (black, white) = match color {
                Color::Black => (&mut program, &mut other),
                Color::White => (&mut other, &mut program),
            };
            let played = play_game(id, &spec, ByColor { black, white }, |_| {}).await;
            game += 1;
            if game >= games || !played.faults.is_empty() {
                break played;
            }
        };
        let pressure = Pressure::since(began, waited);
        program.close().await;
        other.close().await;
        let likely_cause = program.take_cause();
        Finished::new(color, played, likely_cause, began, pressure, trace.take())
    }
}
