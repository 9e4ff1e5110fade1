//! Programs that speak a wire format, against whatever the other engine is.
//!
//! The format's own host plays a game with the program, so that everything a program can do wrong
//! is found out where it always is. The other seat is taken by a player of ours that chooses
//! nothing itself: it waits for the moves of the game that is kept elsewhere.

mod lth;
mod meter;
mod relay;
mod seated;
mod stopped;
mod table;
mod verdict;

use std::time::Duration;

use othello_arena::{CommandLine, ProgramOptions};
use othello_core::{Color, Game, Move, Score};

use self::{
    table::{Ended, FromTable, Seen, Setup, Table},
    verdict::Witness,
};
use super::{Choice, Failure};
use crate::{
    fault::Fault,
    limit::Limit,
    protocol::{Allowance, WireFormat, WireLimitError},
};

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
/// use othello_match::{
///     contender::wire::{Wire, WireOptions},
///     limit::Limit,
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

/// A game in progress, as the contender sees it.
#[derive(Debug)]
struct Play {
    table: Table,
    color: Color,
    /// Whether the program was ever ready.
    ready: bool,
    /// How many moves of the game the host knows or is on the way to know.
    told: usize,
    /// The time that the program's moves took.
    used: Duration,
    /// Its first false claim.
    claim: Option<Score>,
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
        let table = Table::open(Setup {
            format: self.format,
            line: self.line.clone(),
            allowance: self.allowance,
            options: self.options,
            start: game.board(),
            color,
            misreads_opening: self.misreads_opening,
        });
        self.play = Some(Play {
            table,
            color,
            ready: false,
            told: game.moves().len(),
            used: Duration::ZERO,
            claim: None,
        });
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
        self.play.as_mut().expect("a game was begun").tell(game);
        while let Some(seen) = self.next(game).await? {
            if let Seen::Placed { square, took, cpu } = seen {
                self.hold_to_its_time(took).await?;
                return Ok(Choice {
                    cpu,
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
        if let Some(play) = &mut self.play {
            play.tell(game);
        }
        while self.next(game).await?.is_some() {}
        Ok(())
    }

    /// Gives up the game in progress, if there is one, and waits until the program has ended.
    pub async fn close(mut self) {
        self.call_off().await;
    }

    async fn call_off(&mut self) {
        if let Some(mut play) = self.play.take() {
            play.table.call_off();
            while let FromTable::Seen(_) = play.table.next().await {}
        }
    }

    /// The next thing that the program does; `None` when the game has ended without a fault.
    async fn next(&mut self, game: &Game) -> Result<Option<Seen>, Failure> {
        let Some(play) = &mut self.play else {
            return Ok(None);
        };
        match play.table.next().await {
            FromTable::Seen(Seen::Restarted) => {
                // Whoever keeps the game begins it again; the host's new one has other moves.
                self.misreads_opening = true;
                self.call_off().await;
                Err(failure(Fault::MisreadOpening))
            }
            FromTable::Seen(seen) => {
                play.take(seen);
                Ok(Some(seen))
            }
            FromTable::Ended(ended) => match self.judge(game, &ended) {
                Some(fault) => Err(failure(fault)),
                None => Ok(None),
            },
        }
    }

    /// What the program is to blame for now that the game has ended.
    fn judge(&mut self, game: &Game, ended: &Ended) -> Option<Fault> {
        let play = self.play.take()?;
        let witness = Witness {
            color: play.color,
            ready: play.ready,
            claim: play.claim,
            waited: self.allowance.left(play.used) + self.options.grace + self.options.patience,
            game,
        };
        witness.judge(ended)
    }

    async fn hold_to_its_time(&mut self, took: Duration) -> Result<(), Failure> {
        let Some(play) = &mut self.play else {
            return Ok(());
        };
        let allowed = self.allowance.left(play.used);
        play.used += took;
        if took <= allowed + self.options.grace {
            return Ok(());
        }
        self.call_off().await;
        Err(failure(Fault::Late { took, allowed }))
    }
}

impl Play {
    /// Tells the host what the other side played since it was told last.
    fn tell(&mut self, game: &Game) {
        for (board, mv) in game.plies().skip(self.told) {
            if let Move::Place(square) = mv
                && board.side_to_move() != self.color
            {
                self.table.moves.hand_in(square);
            }
        }
        self.told = game.moves().len();
    }

    fn take(&mut self, seen: Seen) {
        match seen {
            Seen::Ready => self.ready = true,
            Seen::FalseClaim(value) => {
                self.claim.get_or_insert(value);
            }
            Seen::Placed { .. } | Seen::Restarted => {}
        }
    }
}

/// The program is started anew for the next game: no fault keeps it from that.
const fn failure(fault: Fault) -> Failure {
    Failure {
        fault,
        usable: true,
    }
}
