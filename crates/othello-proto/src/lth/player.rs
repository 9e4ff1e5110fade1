//! The client's side.

mod closing;
mod turns;

use alloc::{
    format,
    string::{String, ToString},
};
use core::{fmt::Write as _, mem, time::Duration};

use othello_core::{Board, Color, Game, Move};

use super::{ClientLine, Complaint, Id, LimitScope, OldLine, Report, ServerLine, message, parse};
use crate::{
    framing::{Line, Lines, MAX_LINE},
    session::{
        AnsweredTask, CommonState, Ending, LineError, Note, PeerMisbehaved, PlayerFormat, Progress,
        Question, TimeMargin, Timestamp, progress,
    },
};

/// The maximum number of unreadable lines in a row before the session gives up.
pub const MAX_UNREADABLE: u32 = 32;

/// The time for which the session waits for the rest of the final block or of an error, and for the
/// server to close.
pub const FINAL_GRACE: Duration = Duration::from_secs(5);

/// The time that an owed move may still take after the end of input: the server may have closed
/// only its side, or be gone.
pub const OWED_MOVE_GRACE: Duration = Duration::from_secs(2);

/// The options of a [`Player`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayerOptions {
    /// The id to give as name.
    pub id: Id,
    /// The colour to choose where the server offers a choice; Dark if `None`.
    pub color: Option<Color>,
    /// The scope of the server's time limit.
    pub scope: LimitScope,
    /// The time before the limit at which a legal move is sent without a decision.
    pub time_margin: TimeMargin,
}

impl PlayerOptions {
    /// Returns options with no preferred colour, and the time limit as one for the game.
    pub fn new(id: Id) -> Self {
        Self {
            id,
            color: None,
            scope: LimitScope::Game,
            time_margin: TimeMargin::default(),
        }
    }
}

/// The mode of a server, inferred from its messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// A game against the server with the choice of the colour.
    Testing,
    /// A game against the server, which gives the colour.
    Evaluation,
    /// A game against another client.
    Competition,
}

/// The client's side of a game as a state machine.
///
/// # Examples
///
/// ```
/// use othello_proto::lth::{Player, PlayerOptions};
/// use othello_proto::session::{Action, PlayerSession, Timestamp};
///
/// let mut player = Player::new(PlayerOptions::new("me".parse()?));
/// player.start(Timestamp::ORIGIN);
/// player.receive(b"Hi! I am your othello server.\nWhat is your name?\n", Timestamp::ORIGIN);
/// assert_eq!(player.poll(), Some(Action::Send(b"me\n".to_vec())));
/// # Ok::<(), othello_proto::lth::InvalidId>(())
/// ```
#[derive(Clone, Debug)]
pub struct Player {
    options: PlayerOptions,
    common: CommonState,
    lines: Lines,
    phase: Phase,
    login: Login,
    color: Option<Color>,
    game: Game,
    /// True after the opponent's move was announced, until it comes.
    announced: bool,
    limit: Option<Duration>,
    used: Duration,
    report: Report,
    /// The colour whose count comes on a line of its own.
    label: Option<Color>,
    unreadable: u32,
    returns_noted: bool,
}

/// The part of the session before the game.
#[derive(Clone, Copy, Debug, Default)]
struct Login {
    named: bool,
    chose: bool,
    mode: Option<Mode>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// Login and game.
    Open,
    /// `error` was read; the reason is on the next line, if it comes by then.
    Complaint(Timestamp),
    /// The final block has started; the rest is awaited until then.
    Closing(Timestamp),
}

impl Player {
    /// Creates a session that has not started.
    pub fn new(options: PlayerOptions) -> Self {
        Self {
            common: CommonState::new(options.time_margin),
            options,
            lines: Lines::default(),
            phase: Phase::Open,
            login: Login::default(),
            color: None,
            game: Game::default(),
            announced: false,
            limit: None,
            used: Duration::ZERO,
            report: Report::default(),
            label: None,
            unreadable: 0,
            returns_noted: false,
        }
    }

