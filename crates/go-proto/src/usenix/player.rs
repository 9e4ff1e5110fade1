//! The program's side.

use alloc::{collections::VecDeque, format};
use core::time::Duration;

use boardgame_core::{Color, TimeMeasure};
use go_core::{IllegalMove, IllegalReason, Move, Point, Position, Setup};

use super::{BYO_ROMI, Lenient, MAIN_TIME, Play, RefereeMessage, tournament_setup};
use crate::{
    framing::{Line, Lines},
    session::{
        AnsweredTask, CommonState, Ending, Note, PlayerFormat, Progress, Question, TaskClock,
        TimeMargin, progress,
    },
};

/// The maximum number of messages that wait while a move is chosen.
const MAX_WAITING: usize = 1024;

/// The options of a [`Player`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayerOptions {
    /// The setup of the game, which the format does not transmit.
    pub setup: Setup,
    /// The user CPU time for the game before byo-romi.
    pub main_time: Duration,
    /// The user CPU time for each move in byo-romi.
    pub byo_romi: Duration,
    /// The time before the limits at which a legal move is played without a decision.
    pub time_margin: TimeMargin,
}

impl Default for PlayerOptions {
    /// The tournament's setup and times.
    fn default() -> Self {
        Self {
            setup: tournament_setup(),
            main_time: MAIN_TIME,
            byo_romi: BYO_ROMI,
            time_margin: TimeMargin::default(),
        }
    }
}

/// The program's side of a game.
///
/// The tournament counts user CPU time, and so does [the session](boardgame_session::player::PlayerSession::measure),
/// from each question to its answer. Once the main time is used up by this count or by the referee's, each move has the
/// time of byo-romi.
///
/// Messages that come while a move is chosen wait until it is sent. After two passes in a row the session
/// prints nothing more and waits for the end of input.
///
/// # Examples
///
/// ```
/// use go_core::{Move, Point};
/// use go_proto::session::{Action, Decision, PlayerSession, Timestamp};
/// use go_proto::usenix::{Player, PlayerOptions};
///
/// let now = Timestamp::ORIGIN;
/// let mut player = Player::new(PlayerOptions::default());
/// player.start(now);
/// player.receive(b"white\nQ16\n", now);
/// let task = loop {
///     if let Some(Action::Think(task)) = player.poll() {
///         break task;
///     }
/// };
/// let point: Point = "D4".parse()?;
/// player.decide(Decision { task: task.id, answer: Move::from(point).into() }, now);
/// assert_eq!(player.poll(), Some(Action::Send(b"D4\n".to_vec())));
/// # Ok::<(), go_core::ParseTextError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Player {
    options: PlayerOptions,
    common: CommonState,
    position: Position,
    color: Option<Color>,
    phase: Phase,
    /// Passes in a row, by either side. An impossible move is not a pass.
    passes: u8,
    /// The moves of both sides, impossible ones among them.
    move_count: usize,
    /// The point that we played last, until the opponent answers.
    placed: Option<Point>,
    /// The main time left.
    main_left: Duration,
    in_byo_romi: bool,
    lines: Lines,
    /// Messages that came while a move was chosen.
    waiting: VecDeque<RefereeMessage>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// Our colour is unknown.
    Opening,
    /// We are to move while a task is open, else the opponent is.
    Playing,
    /// Both sides have passed; the end of input is to come.
    Over,
}

impl Player {
    /// Returns a session that waits for its colour.
    pub fn new(options: PlayerOptions) -> Self {
        Self {
            common: CommonState::new(options.time_margin),
            position: Position::new(&options.setup),
            color: None,
            phase: Phase::Opening,
            passes: 0,
            move_count: 0,
            placed: None,
            main_left: options.main_time,
            in_byo_romi: false,
            lines: Lines::default(),
            waiting: VecDeque::new(),
            options,
        }
    }

    /// Returns the position as the session knows it.
    pub const fn position(&self) -> &Position {
        &self.position
    }

