//! Checks of a program before a contest: what would lose games is found, shown and explained.
//!
//! The program plays games against an opponent that plays at random or steers towards [situations](Situation) that
//! programs often get wrong, and games in which its input is written differently.

mod belief;
mod diagnosis;
mod opponent;
mod situation;

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::{self, Display},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use boardgame_core::{ByColor, Color, TimeControl};
use boardgame_io::{CommandLine, Exchange, ExchangeKind, SendForm, Trace};
use boardgame_match::{
    EngineId, GameId, GameSpec, LocalSeat, Seat as _,
    engine::{Engine, EngineSeat, OpenError, OpenSeat, Patience, SeatRequest, play},
    fault::Fault,
    limit::Limit,
    record::{PlayedGame, RecordFormat as _, Side},
};
use othello_core::{Board, Move, Square};
use serde::Serialize;

pub use self::situation::Situation;
use self::{
    diagnosis::Loss,
    opponent::{Opponent, Replies},
    situation::Tracker,
};
use crate::{
    engine::{EngineSpec, Kind},
    protocol::Protocol,
    record::Othello,
};

/// The exchanges that are shown of a game that was lost.
const SHOWN_EXCHANGES: usize = 6;

/// The time that a late move is waited for.
const OVERTIME: Duration = Duration::from_secs(3);

/// A check of a program.
#[derive(Clone, Debug)]
pub struct Check {
    /// The protocol that the program speaks.
    pub protocol: Protocol,
    /// Its command line.
    pub line: CommandLine,
    /// The limit of its time; by default that of the format.
    pub limit: Limit,
    /// The maximum number of games that are played for each situation.
    pub tries: u32,
    /// The time after which no more games are started to look for situations.
    pub time: Duration,
    /// The number that the opponent's moves depend on.
    pub seed: u64,
    /// The names of the cases to check; all if there is none. Whole games are always played.
    pub only: Vec<String>,
}

/// A case of a check and its result.
#[derive(Clone, Debug, Serialize)]
pub struct Case {
    /// A short name such as `pass-twice`.
    pub name: &'static str,
    /// What is checked.
    pub about: String,
    /// The result.
    #[serde(flatten)]
    pub result: CaseResult,
}

/// The result of a case.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "status", rename_all = "kebab-case")]
pub enum CaseResult {
    /// The program did well.
    Passed {
        /// A remark such as the longest time.
        #[serde(skip_serializing_if = "Option::is_none")]
        note: Option<String>,
    },
    /// The program did well, but may not in a contest.
    Doubtful {
        /// The doubt.
        note: String,
    },
    /// The program lost a game by a fault.
    Failed(Box<Failure>),
    /// No game of the program came to the situation.
    NotReached {
        /// The number of games that were tried.
        games: u32,
    },
}

/// A game that a program lost by a fault.
#[derive(Clone, Debug, Serialize)]
pub struct Failure {
    /// The fault.
    pub fault: String,
    /// Its likely cause.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cause: Option<String>,
    /// The program's colour.
    pub color: String,
    /// The moves of the game.
    pub moves: String,
    /// A diagram of the board at the fault; the illegal square or the last move is in parentheses.
    pub board: String,
    /// The square that the program chose, if it chose one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub square: Option<String>,
    /// The legal moves.
    pub legal: Vec<String>,
    /// What was sent and received last.
    pub exchanges: Vec<ShownExchange>,
}

/// Bytes that were sent to the program or received from it.
#[derive(Clone, Debug, Serialize)]
pub struct ShownExchange {
    /// The time since the start of the game, in milliseconds.
    pub ms: u64,
    /// `sent`, `received`, `stderr`, or `closed` for the end of the program's input.
    pub stream: &'static str,
    /// The text, with control characters escaped.
    pub text: String,
}

impl Display for ShownExchange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = self.ms as f64 / 1000.0;
        write!(f, "{seconds:8.3} s  {:<8}  {}", self.stream, self.text)
    }
}