    /// Returns the board as the session knows it.
    pub fn board(&self) -> Board {
        self.game.board()
    }

    /// Returns the colour that the session plays, once it is known.
    pub fn color(&self) -> Option<Color> {
        self.color
    }

    /// Returns the result as reported by the server.
    pub const fn report(&self) -> Report {
        self.report
    }

    /// Returns the server's mode, once its messages have shown it.
    pub const fn mode(&self) -> Option<Mode> {
        self.login.mode
    }

    /// Returns the game so far.
    pub const fn game(&self) -> &Game {
        &self.game
    }

    /// Makes a remark, unless there were too many since our last move.
    fn note(&mut self, note: Note) {
        self.common.note_input(note);
    }

    fn fault(&mut self, text: impl Into<String>) {
        self.note(Note::fault(text));
    }

    fn send(&mut self, line: &ClientLine) {
        self.common.send(message::wire([line]));
    }

    fn finish(&mut self, ending: Ending) {
        self.close();
        self.common.finish(ending);
    }

    /// Abandons the move that is owed and logs the result.
    fn close(&mut self) {
        self.common.abandon();
        self.common.reset_note_limiter();
        self.note_report();
    }

    /// Limits the wait for a move owed at the end of input to [`OWED_MOVE_GRACE`].
    fn limit_owed_move(&mut self) {
        let until = self.common.now() + OWED_MOVE_GRACE;
        self.common.wait_until(until);
    }

    fn read_line(&mut self, line: &[u8]) {
        if line.trim_ascii().is_empty() {
            self.note(Note::leniency("blank-line", "a blank line is skipped"));
        } else if matches!(self.phase, Phase::Complaint(_)) {
            let complaint = parse::complaint(line);
            self.finish(Ending::Rejected(complaint.to_string()));
        } else {
            match parse::server_line(line) {
                Ok(read) => {
                    self.unreadable = 0;
                    self.note_leniency(line, &read);
                    self.take(read);
                }
                Err(_) if matches!(self.phase, Phase::Closing(_)) => {
                    let text = String::from_utf8_lossy(line);
                    self.note(Note::leniency("final-words", format!("{text:?}")));
                }
                Err(error) => self.count_unreadable(LineError::Parse(error)),
            }
        }
    }

    fn count_unreadable(&mut self, error: LineError) {
        self.unreadable += 1;
        if self.unreadable > MAX_UNREADABLE {
            let misbehaved = PeerMisbehaved::Unreadable(error);
            self.finish(Ending::Unintelligible(misbehaved));
        } else {
            self.fault(error.to_string());
        }
    }

    fn note_leniency(&mut self, line: &[u8], read: &ServerLine) {
        if let Some(name) = parse::leniency(line, read) {
            let mut text = format!("read {:?}", String::from_utf8_lossy(line));
            let canonical = read.to_string();
            if canonical.as_bytes() != line {
                // Writing to a string cannot fail.
                let _ = write!(text, " as {canonical:?}");
            }
            self.note(Note::leniency(name, text));
        }
    }

    fn take(&mut self, line: ServerLine) {
        if matches!(self.phase, Phase::Closing(_)) {
            return self.take_closing(line);
        }
        match line {
            ServerLine::Greeting | ServerLine::Old(OldLine::Greeting) | ServerLine::MoveFormat => {}
            ServerLine::NameQuestion => self.give_name(),
            ServerLine::Hello { wins, .. } => self.welcomed(wins),
            ServerLine::TimeLimit(limit) => self.limit = Some(limit),
            ServerLine::ColorQuestion => self.choose_color(),
            ServerLine::YouAre(color) => self.learn_color(color),
            ServerLine::YourMove => self.asked_to_move(),
            ServerLine::OpponentsMove | ServerLine::Old(OldLine::MyMove) => self.opponent_begins(),
            ServerLine::Move(mv) => self.opponent_moved(mv),
            ServerLine::Error => {
                self.common.abandon();
                self.phase = Phase::Complaint(self.common.now() + FINAL_GRACE);
            }
            ServerLine::Complaint(complaint) => self.rejected(&complaint),
            ServerLine::Old(OldLine::Error(reason)) => self.rejected(&Complaint::Other(reason)),
            ServerLine::Old(OldLine::Number(number)) => {
                self.fault(format!("a number without a meaning: {number}"));
            }
            line => self.take_result(line),
        }
    }

