//! The games of a check, one case after the other.

use std::{
    collections::{BTreeMap, BTreeSet},
    mem,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use boardgame_core::Color;
use boardgame_io::SendForm;

use super::{
    Case, CaseResult, Check, Finished, Situation, Subject, TIME, WHOLE_GAMES, finished::Pressure,
};
use crate::engine::Engine as _;

/// Other conditions under which a game is repeated.
#[derive(Clone, Copy, Debug)]
pub(super) enum Variation {
    LineEndings,
    Pieces,
    SecondGame,
    TwoAtOnce,
    BusyMachine,
}

impl Variation {
    pub(super) const ALL: [Self; 5] = [
        Self::LineEndings,
        Self::Pieces,
        Self::SecondGame,
        Self::TwoAtOnce,
        Self::BusyMachine,
    ];

    /// Returns the name of its case.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::LineEndings => "line-endings",
            Self::Pieces => "pieces",
            Self::SecondGame => "second-game",
            Self::TwoAtOnce => "two-at-once",
            Self::BusyMachine => "busy-machine",
        }
    }

    const fn in_words(self) -> &'static str {
        match self {
            Self::LineEndings => "its input has CR LF line endings",
            Self::Pieces => "its input comes in pieces",
            Self::SecondGame => "it plays two games, in one process where the format allows it",
            Self::TwoAtOnce => "two instances run at the same time",
            Self::BusyMachine => "all processors are busy",
        }
    }
}

/// A check in progress.
pub(super) struct Run<'a, S> {
    check: &'a Check<S>,
    began: Instant,
    games: u32,
    /// The longest move of all games.
    longest: Duration,
    /// The longest time of all moves of a game.
    used: Duration,
    /// The pressure on the machine in the games before the variations.
    pressure: Pressure,
    /// The first failure of each case, else its first doubtful result.
    failures: BTreeMap<&'static str, CaseResult>,
    met: BTreeSet<&'static str>,
    cases: Vec<Case>,
    observer: &'a mut dyn FnMut(&Case),
}

impl<'a, S: Subject> Run<'a, S> {
    pub(super) fn new(check: &'a Check<S>, observer: &'a mut dyn FnMut(&Case)) -> Self {
        Self {
            check,
            began: Instant::now(),
            games: 0,
            longest: Duration::ZERO,
            used: Duration::ZERO,
            pressure: Pressure::default(),
            failures: BTreeMap::new(),
            met: BTreeSet::new(),
            cases: Vec::new(),
            observer,
        }
    }

    /// Plays the games of all cases that are wanted.
    pub(super) async fn all(mut self) -> Vec<Case> {
        let black = self.whole_game(Color::Black).await;
        let white = self.whole_game(Color::White).await;
        if black.fault.is_some() && white.fault.is_some() && self.failures.contains_key("start") {
            self.later_failures();
            return self.cases;
        }
        // The colour of a game without faults, to which the other games compare.
        let plays = [black, white]
            .iter()
            .find(|it| it.fault.is_none())
            .map(|it| it.color);
        let check = self.check;
        for situation in check.subject.situations() {
            if check.wants(situation.name) {
                self.look_for(situation, plays.is_some()).await;
            }
        }
        self.variations(plays).await;
        let wants = |name: &str| check.wants(name);
        for case in check.subject.others(wants, check.limits).await {
            self.push(case.name, &case.about, case.result);
        }
        self.time();
        self.later_failures();
        self.cases
    }

    /// Plays the first game of a colour and decides its case.
    async fn whole_game(&mut self, color: Color) -> Finished {
        let played = self.game(color, None).await;
        if self.games == 1 {
            self.decide(WHOLE_GAMES[0], "it starts and is ready in time", None);
        }
        let (name, about) = match color {
            Color::Black => ("black", "it plays a game as Black"),
            Color::White => ("white", "it plays a game as White"),
        };
        if played.fault.is_some() && !self.failures.contains_key(name) {
            self.push(name, about, CaseResult::NotReached { games: 1 });
        } else {
            self.decide(name, about, None);
        }
        played
    }

    /// Plays a game and takes its faults and situations.
    async fn game(&mut self, color: Color, goal: Option<&str>) -> Finished {
        self.games += 1;
        let number = u64::from(self.games);
        let check = self.check;
        let finished = check.play(color, SendForm::Plain, goal, number, 1).await;
        let times = finished.times::<S::Engine>();
        self.longest = times
            .iter()
            .copied()
            .max()
            .max(Some(self.longest))
            .unwrap_or_default();
        self.used = self.used.max(times.iter().sum());
        self.pressure += finished.pressure;
        if let Some((case, result)) = finished.failure(&check.subject, finished.pressure) {
            let first = self.failures.entry(case).or_insert_with(|| result.clone());
            if result.is_failure() && !first.is_failure() {
                *first = result;
            }
        } else {
            self.met.extend(check.subject.met(&finished));
        }
        finished
    }

