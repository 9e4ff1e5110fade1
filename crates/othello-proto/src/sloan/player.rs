//! The program's side: its answers to a referee.

mod opening;
mod options;
mod remarks;

use alloc::{format, string::ToString as _};
use core::time::Duration;

use othello_core::{Board, Color, IllegalMove, Move, Score};

use super::{
    ClaimReading, Dialect, Frame, Framer, MAX_COMPLAINTS, Message, Parsed,
    claim::{forfeit_to, own_claim},
    complaint::Complaint,
    print::print_line,
};
use crate::{
    framing::Framing as _,
    session::{
        AnsweredTask, CommonState, Ending, Note, PlayerFormat, Progress, Question, TaskClock,
        Timestamp, progress,
    },
};

pub(super) use options::OPENING_WAIT_SHARE;
pub use options::{OPENING_WAIT, PlayerOptions};
pub use remarks::Comments;

/// The player's session.
///
/// # Examples
///
/// ```
/// use othello_proto::session::{Action, PlayerSession, Timestamp};
/// use othello_proto::sloan::{Player, PlayerOptions};
///
/// let mut player = Player::new(PlayerOptions::default());
/// player.start(Timestamp::ORIGIN);
/// player.receive(b"(I W)", Timestamp::ORIGIN);
/// assert_eq!(player.poll(), Some(Action::Send(b"(R W)\n".to_vec())));
/// ```
#[derive(Clone, Debug)]
pub struct Player {
    options: PlayerOptions,
    common: CommonState,
    framer: Framer,
    /// True once the other side has shown its dialect.
    speaks: bool,
    game: Option<GameInPlay>,
    /// The complaints sent since the last usable message.
    complaints: u32,
}

/// The game as the player sees it.
#[derive(Clone, Debug)]
struct GameInPlay {
    color: Color,
    board: Board,
    stage: Stage,
    /// True when we move first and the other side has placed no disc yet, so that an opening pass
    /// may still come.
    opening: bool,
    /// True if the last action of the other side was a pass.
    opponent_passed: bool,
    /// The time that our moves took.
    used: Duration,
}

#[derive(Clone, Copy, Debug)]
enum Stage {
    /// We move first and have waited for the cue since then.
    AwaitingCue { since: Timestamp },
    /// The other side is to move, or to claim.
    Waiting,
    /// We are to move: a task is open.
    Thinking,
    /// We claimed the end and wait for the answer.
    Claimed,
    /// Both sides agree that the game is over, as far as it concerns us.
    Over,
}

impl Player {
    /// Creates a session that has not started.
    pub fn new(options: PlayerOptions) -> Self {
        Self {
            common: CommonState::new(options.time_margin),
            options,
            framer: Framer::default(),
            speaks: false,
            game: None,
            complaints: 0,
        }
    }

    /// Returns the board as the session knows it.
    pub fn board(&self) -> Board {
        self.game
            .as_ref()
            .map_or(self.options.start, |game| game.board)
    }

    /// Returns the colour that the session plays, once it is known.
    pub fn color(&self) -> Option<Color> {
        self.game.as_ref().map(|game| game.color)
    }

    fn parsed(&mut self, parsed: Parsed) {
        for name in parsed.leniencies.names() {
            self.lenient(name, &format!("read as {}", parsed.message));
        }
        let handled = self.message(parsed.message);
        match handled {
            Ok(()) => self.complaints = 0,
            Err(complaint) => self.complain(&complaint),
        }
    }

    /// Handles a message, or returns a complaint about it.
    fn message(&mut self, message: Message) -> Result<(), Complaint> {
        match message {
            Message::Assign(color) => self.begin(color),
            Message::Play => {}
            Message::Comment(text) => self
                .common
                .note_input(Note::info(format!("comment: {text}"))),
            Message::Ready(_) => {
                return Err(Complaint::NotYours(message));
            }
            Message::Move { .. } | Message::Claim(_) => {
                let Some(mut game) = self.game.take() else {
                    return Err(Complaint::NoGame(message));
                };
                let handled = match message {
                    Message::Claim(value) => self.claimed(&mut game, value),
                    Message::Move { color, mv } => self.moved(&mut game, color, mv),
                    _ => Ok(()),
                };
                self.game = Some(game);
                return handled;
            }
        }
        Ok(())
    }

