//! Series of games between two contestants, with their totals.

use std::{
    cell::RefCell,
    future::{Future, ready},
    pin::pin,
    time::Duration,
};

use boardgame_core::{ByColor, Margin};
use boardgame_match::{
    ForfeitScore, GameOptions, GameReport, GameSpec, News, Outcome, Seat, conduct,
};
use boardgame_session::Verdict;
use futures_util::{StreamExt as _, stream::FuturesUnordered};
use othello_core::{Board, Color, Empties, Game, IllegalMove, Move};
use tokio::sync::watch;

use crate::{FORFEIT_SCORE, replay::ObservedGame};

/// One of the two sides of a series.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Contestant {
    First,
    Second,
}

impl Contestant {
    /// Both contestants.
    pub const ALL: [Self; 2] = [Self::First, Self::Second];

    /// Returns the other contestant.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::First => Self::Second,
            Self::Second => Self::First,
        }
    }

    /// Returns the contestant that plays a colour in the game with a number, counted from 1: the first
    /// contestant is Black in the odd games.
    pub const fn of(number: u32, color: Color) -> Self {
        match (number % 2, color) {
            (1, Color::Black) | (0, Color::White) => Self::First,
            _ => Self::Second,
        }
    }
}

/// The options of a series.
#[derive(Clone, Debug)]
pub struct SeriesOptions {
    /// The number of games.
    pub games: u32,
    /// The number of games played at a time.
    pub concurrency: usize,
    /// The bounds of each game.
    pub game: GameOptions,
    /// The margin of a game lost by a fault.
    pub forfeit: ForfeitScore,
}

impl Default for SeriesOptions {
    /// Returns the options of one game.
    fn default() -> Self {
        Self {
            games: 1,
            concurrency: 1,
            game: GameOptions::default(),
            forfeit: FORFEIT_SCORE,
        }
    }
}

/// An event for the observer of a series.
#[derive(Clone, Copy, Debug)]
pub enum SeriesNews<'a> {
    /// Something happened in a game.
    Game(&'a Game, News<'a, Move>),
    /// A game is over, and its programs have ended.
    Finished(&'a GameReport<Board>),
}

/// The totals of one contestant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Standing {
    /// The number of games won.
    pub wins: u32,
    /// The number of games drawn.
    pub draws: u32,
    /// The number of games lost.
    pub losses: u32,
    /// The sum of its disc differences in decided games.
    pub discs: i64,
    /// The number of games lost by a fault: against the rules, the format or the time limit, or by
    /// leaving.
    pub forfeits: u32,
    /// The number of other faults of its programs.
    pub faults: u32,
    /// The total time of its moves.
    pub used: Duration,
    /// The longest time of a move.
    pub longest: Duration,
}

/// A series that is over.
#[derive(Clone, Debug, Default)]
pub struct SeriesReport {
    /// The totals in the order of [`Contestant::ALL`].
    pub standings: [Standing; 2],
    /// The number of games that were called off.
    pub undecided: u32,
    /// All games in the order in which they ended, with their numbers.
    pub games: Vec<(u32, GameReport<Board>)>,
}

impl SeriesReport {
    /// Returns the totals of a contestant.
    pub const fn standing(&self, contestant: Contestant) -> &Standing {
        &self.standings[contestant as usize]
    }

    /// Adds a game.
    fn add(&mut self, number: u32, report: GameReport<Board>, forfeit: ForfeitScore) {
        for color in Color::ALL {
            let contestant = Contestant::of(number, color);
            self.standings[contestant as usize].add(color, &report, forfeit);
        }
        if report.outcome.verdict().is_none() {
            self.undecided += 1;
        }
        self.games.push((number, report));
    }
}

impl Standing {
    /// Adds a game that the contestant played with a colour.
    pub fn add(&mut self, color: Color, report: &GameReport<Board>, forfeit: ForfeitScore) {
        let seat = &report.seats[color];
        self.faults += seat.faults.len() as u32;
        self.used += seat.used;
        self.longest = self.longest.max(seat.longest);
        let Outcome::Decided(verdict) = &report.outcome else {
            return;
        };
        match verdict.winner {
            None => self.draws += 1,
            Some(winner) if winner == color => self.wins += 1,
            Some(_) => self.losses += 1,
        }
        let score = report.position.score(Color::Black, Empties::OnBoard);
        let on_board = Margin::from_points(score.discs());
        let culprit = verdict.cause.culprit();
        let by_fault = culprit.and_then(|by| forfeit.margin(by, || Some(on_board)));
        let margin = by_fault.unwrap_or(on_board).seen_by(color);
        self.discs += i64::from(margin.half_points() / 2);
        self.forfeits += u32::from(culprit == Some(color));
    }
}

/// Plays a series, colours alternating.
///
/// `seat` makes the seat of a contestant for a colour, and `observer` gets the events, both with the
/// number of the game, counted from 1. Whatever happens in a game, the next one is played, unless a
/// program [does not start](Outcome::NotStarted). Then, or when `cancel` resolves, the games in progress
/// are called off and no others start; the report has the games so far.
///
/// # Errors
///
/// When a move of the opening is illegal.
///
/// # Panics
///
/// Outside a tokio runtime with time and I/O enabled; and when a session panics.
pub async fn play(
    game: &GameSpec<Board>,
    mut seat: impl FnMut(u32, Contestant, Color) -> Box<dyn Seat<Board>>,
    observer: impl FnMut(u32, SeriesNews<'_>),
    options: &SeriesOptions,
    cancel: impl Future<Output = ()>,
) -> Result<SeriesReport, IllegalMove> {
    let observed = ObservedGame::new(game)?;
    let observer = RefCell::new(observer);
    let tell = |number, news: SeriesNews<'_>| (observer.borrow_mut())(number, news);
    let mut cancel = pin!(cancel);
    let (call_off, called_off) = watch::channel(false);
    let mut running = FuturesUnordered::new();
    let mut report = SeriesReport::default();
    let mut numbers = 1..=options.games;
    loop {
        while running.len() < options.concurrency.max(1) && !*called_off.borrow() {
            let Some(number) = numbers.next() else { break };
            let mut seats =
                ByColor::new_with(|color| seat(number, Contestant::of(number, color), color));
            let mut observed = observed.clone();
            let (tell, cancel) = (&tell, cancelled(called_off.clone()));
            running.push(async move {
                let observer = |_: &Board, news: News<'_, Move>| {
                    observed.update(&news);
                    tell(number, SeriesNews::Game(observed.game(), news));
                };
                let keep = |_: &Board, _: &Verdict| ready(());
                let seats = seats.as_mut().map(Box::as_mut);
                let game = game.clone();
                let report = conduct(game, seats, observer, keep, &options.game, cancel).await;
                (number, report)
            });
        }
        tokio::select! {
            // First, since `cancel` may listen for signals only once it is polled: before any program starts.
            biased;
            () = &mut cancel, if !*called_off.borrow() => {
                call_off.send_replace(true);
            }
            ended = running.next() => {
                let Some((number, game)) = ended else {
                    return Ok(report);
                };
                let game = game?;
                tell(number, SeriesNews::Finished(&game));
                if matches!(game.outcome, Outcome::NotStarted { .. }) {
                    call_off.send_replace(true);
                }
                report.add(number, game, options.forfeit);
            }
        }
    }
}

/// Resolves once the games are called off.
async fn cancelled(mut called_off: watch::Receiver<bool>) {
    if called_off.wait_for(|&off| off).await.is_err() {
        std::future::pending::<()>().await;
    }
}