impl CaseResult {
    /// Returns whether the program failed.
    pub const fn is_failure(&self) -> bool {
        matches!(self, Self::Failed(_))
    }
}

/// A side of a game of a check.
#[derive(Clone, Debug)]
enum Player {
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

/// A game of a check that is over.
#[derive(Debug)]
struct Played {
    color: Color,
    moves: Vec<Move>,
    boards: Vec<Board>,
    tracker: Tracker,
    /// The first fault of the program.
    fault: Option<Fault>,
    /// The longest time of a move.
    longest: Duration,
    text: String,
    began: Instant,
    trace: Vec<Exchange>,
}

impl Check {
    /// Plays the games, and calls `observer` for each case once it is decided.
    ///
    /// # Panics
    ///
    /// Panics outside a tokio runtime with time and I/O enabled.
    pub async fn run(&self, mut observer: impl FnMut(&Case)) -> Vec<Case> {
        let mut checking = Checking {
            check: self,
            replies: Replies::default(),
            began: Instant::now(),
            games: 0,
            longest: Duration::ZERO,
            failures: BTreeMap::new(),
            met: BTreeSet::new(),
            cases: Vec::new(),
            observer: &mut observer,
        };
        checking.run().await;
        checking.cases
    }

    /// Returns whether a case is to be checked.
    fn wants(&self, name: &str) -> bool {
        self.only.is_empty() || self.only.iter().any(|wanted| wanted == name)
    }

    /// Returns the program as an engine of a match.
    pub fn spec(&self) -> EngineSpec {
        EngineSpec {
            name: self.line.to_string(),
            kind: Kind::Program {
                protocol: self.protocol,
                line: self.line.clone(),
                setup: Vec::new(),
            },
            limit: self.limit,
        }
    }

    /// Returns the limit of each move, if there is one.
    fn move_limit(&self) -> Option<Duration> {
        self.spec().time().per_move
    }