    fn rejected(&mut self, complaint: &Complaint) {
        self.finish(Ending::Rejected(complaint.to_string()));
    }

    fn give_name(&mut self) {
        if mem::replace(&mut self.login.named, true) {
            return self.fault("asked for the name again");
        }
        let name = ClientLine::Name(self.options.id.clone());
        self.send(&name);
    }

    fn welcomed(&mut self, wins: Option<u32>) {
        let (mode, text) = wins.map_or_else(
            || (Mode::Competition, String::from("welcome to a competition")),
            |wins| {
                (
                    Mode::Evaluation,
                    format!("welcome, {wins} games won so far"),
                )
            },
        );
        self.login.mode = Some(mode);
        self.note(Note::info(text));
    }

    fn choose_color(&mut self) {
        if self.login.chose || self.color.is_some() {
            return self.fault("asked for the colour again");
        }
        self.login.chose = true;
        self.login.mode = Some(Mode::Testing);
        let color = self.options.color.unwrap_or(Color::Black);
        self.send(&ClientLine::Color(color));
    }

    fn learn_color(&mut self, color: Color) {
        match self.color {
            Some(known) if known != color => {
                let known = message::color_word(known);
                return self.fault(format!("a change of colour is ignored, we are {known}"));
            }
            Some(_) => return,
            None => self.color = Some(color),
        }
        let given = message::color_word(color);
        if self.options.color.is_some_and(|wish| wish != color) {
            self.fault(format!("we asked for the other colour, but are {given}"));
        } else {
            self.note(Note::info(format!("we are {given}")));
        }
    }
}

impl PlayerFormat for Player {
    type Question = Question;
    type Purpose = ();
    type Framing = Lines;

    fn common(&self) -> &CommonState {
        &self.common
    }

    fn parts(&mut self) -> (&mut CommonState, &mut Lines) {
        (&mut self.common, &mut self.lines)
    }

    fn take_bytes(&mut self, bytes: &[u8]) {
        if !self.returns_noted && bytes.contains(&b'\r') {
            self.returns_noted = true;
            self.note(Note::leniency("carriage-return", "lines end with \\r\\n"));
        }
        self.push(bytes);
        self.take_all();
    }

    fn end_bytes(&mut self) {
        self.lines.finish();
        self.take_all();
        self.limit_owed_move();
    }

    fn take(&mut self, line: Line) {
        match line {
            Line::Whole(line) => self.read_line(&line),
            Line::TooLong => {
                let max_bytes = MAX_LINE;
                self.count_unreadable(LineError::TooLong { max_bytes });
            }
        }
    }

    fn answer(&mut self, answered: &AnsweredTask) {
        let took = self.common.now() - answered.task.clock.started;
        self.used = self.used.saturating_add(took);
        self.play(Move::Place(answered.answer.square));
    }

    fn ending(&mut self) -> Ending {
        let ending = self.cut_off();
        self.close();
        ending
    }

    fn wait_end(&self) -> Option<Timestamp> {
        match self.phase {
            Phase::Closing(until) | Phase::Complaint(until) => Some(until),
            Phase::Open => None,
        }
    }

    fn stop_waiting(&mut self) {
        let ending = self.ending();
        self.common.finish(ending);
    }

    fn progress(&self) -> Progress {
        progress(self.board(), self.color())
    }
}