    /// Starts a game, whatever there was before.
    fn begin(&mut self, color: Color) {
        if let Some(mut game) = self.game.take() {
            self.abandon(&mut game);
        }
        self.common.reset_note_limiter();
        self.send(&[Message::Ready(color)]);
        let first = self.options.start.side_to_move() == color;
        let game = GameInPlay {
            color,
            board: self.options.start,
            stage: if first {
                Stage::AwaitingCue {
                    since: self.common.now(),
                }
            } else {
                Stage::Waiting
            },
            opening: first,
            opponent_passed: false,
            used: Duration::ZERO,
        };
        self.game = Some(game);
        self.open_if_due();
    }

    /// Takes a move or a pass of the other side.
    fn moved(&mut self, game: &mut GameInPlay, color: Color, mv: Move) -> Result<(), Complaint> {
        let message = Message::Move { color, mv };
        if color == game.color {
            return Err(Complaint::NotYours(message));
        }
        match (game.stage, mv) {
            (Stage::AwaitingCue { .. }, Move::Pass) => {}
            (Stage::Waiting, _) => match game.opponent_plays(mv) {
                // A pass and a late cue look alike: the cue may still come.
                Ok(()) => game.opening &= mv == Move::Pass,
                Err(_) if game.opening && mv == Move::Pass => {
                    self.late_cue();
                    return Ok(());
                }
                Err(illegal) => return Err(Complaint::Illegal(message, illegal)),
            },
            (Stage::Thinking, Move::Pass) if game.opening => {
                self.late_cue();
                return Ok(());
            }
            (Stage::Claimed | Stage::Over, Move::Pass) => {
                self.common.note_input(Note::info("a pass after the end"));
                return Ok(());
            }
            (Stage::AwaitingCue { .. } | Stage::Thinking, _) => {
                return Err(Complaint::OutOfTurn(message));
            }
            (Stage::Claimed | Stage::Over, _) => {
                return Err(Complaint::Over(message));
            }
        }
        self.common.reset_note_limiter();
        game.opponent_passed = mv == Move::Pass;
        self.take_turn(game, self.common.now());
        Ok(())
    }

    /// Opens a task on a clock that has run since `started`; without a legal move, passes or
    /// claims.
    fn take_turn(&mut self, game: &mut GameInPlay, started: Timestamp) {
        let moves = game.board.legal_moves();
        if !moves.is_empty() {
            let clock = TaskClock {
                game: (self.options.game_time).map(|all| all.saturating_sub(game.used)),
                ..TaskClock::unlimited(started)
            };
            game.stage = Stage::Thinking;
            self.common
                .open_task((), clock, Question::best_of(game.board, moves));
        } else if game.opponent_passed && game.board.is_over() {
            game.stage = Stage::Claimed;
            self.send(&[Message::Claim(own_claim(game.board))]);
        } else {
            game.board = game.board.passed();
            game.stage = Stage::Waiting;
            self.send(&[Message::Move {
                color: game.color,
                mv: Move::Pass,
            }]);
        }
    }

    /// Takes the claim that the game is over.
    fn claimed(&mut self, game: &mut GameInPlay, value: Score) -> Result<(), Complaint> {
        let claim = Message::Claim(value);
        let over = game.board.is_over();
        let reading = ClaimReading::of(value, game.board).filter(|_| over);
        if let Stage::Claimed | Stage::Over = game.stage {
            game.stage = Stage::Over;
            self.common.note_input(match reading {
                Some(reading) => Note::info(format!("{claim} received: {reading}")),
                None => Note::fault(format!("{claim} received after the end does not fit")),
            });
            return Ok(());
        }
        let ours = own_claim(game.board);
        if let Some(reading) = reading {
            self.accept(reading, ours, value);
        } else if value == forfeit_to(game.color) {
            self.abandon(game);
            self.common
                .note(Note::info(format!("{claim} taken as a forfeit")));
            self.send(&[claim]);
        } else if over {
            self.common.note(Note::fault(format!(
                "{claim} does not fit; it is ({})",
                ours.discs()
            )));
            let text = Complaint::Misfit(value).to_string();
            self.send(&[Message::Comment(text), Message::Claim(ours)]);
        } else {
            return Err(Complaint::NotOver(value));
        }
        game.stage = Stage::Over;
        Ok(())
    }