    /// Plays a game.
    async fn play(&self, color: Color, form: SendForm, opponent: Player) -> Played {
        let trace = Trace::default();
        let mut patience = Patience {
            start: Duration::from_secs(10),
            overtime: OVERTIME,
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

impl Played {
    fn new(color: Color, game: &PlayedGame, began: Instant, trace: Vec<Exchange>) -> Self {
        let moves = Othello::read_moves(&Board::START, &game.moves).unwrap_or_default();
        let mut tracker = Tracker::new(Board::START, color);
        let mut boards = vec![Board::START];
        for &mv in &moves {
            tracker.play(mv);
            boards.push(tracker.board());
        }
        let own = |(by, thought): (Color, &boardgame_match::record::Thought)| {
            (by == color).then(|| Duration::from_micros(thought.wall_us))
        };
        let mut faults = game.faults.iter();
        Self {
            color,
            moves,
            boards,
            tracker,
            fault: faults
                .find(|(by, _)| *by == Side::from(color))
                .map(|(_, fault)| fault.clone()),
            longest: game
                .own_moves::<Othello>()
                .filter_map(own)
                .max()
                .unwrap_or_default(),
            text: game.moves.clone(),
            began,
            trace,
        }
    }

    fn board(&self) -> Board {
        self.tracker.board()
    }

    fn failure(&self, protocol: Protocol, fault: &Fault) -> Failure {
        let last = self.moves.last().copied().and_then(Move::square);
        let loss = Loss {
            protocol,
            program: self.color,
            fault,
            moves: &self.moves,
            boards: &self.boards,
            trace: &self.trace,
        };
        let exchanges = &self.trace[self.trace.len().saturating_sub(SHOWN_EXCHANGES)..];
        let is_illegal = matches!(fault, Fault::IllegalMove { .. });
        let square = loss.square().filter(|_| is_illegal);
        let legal = self.board().legal_moves();
        Failure {
            fault: fault.to_string(),
            cause: loss.cause(),
            color: self.color.to_string(),
            moves: self.text.clone(),
            board: self.board().pretty().last_move(square.or(last)).to_string(),
            square: square.as_ref().map(Square::to_string),
            legal: legal.iter().map(|square| square.to_string()).collect(),
            exchanges: exchanges
                .iter()
                .map(|it| ShownExchange {
                    ms: it.at.saturating_duration_since(self.began).as_millis() as u64,
                    stream: match it.kind {
                        ExchangeKind::Sent => "sent",
                        ExchangeKind::Received => "received",
                        ExchangeKind::Stderr => "stderr",
                        ExchangeKind::Closed => "closed",
                    },
                    text: it.bytes.escape_ascii().to_string(),
                })
                .collect(),
        }
    }

    /// Returns the name of the case that a fault belongs to.
    fn case_of(&self, fault: &Fault) -> &'static str {
        let board = self.board();
        let mut ends = [
            Situation::WipedOut,
            Situation::WipesOut,
            Situation::EarlyEnd,
            Situation::FullBoard,
        ]
        .into_iter()
        .filter(|&end| self.tracker.has(end));
        match fault {
            Fault::NotStarted { .. } => "start",
            Fault::Crashed { .. } if !self.has_answered() => "start",
            Fault::Late { .. } => "time",
            _ if board.is_over() => ends.next().map_or("early-end", Situation::name),
            _ if board.side_to_move() != self.color => self.color_case(),
            _ if board.must_pass() && self.passed_last() => Situation::MustPassTwice.name(),
            _ if board.must_pass() => Situation::MustPass.name(),
            _ if self.moves.last() == Some(&Move::Pass) => Situation::OpponentPasses.name(),
            _ => self.color_case(),
        }
    }

    /// Returns whether the program has written anything.
    fn has_answered(&self) -> bool {
        let mut kinds = self.trace.iter().map(|it| it.kind);
        kinds.any(|kind| kind == ExchangeKind::Received)
    }

    /// Returns whether the program's last move was a pass.
    fn passed_last(&self) -> bool {
        self.moves.iter().rev().nth(1) == Some(&Move::Pass)
    }

    const fn color_case(&self) -> &'static str {
        match self.color {
            Color::Black => "black",
            Color::White => "white",
        }
    }
}

/// A check in progress.
struct Checking<'a> {
    check: &'a Check,
    replies: Replies,
    began: Instant,
    games: u32,
    longest: Duration,
    /// The first failure of each case.
    failures: BTreeMap<&'static str, Failure>,
    met: BTreeSet<Situation>,
    cases: Vec<Case>,
    observer: &'a mut dyn FnMut(&Case),
}

impl Checking<'_> {
    async fn run(&mut self) {
        let black = self.game(Color::Black, SendForm::Plain, None).await;
        let white = self.game(Color::White, SendForm::Plain, None).await;
        if self.failures.contains_key("start") {
            return self.decide("start", "it starts and is ready in time", None);
        }
        self.decide("start", "it starts and is ready in time", None);
        self.decide("black", "it plays a game as Black", None);
        self.decide("white", "it plays a game as White", None);
        // Without a whole game there are no situations to look for.
        let plays = black.fault.is_none() || white.fault.is_none();
        let check = self.check;
        let wanted = |it: &Situation| check.wants(it.name());
        for situation in Situation::ALL.into_iter().filter(wanted) {
            self.look_for(situation, plays).await;
        }
        self.input_forms(plays).await;
        if plays && self.check.wants("two-at-once") {
            self.side_by_side().await;
        }
        if plays && self.check.wants("busy-machine") {
            self.loaded().await;
        }
        self.time();
    }

    /// Plays a game and takes what it shows.
    async fn game(&mut self, color: Color, form: SendForm, goal: Option<Situation>) -> Played {
        self.games += 1;
        let opponent = self.opponent(goal);
        let played = self.check.play(color, form, opponent).await;
        self.take(&played);
        played
    }

