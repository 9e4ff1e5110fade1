//! The driver of a game.

use std::{
    future::{Future, poll_fn},
    pin::{Pin, pin},
    sync::Arc,
    task::Poll,
    time::{Duration, Instant},
};

use boardgame_core::{ByColor, ClockState, Color, Game, Margin, TimeControl};
use boardgame_session::{Conductor, ConductorAction, ConductorOptions, GameEvent, Note, Verdict};
use tokio::time::sleep;

use crate::{
    blocking::on_another_thread,
    last_output::LastOutput,
    report::{GameReport, Outcome},
    seat::{FromSeat, Seat},
};

/// A judge of final positions that the rules do not score. It is called on a thread that it may block.
pub trait Scorer<G: Game>: Send + Sync {
    /// Returns the margin of a game that ended in a position.
    fn score(&self, position: &G) -> Margin;
}

impl<G: Game, F: Fn(&G) -> Margin + Send + Sync> Scorer<G> for F {
    fn score(&self, position: &G) -> Margin {
        self(position)
    }
}

/// A game to be played.
#[derive(Clone)]
pub struct GameSpec<G: Game> {
    /// The setup agreed on before the first move.
    pub setup: G::Setup,
    /// The moves that are made before the seats play.
    pub opening: Vec<G::Move>,
    /// The time of each side.
    pub time: ByColor<TimeControl>,
    /// The time that a move may take beyond what the clock allows.
    pub tolerance: Duration,
    /// True if comments are relayed to the other seat.
    pub relays_comments: bool,
    /// The judge of games that the rules do not score.
    pub scorer: Option<Arc<dyn Scorer<G>>>,
    /// The number of moves, the opening's included, after which the scorer judges the position as it stands;
    /// `None` without limit.
    pub max_moves: Option<usize>,
    /// The random seed, passed to programs whose command has a placeholder for it.
    pub seed: u64,
}

impl<G: Game> GameSpec<G> {
    /// Returns a game without an opening, a limit or a scorer, of the seed 0.
    pub fn new(setup: G::Setup) -> Self {
        Self {
            setup,
            opening: Vec::new(),
            time: ByColor::default(),
            tolerance: Duration::ZERO,
            relays_comments: false,
            scorer: None,
            max_moves: None,
            seed: 0,
        }
    }

    /// Returns the position after the opening.
    ///
    /// # Panics
    ///
    /// Panics if a move of the opening is illegal.
    pub(crate) fn position(&self) -> G {
        let mut position = G::new(&self.setup);
        let legal = self.opening.iter().try_for_each(|&mv| position.play(mv));
        legal.expect("the moves of an opening are legal");
        position
    }
}

/// Bounds of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameOptions {
    /// The maximum duration of any game: a guard for games without clocks.
    pub max_duration: Duration,
    /// The maximum number of notes kept for the report.
    pub max_notes: usize,
    /// The time that a peer over a stream has to take the last lines.
    pub grace: Duration,
}

impl Default for GameOptions {
    /// A day a game, 256 notes, 2 s for the last lines.
    fn default() -> Self {
        Self {
            max_duration: Duration::from_hours(24),
            max_notes: 256,
            grace: Duration::from_secs(2),
        }
    }
}