    /// Returns the colour that the session plays, once it is known.
    pub const fn color(&self) -> Option<Color> {
        self.color
    }

    /// Returns whether the referee has sent `byo-romi`.
    pub const fn is_in_byo_romi(&self) -> bool {
        self.in_byo_romi
    }

    /// Takes a message at once, or after the move in progress is sent.
    fn receive_message(&mut self, message: RefereeMessage) {
        if message == RefereeMessage::ByoRomi || !self.common.is_thinking() {
            self.take_message(message);
        } else if self.waiting.len() < MAX_WAITING {
            self.waiting.push_back(message);
        } else {
            self.ignore(message, "too many messages wait");
        }
    }

    fn begin_byo_romi(&mut self) {
        self.in_byo_romi = true;
        self.common.note_input(Note::info("byo-romi begins"));
        let clock = self.clock();
        if let Some(moment) = self.options.time_margin.last_moment(clock) {
            self.common.wait_until(moment);
        }
    }

    fn take_message(&mut self, message: RefereeMessage) {
        match (self.phase, message) {
            (_, RefereeMessage::ByoRomi) => self.begin_byo_romi(),
            (Phase::Opening, RefereeMessage::Color(color)) => self.begin(color),
            (Phase::Opening, RefereeMessage::Play(play)) => {
                let color = !self.position.side_to_move();
                let text = format!("{message} came before the colour, which is {color} then");
                self.common.note_input(Note::leniency("no-colour", text));
                self.begin(color);
                self.take_opponents(play);
            }
            (Phase::Playing, RefereeMessage::Play(play)) => self.take_opponents(play),
            (Phase::Playing, RefereeMessage::Color(_)) => {
                self.ignore(message, "the game has begun");
            }
            (Phase::Over, _) => self.ignore(message, "the game is over"),
        }
    }

    fn ignore(&mut self, message: RefereeMessage, why: &str) {
        let text = format!("{message} ignored: {why}");
        self.common.note_input(Note::fault(text));
    }

    fn begin(&mut self, color: Color) {
        self.color = Some(color);
        self.phase = Phase::Playing;
        if self.position.side_to_move() == color {
            self.ask();
        }
    }

    /// Takes the opponent's turn, even an impossible one, and starts ours.
    fn take_opponents(&mut self, play: Play) {
        if let (Play::Place(point), Some(placed)) = (play, self.placed)
            && point == placed
        {
            let text = format!("{play} is our own move");
            return self.common.note_input(Note::leniency("echo", text));
        }
        self.placed = None;
        let played = match play.to_move() {
            Some(mv) => self.position.play(mv),
            None => return self.skip(&format!("the point {play} is on no board")),
        };
        match played {
            Ok(()) => self.count(play == Play::Pass),
            Err(IllegalMove {
                mv,
                reason: IllegalReason::Ko | IllegalReason::Superko,
            }) => self.take_ko(mv),
            Err(illegal) => return self.skip(&format!("{illegal}")),
        }
        self.go_on();
    }

    /// Takes a stone that retakes a ko at once. The referee of 1986 let it pass.
    fn take_ko(&mut self, mv: Move) {
        let color = self.position.side_to_move();
        let text = format!("{mv} retakes a ko at once; we go on from there");
        self.common.note_input(Note::fault(text));
        // A pass clears the ko.
        self.pass_unseen();
        if self.position.play_as(color, mv).is_ok() {
            self.count(false);
        }
    }

    /// Skips an impossible turn of the opponent: the referee has let it through and waits for us.
    fn skip(&mut self, why: &str) {
        let text = format!("{why}; we go on from our own board");
        self.common.note_input(Note::fault(text));
        self.pass_unseen();
        self.count(false);
        self.go_on();
    }

    /// Gives the turn to the other side by a pass that does not end the game.
    fn pass_unseen(&mut self) {
        let passed = self.position.play(Move::Pass);
        debug_assert!(passed.is_ok(), "the game goes on");
        self.position.resume();
    }