    fn opponent(&self, goal: Option<Situation>) -> Player {
        Player::Opponent {
            goal,
            replies: self.replies.clone(),
            seed: self.check.seed.wrapping_add(u64::from(self.games)),
        }
    }

    fn take(&mut self, played: &Played) {
        self.longest = self.longest.max(played.longest);
        let has = |situation: &Situation| played.tracker.has(*situation);
        match &played.fault {
            None => self.met.extend(Situation::ALL.iter().filter(|it| has(it))),
            Some(fault) => {
                let case = played.case_of(fault);
                let failure = || played.failure(self.check.protocol, fault);
                self.failures.entry(case).or_insert_with(failure);
            }
        }
    }

    /// Decides a case: it failed, if a game of it did.
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
            self.game(color, SendForm::Plain, Some(situation)).await;
            games += 1;
        }
        if self.failures.contains_key(name) || self.met.contains(&situation) {
            self.decide(name, situation.in_words(), None);
        } else {
            self.push(name, situation.in_words(), CaseResult::NotReached { games });
        }
    }

    /// Plays games with other line ends and with input that comes in pieces.
    async fn input_forms(&mut self, plays: bool) {
        for (name, about, form) in [
            ("line-ends", "its input has CR LF line ends", SendForm::CrLf),
            (
                "pieces",
                "its input comes byte by byte",
                SendForm::ByteByByte,
            ),
        ] {
            if !self.check.wants(name) {
                continue;
            }
            if !plays {
                self.push(name, about, CaseResult::NotReached { games: 0 });
                continue;
            }
            let opponent = self.opponent(None);
            let played = self.check.play(Color::White, form, opponent).await;
            self.take_as(name, &played);
            self.decide(name, about, None);
        }
    }

    /// Takes a fault as that of a case.
    fn take_as(&mut self, name: &'static str, played: &Played) {
        if let Some(fault) = &played.fault {
            let failure = played.failure(self.check.protocol, fault);
            self.failures.insert(name, failure);
        }
    }

    /// Plays two games at once.
    async fn side_by_side(&mut self) {
        let [one, two] = [Color::Black, Color::White].map(|color| {
            self.games += 1;
            self.check.play(color, SendForm::Plain, self.opponent(None))
        });
        let (one, two) = tokio::join!(one, two);
        for played in [one, two] {
            self.take_as("two-at-once", &played);
        }
        self.decide("two-at-once", "two of it play at the same time", None);
    }

    /// Plays a game while all processors are busy.
    async fn loaded(&mut self) {
        let busy = Arc::new(AtomicBool::new(true));
        let threads = thread::available_parallelism().map_or(1, usize::from);
        for _ in 0..threads {
            let busy = Arc::clone(&busy);
            thread::spawn(move || while busy.load(Ordering::Relaxed) {});
        }
        let opponent = self.opponent(None);
        let played = self
            .check
            .play(Color::Black, SendForm::Plain, opponent)
            .await;
        busy.store(false, Ordering::Relaxed);
        self.longest = self.longest.max(played.longest);
        self.take_as("busy-machine", &played);
        self.decide("busy-machine", "all processors are busy", None);
    }

    /// Judges the longest move of all games.
    fn time(&mut self) {
        let about = "its moves stay well within the limit";
        let longest = self.longest;
        let note = format!("longest move {:.3} s", longest.as_secs_f64());
        let Some(limit) = self.check.move_limit() else {
            return self.decide("time", about, Some(note));
        };
        let note = format!("{note} of {:.3} s", limit.as_secs_f64());
        if longest > limit * 19 / 20 && !self.failures.contains_key("time") {
            return self.push("time", about, CaseResult::Doubtful { note });
        }
        self.decide("time", about, Some(note));
    }
}