    /// Decides a case: it failed if a game of it did.
    fn decide(&mut self, name: &'static str, about: &str, note: Option<String>) {
        let failure = self.failures.get(name).cloned();
        self.push(name, about, failure.unwrap_or(CaseResult::Passed { note }));
    }

    fn push(&mut self, name: &'static str, about: &str, result: CaseResult) {
        let about = about.to_owned();
        let case = Case {
            name,
            about,
            result,
        };
        (self.observer)(&case);
        self.cases.push(case);
    }

    /// Plays until a situation was met, at most the number of games that may be tried.
    async fn look_for(&mut self, situation: Situation, plays: bool) {
        let Situation { name, about } = situation;
        let mut games = 0;
        while plays
            && self.began.elapsed() < self.check.time
            && games < self.check.tries
            && !self.met.contains(name)
            && !self.failures.contains_key(name)
        {
            let color = [Color::Black, Color::White][(games % 2) as usize];
            self.game(color, Some(name)).await;
            games += 1;
        }
        if self.failures.contains_key(name) || self.met.contains(name) {
            self.decide(name, about, None);
        } else {
            self.push(name, about, CaseResult::NotReached { games });
        }
    }

    /// Repeats the game of a colour that was played without faults under other conditions.
    async fn variations(&mut self, plays: Option<Color>) {
        let check = self.check;
        let wanted = |it: &Variation| check.wants(it.name());
        for variation in Variation::ALL.into_iter().filter(wanted) {
            let (name, about) = (variation.name(), variation.in_words());
            let Some(color) = plays else {
                self.push(name, about, CaseResult::NotReached { games: 0 });
                continue;
            };
            let finished = match variation {
                Variation::LineEndings => self.again(color, SendForm::CrLf, 1).await,
                Variation::Pieces => self.again(color, SendForm::Pieces, 1).await,
                Variation::SecondGame => self.again(color, SendForm::Plain, 2).await,
                Variation::TwoAtOnce => self.side_by_side(color).await,
                Variation::BusyMachine => self.loaded(color).await,
            };
            let makes_load = matches!(variation, Variation::TwoAtOnce | Variation::BusyMachine);
            let pressure = if makes_load {
                self.pressure
            } else {
                finished.pressure
            };
            if let Some((_, result)) = finished.failure(&check.subject, pressure) {
                self.failures.insert(name, result);
            }
            self.decide(name, about, None);
        }
    }

    /// Plays the first game of a colour again, a number of times.
    async fn again(&self, color: Color, form: SendForm, games: u32) -> Finished {
        let number = match color {
            Color::Black => 1,
            Color::White => 2,
        };
        self.check.play(color, form, None, number, games).await
    }

    /// Plays two games at once; returns the one in which the program made a fault, if any.
    async fn side_by_side(&self, color: Color) -> Finished {
        let game = || self.again(color, SendForm::Plain, 1);
        let (one, two) = tokio::join!(game(), game());
        if one.fault.is_some() { one } else { two }
    }

    /// Plays a game while all processors are busy.
    async fn loaded(&self, color: Color) -> Finished {
        let _load = Load::start();
        self.again(color, SendForm::Plain, 1).await
    }

    /// Judges the longest move and the longest game.
    fn time(&mut self) {
        let about = "its moves stay well within the limit";
        let time = self.check.subject.engine().time();
        let (used, note, limit) = match (time.per_move, time.main) {
            (None, Some(limit)) => (self.used, "longest time for a game", Some(limit)),
            (limit, _) => (self.longest, "longest move", limit),
        };
        let note = format!("{note} {:.3} s", used.as_secs_f64());
        let Some(limit) = limit else {
            return self.decide(TIME, about, Some(note));
        };
        let note = format!("{note} of {:.3} s", limit.as_secs_f64());
        if used > limit * 19 / 20 && !self.failures.contains_key(TIME) {
            return self.push(TIME, about, CaseResult::Doubtful { note });
        }
        self.decide(TIME, about, Some(note));
    }

    /// Decides anew the cases in which a game failed after they were decided, and those that were not to be checked.
    fn later_failures(&mut self) {
        let mut names: BTreeSet<&'static str> = self.failures.keys().copied().collect();
        for case in &self.cases {
            let kind = self.failures.get(case.name).map(mem::discriminant);
            if kind == Some(mem::discriminant(&case.result)) {
                names.remove(case.name);
            }
        }
        for name in names {
            self.cases.retain(|case| case.name != name);
            self.decide(name, "in another game", None);
        }
    }
}

/// Work for all processors, until it is dropped.
struct Load(Arc<AtomicBool>);

impl Load {
    fn start() -> Self {
        let busy = Arc::new(AtomicBool::new(true));
        let threads = thread::available_parallelism().map_or(1, usize::from);
        for _ in 0..threads {
            let busy = Arc::clone(&busy);
            thread::spawn(move || while busy.load(Ordering::Relaxed) {});
        }
        Self(busy)
    }
}

impl Drop for Load {
    fn drop(&mut self) {
        self.0.store(false, Ordering::Relaxed);
    }
}
