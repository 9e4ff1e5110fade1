//! Programs that speak a wire format, against whatever the other engine is.
//!
//! The session of the format's host for one seat plays the game with the program, so that everything
//! a program can do wrong is found out where it always is. It is told what is played in the game that
//! is kept elsewhere.

mod lth;
mod play;
mod setup;
mod verdict;

use std::time::Duration;

use boardgame_io::{CommandLine, ProgramOptions};
use boardgame_match::Outcome;
use othello_core::{Color, Game, Move};

use self::{
    play::{Play, Seen},
    setup::Setup,
    verdict::Witness,
};
use super::{Choice, Failure};
use crate::protocol::{Allowance, WireFormat, WireLimitError};
use boardgame_match::{fault::Fault, limit::Limit};

/// How a program is treated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WireOptions {
    /// How long it may take to be ready, where the format says when it is.
    pub ready: Duration,
    /// What a move may take beyond the program's time for the way through pipes and sockets.
    pub grace: Duration,
    /// How much longer a move is waited for, to tell a late one from none.
    pub patience: Duration,
    /// How long it may take for its part in the end of a game, where the format gives it one.
    pub ending: Duration,
    /// What the program may use and how it is ended.
    pub program: ProgramOptions,
}

impl Default for WireOptions {
    /// 20 s to be ready, no grace, 5 s of patience, and 5 s for the end.
    fn default() -> Self {
        Self {
            ready: Duration::from_secs(20),
            grace: Duration::ZERO,
            patience: Duration::from_secs(5),
            ending: Duration::from_secs(5),
            program: ProgramOptions::default(),
        }
    }
}

/// A program that speaks a wire format. It is started for each game, or for each move in the
/// forms of the GUI's format that want that, and ends with the game and with this handle.
///
/// In the LTH format, `{host}` and `{port}` in its arguments are replaced by the address that it
/// is to connect to; it comes in by a competition port, which gives it its colour.
///
/// # Examples
///
/// ```no_run
/// use othello_core::{Color, Game};
/// use boardgame_match::limit::Limit;
/// use othello_match::{
///     contender::wire::{Wire, WireOptions},
///     protocol::WireFormat,
/// };
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let limit: Limit = "move:1s".parse()?;
/// let format = WireFormat::Codewarriors;
/// let mut wire = Wire::new(format, "./bot".parse()?, limit, WireOptions::default())?;
/// let mut game = Game::default();
/// if wire.begin(&game, Color::Black).await.is_ok()
///     && let Ok(choice) = wire.choose(&game).await
/// {
///     game.play(choice.square)?;
/// }
/// wire.close().await;
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Wire {
    format: WireFormat,
    line: CommandLine,
    allowance: Allowance,
    options: WireOptions,
    /// Whether the program misread how a game was opened: the next ones are opened otherwise.
    misreads_opening: bool,
    play: Option<Play>,
}

impl Wire {
    /// A program that is not started yet.
    ///
    /// # Errors
    ///
    /// When the format cannot carry the limit.
    pub fn new(
        format: WireFormat,
        line: CommandLine,
        limit: Limit,
        options: WireOptions,
    ) -> Result<Self, WireLimitError> {
        Ok(Self {
            format,
            line,
            allowance: Allowance::new(format, limit)?,
            options,
            misreads_opening: false,
            play: None,
        })
    }