/// An event for the observer of a game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum News<'a, M> {
    /// A program was started for a seat.
    Launched {
        /// The seat.
        seat: Color,
        /// The process id.
        process: Option<u32>,
    },
    /// Something happened in the game.
    Event(&'a GameEvent<M>),
    /// A seat wrote a line for the log.
    Note(Color, &'a Note),
    /// A seat has lost the game by a fault, after this output. The verdict follows.
    Lost(Color, &'a LastOutput),
    /// The game is decided. Only then are programs ended and last lines delivered.
    Decided(&'a Verdict),
}

/// Plays a game between two seats to its end.
///
/// It ends with the verdict, when `cancel` resolves, after [`GameOptions::max_duration`], or when nothing can
/// happen any more. It returns whatever the seats do, with their faults in the report, after every program that
/// is not kept has ended. The caller may play another game with the seats. If the future is dropped early, drop
/// them too, which ends the programs.
///
/// The seats get the verdict once the future from `keep` resolves. From then on the game cannot be called off: if
/// `cancel` resolves, the last lines still have [`GameOptions::grace`], and the outcome is the verdict.
///
/// # Errors
///
/// When a move of the opening is illegal.
///
/// # Panics
///
/// Outside a tokio runtime with time and I/O enabled.
pub async fn conduct<G: Game, K: Future<Output = ()>>(
    game: GameSpec<G>,
    seats: ByColor<&mut (dyn Seat<G> + 'static)>,
    mut observer: impl FnMut(&G, News<'_, G::Move>),
    mut keep: impl FnMut(&G, &Verdict) -> K,
    options: &GameOptions,
    cancel: impl Future<Output = ()>,
) -> Result<GameReport<G>, G::IllegalMove> {
    let begun = Instant::now();
    let setup = game.setup.clone();
    let mut conductor = Conductor::new(ConductorOptions {
        setup: game.setup,
        opening: game.opening,
        clocks: game.time.map(ClockState::new),
        tolerance: game.tolerance,
        relays_comments: game.relays_comments,
        conventions: seats.as_ref().map(|seat| seat.conventions()),
    })?;
    if let Some(max_moves) = game.max_moves {
        conductor = conductor.with_max_moves(max_moves);
    }
    let mut driver = Driver {
        conductor,
        scorer: game.scorer,
        seats,
        kept: None,
        notes: Vec::new(),
        options: *options,
    };
    let outcome = driver.play(&mut observer, &mut keep, cancel).await;
    let elapsed = begun.elapsed();
    if outcome.verdict().is_none() {
        driver.call_off();
    }
    let ByColor { black, white } = &mut driver.seats;
    let (black, white) = tokio::join!(black.end(options.grace), white.end(options.grace));
    Ok(GameReport {
        outcome,
        setup,
        moves: driver.conductor.moves().to_vec(),
        position: driver.conductor.position().clone(),
        elapsed,
        notes: driver.notes,
        seats: ByColor { black, white },
    })
}

struct Driver<'a, G: Game> {
    conductor: Conductor<G>,
    scorer: Option<Arc<dyn Scorer<G>>>,
    seats: ByColor<&'a mut (dyn Seat<G> + 'static)>,
    /// The verdict, once `keep` has saved it.
    kept: Option<Verdict>,
    notes: Vec<Note>,
    options: GameOptions,
}

/// An event that the driver waits for.
enum Wake<M> {
    Seat(Color, FromSeat<M>),
    Over(Outcome),
}

impl<G: Game> Driver<'_, G> {
    async fn play<K: Future<Output = ()>>(
        &mut self,
        observer: &mut impl FnMut(&G, News<'_, G::Move>),
        keep: &mut impl FnMut(&G, &Verdict) -> K,
        cancel: impl Future<Output = ()>,
    ) -> Outcome {
        let mut over = pin!(over(cancel, self.options.max_duration));
        // Signals are watched from the first poll on: before any program starts.
        if let Poll::Ready(outcome) =
            poll_fn(|context| Poll::Ready(over.as_mut().poll(context))).await
        {
            return outcome;
        }
        let outcome = self.drive(observer, keep, over).await;
        let Some(verdict) = self.kept.clone() else {
            return outcome;
        };
        if outcome.verdict().is_none() {
            let over = pin!(over_after(self.options.grace));
            let told = self.drive(observer, keep, over).await;
            if told.verdict().is_none() {
                observer(self.conductor.position(), News::Decided(&verdict));
            }
        }
        Outcome::Decided(verdict)
    }

    /// Drives the game until it is over, or until `over` resolves.
    async fn drive<K: Future<Output = ()>>(
        &mut self,
        observer: &mut impl FnMut(&G, News<'_, G::Move>),
        keep: &mut impl FnMut(&G, &Verdict) -> K,
        mut over: Pin<&mut impl Future<Output = Outcome>>,
    ) -> Outcome {
        loop {
            if let Some(outcome) = self.act(observer, keep).await {
                return outcome;
            }
            if self.seats.iter().all(|seat| seat.is_silent()) {
                return Outcome::Stalled;
            }
            match self.wake(over.as_mut()).await {
                Wake::Seat(seat, from) => {
                    if let Some(outcome) = self.take(seat, from, observer) {
                        return outcome;
                    }
                }
                Wake::Over(outcome) => return outcome,
            }
        }
    }

    /// Carries out the actions of the conductor until there are none. Events that come while a verdict is
    /// being kept wait, since they change nothing.
    async fn act<K: Future<Output = ()>>(
        &mut self,
        observer: &mut impl FnMut(&G, News<'_, G::Move>),
        keep: &mut impl FnMut(&G, &Verdict) -> K,
    ) -> Option<Outcome> {
        while let Some(action) = self.conductor.poll() {
            match action {
                ConductorAction::Order(seat, order) => self.seats[seat].order(order),
                ConductorAction::Event(event) => {
                    observer(self.conductor.position(), News::Event(&event));
                }
                ConductorAction::Score => {
                    let Some(scorer) = self.scorer.clone() else {
                        return Some(Outcome::Unscored);
                    };
                    let position = self.conductor.position().clone();
                    let margin = on_another_thread(move || scorer.score(&position)).await;
                    self.conductor.scored(margin);
                }
                ConductorAction::Keep(verdict) => {
                    let position = self.conductor.position();
                    if let Some(by) = verdict.cause.culprit()
                        && let Some(output) = self.seats[by].last_output()
                    {
                        observer(position, News::Lost(by, output));
                    }
                    keep(position, &verdict).await;
                    self.kept = Some(verdict);
                    self.conductor.kept();
                }
                ConductorAction::Finish(verdict) => {
                    observer(self.conductor.position(), News::Decided(&verdict));
                    return Some(Outcome::Decided(verdict));
                }
            }
        }
        None
    }

    /// Waits for the next event.
    async fn wake(&mut self, over: impl Future<Output = Outcome>) -> Wake<G::Move> {
        let ByColor { black, white } = &mut self.seats;
        tokio::select! {
            biased;
            outcome = over => Wake::Over(outcome),
            from = black.next() => Wake::Seat(Color::Black, from),
            from = white.next() => Wake::Seat(Color::White, from),
        }
    }

    fn take(
        &mut self,
        seat: Color,
        from: FromSeat<G::Move>,
        observer: &mut impl FnMut(&G, News<'_, G::Move>),
    ) -> Option<Outcome> {
        let position = self.conductor.position();
        match from {
            FromSeat::Event(event) => self.conductor.event(seat, event),
            FromSeat::Note(note) => {
                observer(position, News::Note(seat, &note));
                if self.notes.len() < self.options.max_notes {
                    self.notes.push(note);
                }
            }
            FromSeat::Launched { process } => observer(position, News::Launched { seat, process }),
            FromSeat::NotStarted => return Some(Outcome::NotStarted { seat }),
        }
        None
    }

    /// Gives the orders that call the game off.
    fn call_off(&mut self) {
        self.conductor.call_off();
        while let Some(action) = self.conductor.poll() {
            if let ConductorAction::Order(seat, order) = action {
                self.seats[seat].order(order);
            }
        }
    }
}

async fn over_after(limit: Duration) -> Outcome {
    sleep(limit).await;
    Outcome::TimedOut
}

async fn over(cancel: impl Future<Output = ()>, limit: Duration) -> Outcome {
    tokio::select! {
        biased;
        () = cancel => Outcome::Cancelled,
        outcome = over_after(limit) => outcome,
    }
}
