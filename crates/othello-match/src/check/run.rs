//! The games of a check, one case after the other.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use boardgame_core::Color;
use boardgame_io::SendForm;
use boardgame_match::engine::Engine as _;

use super::{
    Case, CaseResult, Check, Failure, TIME, opponent::Replies, played::Played, player::Player,
    situation::Situation,
};

/// Other conditions under which a game is repeated.
#[derive(Clone, Copy, Debug)]
pub(super) enum Variation {
    LineEndings,
    Pieces,
    TwoAtOnce,
    BusyMachine,
}

impl Variation {
    pub(super) const ALL: [Self; 4] = [
        Self::LineEndings,
        Self::Pieces,
        Self::TwoAtOnce,
        Self::BusyMachine,
    ];

    /// Returns the name of its case.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::LineEndings => "line-endings",
            Self::Pieces => "pieces",
            Self::TwoAtOnce => "two-at-once",
            Self::BusyMachine => "busy-machine",
        }
    }

    const fn in_words(self) -> &'static str {
        match self {
            Self::LineEndings => "its input has CR LF line endings",
            Self::Pieces => "its input comes in pieces",
            Self::TwoAtOnce => "two instances run at the same time",
            Self::BusyMachine => "all processors are busy",
        }
    }
}

/// A check in progress.
pub(super) struct Run<'a> {
    check: &'a Check,
    replies: Replies,
    began: Instant,
    games: u32,
    /// The longest move of all games.
    longest: Duration,
    /// The longest time of all moves of a game.
    used: Duration,
    /// The first failure of each case.
    failures: BTreeMap<&'static str, Failure>,
    met: BTreeSet<Situation>,
    cases: Vec<Case>,
    observer: &'a mut dyn FnMut(&Case),
}

impl<'a> Run<'a> {
    pub(super) fn new(check: &'a Check, observer: &'a mut dyn FnMut(&Case)) -> Self {
        Self {
            check,
            replies: Replies::default(),
            began: Instant::now(),
            games: 0,
            longest: Duration::ZERO,
            used: Duration::ZERO,
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
        let wanted = |it: &Situation| check.wants(it.name());
        for situation in Situation::ALL.into_iter().filter(wanted) {
            self.look_for(situation, plays.is_some()).await;
        }
        self.variations(plays).await;
        self.time();
        self.later_failures();
        self.cases
    }

    /// Plays the first game of a colour and decides its case.
    async fn whole_game(&mut self, color: Color) -> Played {
        let played = self.game(color, None).await;
        if self.games == 1 {
            self.decide("start", "it starts and is ready in time", None);
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
    async fn game(&mut self, color: Color, goal: Option<Situation>) -> Played {
        self.games += 1;
        let opponent = self.opponent(goal, u64::from(self.games));
        let played = self.check.play(color, SendForm::Plain, opponent).await;
        self.longest = self.longest.max(played.longest);
        self.used = self.used.max(played.used);
        if let Some(failure) = played.failure(self.check.protocol) {
            self.failures.entry(played.case()).or_insert(failure);
        } else {
            let has = |it: &&Situation| played.tracker.has(**it);
            self.met.extend(Situation::ALL.iter().filter(has));
        }
        played
    }

    fn opponent(&self, goal: Option<Situation>, number: u64) -> Player {
        Player::Opponent {
            goal,
            replies: self.replies.clone(),
            seed: self.check.seed.wrapping_add(number),
        }
    }

    /// Decides a case: it failed if a game of it did.
    fn decide(&mut self, name: &'static str, about: &str, note: Option<String>) {
        let result = match self.failures.get(name) {
            Some(failure) => CaseResult::Failed(Box::new(failure.clone())),
            None => CaseResult::Passed { note },
        };
        self.push(name, about, result);
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
        let name = situation.name();
        let mut games = 0;
        while plays
            && self.began.elapsed() < self.check.time
            && games < self.check.tries
            && !self.met.contains(&situation)
            && !self.failures.contains_key(name)
        {
            let color = [Color::Black, Color::White][(games % 2) as usize];
            self.game(color, Some(situation)).await;
            games += 1;
        }
        if self.failures.contains_key(name) || self.met.contains(&situation) {
            self.decide(name, situation.in_words(), None);
        } else {
            self.push(name, situation.in_words(), CaseResult::NotReached { games });
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
            let faulty = match variation {
                Variation::LineEndings => self.again(color, SendForm::CrLf).await,
                Variation::Pieces => self.again(color, SendForm::Pieces).await,
                Variation::TwoAtOnce => self.side_by_side(color).await,
                Variation::BusyMachine => self.loaded(color).await,
            };
            if let Some(failure) = faulty {
                self.failures.insert(name, failure);
            }
            self.decide(name, about, None);
        }
    }

    /// Plays the first game of a colour again; returns the program's fault, if any.
    async fn again(&self, color: Color, form: SendForm) -> Option<Failure> {
        let number = match color {
            Color::Black => 1,
            Color::White => 2,
        };
        let opponent = self.opponent(None, number);
        let played = self.check.play(color, form, opponent).await;
        played.failure(self.check.protocol)
    }

    /// Plays two games at once.
    async fn side_by_side(&self, color: Color) -> Option<Failure> {
        let game = || self.again(color, SendForm::Plain);
        let (one, two) = tokio::join!(game(), game());
        one.or(two)
    }

    /// Plays a game while all processors are busy.
    async fn loaded(&self, color: Color) -> Option<Failure> {
        let _load = Load::start();
        self.again(color, SendForm::Plain).await
    }

    /// Judges the longest move and the longest game.
    fn time(&mut self) {
        let about = "its moves stay well within the limit";
        let time = self.check.spec().time();
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
        for case in self.cases.iter().filter(|case| case.result.is_failure()) {
            names.remove(case.name);
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