    /// Begins a game that has come so far and in which the program plays `color`, and waits until
    /// it is ready as far as its format says so. Where it is to move it may begin to think.
    ///
    /// # Errors
    ///
    /// When the program does not start, or does not become ready, or when the format does
    /// [not take](WireFormat::takes) a game that has come so far.
    pub async fn begin(&mut self, game: &Game, color: Color) -> Result<(), Failure> {
        if !self.format.takes(game) {
            let reason = format!(
                "the {} format begins every game on the usual board",
                self.format
            );
            return Err(failure(Fault::NotStarted { reason }));
        }
        self.call_off().await;
        let setup = Setup {
            format: self.format,
            line: self.line.clone(),
            allowance: self.allowance,
            options: self.options,
            color,
            misreads_opening: self.misreads_opening,
        };
        let seat = setup.open().await.map_err(|not_met| {
            let reason = verdict::reason(&not_met.report, &not_met.to_string());
            failure(Fault::NotStarted { reason })
        })?;
        self.play = Some(Play::begin(seat, &setup, game));
        while let Some(seen) = self.next(game).await? {
            if seen == Seen::Ready {
                break;
            }
        }
        Ok(())
    }

    /// The program's choice in a game in which it is to move and has a move.
    ///
    /// # Errors
    ///
    /// When it makes none, or an illegal one, or one too late, or when it
    /// [misread the opening](Fault::MisreadOpening). The program has ended then.
    ///
    /// # Panics
    ///
    /// If no game was begun.
    pub async fn choose(&mut self, game: &Game) -> Result<Choice, Failure> {
        assert!(self.play.is_some(), "a game was begun");
        while let Some(seen) = self.next(game).await? {
            if let Seen::Moved(Move::Place(square), thought) = seen {
                self.hold_to_its_time(thought.took).await?;
                return Ok(Choice {
                    cpu: thought.cpu,
                    ..Choice::bare(square)
                });
            }
        }
        let detail = "expected a move, but the game is over".into();
        Err(failure(Fault::Format { detail }))
    }

    /// Ends the game: it is over as `game` has it, or is given up.
    ///
    /// # Errors
    ///
    /// What the program did wrong at the end of a game that is over: it did not take part in it
    /// as its format demands, or claimed another result.
    pub async fn conclude(&mut self, game: &Game) -> Result<(), Failure> {
        if !game.is_over() {
            self.call_off().await;
            return Ok(());
        }
        while self.next(game).await?.is_some() {}
        Ok(())
    }

    /// Gives up the game in progress, if there is one, and waits until the program has ended.
    pub async fn close(mut self) {
        self.call_off().await;
    }

    async fn call_off(&mut self) {
        if let Some(play) = self.play.take() {
            play.call_off().await;
        }
    }

    /// Returns the next thing that the program does; `None` when the game has ended without a fault.
    async fn next(&mut self, game: &Game) -> Result<Option<Seen>, Failure> {
        let Some(play) = &mut self.play else {
            return Ok(None);
        };
        match play.next(game).await {
            Seen::Restart => {
                // Whoever keeps the game begins it again.
                self.misreads_opening = true;
                self.call_off().await;
                Err(failure(Fault::MisreadOpening))
            }
            Seen::Over(outcome) => match self.judge(game, &outcome).await {
                Some(fault) => Err(failure(fault)),
                None => Ok(None),
            },
            seen => Ok(Some(seen)),
        }
    }

    /// Ends the program and returns what it is to blame for now that the game has ended.
    async fn judge(&mut self, game: &Game, outcome: &Outcome) -> Option<Fault> {
        let play = self.play.take()?;
        let witness = Witness {
            ready: play.is_ready(),
            claim: play.claim,
            waited: self.allowance.left(play.used) + self.options.grace + self.options.patience,
            game,
        };
        let report = play.end().await;
        witness.judge(outcome, &report)
    }

    /// Gives up a game in which a move that took so long came after its time.
    async fn hold_to_its_time(&mut self, took: Duration) -> Result<(), Failure> {
        let Some(play) = &self.play else {
            return Ok(());
        };
        let allowed = self.allowance.left(play.used.saturating_sub(took));
        if took <= allowed + self.options.grace {
            return Ok(());
        }
        self.call_off().await;
        Err(failure(Fault::Late { took, allowed }))
    }
}

/// The program is started anew for the next game: no fault keeps it from that.
const fn failure(fault: Fault) -> Failure {
    Failure {
        fault,
        usable: true,
    }
}
