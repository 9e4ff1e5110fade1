//! An engine's place in a match: opened when it is needed, waited for no longer than agreed,
//! closed when it fails.

use std::{
    future::Future,
    time::{Duration, Instant},
};

use boardgame_core::ClockState;
use boardgame_match::{fault::Fault, limit::Limit};
use othello_core::{Color, Game};
use tokio::time::timeout;

use crate::{
    contender::{Choice, Contender, Failure},
    engine::EngineSpec,
};

/// How often an engine is started for a game before the game is given up.
const ATTEMPTS: u32 = 3;

/// The times that engines are waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Patience {
    /// How long an engine may take to start, to begin a game and to take note of its end.
    pub start: Duration,
    /// How long an engine is waited for once its time is over; then it is ended.
    pub overtime: Duration,
    /// How long an engine without a clock is waited for; then it is ended.
    pub untimed: Duration,
}

impl Default for Patience {
    /// 30 s to start, 10 s over the time, 30 minutes without a clock.
    fn default() -> Self {
        Self {
            start: Duration::from_secs(30),
            overtime: Duration::from_secs(10),
            untimed: Duration::from_mins(30),
        }
    }
}

/// An engine of a match.
pub struct Player {
    spec: EngineSpec,
    patience: Patience,
    alone: bool,
    contender: Option<Contender>,
}

impl Player {
    /// An engine that is not started yet; `alone` if no other game is played in this process at
    /// the same time.
    pub fn new(spec: EngineSpec, patience: Patience, alone: bool) -> Self {
        Self {
            spec,
            patience,
            alone,
            contender: None,
        }
    }

    /// Lets our own engine think more or less from here on; other engines know their limit once
    /// they are started.
    pub(crate) fn set_limit(&mut self, limit: Limit) {
        self.spec.limit = limit;
        if let Some(Contender::Own(own)) = &mut self.contender {
            own.set_limit(limit);
        }
    }

    /// What it is.
    pub const fn spec(&self) -> &EngineSpec {
        &self.spec
    }

    /// Begins a game, for which the engine is started if it is not at work.
    ///
    /// # Errors
    ///
    /// When it hangs, or fails again and again.
    pub async fn begin(&mut self, game: &Game, color: Color) -> Result<(), Fault> {
        let mut attempt = 1;
        loop {
            match self.try_to_begin(game, color).await {
                Ok(()) => return Ok(()),
                Err(fault @ Fault::Hung { .. }) => return Err(fault),
                Err(fault) if attempt == ATTEMPTS => return Err(fault),
                Err(fault) => tracing::debug!(engine = self.spec.name, %fault, "tried to begin"),
            }
            attempt += 1;
        }
    }

    async fn try_to_begin(&mut self, game: &Game, color: Color) -> Result<(), Fault> {
        let patience = self.patience.start;
        let mut contender = match self.contender.take() {
            Some(contender) => contender,
            None => in_time(patience, Contender::open(&self.spec, self.alone))
                .await
                .map_err(|failure| not_started(failure.fault))?,
        };
        let begun = in_time(patience, contender.begin(game, color)).await;
        self.keep(contender, &begun).await;
        begun.map_err(|failure| failure.fault)
    }

    /// Starts the engine, has it begin a game and ends it, to see whether it can play at all. It is
    /// started once.
    ///
    /// # Errors
    ///
    /// When it does not start, or does not become ready for the game.
    pub async fn try_out(mut self, game: &Game) -> Result<(), Fault> {
        let tried = self.try_to_begin(game, game.side_to_move()).await;
        self.close().await;
        tried.map_err(not_started)
    }

    /// Asks for a move; the answer, and how long it took.
    ///
    /// # Errors
    ///
    /// When the engine fails, or does not answer.
    pub async fn choose(
        &mut self,
        game: &Game,
        clock: &ClockState,
    ) -> Result<(Choice, Duration), Fault> {
        let patience = match clock.allowed() {
            Some(time) => time.saturating_add(self.patience.overtime),
            None => self.patience.untimed,
        };
        let Some(mut contender) = self.contender.take() else {
            let detail = "it is not at work".into();
            return Err(Fault::Crashed { detail });
        };
        let asked = Instant::now();
        let choice = in_time(patience, contender.choose(game, clock)).await;
        let took = asked.elapsed();
        self.keep(contender, &choice).await;
        match choice {
            Ok(choice) => Ok((choice, took)),
            Err(failure) => Err(failure.fault),
        }
    }

    /// Tells the engine that the game has ended.
    ///
    /// # Errors
    ///
    /// When the engine fails, or claims another result.
    pub async fn conclude(&mut self, game: &Game) -> Result<(), Fault> {
        let Some(mut contender) = self.contender.take() else {
            return Ok(());
        };
        let told = in_time(self.patience.start, contender.conclude(game)).await;
        self.keep(contender, &told).await;
        told.map_err(|failure| failure.fault)
    }

    /// Ends the engine.
    pub async fn close(&mut self) {
        if let Some(contender) = self.contender.take() {
            contender.close().await;
        }
    }

    /// Keeps the engine for the next question if it can be asked again, and ends it otherwise.
    async fn keep<T>(&mut self, contender: Contender, outcome: &Result<T, Failure>) {
        match outcome {
            Err(failure) if !failure.usable => contender.close().await,
            _ => self.contender = Some(contender),
        }
    }
}

/// Waits no longer than `patience`, and keeps no more than needed of what an engine said.
async fn in_time<T>(
    patience: Duration,
    work: impl Future<Output = Result<T, Failure>>,
) -> Result<T, Failure> {
    let done = timeout(patience, work).await.unwrap_or(Err(Failure {
        fault: Fault::Hung { waited: patience },
        usable: false,
    }));
    done.map_err(|failure| Failure {
        fault: failure.fault.brief(),
        ..failure
    })
}

/// Whatever keeps an engine from becoming ready is a start that failed.
fn not_started(fault: Fault) -> Fault {
    match fault {
        Fault::NotStarted { .. } => fault,
        other => Fault::NotStarted {
            reason: other.to_string(),
        },
    }
}
