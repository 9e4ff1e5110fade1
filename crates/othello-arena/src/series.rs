//! Many games between two contestants, and what they come to.

use std::{
    future::{Future, ready},
    pin::pin,
    time::Duration,
};

use boardgame_core::ByColor;
use boardgame_match::{GameOptions, GameReport, GameSpec, News, Outcome, Seat, conduct};
use boardgame_session::{GameEvent, Note, Verdict};
use othello_core::{Board, Color, Empties, Game, IllegalMove, Move};
use tokio::{
    sync::{mpsc, watch},
    task::JoinSet,
};

use crate::replay::follow;

/// One of the two sides of a series.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Contestant {
    First,
    Second,
}

impl Contestant {
    /// Both.
    pub const ALL: [Self; 2] = [Self::First, Self::Second];

    /// The other one.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::First => Self::Second,
            Self::Second => Self::First,
        }
    }

    /// Who plays a colour in the game with this number, counted from 1: the first contestant is
    /// Black in the odd games.
    pub const fn of(number: u32, color: Color) -> Self {
        match (number % 2, color) {
            (1, Color::Black) | (0, Color::White) => Self::First,
            _ => Self::Second,
        }
    }
}

/// How a series is played.
#[derive(Clone, Debug)]
pub struct SeriesOptions {
    /// How many games.
    pub games: u32,
    /// How many of them at a time.
    pub concurrency: usize,
    /// How each game is driven.
    pub game: GameOptions,
}

impl Default for SeriesOptions {
    /// One game.
    fn default() -> Self {
        Self {
            games: 1,
            concurrency: 1,
            game: GameOptions::default(),
        }
    }
}

/// What whoever watches a series is told.
#[derive(Clone, Copy, Debug)]
pub enum SeriesNews<'a> {
    /// Something happened in a game.
    Game(&'a Game, News<'a, Move>),
    /// A game is over, and its programs have ended.
    Over(&'a GameReport<Board>),
}

/// What one contestant came to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Standing {
    /// Games won.
    pub wins: u32,
    /// Games drawn.
    pub draws: u32,
    /// Games lost.
    pub losses: u32,
    /// The sum of its disc differences at the end of the games that were decided.
    pub discs: i64,
    /// Games decided against it by a fault: of the rules, the format, time, or by leaving.
    pub forfeits: u32,
    /// The faults of its programs beside these.
    pub faults: u32,
    /// The time that its moves took.
    pub used: Duration,
    /// The longest of them.
    pub longest: Duration,
}

/// A series that is over.
#[derive(Clone, Debug, Default)]
pub struct SeriesReport {
    /// What the games came to, in the order of the contestants.
    pub standings: [Standing; 2],
    /// Games that were called off.
    pub undecided: u32,
    /// All games in the order of their ends, with their numbers.
    pub games: Vec<(u32, GameReport<Board>)>,
}

impl SeriesReport {
    /// What a contestant came to.
    pub const fn standing(&self, contestant: Contestant) -> &Standing {
        &self.standings[contestant as usize]
    }

    /// Adds a game.
    pub fn add(&mut self, number: u32, report: GameReport<Board>) {
        for color in Color::ALL {
            let contestant = Contestant::of(number, color);
            self.standings[contestant as usize].add(color, &report);
        }
        if report.outcome.verdict().is_none() {
            self.undecided += 1;
        }
        self.games.push((number, report));
    }
}

impl Standing {
    fn add(&mut self, color: Color, report: &GameReport<Board>) {
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
        let score = report
            .position
            .score(Color::Black, Empties::OnBoard)
            .discs();
        self.discs += i64::from(if color == Color::Black { score } else { -score });
        self.forfeits += u32::from(verdict.cause.culprit() == Some(color));
    }
}

/// Plays a series, colours alternating.
///
/// `seat` makes the seat of a contestant for a colour, `observer` is told what happens, both with the
/// number of the game, counted from 1. Whatever happens in a game, the next one is played, unless a
/// program [does not start](Outcome::NotStarted). Then, and once `cancel` resolves, the games in progress
/// are called off and no other begins; the report has what was played.
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
    mut observer: impl FnMut(u32, SeriesNews<'_>),
    options: &SeriesOptions,
    cancel: impl Future<Output = ()>,
) -> Result<SeriesReport, IllegalMove> {
    let mut cancel = pin!(cancel);
    let (call_off, called_off) = watch::channel(false);
    let (sender, mut dispatches) = mpsc::unbounded_channel();
    let mut running = JoinSet::new();
    let mut report = SeriesReport::default();
    let mut numbers = 1..=options.games;
    loop {
        while running.len() < options.concurrency.max(1) && !*called_off.borrow() {
            let Some(number) = numbers.next() else { break };
            let seats =
                ByColor::new_with(|color| seat(number, Contestant::of(number, color), color));
            let watcher = watcher(number, game.setup, sender.clone());
            let cancel = cancelled(called_off.clone());
            let (game, options) = (game.clone(), options.game);
            running.spawn(async move {
                let keep = |_: &Board, _: &Verdict| ready(());
                let report = conduct(game, seats, watcher, keep, &options, cancel).await;
                (number, report)
            });
        }
        tokio::select! {
            // What a game told before its end is passed on before its end is.
            biased;
            Some(Dispatch { number, game, news }) = dispatches.recv() => {
                observer(number, SeriesNews::Game(&game, news.as_news()));
            }
            ended = running.join_next() => match ended {
                Some(Ok((number, game))) => {
                    let game = game?;
                    observer(number, SeriesNews::Over(&game));
                    if matches!(game.outcome, Outcome::NotStarted { .. }) {
                        call_off.send_replace(true);
                    }
                    report.add(number, game);
                }
                Some(Err(error)) => std::panic::resume_unwind(error.into_panic()),
                None => return Ok(report),
            },
            () = &mut cancel, if !*called_off.borrow() => {
                call_off.send_replace(true);
            }
        }
    }
}

/// News of a game on the way to the observer of its series.
struct Dispatch {
    number: u32,
    game: Game,
    news: OwnedNews,
}

enum OwnedNews {
    Launched { seat: Color, process: Option<u32> },
    Event(GameEvent<Move>),
    Note(Color, Note),
    Decided(Verdict),
}

impl OwnedNews {
    fn of(news: News<'_, Move>) -> Self {
        match news {
            News::Launched { seat, process } => Self::Launched { seat, process },
            News::Event(event) => Self::Event(event.clone()),
            News::Note(seat, note) => Self::Note(seat, note.clone()),
            News::Decided(verdict) => Self::Decided(verdict.clone()),
        }
    }

    const fn as_news(&self) -> News<'_, Move> {
        match self {
            Self::Launched { seat, process } => News::Launched {
                seat: *seat,
                process: *process,
            },
            Self::Event(event) => News::Event(event),
            Self::Note(seat, note) => News::Note(*seat, note),
            Self::Decided(verdict) => News::Decided(verdict),
        }
    }
}

fn watcher(
    number: u32,
    start: Board,
    sender: mpsc::UnboundedSender<Dispatch>,
) -> impl FnMut(&Board, News<'_, Move>) + Send {
    let mut game = Game::new(start);
    move |_, news| {
        follow(&mut game, &news);
        // The series is gone when its future was dropped; this game then ends too.
        let _ = sender.send(Dispatch {
            number,
            game: game.clone(),
            news: OwnedNews::of(news),
        });
    }
}

/// Resolves once the games are called off.
async fn cancelled(mut called_off: watch::Receiver<bool>) {
    if called_off.wait_for(|&off| off).await.is_err() {
        std::future::pending::<()>().await;
    }
}