    /// Answers a true claim with our own figure, and notes the reading that makes it true.
    fn accept(&mut self, reading: ClaimReading, ours: Score, value: Score) {
        let text = format!("the value {} is accepted as {reading}", value.discs());
        if let Some(name) = reading.leniency() {
            self.lenient(name, &text);
            self.send(&[Message::Comment(text), Message::Claim(ours)]);
        } else {
            self.common.note(Note::info(text));
            self.send(&[Message::Claim(ours)]);
        }
    }

    fn abandon(&mut self, game: &mut GameInPlay) {
        if self.common.abandon() {
            game.stage = Stage::Over;
        }
    }

    /// Complains about a message to the log and, unless too often, to the other side.
    fn complain(&mut self, complaint: &Complaint) {
        let text = complaint.to_string();
        self.common.note_input(Note::fault(text.as_str()));
        if self.complaints < MAX_COMPLAINTS {
            self.complaints += 1;
            self.send(&[Message::Comment(text)]);
        }
    }

    /// Sends messages in one piece.
    fn send(&mut self, messages: &[Message]) {
        let dialect = self.framer.dialect().unwrap_or_default();
        self.common.send(print_line(messages, dialect));
    }

    fn lenient(&mut self, name: &'static str, text: &str) {
        self.common.note_input(Note::leniency(name, text));
    }
}

impl GameInPlay {
    /// Plays a move of the other side, or a pass even after the end of the game.
    fn opponent_plays(&mut self, mv: Move) -> Result<(), IllegalMove> {
        if mv == Move::Pass && self.board.is_over() {
            self.board = self.board.passed();
            return Ok(());
        }
        self.board.play(mv)
    }
}

impl PlayerFormat for Player {
    type Question = Question;
    type Purpose = ();
    type Framing = Framer;

    fn common(&self) -> &CommonState {
        &self.common
    }

    fn parts(&mut self) -> (&mut CommonState, &mut Framer) {
        (&mut self.common, &mut self.framer)
    }

    fn take(&mut self, frame: Frame) {
        if !self.speaks
            && let Some(dialect) = self.framer.dialect()
        {
            self.speaks = true;
            if dialect == Dialect::Lines {
                self.lenient("no-parentheses", "the referee writes no parentheses");
            }
        }
        if frame == Frame::StrayParenthesis {
            return self.lenient(
                "stray-parenthesis",
                "a closing parenthesis that closes nothing",
            );
        }
        match frame.parse() {
            Ok(parsed) => self.parsed(parsed),
            Err(error) => self.complain(&Complaint::Unreadable(error)),
        }
    }

    fn answer(&mut self, answered: &AnsweredTask) {
        let Some(game) = &mut self.game else {
            return; // A task is open only within a game.
        };
        let mv = Move::Place(answered.answer.square);
        let Ok(()) = game.board.play(mv) else {
            return; // A task's moves are the legal ones.
        };
        game.used += self.common.now() - answered.task.clock.started;
        game.stage = Stage::Waiting;
        let assessment = answered.answer.assessment.as_ref();
        let color = game.color;
        let mut messages = remarks::on_move(self.options.comments, assessment, game.board);
        messages.push(Message::Move { color, mv });
        self.send(&messages);
    }

    fn ending(&mut self) -> Ending {
        match &self.game {
            Some(game) if !matches!(game.stage, Stage::Over) && !game.board.is_over() => {
                Ending::CutOff
            }
            _ => Ending::Orderly,
        }
    }

    fn take_bytes(&mut self, bytes: &[u8]) {
        self.push(bytes);
        self.take_all();
    }

    fn end_bytes(&mut self) {
        self.framer.finish();
        self.take_all();
    }

    fn wait_end(&self) -> Option<Timestamp> {
        self.opening_deadline()
    }

    fn stop_waiting(&mut self) {
        self.open_if_due();
    }

    fn progress(&self) -> Progress {
        progress(self.board(), self.color())
    }
}