    /// Counts a move of either side.
    fn count(&mut self, is_pass: bool) {
        self.move_count += 1;
        self.passes = if is_pass { self.passes + 1 } else { 0 };
        if self.passes < 2 {
            // The position may count a pass that was none.
            self.position.resume();
        } else {
            self.phase = Phase::Over;
        }
    }

    /// Starts our turn, unless the game is over.
    fn go_on(&mut self) {
        if self.phase == Phase::Playing {
            self.ask();
        }
    }

    fn ask(&mut self) {
        let position = self.position.clone();
        let clock = self.clock();
        self.common.open_task((), clock, Question::new(position));
    }

    /// Returns the clock of a move requested now.
    ///
    /// A move that goes over the main time has the time of byo-romi altogether, not in addition to what was left.
    fn clock(&self) -> TaskClock {
        let unlimited = TaskClock::unlimited(self.common.now());
        let byo_romi = self.options.byo_romi;
        if self.in_byo_romi || self.main_left.is_zero() {
            return TaskClock {
                per_move: Some(byo_romi),
                ..unlimited
            };
        }
        // The referee's account may be ahead of this one.
        let within_main = self.main_left.saturating_sub(self.options.time_margin.game);
        TaskClock {
            game: Some(self.main_left),
            per_move: Some(within_main.max(byo_romi)),
            overtime: Some(byo_romi),
            ..unlimited
        }
    }
}

impl PlayerFormat for Player {
    type Question = Question;
    type Purpose = ();
    type Framing = Lines;

    fn measure(&self) -> TimeMeasure {
        TimeMeasure::UserCpu
    }

    fn common(&self) -> &CommonState {
        &self.common
    }

    fn parts(&mut self) -> (&mut CommonState, &mut Lines) {
        (&mut self.common, &mut self.lines)
    }

    fn take(&mut self, line: Line) {
        let Line::Whole(line) = line else {
            let text = "skipped: a line that is longer than any is";
            return self.common.note_input(Note::fault(text));
        };
        if line.iter().all(u8::is_ascii_whitespace) {
            let note = Note::leniency("blank-lines", "skipped");
            return self.common.note_input(note);
        }
        match RefereeMessage::parse_lenient(&line) {
            Ok(Lenient {
                message,
                leniencies,
            }) => {
                for name in leniencies {
                    let text = format!("{} read as {message}", line.escape_ascii());
                    self.common.note_input(Note::leniency(name, text));
                }
                self.receive_message(message);
            }
            Err(error) => {
                let note = Note::fault(format!("skipped: {error}"));
                self.common.note_input(note);
            }
        }
    }

    /// Takes a waiting message, or a line.
    fn take_next(&mut self) -> bool {
        if !self.common.is_thinking()
            && let Some(message) = self.waiting.pop_front()
        {
            self.take_message(message);
            return true;
        }
        let Some(line) = self.lines.next_line() else {
            return false;
        };
        self.take(line);
        true
    }

    /// Makes our move and prints it.
    fn answer(&mut self, answered: &AnsweredTask) {
        let mv = answered.answer.mv().unwrap_or_else(|| {
            let text = "the format has no word for resigning: pass instead";
            self.common.note(Note::info(text));
            Move::Pass
        });
        let took = self.common.now() - answered.task.clock.started;
        self.main_left = self.main_left.saturating_sub(took);
        // Only moves that the open task's question admits get here, and those are legal.
        let played = self.position.play(mv);
        debug_assert!(played.is_ok());
        self.placed = mv.point();
        self.count(mv == Move::Pass);
        self.common.send(format!("{}\n", Play::from(mv)));
        self.common.reset_note_limiter();
    }

    fn ending(&mut self) -> Ending {
        if self.phase == Phase::Over {
            Ending::Orderly
        } else {
            Ending::CutOff
        }
    }

    fn progress(&self) -> Progress {
        progress(&self.position, self.move_count, self.color)
    }
}
